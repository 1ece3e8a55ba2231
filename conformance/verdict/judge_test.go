package verdict

import (
	"strings"
	"testing"

	"cruxconform/spec"
)

func TestABreachCountsByLevelAndStrictRaisesItByOneStep(t *testing.T) {
	for _, c := range []struct {
		level  spec.Level
		strict bool
		want   Outcome
		exit   int
	}{
		{spec.Must, false, Violated, 1},
		{spec.Must, true, Violated, 1},
		{spec.Should, false, Warned, 0},
		{spec.Should, true, Violated, 1},
		{spec.Observed, false, Noted, 0},
		{spec.Observed, true, Warned, 0},
	} {
		rep := judged(ledger(entry("1-01", level(c.level))), func(i *Input) { i.Strict = c.strict }, broken("1-01"))
		wantOutcome(t, rep, "1-01", c.want)
		wantExit(t, rep, c.exit)
	}
}

func TestWhatHeldPasses(t *testing.T) {
	rep := judged(ledger(entry("1-01")), nil, held("1-01"))
	wantOutcome(t, rep, "1-01", Passed)
	wantExit(t, rep, 0)
	wantText(t, "conclusion", rep.Conclusion, "conformant")
}

func TestAPlannedEntryWithoutARecordIsNeverAPass(t *testing.T) {
	rep := judged(ledger(entry("1-01"), entry("1-02")), func(i *Input) { i.Asked = append(i.Asked, "1-02") }, held("1-01"))
	r := wantOutcome(t, rep, "1-02", CouldNotRun)
	wantText(t, "message", r.Message, "no result came back")
	wantExit(t, rep, 3)
	wantList(t, "reasons", rep.Reasons, []string{"results of 1 entries asked did not come back, 1-02 first"})
}

func TestWhyAnEntryCouldNotRun(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*Input)
		want   string
	}{
		"unreachable": {func(i *Input) { i.Unreachable = "dial tcp: connection refused" }, "dial tcp: connection refused"},
		"no server":   {func(i *Input) { i.Unreached = map[string]string{"default": "not ready after 30s"} }, "not ready after 30s"},
		"interrupt":   {func(i *Input) { i.Interrupted = "interrupt signal" }, "the run ended early: interrupt signal"},
		"dead worker": {func(i *Input) { i.Faults = []WorkerFault{{Setup: "default", Message: "killed"}} }, "the worker of setup default failed: killed"},
		"other setup": {func(i *Input) { i.Faults = []WorkerFault{{Setup: "minimal", Message: "killed"}} }, "no result came back"},
	} {
		rep := judged(ledger(entry("1-01")), func(i *Input) { i.Asked, i.Answered = []string{"1-01"}, true; c.change(i) })
		r := wantOutcome(t, rep, "1-01", CouldNotRun)
		wantText(t, name, r.Message, c.want)
	}
}

func TestWhatKeptTheCheckFromRunningIsToldInItsWords(t *testing.T) {
	rep := judged(ledger(entry("1-01", setup("bare"))), func(i *Input) { i.Answered = true }, unrun("1-01", "port 14801 is in use"))
	wantText(t, "message", wantOutcome(t, rep, "1-01", CouldNotRun).Message, "port 14801 is in use")
}

func TestAnEngineErrorIsNoBreach(t *testing.T) {
	rep := judged(ledger(entry("1-01"), entry("1-02")), nil, failed("1-01"), broken("1-02"))
	wantText(t, "message", wantOutcome(t, rep, "1-01", EngineError).Message, "panic: index out of range")
	wantExit(t, rep, 4)
}

func TestADeadWorkerIsAnEngineErrorForTheEntryItWasIn(t *testing.T) {
	rep := judged(ledger(entry("1-01"), entry("1-02")), func(i *Input) {
		i.Asked, i.Answered = []string{"1-01", "1-02"}, true
		i.Faults = []WorkerFault{{Setup: "default", ID: "1-01", Message: "the worker ended early"}}
	})
	wantText(t, "message", wantOutcome(t, rep, "1-01", EngineError).Message, "the worker ended early")
	wantOutcome(t, rep, "1-02", CouldNotRun)
	wantExit(t, rep, 4)
}

func TestAFaultBetweenTwoEntriesIsAnEngineErrorOfTheRun(t *testing.T) {
	rep := judged(ledger(entry("1-01")), func(i *Input) { i.Faults = []WorkerFault{{Setup: "minimal", Message: "cannot start a worker"}} }, held("1-01"))
	wantExit(t, rep, 4)
	wantList(t, "reasons", rep.Reasons, []string{"engine error in setup minimal: cannot start a worker"})
}

func TestARecordOfAnUnknownEntryIsAnEngineError(t *testing.T) {
	rep := judged(ledger(entry("1-01")), nil, held("1-01"), held("9-99"))
	wantExit(t, rep, 4)
	if !strings.Contains(rep.Reasons[0], "9-99") {
		t.Errorf("the reason does not name the entry: %v", rep.Reasons)
	}
}

func TestAMissingAnswerIsABreachOnlyWhereTheTargetEverAnswered(t *testing.T) {
	l := ledger(entry("1-01"), entry("1-02"))
	t.Run("answered before", func(t *testing.T) {
		rep := judged(l, nil, held("1-01"), silent("1-02"))
		wantOutcome(t, rep, "1-02", Violated)
		wantExit(t, rep, 1)
	})
	t.Run("answered after", func(t *testing.T) {
		rep := judged(l, nil, silent("1-01"), held("1-02"))
		wantOutcome(t, rep, "1-01", Violated)
	})
	t.Run("answered the preflight only", func(t *testing.T) {
		rep := judged(l, func(i *Input) { i.Answered = true }, silent("1-01"), silent("1-02"))
		wantOutcome(t, rep, "1-01", Violated)
		wantOutcome(t, rep, "1-02", Violated)
	})
	t.Run("never answered", func(t *testing.T) {
		rep := judged(l, nil, silent("1-01"), silent("1-02"))
		wantText(t, "message", wantOutcome(t, rep, "1-01", CouldNotRun).Message, "the target never answered: connection reset")
		wantOutcome(t, rep, "1-02", CouldNotRun)
		wantExit(t, rep, 3)
	})
}

func TestTheWorstRepetitionCounts(t *testing.T) {
	l := ledger(entry("1-01"))
	for name, c := range map[string]struct {
		records  []Record
		want     Outcome
		unstable string
		shown    int
	}{
		"all held":           {[]Record{in(0, held("1-01")), in(1, held("1-01")), in(2, held("1-01"))}, Passed, "", 0},
		"broken twice":       {[]Record{in(0, held("1-01")), in(1, broken("1-01")), in(2, broken("1-01"))}, Violated, "unstable: 2 of 3", 1},
		"broken in all":      {[]Record{in(2, broken("1-01")), in(1, broken("1-01")), in(0, broken("1-01"))}, Violated, "", 0},
		"engine over breach": {[]Record{in(0, broken("1-01")), in(1, failed("1-01")), in(2, held("1-01"))}, EngineError, "unstable: 1 of 3", 1},
		"breach over unrun":  {[]Record{in(0, unrun("1-01", "no port")), in(1, broken("1-01")), in(2, held("1-01"))}, Violated, "unstable: 1 of 3", 1},
		"unrun over held":    {[]Record{in(0, held("1-01")), in(1, held("1-01")), in(2, unrun("1-01", "no port"))}, CouldNotRun, "unstable: 1 of 3", 2},
		"one is missing":     {[]Record{in(0, held("1-01")), in(1, held("1-01"))}, CouldNotRun, "unstable: 1 of 3", 0},
	} {
		t.Run(name, func(t *testing.T) {
			rep := judged(l, func(i *Input) { i.Repetitions = 3 }, c.records...)
			r := wantOutcome(t, rep, "1-01", c.want)
			wantText(t, "unstable", r.Unstable, c.unstable)
			if r.Repetition != c.shown {
				t.Errorf("evidence comes from repetition %d, want %d", r.Repetition, c.shown)
			}
		})
	}
}

func TestAMissingRepetitionSaysHowManyCameBack(t *testing.T) {
	rep := judged(ledger(entry("1-01")), func(i *Input) { i.Repetitions = 3 }, in(0, held("1-01")), in(1, held("1-01")))
	wantText(t, "message", rep.Find("1-01").Message, "only 2 of 3 repetitions came back")
	wantExit(t, rep, 3)
}

func TestNotesAndLeftBehindObjectsOfAllRepetitionsAreKeptOnce(t *testing.T) {
	a, b := in(0, held("1-01")), in(1, held("1-01"))
	a.Notes, a.LeftBehind = []string{"n1"}, []string{"fact a"}
	b.Notes, b.LeftBehind = []string{"n1", "n2"}, []string{"fact b"}
	r := judged(ledger(entry("1-01")), func(i *Input) { i.Repetitions = 2 }, a, b).Find("1-01")
	wantList(t, "notes", r.Notes, []string{"n1", "n2"})
	wantList(t, "left behind", r.LeftBehind, []string{"fact a", "fact b"})
	wantText(t, "outcome", string(r.Outcome), "pass")
}

func TestWhatIsNotAskedIsListedApart(t *testing.T) {
	l := ledger(entry("1-01"), entry("1-02"), entry("1-03"), entry("1-04", pending))
	rep := judged(l, func(i *Input) {
		i.NotAsked = []NotAsked{{"1-02", "the HTTP API is not known", "--api URL"}}
		i.NotApplicable = []NotApplicable{{"1-03", "capability_token: attached"}}
		i.Pending = []string{"1-04"}
	}, held("1-01"))
	r := wantOutcome(t, rep, "1-02", Unasked)
	wantText(t, "reason", r.Message, "the HTTP API is not known")
	wantText(t, "remedy", r.Remedy, "--api URL")
	wantText(t, "declaration", wantOutcome(t, rep, "1-03", Inapplicable).Message, "declared capability_token: attached")
	wantOutcome(t, rep, "1-04", Unchecked)
	if rep.Counts[Passed] != 1 {
		t.Errorf("passed: got %d, want 1", rep.Counts[Passed])
	}
	wantExit(t, rep, 0)
}

func TestResultsStandInLedgerOrder(t *testing.T) {
	l := ledger(entry("11.4-02"), entry("11.10-01"), entry("11.4-10"))
	rep := judged(l, func(i *Input) { i.NotAsked = []NotAsked{{ID: "11.10-01"}} }, held("11.4-10"), held("11.4-02"))
	var ids []string
	for _, r := range rep.Results {
		ids = append(ids, r.Entry.ID)
	}
	wantList(t, "order", ids, []string{"11.4-02", "11.10-01", "11.4-10"})
}
