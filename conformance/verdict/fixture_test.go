package verdict

import (
	"fmt"
	"testing"

	"cruxconform/conformance/wire"
	"cruxconform/spec"
)

// entry is a ledger entry of the tests: level must, class core, setup default
// unless changed.
func entry(id string, change ...func(*spec.Entry)) spec.Entry {
	e := spec.Entry{
		ID: id, Section: "1", Level: spec.Must, Says: "says " + id, Evidence: spec.EvidenceWire,
		Setup: "default", Class: "core",
	}
	for _, c := range change {
		c(&e)
	}
	return e
}

func level(l spec.Level) func(*spec.Entry) { return func(e *spec.Entry) { e.Level = l } }
func class(name string) func(*spec.Entry)  { return func(e *spec.Entry) { e.Class = name } }
func setup(name string) func(*spec.Entry)  { return func(e *spec.Entry) { e.Setup = name } }
func pending(e *spec.Entry)                { e.Pending = true }
func unobservable(e *spec.Entry)           { e.Evidence, e.Reason = spec.EvidenceNone, "outside the process" }
func ledger(entries ...spec.Entry) *spec.Document {
	return &spec.Document{
		Setups:  []spec.Setup{{Name: "default"}, {Name: "minimal"}, {Name: "bare", Alone: true}},
		Entries: entries,
	}
}

// answered is an exchange that came back whole.
var answered = wire.Exchange{Method: "POST", Status: 200}

func held(id string) Record {
	return Record{ID: id, Setup: "default", State: Held, Exchanges: []wire.Exchange{answered}}
}

func broken(id string, findings ...Finding) Record {
	if len(findings) == 0 {
		findings = []Finding{{What: "the answer", Expected: "yes", Actual: "no"}}
	}
	return Record{ID: id, Setup: "default", State: Broken, Findings: findings, Exchanges: []wire.Exchange{answered}}
}

// blockedBy is a record whose only findings are about prerequisites.
func blockedBy(id string, prerequisites ...string) Record {
	var f []Finding
	for _, p := range prerequisites {
		f = append(f, Finding{What: "the answer", Expected: "yes", Actual: "no", BlockedBy: p})
	}
	return broken(id, f...)
}

func silent(id string) Record {
	r := broken(id, Finding{What: "the answer", Expected: "a whole HTTP answer", Actual: "connection reset", Unanswered: true})
	r.Exchanges = []wire.Exchange{{Method: "POST", Err: "connection reset"}}
	return r
}

func unrun(id, why string) Record {
	return Record{ID: id, Setup: "default", State: Unrun, Message: why}
}

func failed(id string) Record {
	return Record{ID: id, Setup: "default", State: Failed, Message: "panic: index out of range"}
}

func in(repetition int, r Record) Record {
	r.Repetition = repetition
	return r
}

// judged judges the records; every entry with a record counts as asked.
func judged(l *spec.Document, change func(*Input), records ...Record) *Report {
	input := Input{Ledger: l, Records: records, Repetitions: 1}
	for _, r := range records {
		input.Asked = append(input.Asked, r.ID)
	}
	if change != nil {
		change(&input)
	}
	return Judge(input)
}

func wantOutcome(t *testing.T, rep *Report, id string, want Outcome) *Result {
	t.Helper()
	r := rep.Find(id)
	if r == nil {
		t.Fatalf("entry %s has no result", id)
	}
	if r.Outcome != want {
		t.Errorf("outcome of %s: got %q (%s), want %q", id, r.Outcome, r.Message, want)
	}
	return r
}

func wantExit(t *testing.T, rep *Report, want int) {
	t.Helper()
	if rep.Exit != want {
		t.Errorf("exit code: got %d (%s: %v), want %d", rep.Exit, rep.Conclusion, rep.Reasons, want)
	}
	if got, ok := map[int][]string{
		0: {"conformant", "conformant as far as asked"}, 1: {"violated"}, 3: {"could not run"}, 4: {"engine error"},
	}[rep.Exit]; !ok || !contains(got, rep.Conclusion) {
		t.Errorf("exit code %d is told as %q", rep.Exit, rep.Conclusion)
	}
	if rep.Exit != ExitConformant && len(rep.Reasons) == 0 {
		t.Errorf("exit code %d comes without a reason", rep.Exit)
	}
}

func contains(list []string, v string) bool {
	for _, l := range list {
		if l == v {
			return true
		}
	}
	return false
}

func wantText(t *testing.T, what, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("%s:\n got %s\nwant %s", what, got, want)
	}
}

func wantList(t *testing.T, what string, got, want []string) {
	t.Helper()
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}
