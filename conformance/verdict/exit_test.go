package verdict

import (
	"strings"
	"testing"
)

func TestExitCodesAreOrderedFourOverOneOverThreeOverZero(t *testing.T) {
	l := ledger(entry("1-01"), entry("1-02"), entry("1-03"), entry("1-04"))
	for name, c := range map[string]struct {
		records     []Record
		interrupted string
		want        int
	}{
		"all hold":              {[]Record{held("1-01")}, "", 0},
		"ended early":           {[]Record{held("1-01")}, "interrupt signal", 3},
		"violated, ended early": {[]Record{held("1-01"), broken("1-02")}, "interrupt signal", 1},
		"all at once":           {[]Record{held("1-01"), broken("1-02"), failed("1-03")}, "interrupt signal", 4},
		"engine error alone":    {[]Record{failed("1-03")}, "", 4},
	} {
		t.Run(name, func(t *testing.T) {
			rep := judged(l, func(i *Input) { i.Interrupted, i.Answered = c.interrupted, true }, c.records...)
			wantExit(t, rep, c.want)
		})
	}
}

func TestAnUnreachableTargetExitsThree(t *testing.T) {
	rep := judged(ledger(entry("1-01")), func(i *Input) {
		i.Asked, i.Unreachable = []string{"1-01"}, "connection refused"
	})
	wantExit(t, rep, 3)
	wantList(t, "reasons", rep.Reasons, []string{"the target could not be reached: connection refused"})
	wantText(t, "class", string(rep.Classes[0].Verdict), "not assessed")
}

func TestASetupWithoutAServerExitsThreeUnlessItSharesThePorts(t *testing.T) {
	l := ledger(entry("1-01"), entry("1-02", setup("minimal")), entry("1-03", setup("bare")))
	rep := judged(l, func(i *Input) {
		i.Asked = append(i.Asked, "1-02")
		i.Unreached = map[string]string{"minimal": "it ended at once"}
	}, held("1-01"))
	wantExit(t, rep, 3)
	wantList(t, "reasons", rep.Reasons, []string{"no server in setup minimal: it ended at once"})

	rep = judged(l, func(i *Input) {
		i.Asked = append(i.Asked, "1-03")
		i.Unreached = map[string]string{"bare": "another run holds the default ports"}
	}, held("1-01"))
	wantExit(t, rep, 0)
	wantOutcome(t, rep, "1-03", CouldNotRun)
}

func TestWhatCannotBeRunMattersOnlyWhereItWasDemanded(t *testing.T) {
	l := ledger(entry("1-01"), entry("1-02"), entry("2-01", class("operator"), setup("bare")))
	records := []Record{held("1-01"), held("1-02"), unrun("2-01", "port 14801 is in use")}
	for name, c := range map[string]struct {
		change func(*Input)
		want   int
		reason string
	}{
		"not demanded": {nil, 0, ""},
		"the class":    {func(i *Input) { i.Claims = []string{"operator"} }, 3, "class operator was demanded: not assessed (0 of 1, 0 not asked, 0 pending, 1 could not run)"},
		"the entry":    {func(i *Input) { i.IDs = []string{"2-01"} }, 3, "entry 2-01 was demanded: could not run, port 14801 is in use"},
		"another one":  {func(i *Input) { i.IDs = []string{"1-01"}; i.Claims = []string{"core"} }, 0, ""},
	} {
		t.Run(name, func(t *testing.T) {
			rep := judged(l, c.change, records...)
			wantExit(t, rep, c.want)
			wantText(t, "reasons", strings.Join(rep.Reasons, "; "), c.reason)
		})
	}
}

func TestADemandedEntryThatIsNotAskedCouldNotRun(t *testing.T) {
	l := ledger(entry("1-01"), entry("1-02"), entry("1-03", pending), entry("1-04"))
	for name, c := range map[string]struct {
		id     string
		want   Outcome
		reason string
	}{
		"not asked":    {"1-02", CouldNotRun, "entry 1-02 was demanded: could not run, the HTTP API is not known"},
		"pending":      {"1-03", Unchecked, "entry 1-03 was demanded: pending, not checked yet"},
		"not selected": {"1-04", "", "entry 1-04 was demanded and not selected"},
	} {
		t.Run(name, func(t *testing.T) {
			rep := judged(l, func(i *Input) {
				i.IDs = []string{"1-01", c.id}
				i.NotAsked = []NotAsked{{"1-02", "the HTTP API is not known", "--api URL"}}
				i.Pending = []string{"1-03"}
			}, held("1-01"))
			wantExit(t, rep, 3)
			wantList(t, "reasons", rep.Reasons, []string{c.reason})
			if c.want == "" {
				return
			}
			if r := wantOutcome(t, rep, c.id, c.want); !r.Demanded {
				t.Error("the result does not say that it was demanded")
			}
		})
	}
}

func TestAClaimDemandsTheWholeClass(t *testing.T) {
	l := ledger(entry("1-01"), entry("1-02"), entry("1-03", pending), entry("1-04", unobservable), entry("2-01", class("sse")))
	rep := judged(l, func(i *Input) {
		i.Claims = []string{"core"}
		i.NotAsked = []NotAsked{{"1-02", "the check writes", "leave out --read-only"}}
		i.Pending = []string{"1-03"}
	}, held("1-01"))
	wantExit(t, rep, 3)
	wantList(t, "reasons", rep.Reasons, []string{"class core was demanded: holds as far as asked (1 of 3, 1 not asked, 1 pending)"})
	wantOutcome(t, rep, "1-02", CouldNotRun)

	rep = judged(ledger(entry("1-01"), entry("2-01", class("sse"))), func(i *Input) { i.Claims = []string{"core"} }, held("1-01"))
	wantExit(t, rep, 0)
	wantText(t, "conclusion", rep.Conclusion, "conformant")
}

func TestNothingAskedExitsThree(t *testing.T) {
	l := ledger(entry("1-01"), entry("1-02", pending), entry("1-03"))
	for name, change := range map[string]func(*Input){
		"all not asked":      func(i *Input) { i.NotAsked = []NotAsked{{ID: "1-01"}, {ID: "1-03"}} },
		"all pending":        func(i *Input) { i.Pending = []string{"1-02"} },
		"all not applicable": func(i *Input) { i.NotApplicable = []NotApplicable{{ID: "1-01"}} },
		"nothing at all":     func(i *Input) {},
	} {
		t.Run(name, func(t *testing.T) {
			rep := judged(l, change)
			wantExit(t, rep, 3)
			wantList(t, "reasons", rep.Reasons, []string{"nothing that was selected can be asked of this target"})
		})
	}
}

func TestAViolationStillTellsWhatCouldNotBeRun(t *testing.T) {
	rep := judged(ledger(entry("1-01"), entry("1-02")), func(i *Input) { i.Interrupted = "interrupt signal" }, broken("1-01"))
	wantList(t, "reasons", rep.Reasons, []string{"1 of 1 entries asked is violated", "the run ended early: interrupt signal"})
}

func TestClassSummaries(t *testing.T) {
	for name, c := range map[string]struct {
		change  func(*Input)
		records []Record
		want    string
	}{
		"holds":            {nil, []Record{held("1-01"), held("1-02"), held("1-03")}, "holds (all 3 asked)"},
		"with a warning":   {nil, []Record{held("1-01"), held("1-02"), broken("1-03")}, "holds (all 3 asked, 1 warning)"},
		"not selected":     {nil, []Record{held("1-01")}, "holds as far as asked (1 of 3, 2 not asked, 0 pending)"},
		"broken":           {nil, []Record{held("1-01"), broken("1-02"), held("1-03")}, "broken (1 of 3 violated, 0 not asked, 0 pending)"},
		"folded":           {nil, []Record{broken("1-01"), blockedBy("1-02", "1-01"), held("1-03")}, "broken (1 of 3 violated, 0 not asked, 0 pending, 1 could not run)"},
		"engine error":     {nil, []Record{failed("1-01"), held("1-02"), held("1-03")}, "holds as far as asked (2 of 3, 0 not asked, 0 pending, 1 engine error)"},
		"not assessed":     {nil, []Record{failed("1-01")}, "not assessed (0 of 3, 2 not asked, 0 pending, 1 engine error)"},
		"not applicable":   {func(i *Input) { i.NotApplicable = []NotApplicable{{"1-03", "x: y"}} }, []Record{held("1-01"), held("1-02")}, "holds (all 2 asked, 1 not applicable)"},
		"strict is broken": {func(i *Input) { i.Strict = true }, []Record{held("1-01"), held("1-02"), broken("1-03")}, "broken (1 of 3 violated, 0 not asked, 0 pending)"},
	} {
		t.Run(name, func(t *testing.T) {
			l := ledger(entry("1-01"), entry("1-02"), entry("1-03", level("should")), entry("1-04", unobservable), entry("2-01", class("sse")))
			rep := judged(l, c.change, c.records...)
			if len(rep.Classes) != 1 || rep.Classes[0].Class != "core" {
				t.Fatalf("classes: got %v, want core alone", rep.Classes)
			}
			wantText(t, "summary", rep.Classes[0].String(), c.want)
			s := rep.Classes[0]
			if sum := s.Held + s.Violated + s.Warned + s.Noted + s.NotAsked + s.Pending + s.CouldNotRun + s.EngineError; sum != s.All {
				t.Errorf("the counts add up to %d, not to %d", sum, s.All)
			}
		})
	}
}
