package report

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"cruxconform/conformance/verdict"
	"cruxconform/conformance/wire"
	"cruxconform/spec"
)

// binary is no UTF-8 text.
var binary = []byte{0xff, 0xfe, 0x00, 0x01}

func sampleEntry(id string, change func(*spec.Entry)) spec.Entry {
	section, _, _ := strings.Cut(id, "-")
	e := spec.Entry{
		ID: id, Section: section, Level: spec.Must, Says: "the server says " + id, Evidence: spec.EvidenceWire,
		Setup: "default", Class: "core", Effect: spec.EffectNone, Sends: "POST /mcp", Expects: "HTTP 200",
	}
	if change != nil {
		change(&e)
	}
	return e
}

// sampleLedger has an entry for every outcome, 3.1-01 folding under 2.1-01.
func sampleLedger() *spec.Document {
	return &spec.Document{
		Setups: []spec.Setup{{Name: "default"}, {Name: "bare", Alone: true}},
		Entries: []spec.Entry{
			sampleEntry("1.1-01", func(e *spec.Entry) { e.Quirk = true }),
			sampleEntry("1.1-02", nil),
			sampleEntry("1.1-03", func(e *spec.Entry) { e.Level = spec.Should }),
			sampleEntry("1.1-04", func(e *spec.Entry) { e.Level = spec.Observed }),
			sampleEntry("2.1-01", func(e *spec.Entry) { e.Quirk = true }),
			sampleEntry("2.1-02", nil),
			sampleEntry("2.1-03", func(e *spec.Entry) { e.Setup = "bare" }),
			sampleEntry("2.1-04", nil),
			sampleEntry("2.1-05", func(e *spec.Entry) { e.Pending = true }),
			sampleEntry("3.1-01", nil),
			sampleEntry("3.1-02", func(e *spec.Entry) { e.Class = "auth" }),
			sampleEntry("tool.query-01", func(e *spec.Entry) { e.Section = "retrieval" }),
		},
	}
}

func sampleExchange(body string, answer []byte) wire.Exchange {
	return wire.Exchange{
		Method: "POST", URL: "http://127.0.0.1:14801/mcp", Status: 200, Duration: 1500 * time.Microsecond,
		RequestHead:  "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:14801\r\nContent-Type: application/json",
		RequestBody:  []byte(body),
		ResponseHead: "HTTP/1.1 200 OK\r\nContent-Type: application/json",
		Body:         answer,
	}
}

func sampleRecord(id string, state verdict.State, change func(*verdict.Record)) verdict.Record {
	r := verdict.Record{ID: id, Setup: "default", State: state, Millis: 3}
	if state == verdict.Held || state == verdict.Broken {
		r.Exchanges = []wire.Exchange{sampleExchange(`{"method":"ping"}`, []byte(`{"id":1}`))}
	}
	if state == verdict.Broken {
		r.Findings = []verdict.Finding{{What: "the error code", Expected: "-32601", Actual: "-32600"}}
	}
	if change != nil {
		change(&r)
	}
	return r
}

// tableRecord is a table check with so many rows, all but the first broken.
func tableRecord(id string, rows int) verdict.Record {
	return sampleRecord(id, verdict.Broken, func(r *verdict.Record) {
		r.Findings = nil
		for i := range rows {
			name := fmt.Sprintf("row %d", i)
			r.Rows = append(r.Rows, verdict.Row{Name: name, Broken: i > 0})
			if i > 0 {
				r.Findings = append(r.Findings, verdict.Finding{
					Row: name, What: "the error code", Expected: "-32601", Actual: "\x1b[31mred\x1b[0m",
				})
			}
		}
	})
}

// sampleInput brings every outcome once, warnings and notes included.
func sampleInput() verdict.Input {
	return verdict.Input{
		Ledger: sampleLedger(),
		Target: verdict.Target{Name: "http://127.0.0.1:14801/mcp", How: "url"},
		Asked:  []string{"1.1-01", "1.1-02", "1.1-03", "1.1-04", "2.1-01", "2.1-02", "2.1-03", "3.1-01", "3.1-02"},
		Records: []verdict.Record{
			sampleRecord("1.1-01", verdict.Held, nil),
			sampleRecord("1.1-02", verdict.Held, func(r *verdict.Record) {
				r.Exchanges = append(r.Exchanges, sampleExchange(string(binary), binary))
				r.LeftBehind = []string{"fact cc-1"}
				r.Notes = []string{"the order differs"}
			}),
			sampleRecord("1.1-03", verdict.Broken, nil),
			sampleRecord("1.1-04", verdict.Broken, nil),
			tableRecord("2.1-01", 12),
			sampleRecord("2.1-02", verdict.Failed, func(r *verdict.Record) { r.Message = "panic: out of range\ngoroutine 1\n\tmain.go:1" }),
			sampleRecord("2.1-03", verdict.Unrun, func(r *verdict.Record) { r.Message = "port 14801 is in use" }),
			sampleRecord("3.1-01", verdict.Broken, func(r *verdict.Record) { r.Findings[0].BlockedBy = "2.1-01" }),
			sampleRecord("3.1-02", verdict.Held, nil),
		},
		NotAsked:      []verdict.NotAsked{{ID: "tool.query-01", Reason: "no retrieval corpus is known", Remedy: "--api URL"}},
		NotApplicable: []verdict.NotApplicable{{ID: "2.1-04", Declaration: "capability_token: attached"}},
		Pending:       []string{"2.1-05"},
	}
}

func sample() *verdict.Report { return verdict.Judge(sampleInput()) }

// without is the sample where the named records did not come about.
func without(drop ...string) *verdict.Report {
	in := sampleInput()
	var records []verdict.Record
	var asked []string
	for _, r := range in.Records {
		if !strings.Contains(strings.Join(drop, " "), r.ID) {
			records = append(records, r)
			asked = append(asked, r.ID)
		}
	}
	in.Records, in.Asked = records, asked
	return verdict.Judge(in)
}

func written(t *testing.T, format string, r *verdict.Report, o ConsoleOptions) string {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, format, r, o); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func wantIn(t *testing.T, text string, wants ...string) {
	t.Helper()
	for _, w := range wants {
		if !strings.Contains(text, w) {
			t.Errorf("the text lacks %q:\n%s", w, text)
		}
	}
}
