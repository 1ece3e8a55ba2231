package report

import (
	"encoding/xml"
	"io"
	"slices"
	"strconv"
	"strings"
	"testing"

	"cruxconform/conformance/verdict"
)

// junitShape lists what the common JUnit schema (the one that the xunit plug-in
// of Jenkins validates against) allows where, as far as this report uses it.
var junitShape = map[string]struct{ attrs, children []string }{
	"testsuites": {[]string{"name", "tests", "failures", "errors", "skipped", "time"}, []string{"testsuite"}},
	"testsuite":  {[]string{"name", "tests", "failures", "errors", "skipped", "time"}, []string{"testcase"}},
	"testcase":   {[]string{"name", "classname", "time"}, []string{"skipped", "error", "failure", "system-out"}},
	"skipped":    {[]string{"message", "type"}, nil},
	"error":      {[]string{"message", "type"}, nil},
	"failure":    {[]string{"message", "type"}, nil},
	"system-out": {nil, nil},
}

// counted is what a strict reader counts in a JUnit file, without trusting an
// attribute.
type counted struct{ tests, failures, errors, skipped int }

// readStrictly walks the XML, refuses what the shape does not allow, and checks
// each count attribute against what it counted itself.
func readStrictly(t *testing.T, text string) (counted, []string) {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(text))
	d.Strict = true
	var path, cases []string
	var all, suite counted
	var heads []map[string]string
	for {
		token, err := d.Token()
		if err == io.EOF {
			return all, cases
		}
		if err != nil {
			t.Fatalf("not well-formed: %v", err)
		}
		switch x := token.(type) {
		case xml.StartElement:
			attrs := attributes(t, path, x)
			path, heads = append(path, x.Name.Local), append(heads, attrs)
			switch x.Name.Local {
			case "testsuite":
				suite = counted{}
			case "testcase":
				suite.tests++
				all.tests++
				cases = append(cases, attrs["name"])
			case "failure":
				suite.failures++
				all.failures++
			case "error":
				suite.errors++
				all.errors++
			case "skipped":
				suite.skipped++
				all.skipped++
			}
		case xml.EndElement:
			head := heads[len(heads)-1]
			switch x.Name.Local {
			case "testsuite":
				wantCounts(t, head, suite)
			case "testsuites":
				wantCounts(t, head, all)
			}
			path, heads = path[:len(path)-1], heads[:len(heads)-1]
		}
	}
}

func attributes(t *testing.T, path []string, x xml.StartElement) map[string]string {
	t.Helper()
	shape, known := junitShape[x.Name.Local]
	if !known {
		t.Fatalf("element <%s> is no part of JUnit", x.Name.Local)
	}
	if len(path) > 0 && !slices.Contains(junitShape[path[len(path)-1]].children, x.Name.Local) {
		t.Errorf("<%s> may not stand in <%s>", x.Name.Local, path[len(path)-1])
	}
	out := map[string]string{}
	for _, a := range x.Attr {
		if !slices.Contains(shape.attrs, a.Name.Local) {
			t.Errorf("<%s> has no attribute %s", x.Name.Local, a.Name.Local)
		}
		out[a.Name.Local] = a.Value
	}
	return out
}

func wantCounts(t *testing.T, head map[string]string, c counted) {
	t.Helper()
	for name, n := range map[string]int{"tests": c.tests, "failures": c.failures, "errors": c.errors, "skipped": c.skipped} {
		if head[name] != strconv.Itoa(n) {
			t.Errorf("suite %q says %s=%q, a reader counts %d", head["name"], name, head[name], n)
		}
	}
	if s, err := strconv.ParseFloat(head["time"], 64); err != nil || s < 0 {
		t.Errorf("suite %q has time %q", head["name"], head["time"])
	}
}

func TestJUnitCountsAreWhatAReaderCounts(t *testing.T) {
	r := sample()
	got, cases := readStrictly(t, written(t, "junit", r, ConsoleOptions{}))
	want := counted{
		tests: len(r.Results), failures: r.Counts[verdict.Violated], errors: r.Counts[verdict.EngineError],
		skipped: r.Counts[verdict.CouldNotRun] + r.Counts[verdict.Unasked] + r.Counts[verdict.Unchecked] + r.Counts[verdict.Inapplicable],
	}
	if got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	for i, x := range r.Results {
		if !strings.HasPrefix(cases[i], x.Entry.ID+" ") {
			t.Errorf("case %d is %q, want entry %s", i, cases[i], x.Entry.ID)
		}
	}
}

func TestJUnitHasOneFailureForEachViolatedCheckAlsoUnderStrict(t *testing.T) {
	in := sampleInput()
	in.Strict = true
	r := verdict.Judge(in)
	if r.Counts[verdict.Violated] != 2 {
		t.Fatalf("the strict sample has %d violated entries, want 2", r.Counts[verdict.Violated])
	}
	got, _ := readStrictly(t, written(t, "junit", r, ConsoleOptions{}))
	if got.failures != 2 {
		t.Errorf("failures: got %d, want 2", got.failures)
	}
}

func TestJUnitOfARunThatDidNothingIsNotGreen(t *testing.T) {
	for name, in := range map[string]verdict.Input{
		"unreachable": {Asked: []string{"1.1-01"}, Unreachable: "connection refused"},
		"interrupted": {Asked: []string{"1.1-01"}, Interrupted: "interrupt signal"},
		"dead worker": {Asked: []string{"1.1-01"}, Faults: []verdict.WorkerFault{{Setup: "default", Message: "killed"}}},
		"nothing":     {},
	} {
		t.Run(name, func(t *testing.T) {
			in.Ledger = sampleLedger()
			r := verdict.Judge(in)
			got, cases := readStrictly(t, written(t, "junit", r, ConsoleOptions{}))
			if got.errors != 1 || got.failures != 0 || !slices.Contains(cases, "run") {
				t.Errorf("got %+v with cases %q, want one error in the case run", got, cases)
			}
		})
	}
}

func TestJUnitTakesWhatXMLCannotHold(t *testing.T) {
	text := written(t, "junit", sample(), ConsoleOptions{})
	if strings.ContainsRune(text, '\x1b') {
		t.Error("an escape character of the server stands in the file")
	}
	readStrictly(t, text)
}
