package report

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"cruxconform/conformance/verdict"
	"cruxconform/spec"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

func reportSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(spec.ReportSchema))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("report.schema.json", doc); err != nil {
		t.Fatal(err)
	}
	return c.MustCompile("report.schema.json")
}

func validate(t *testing.T, text string) error {
	t.Helper()
	v, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return reportSchema(t).Validate(v)
}

func TestJSONFitsItsSchema(t *testing.T) {
	for name, r := range map[string]*verdict.Report{
		"every outcome": sample(),
		"conformant":    without("1.1-03", "1.1-04", "2.1-01", "2.1-02", "2.1-03", "3.1-01"),
		"unreachable":   verdict.Judge(verdict.Input{Ledger: sampleLedger(), Asked: []string{"1.1-01"}, Unreachable: "connection refused"}),
		"interrupted":   verdict.Judge(verdict.Input{Ledger: sampleLedger(), Asked: []string{"1.1-01"}, Interrupted: "interrupt signal"}),
		"nothing":       verdict.Judge(verdict.Input{Ledger: sampleLedger()}),
		"faults": verdict.Judge(verdict.Input{Ledger: sampleLedger(), Asked: []string{"1.1-01"},
			Faults: []verdict.WorkerFault{{Setup: "default", Message: "killed"}, {Setup: "default", ID: "1.1-01", Message: "killed"}}}),
	} {
		t.Run(name, func(t *testing.T) {
			if err := validate(t, written(t, "json", r, ConsoleOptions{})); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestTheSchemaRefusesAReportThatContradictsItself(t *testing.T) {
	for name, damage := range map[string]func(*Document){
		"another version":      func(d *Document) { d.Schema = "cruxconform.report.v2" },
		"exit code of usage":   func(d *Document) { d.Exit = 2 },
		"breach without why":   func(d *Document) { d.Find("1.1-03").Findings = nil },
		"unrun without why":    func(d *Document) { d.Find("2.1-03").Message = "" },
		"a pass that folds":    func(d *Document) { d.Find("1.1-01").After = "2.1-01" },
		"unknown outcome":      func(d *Document) { d.Find("1.1-01").Outcome = "passed" },
		"body by another name": func(d *Document) { d.Find("1.1-01").Exchanges[0].ResponseBody = "body-1" },
		"body in two forms":    func(d *Document) { s := "x"; d.Bodies[strings.Repeat("0", 64)] = Body{&s, []byte("x"), 1} },
		"results left out":     func(d *Document) { d.Results = nil },
	} {
		t.Run(name, func(t *testing.T) {
			d := NewDocument(sample())
			damage(d)
			text, err := json.Marshal(d)
			if err != nil {
				t.Fatal(err)
			}
			if validate(t, string(text)) == nil {
				t.Error("the schema accepts it")
			}
		})
	}
}

func TestJSONHoldsEachBodyOnceByItsHash(t *testing.T) {
	d := NewDocument(sample())
	if len(d.Bodies) != 3 {
		t.Errorf("the sample has 3 distinct bodies, the report %d", len(d.Bodies))
	}
	for key, b := range d.Bodies {
		sum := sha256.Sum256(b.Bytes())
		if hex.EncodeToString(sum[:]) != key {
			t.Errorf("body %s hashes to %x", key, sum)
		}
		if b.Size != len(b.Bytes()) {
			t.Errorf("body %s: size %d, bytes %d", key, b.Size, len(b.Bytes()))
		}
	}
	x := d.Find("1.1-02").Exchanges[1]
	if x.RequestBody != x.ResponseBody {
		t.Error("equal bodies have two keys")
	}
	if got := d.Bodies[x.ResponseBody]; got.Text != nil || !bytes.Equal(got.Base64, binary) {
		t.Errorf("a body that is not UTF-8 stands as %+v", got)
	}
}

func TestJSONComesBackAsItWasWritten(t *testing.T) {
	r := sample()
	back, err := Read(strings.NewReader(written(t, "json", r, ConsoleOptions{})))
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(back, NewDocument(r)) {
		t.Error("the report that was read differs from the one that was written")
	}
}

func TestReadRefusesAnotherVersion(t *testing.T) {
	_, err := Read(strings.NewReader(`{"schema": "cruxconform.report.v9"}`))
	if err == nil || !strings.Contains(err.Error(), "cruxconform.report.v9") {
		t.Errorf("got %v", err)
	}
}

func TestJSONHasExpectedAndActualSideBySide(t *testing.T) {
	d := NewDocument(sample())
	for id, want := range map[string][2]string{
		"1.1-03":        {"the error code: -32601", "the error code: -32600"},
		"1.1-01":        {"HTTP 200", "HTTP 200 with a body of 8 bytes"},
		"tool.query-01": {"", ""},
	} {
		l := d.Find(id)
		if got := [2]string{l.Expected, l.Actual}; got != want {
			t.Errorf("%s: got %q, want %q", id, got, want)
		}
	}
	if got := d.Find("1.1-01").Exchanges[0].Curl; !strings.HasPrefix(got, "curl ") {
		t.Errorf("curl line of a check that held: %q", got)
	}
}
