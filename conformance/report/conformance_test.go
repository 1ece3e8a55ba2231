package report

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"cruxconform/conformance/verdict"
	"cruxconform/spec"
)

// sampleConformance is a ledger of three sections with a gate that saw some.
func sampleConformance() ConformanceInput {
	l := sampleLedger()
	l.Entries[0].Deviants = []string{"shouts", "whispers"}
	l.Entries[1].Deviants = []string{"whispers"}
	l.Entries[1].Says = "a __bootstrap__::x | *starred* <tag>"
	l.Entries[4].Page = "A page."
	hidden := sampleEntry("9.9-01", func(e *spec.Entry) {
		e.Evidence, e.Setup, e.Reason, e.CoveredBy = spec.EvidenceNone, "", "example line that another entry covers", "1.1-01"
	})
	l.Entries = append(l.Entries, hidden)
	return ConformanceInput{
		Ledger:  l,
		Checked: func(id string) bool { return id != "2.1-05" && id != "9.9-01" },
		Rulings: []Ruling{{"R1", "Is it so?", "Yes."}},
		Gate: &Gate{
			Reference: map[string]verdict.Outcome{"1.1-01": verdict.Passed, "1.1-02": verdict.Passed, "3.1-02": verdict.Passed, "2.1-03": verdict.CouldNotRun},
			Deviants:  []GateDeviant{{Name: "whispers", Lie: "whispers the answer", Setup: "default", Entries: []string{"1.1-01", "1.1-02"}, Folded: []string{"3.1-01"}, Rows: 12}},
			Variants:  []GateVariant{{Name: "slow", About: "answers late", Setups: []string{"default", "bare"}}},
		},
	}
}

func conformanceText(t *testing.T, in ConformanceInput) string {
	t.Helper()
	var b bytes.Buffer
	if err := Conformance(&b, in); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestConformanceTellsWhatIsCheckedAndWhatIsNot(t *testing.T) {
	wantIn(t, conformanceText(t, sampleConformance()),
		"The ledger has 13 entries: 11 are checked, 1 are **not checked yet**, and 1 cannot be seen by any client.",
		"| 1.1 | tool pages: 1.1 | 2 | 1 | 1 | 4 | 0 | 0 |",
		"| `1.1-01` | must | default | the server says 1.1-01 *(quirk)* | yes | `shouts`, `whispers` |",
		`| a \_\_bootstrap\_\_::x \| \*starred\* &lt;tag> |`,
		"| `2.1-05` | must | default | the server says 2.1-05 | not yet |  |",
		"| `2.1-01` | the server says 2.1-01 | yes | yes |",
		"| `9.9-01` | 9.9 | the server says 9.9-01 (shown by `1.1-01`) |",
		"| R1 | Is it so? | Yes. |",
		"The ledger names 2 deviants; 1 of them are in the committed result of the gate.",
		"| `whispers` | whispers the answer | default | `1.1-01`, `1.1-02` | `3.1-01` | 12 | as it must |",
		"| `shouts` |  |  | `1.1-01` |  |  | not yet |",
		"| `slow` | answers late | default, bare |",
	)
}

func TestConformanceClaimsNoMoreThanTheGateSaw(t *testing.T) {
	in := sampleConformance()
	text := conformanceText(t, in)
	wantIn(t, text, "| core |", "- core: holds as far as asked (2 of 11, 7 not asked, 1 pending, 1 could not run)",
		"- auth: holds (all 1 asked)", "| `2.1-03` | could not run | the server says 2.1-03 |")
	in.Gate.Reference["1.1-02"] = verdict.Violated
	wantIn(t, conformanceText(t, in), "- core: broken (1 of 11 violated", "| `1.1-02` | violated |")
	in.Gate.Reference = nil
	text = conformanceText(t, in)
	wantIn(t, text, "No result of the reference daemon is committed.")
	if strings.Contains(text, "| holds") {
		t.Error("a class holds without any result")
	}
}

func TestConformanceTablesAreWellFormed(t *testing.T) {
	columns := 0
	cell := regexp.MustCompile(`(^|[^\\])\|`)
	for i, l := range strings.Split(conformanceText(t, sampleConformance()), "\n") {
		if !strings.HasPrefix(l, "|") {
			columns = 0
			continue
		}
		n := len(cell.FindAllString(l, -1))
		if columns == 0 {
			columns = n
		}
		if n != columns {
			t.Errorf("line %d has %d cell bars, its table %d: %s", i+1, n, columns, l)
		}
	}
}

func TestConformanceIsTheSameEachTime(t *testing.T) {
	if a, b := conformanceText(t, sampleConformance()), conformanceText(t, sampleConformance()); a != b {
		t.Error("two runs over the same input differ")
	}
}

func TestRulingsAreNumberedWithoutAGap(t *testing.T) {
	r, err := Rulings()
	if err != nil {
		t.Fatal(err)
	}
	if len(r) != 48 {
		t.Errorf("there are %d rulings, want 48", len(r))
	}
	for i, x := range r {
		if want := fmt.Sprintf("R%d", i+1); x.ID != want {
			t.Errorf("ruling %d is called %s, want %s", i+1, x.ID, want)
		}
		if !strings.HasSuffix(x.Question, "?") || !strings.HasSuffix(x.Holds, ".") {
			t.Errorf("%s is no question with an answer: %q %q", x.ID, x.Question, x.Holds)
		}
	}
}

func TestEverySectionAndClassIsIntroduced(t *testing.T) {
	for _, e := range spec.Ledger().Entries {
		chapter := e.Section[0] >= '0' && e.Section[0] <= '9'
		if _, known := subjects[e.Section]; chapter && !known {
			t.Errorf("section %s of entry %s has no subject in sections.go", e.Section, e.ID)
		}
	}
	for _, c := range spec.Classes {
		if classAbout[c] == "" {
			t.Errorf("class %s is not described in sections.go", c)
		}
	}
	for c := range classAbout {
		if !slices.Contains(spec.Classes, c) {
			t.Errorf("class %s is described and does not exist", c)
		}
	}
}

func TestReadGateTellsAMissingFileFromADamagedOne(t *testing.T) {
	dir := t.TempDir()
	g, err := ReadGate(filepath.Join(dir, "gate.json"))
	if err != nil || len(g.Deviants) != 0 {
		t.Errorf("a gate that was never run: got %v, %v", g, err)
	}
	path := filepath.Join(dir, "damaged.json")
	if err := os.WriteFile(path, []byte(`{"deviants": [`), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadGate(path); err == nil || !strings.Contains(err.Error(), path) {
		t.Errorf("a damaged file: got %v", err)
	}
}
