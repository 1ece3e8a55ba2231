package report

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"

	"cruxconform/spec"
)

func TestExplainSaysAllOfAnEntry(t *testing.T) {
	e := spec.Entry{
		ID: "11.4-02", Section: "11.4", Level: spec.Should, Says: "an unknown method is refused",
		Evidence: spec.EvidenceWire, Setup: "minimal", Class: "core", Needs: []string{"api", "restart"},
		Unless: "capability_token: attached", Effect: spec.EffectUndone, Quirk: true, Slow: true,
		After: []string{"11.3-01"}, Deviants: []string{"unknown-method-404"},
		Sends: "POST with method resources/list", Expects: "HTTP 200 and code -32601", Page: "Line one.\nLine two.\n",
	}
	wantIn(t, explain(e, 100),
		"11.4-02  an unknown method is refused\n", "Section      11.4\n",
		"Level        should: a chapter implies it; a breach is a warning", "Class        core\n",
		`CORECRUXD_TOOL_SURFACE="minimal"`, "Needs        api, restart\n",
		"Sent         POST with method resources/list\n", "Must return  HTTP 200 and code -32601\n",
		"Leaves       nothing; the check removes what it makes\n",
		"Unless       the target file declares capability_token: attached\n", "--slow",
		"Folds under  11.3-01\n", "Turned red   unknown-method-404\n", "\nLine one.\nLine two.\n",
	)
}

func TestExplainSaysWhyAnEntryIsNotAsked(t *testing.T) {
	none := spec.Entry{ID: "11.1-01", Section: "11.1", Level: spec.Must, Says: "x", Evidence: spec.EvidenceNone,
		Reason: "example line that another entry covers", CoveredBy: "11.1-02", Class: "core"}
	text := explain(none, 100)
	wantIn(t, text, "no client can observe this: example line that another entry covers (11.1-02)")
	if strings.Contains(text, "Sent") || strings.Contains(text, "Turned red") {
		t.Errorf("what is never asked is told as asked:\n%s", text)
	}
	later := spec.Entry{ID: "11.1-03", Section: "11.1", Level: spec.Must, Says: "x", Evidence: spec.EvidenceWire,
		Setup: "default", Class: "sse", Pending: true}
	wantIn(t, explain(later, 100), "not written yet")
}

func TestExplainWorksForEveryEntry(t *testing.T) {
	entries := spec.Ledger().Entries
	if len(entries) == 0 {
		t.Fatal("the embedded ledger is empty")
	}
	for _, e := range entries {
		text, err := Explain(e.ID, 80)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(text, e.ID+"  ") {
			t.Errorf("the explanation of %s begins with another entry", e.ID)
		}
	}
}

func TestExplainNamesTheNearestEntries(t *testing.T) {
	if len(spec.Ledger().Entries) == 0 {
		t.Fatal("the embedded ledger is empty")
	}
	known := spec.Ledger().Entries[0].ID
	_, err := Explain(known+"9", 80)
	if err == nil {
		t.Fatal("a mistyped id is explained")
	}
	wantIn(t, err.Error(), known+"9", "did you mean", known, "cruxconform list")
	_, err = Explain("nothing like it", 80)
	wantIn(t, err.Error(), `no entry has the id "nothing like it"; cruxconform list`)
}

func TestListIsATable(t *testing.T) {
	l := sampleLedger().Entries
	var b bytes.Buffer
	if err := List(&b, []Listed{{Entry: l[0]}, {Entry: l[2]}}, 0); err != nil {
		t.Fatal(err)
	}
	want := "" +
		"ID      LEVEL   SETUP    CLASS  SAYS\n" +
		"1.1-01  must    default  core   the server says 1.1-01\n" +
		"1.1-03  should  default  core   the server says 1.1-03\n"
	if b.String() != want {
		t.Errorf("got\n%swant\n%s", b.String(), want)
	}
}

func TestListTellsWhatATargetCanBeAsked(t *testing.T) {
	l := sampleLedger().Entries
	listed := []Listed{
		{Entry: l[0], Status: "asked"},
		{Entry: l[2], Status: "not asked", Remedy: "--launch 'COMMAND', or url: {minimal: ...} in a target file"},
	}
	var b bytes.Buffer
	if err := List(&b, listed, 72); err != nil {
		t.Fatal(err)
	}
	wantIn(t, strings.Join(strings.Fields(b.String()), " "),
		"asked the server says 1.1-01",
		"not asked the server says 1.1-03 (to ask it: --launch 'COMMAND', or url: {minimal: ...} in a target file)")
	for _, line := range strings.Split(b.String(), "\n") {
		if n := utf8.RuneCountInString(line); n > 72 {
			t.Errorf("a line has %d columns: %s", n, line)
		}
	}
}
