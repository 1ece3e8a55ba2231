package verdict

import (
	"fmt"
	"slices"
	"sort"

	"cruxconform/spec"
)

// docket is what is known of one entry over all repetitions.
type docket struct {
	entry   spec.Entry
	records []*Record
	faults  []WorkerFault
	// state is the worst state, worst the first record that had it, share how
	// many of the repetitions had it.
	state State
	worst *Record
	share int
	total int
}

// severity orders states for the worst of several repetitions, as exit codes
// are ordered: an engine error over a breach over what could not run.
var severity = map[State]int{Held: 0, Unrun: 1, Broken: 2, Failed: 3}

// weigh finds the worst state. A repetition without a record counts as one that
// could not be run.
func (d *docket) weigh(repetitions int) {
	sort.SliceStable(d.records, func(a, b int) bool { return d.records[a].Repetition < d.records[b].Repetition })
	count := map[State]int{Failed: len(d.faults)}
	d.state = Held
	for _, r := range d.records {
		count[r.State]++
		if d.worst == nil || severity[r.State] > severity[d.worst.State] {
			d.worst = r
		}
	}
	if missing := repetitions - len(d.records) - len(d.faults); missing > 0 {
		count[Unrun] += missing
	}
	for state, n := range count {
		d.total += n
		if n > 0 && severity[state] > severity[d.state] {
			d.state = state
		}
	}
	d.share = count[d.state]
}

// result is the part of a result that the records alone decide.
func (d *docket) result() Result {
	r := Result{Entry: d.entry}
	if w := d.worst; w != nil {
		r.Findings, r.Rows, r.Exchanges = w.Findings, w.Rows, w.Exchanges
		r.Repetition, r.Millis = w.Repetition, w.Millis
	}
	for _, x := range d.records {
		r.Notes = union(r.Notes, x.Notes)
		r.LeftBehind = union(r.LeftBehind, x.LeftBehind)
	}
	if d.share < d.total {
		r.Unstable = fmt.Sprintf("unstable: %d of %d", d.share, d.total)
	}
	return r
}

func union(have, more []string) []string {
	for _, m := range more {
		if !slices.Contains(have, m) {
			have = append(have, m)
		}
	}
	return have
}

// blocked reports whether all that failed, in every repetition, was a
// prerequisite and never the subject of the entry.
func (d *docket) blocked() bool {
	if d.state != Broken {
		return false
	}
	for _, f := range d.findings() {
		if f.BlockedBy == "" || f.BlockedBy == d.entry.ID {
			return false
		}
	}
	return len(d.findings()) > 0
}

// blockers lists the prerequisites that failed, each once.
func (d *docket) blockers() []string {
	var ids []string
	for _, f := range d.findings() {
		if f.BlockedBy != "" && !slices.Contains(ids, f.BlockedBy) {
			ids = append(ids, f.BlockedBy)
		}
	}
	return ids
}

func (d *docket) findings() []Finding {
	var all []Finding
	for _, r := range d.records {
		if r.State == Broken {
			all = append(all, r.Findings...)
		}
	}
	return all
}

// failure is the message of the engine error.
func (d *docket) failure() string {
	if len(d.faults) > 0 {
		return d.faults[0].Message
	}
	return d.worst.Message
}

func (d *docket) unrunMessage() string {
	for _, r := range d.records {
		if r.State == Unrun && r.Message != "" {
			return r.Message
		}
	}
	return ""
}

// actual is the first thing that a record saw instead of what it expected.
func (r *Record) actual() string {
	if len(r.Findings) == 0 {
		return "no finding"
	}
	return r.Findings[0].Actual
}
