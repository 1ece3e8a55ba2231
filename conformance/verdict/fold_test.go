package verdict

import (
	"strings"
	"testing"

	"cruxconform/spec"
)

var chain = ledger(entry("1-01"), entry("1-02"), entry("1-03"), entry("1-04"))

func TestACheckFoldsUnderItsBrokenPrerequisite(t *testing.T) {
	rep := judged(chain, nil, broken("1-01"), blockedBy("1-02", "1-01"), blockedBy("1-03", "1-01"), held("1-04"))
	root := wantOutcome(t, rep, "1-01", Violated)
	wantList(t, "folded", root.Folded, []string{"1-02", "1-03"})
	for _, id := range []string{"1-02", "1-03"} {
		r := wantOutcome(t, rep, id, CouldNotRun)
		wantText(t, "after", r.After, "1-01")
		wantText(t, "message", r.Message, "after 1-01")
	}
	wantOutcome(t, rep, "1-04", Passed)
	wantExit(t, rep, 1)
	if rep.Counts[Violated] != 1 {
		t.Errorf("one fault has %d headlines", rep.Counts[Violated])
	}
}

func TestAChainFoldsUnderItsRoot(t *testing.T) {
	rep := judged(chain, nil, blockedBy("1-04", "1-03"), blockedBy("1-03", "1-02"), blockedBy("1-02", "1-01"), broken("1-01"))
	wantList(t, "folded", wantOutcome(t, rep, "1-01", Violated).Folded, []string{"1-02", "1-03", "1-04"})
	for _, id := range []string{"1-02", "1-03", "1-04"} {
		wantText(t, "after", wantOutcome(t, rep, id, CouldNotRun).After, "1-01")
	}
}

func TestARootInAnotherSetupFoldsAsWell(t *testing.T) {
	l := ledger(entry("1-01"), entry("1-02", setup("minimal")))
	r := blockedBy("1-02", "1-01")
	r.Setup = "minimal"
	rep := judged(l, nil, broken("1-01"), r)
	wantOutcome(t, rep, "1-02", CouldNotRun)
}

func TestABrokenSubjectNeverFolds(t *testing.T) {
	own := Finding{What: "the code", Expected: "-32601", Actual: "-32600"}
	mixed := broken("1-02", Finding{What: "the answer", BlockedBy: "1-01"}, own)
	rep := judged(chain, nil, broken("1-01"), mixed)
	r := wantOutcome(t, rep, "1-02", Violated)
	wantText(t, "message", r.Message, "")
	wantList(t, "folded", rep.Find("1-01").Folded, nil)
}

func TestABreachIsNotHiddenBehindAPrerequisiteThatDidNotBreak(t *testing.T) {
	for name, c := range map[string]struct {
		change  func(*Input)
		records []Record
		why     string
	}{
		"it held":              {nil, []Record{held("1-01")}, "held when it was asked itself"},
		"it was not asked":     {nil, nil, "was not asked in this run"},
		"it could not be run":  {nil, []Record{unrun("1-01", "no port")}, "could not be run itself"},
		"it had no record":     {func(i *Input) { i.Asked = append(i.Asked, "1-01") }, nil, "could not be run itself"},
		"the engine failed it": {nil, []Record{failed("1-01")}, "ended in an engine error itself"},
	} {
		t.Run(name, func(t *testing.T) {
			rep := judged(chain, c.change, append(c.records, blockedBy("1-02", "1-01"))...)
			r := wantOutcome(t, rep, "1-02", Violated)
			wantText(t, "message", r.Message, "what failed is the prerequisite 1-01, which "+c.why+", so the breach stands here")
		})
	}
}

func TestEveryPrerequisiteMustBeBrokenToFold(t *testing.T) {
	both := blockedBy("1-04", "1-01", "1-02")
	rep := judged(chain, nil, broken("1-01"), held("1-02"), both)
	r := wantOutcome(t, rep, "1-04", Violated)
	if !strings.Contains(r.Message, "prerequisite 1-02, which held") {
		t.Errorf("the message blames another prerequisite: %s", r.Message)
	}
	rep = judged(chain, nil, broken("1-01"), broken("1-02"), both)
	wantText(t, "after", wantOutcome(t, rep, "1-04", CouldNotRun).After, "1-01")
}

func TestWhatBuildsOnABreachThatStandsFoldsUnderIt(t *testing.T) {
	// 1-02 fails on 1-01, which held: the breach stands at 1-02, and 1-03 folds.
	rep := judged(chain, nil, held("1-01"), blockedBy("1-02", "1-01"), blockedBy("1-03", "1-02"))
	wantList(t, "folded", wantOutcome(t, rep, "1-02", Violated).Folded, []string{"1-03"})
	wantText(t, "after", wantOutcome(t, rep, "1-03", CouldNotRun).After, "1-02")
}

func TestACircleHasOneHeadline(t *testing.T) {
	rep := judged(chain, nil, blockedBy("1-01", "1-02"), blockedBy("1-02", "1-03"), blockedBy("1-03", "1-02"))
	r := wantOutcome(t, rep, "1-02", Violated)
	wantList(t, "folded", r.Folded, []string{"1-01", "1-03"})
	if !strings.Contains(r.Message, "1-03, which needs this entry in turn") {
		t.Errorf("the message does not tell the circle: %s", r.Message)
	}
	wantExit(t, rep, 1)
}

func TestACheckCannotFoldUnderItself(t *testing.T) {
	rep := judged(chain, nil, blockedBy("1-01", "1-01"))
	wantText(t, "message", wantOutcome(t, rep, "1-01", Violated).Message, "")
	rep = judged(chain, nil, broken("1-01"), blockedBy("1-02", "1-01", "1-02"))
	wantOutcome(t, rep, "1-02", Violated)
	wantExit(t, rep, 1)
}

func TestAPrerequisiteThatBrokeInOneRepetitionFoldsTheRun(t *testing.T) {
	rep := judged(chain, func(i *Input) { i.Repetitions = 2 },
		in(0, held("1-01")), in(1, broken("1-01")), in(0, blockedBy("1-02", "1-01")), in(1, held("1-02")))
	wantOutcome(t, rep, "1-01", Violated)
	r := wantOutcome(t, rep, "1-02", CouldNotRun)
	wantText(t, "unstable", r.Unstable, "unstable: 1 of 2")
}

func TestASubjectThatBrokeInAnyRepetitionKeepsTheCheckFromFolding(t *testing.T) {
	rep := judged(chain, func(i *Input) { i.Repetitions = 2 },
		in(0, broken("1-01")), in(1, broken("1-01")), in(0, blockedBy("1-02", "1-01")), in(1, broken("1-02")))
	wantOutcome(t, rep, "1-02", Violated)
}

func TestWhatALegalLackKeepsFromBeingAssessedIsNoViolation(t *testing.T) {
	l := ledger(entry("1-01", level(spec.Should)), entry("1-02"), entry("1-03"))
	rep := judged(l, nil, broken("1-01"), blockedBy("1-02", "1-01"), held("1-03"))
	wantOutcome(t, rep, "1-01", Warned)
	wantText(t, "after", wantOutcome(t, rep, "1-02", CouldNotRun).After, "1-01")
	wantExit(t, rep, 0)
	wantText(t, "class", rep.Classes[0].String(), "holds as far as asked (2 of 3, 0 not asked, 0 pending, 1 could not run, 1 warning)")

	rep = judged(l, func(i *Input) { i.IDs = []string{"1-02"} }, broken("1-01"), blockedBy("1-02", "1-01"), held("1-03"))
	wantExit(t, rep, 3)
}

func TestRequirementsThatFoldUnderALesserBreachAreCounted(t *testing.T) {
	l := ledger(entry("1-01", level(spec.Should)), entry("1-02"), entry("1-03", level(spec.Observed)))
	rep := judged(l, nil, broken("1-01"), blockedBy("1-02", "1-01"), blockedBy("1-03", "1-01"))
	wantExit(t, rep, 0)
	wantText(t, "conclusion", rep.Conclusion, "conformant as far as asked")
	if len(rep.Reasons) != 1 || !strings.HasPrefix(rep.Reasons[0], "1 of level must could not be assessed") {
		t.Errorf("reasons %q, expected the one of level must to be counted", rep.Reasons)
	}
	if rep := judged(l, nil, held("1-01"), held("1-02"), held("1-03")); len(rep.Reasons) != 0 {
		t.Errorf("reasons %q of a run that holds, expected none", rep.Reasons)
	}
}
