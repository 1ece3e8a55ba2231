package verdict

import (
	"cruxconform/conformance/wire"
	"cruxconform/spec"
)

// Report is a judged run.
type Report struct {
	Target      Target
	Strict      bool
	Repetitions int
	Seed        int64
	// Results holds every selected entry in ledger order.
	Results []Result
	Classes []ClassSummary
	Counts  map[Outcome]int
	// Faults are the failures of the suite itself.
	Faults []WorkerFault
	// Unreachable and Interrupted are empty for a run that came to its end.
	Unreachable string
	Interrupted string
	// Exit is the exit code, Conclusion its meaning in words, and Reasons what
	// led to it.
	Exit       int
	Conclusion string
	Reasons    []string
}

// Result is what the run says about one entry.
type Result struct {
	Entry   spec.Entry
	Outcome Outcome
	// Message says what the outcome alone does not: what is missing, which
	// declaration took the entry away, what the engine failed at.
	Message string
	// Remedy says what to do so that the entry can be asked.
	Remedy string
	// After is the broken entry that this one folds under.
	After string
	// Folded lists the entries that fold under this one, in ledger order.
	Folded []string
	// Demanded is true where the caller named the entry or claimed its class.
	Demanded bool
	// Unstable says how many repetitions had this outcome where not all had.
	Unstable string
	// Findings, Rows and Exchanges are those of the first repetition that had
	// the worst state; Notes and LeftBehind those of all.
	Findings   []Finding
	Rows       []Row
	Exchanges  []wire.Exchange
	Notes      []string
	LeftBehind []string
	// Repetition is the one that Findings, Rows and Exchanges come from.
	Repetition int
	Millis     int64
}

// Find returns the result of an entry, nil where it was not selected.
func (r *Report) Find(id string) *Result {
	for i := range r.Results {
		if r.Results[i].Entry.ID == id {
			return &r.Results[i]
		}
	}
	return nil
}

// With lists the results that have an outcome.
func (r *Report) With(o Outcome) []Result {
	var out []Result
	for _, x := range r.Results {
		if x.Outcome == o {
			out = append(out, x)
		}
	}
	return out
}
