package report

import (
	"strings"
	"testing"
	"unicode/utf8"

	"cruxconform/conformance/verdict"
)

func TestConsoleTellsABreachWithBothValuesAndTheRequest(t *testing.T) {
	text := written(t, "console", sample(), ConsoleOptions{})
	wantIn(t, text,
		"VIOLATED 2.1-01  must, setup default, class core",
		"Expected     row 1: the error code: -32601",
		`Actual       \u001b[31mred\u001b[0m`,
		"Requirement  section 2.1: the server says 2.1-01",
		`Request      curl -i -X POST 'http://127.0.0.1:14801/mcp'`,
		"Rows         11 of 12 broken",
		"row 8: the error code: expected -32601",
		"and 3 more, all in the JSON report",
		"Folds        1 could not be assessed for this: 3.1-01",
		"WARNING 1.1-03", "NOTE 1.1-04",
	)
	if strings.Contains(text, "row 9:") {
		t.Error("more rows are shown than the cap allows")
	}
	if strings.Count(text, "3.1-01") != 1 {
		t.Error("a folded entry is told more than once")
	}
}

func TestConsoleTellsTheGravestFirst(t *testing.T) {
	text := written(t, "console", sample(), ConsoleOptions{})
	if v, w, n := strings.Index(text, "VIOLATED"), strings.Index(text, "WARNING"), strings.Index(text, "NOTE"); v > w || w > n {
		t.Errorf("violated at %d, warning at %d, note at %d", v, w, n)
	}
}

func TestConsoleListsApartWhatIsNoPass(t *testing.T) {
	wantIn(t, written(t, "console", sample(), ConsoleOptions{Width: 200}),
		"1.1            2 pass, 1 warning, 1 note",
		"2.1            1 violated, 1 could not run, 1 engine error, 1 not applicable, 1 not checked yet",
		"ENGINE ERROR 2.1-02", "panic: out of range",
		"Could not run: 1", "port 14801 is in use",
		"Not asked: 1", "no retrieval corpus is known; to ask it: --api URL",
		"Not applicable: 1", "declared capability_token: attached",
		"held   1.1-01", "broken 2.1-01",
		"Left behind on the server: 1", "1.1-02: fact cc-1",
		"Remarks: 1", "1.1-02: the order differs",
		"core           broken (1 of 10 violated, 1 not asked, 1 pending, 2 could not run, 1 engine error, 1 warning, 1 note, 1 not applicable)",
		"auth           holds (all 1 asked)",
		"not checked yet: 1",
		"exit 4: engine error",
	)
}

func TestConsoleEndsWithTheExitCodeInWords(t *testing.T) {
	for name, c := range map[string]struct {
		report *verdict.Report
		want   string
	}{
		"0": {without("1.1-03", "1.1-04", "2.1-01", "2.1-02", "2.1-03", "3.1-01"), "exit 0: conformant as far as asked\n"},
		"1": {without("2.1-02"), "exit 1: violated\n  1 of 8 entries asked is violated\n"},
		"3": {verdict.Judge(verdict.Input{Ledger: sampleLedger(), Asked: []string{"1.1-01"}, Unreachable: "connection refused"}),
			"exit 3: could not run\n  the target could not be reached: connection refused\n"},
		"4": {sample(), "exit 4: engine error\n  engine error in 2.1-02: panic: out of range\n  1 of the entries asked is violated as well\n"},
	} {
		text := written(t, "console", c.report, ConsoleOptions{})
		if !strings.HasSuffix(text, c.want) {
			t.Errorf("exit %s: the report ends with %q, want %q", name, text[max(0, len(text)-120):], c.want)
		}
	}
}

func TestConsoleIsColouredOnlyWhenToldSo(t *testing.T) {
	if text := written(t, "console", sample(), ConsoleOptions{}); strings.ContainsRune(text, '\x1b') {
		t.Error("the plain report holds escape characters")
	}
	colored := written(t, "console", sample(), ConsoleOptions{Color: true})
	wantIn(t, colored, "\x1b[31;1mVIOLATED")
	if strings.Contains(colored, "\x1b[31mred") {
		t.Error("an escape sequence of the server reached the terminal")
	}
}

func TestConsoleKeepsToTheWidthWhereBlanksAllowIt(t *testing.T) {
	in := sampleInput()
	in.NotAsked[0].Remedy = strings.Repeat("give the option ", 20)
	in.Records[2].Findings[0].Actual = strings.Repeat("word ", 60)
	for _, width := range []int{60, 100} {
		for _, l := range strings.Split(written(t, "console", verdict.Judge(in), ConsoleOptions{Width: width}), "\n") {
			if n := utf8.RuneCountInString(l); n > width && !strings.HasPrefix(l, "  Request") {
				t.Errorf("width %d: a line has %d columns: %s", width, n, l)
			}
		}
	}
}

func TestHasColorHonoursNoColor(t *testing.T) {
	t.Setenv("NO_COLOR", "1")
	if f := devNull(t); HasColor(f) {
		t.Error("what is no terminal is coloured")
	}
}
