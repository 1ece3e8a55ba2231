package verdict

import (
	"fmt"
	"slices"
	"sort"

	"cruxconform/spec"
)

// Judge turns what came back from a run into outcomes, folds them under their
// root causes and decides the exit code (design: outcomes). It reads nothing
// but its input.
func Judge(in Input) *Report {
	j := newJudgement(in)
	j.weigh()
	folds := fold(j.order, j.cases)
	for _, id := range j.order {
		j.results[id] = j.judge(j.cases[id], folds[id])
	}
	j.unjudged()
	rep := &Report{
		Target: in.Target, Strict: in.Strict, Repetitions: j.in.Repetitions, Seed: in.Seed,
		Faults: j.in.Faults, Unreachable: in.Unreachable, Interrupted: in.Interrupted,
		Results: j.sorted(), Counts: map[Outcome]int{},
	}
	for _, r := range rep.Results {
		rep.Counts[r.Outcome]++
	}
	rep.Classes = summarise(j, rep)
	conclude(j, rep)
	return rep
}

// judgement is one run being judged.
type judgement struct {
	in       Input
	ledger   *spec.Document
	entries  map[string]spec.Entry
	place    map[string]int
	setups   map[string]spec.Setup
	answered bool
	// order lists the asked entries in ledger order, cases what is known of each.
	order   []string
	cases   map[string]*docket
	results map[string]Result
	// lost lists the entries of which results are missing for no known cause.
	lost []string
}

func newJudgement(in Input) *judgement {
	in.Repetitions = max(1, in.Repetitions)
	j := &judgement{
		in: in, ledger: in.Ledger, answered: in.Answered,
		entries: map[string]spec.Entry{}, place: map[string]int{}, setups: map[string]spec.Setup{},
		cases: map[string]*docket{}, results: map[string]Result{},
	}
	if j.ledger == nil {
		j.ledger = spec.Ledger()
	}
	for i, e := range j.ledger.Entries {
		j.entries[e.ID], j.place[e.ID] = e, i
	}
	for _, s := range j.ledger.Setups {
		j.setups[s.Name] = s
	}
	j.gather()
	return j
}

// gather opens a docket for every entry that was planned or came back.
func (j *judgement) gather() {
	for _, id := range j.in.Asked {
		j.open(id)
	}
	for i := range j.in.Records {
		r := &j.in.Records[i]
		d := j.open(r.ID)
		if d == nil {
			continue
		}
		d.records = append(d.records, r)
		for _, x := range r.Exchanges {
			j.answered = j.answered || x.Answered()
		}
	}
	for i := range j.in.Faults {
		if f := j.in.Faults[i]; f.ID != "" {
			if d := j.open(f.ID); d != nil {
				d.faults = append(d.faults, f)
			}
		}
	}
	for id := range j.cases {
		j.order = append(j.order, id)
	}
	j.sortIDs(j.order)
}

// open returns the docket of an entry. An entry that the ledger does not have
// is a fault of the suite, and has none.
func (j *judgement) open(id string) *docket {
	e, known := j.entries[id]
	if !known {
		message := fmt.Sprintf("the ledger has no entry %s; this command and its worker differ", id)
		if !slices.ContainsFunc(j.in.Faults, func(f WorkerFault) bool { return f.Message == message }) {
			j.in.Faults = append(slices.Clone(j.in.Faults), WorkerFault{Message: message})
		}
		return nil
	}
	d, ok := j.cases[id]
	if !ok {
		d = &docket{entry: e}
		j.cases[id] = d
	}
	return d
}

func (j *judgement) sortIDs(ids []string) {
	sort.Slice(ids, func(a, b int) bool { return j.place[ids[a]] < j.place[ids[b]] })
}

// weigh finds the state of each docket over its repetitions. Where no request
// was ever answered, a missing answer says nothing about any entry.
func (j *judgement) weigh() {
	for _, d := range j.cases {
		d.weigh(j.in.Repetitions)
		if d.state == Broken && !j.answered {
			d.state = Unrun
		}
	}
}

// judge turns one docket into a result.
func (j *judgement) judge(d *docket, f verdictOfFold) Result {
	r := d.result()
	r.Demanded = j.demanded(d.entry)
	switch d.state {
	case Held:
		r.Outcome = Passed
	case Failed:
		r.Outcome, r.Message = EngineError, d.failure()
	case Unrun:
		r.Outcome, r.Message = CouldNotRun, j.missing(d)
	case Broken:
		r.Folded = f.under
		if f.root != "" {
			r.Outcome, r.After = CouldNotRun, f.root
			r.Message = "after " + f.root
			break
		}
		r.Outcome = BreachOf(d.entry.Level, j.in.Strict)
		r.Message = j.blame(d)
	}
	return r
}

// blame says which prerequisite failed a check that cannot fold under it.
func (j *judgement) blame(d *docket) string {
	if !d.blocked() {
		return ""
	}
	id := d.blockers()[0]
	for _, b := range d.blockers() {
		if p := j.cases[b]; p == nil || p.state != Broken {
			id = b
			break
		}
	}
	why := "was not asked in this run"
	if p, ok := j.cases[id]; ok {
		why = map[State]string{
			Held:   "held when it was asked itself",
			Unrun:  "could not be run itself",
			Failed: "ended in an engine error itself",
			Broken: "needs this entry in turn",
		}[p.state]
	}
	return fmt.Sprintf("what failed is the prerequisite %s, which %s, so the breach stands here", id, why)
}

// missing says what kept an entry from being assessed.
func (j *judgement) missing(d *docket) string {
	if m := d.unrunMessage(); m != "" {
		return m
	}
	setup := d.entry.Setup
	switch {
	case j.in.Unreachable != "":
		return j.in.Unreachable
	case j.in.Unreached[setup] != "":
		return j.in.Unreached[setup]
	case len(d.records) > 0 && !j.answered:
		return "the target never answered: " + d.records[0].actual()
	case j.in.Interrupted != "":
		return "the run ended early: " + j.in.Interrupted
	}
	for _, f := range j.in.Faults {
		if f.Setup == setup {
			return fmt.Sprintf("the worker of setup %s failed: %s", setup, f.Message)
		}
	}
	j.lost = append(j.lost, d.entry.ID)
	if n := len(d.records); n > 0 {
		return fmt.Sprintf("only %d of %d repetitions came back", n, j.in.Repetitions)
	}
	return "no result came back"
}

// demanded reports whether the caller named the entry or claimed its class.
func (j *judgement) demanded(e spec.Entry) bool {
	return slices.Contains(j.in.IDs, e.ID) || slices.Contains(j.in.Claims, e.Class)
}

// unjudged adds the selected entries that no check was asked for. Where one was
// demanded, that it cannot be shown is an outcome of its own.
func (j *judgement) unjudged() {
	for _, n := range j.in.NotApplicable {
		j.add(n.ID, Result{Outcome: Inapplicable, Message: "declared " + n.Declaration})
	}
	for _, n := range j.in.NotAsked {
		r := Result{Outcome: Unasked, Message: n.Reason, Remedy: n.Remedy}
		if j.demanded(j.entries[n.ID]) {
			r.Outcome = CouldNotRun
		}
		j.add(n.ID, r)
	}
	for _, id := range j.in.Pending {
		j.add(id, Result{Outcome: Unchecked, Message: "not checked yet"})
	}
}

func (j *judgement) add(id string, r Result) {
	if _, judged := j.results[id]; judged {
		return
	}
	e, known := j.entries[id]
	if !known {
		j.open(id)
		return
	}
	r.Entry, r.Demanded = e, j.demanded(e)
	j.results[id] = r
}

func (j *judgement) sorted() []Result {
	ids := make([]string, 0, len(j.results))
	for id := range j.results {
		ids = append(ids, id)
	}
	j.sortIDs(ids)
	out := make([]Result, 0, len(ids))
	for _, id := range ids {
		out = append(out, j.results[id])
	}
	return out
}
