package verdict

import (
	"fmt"
	"slices"
	"strings"

	"cruxconform/spec"
)

// ClassVerdict is what a run can claim about a class.
type ClassVerdict string

// The four words of a class summary. Only ClassHolds is conformance.
const (
	ClassHolds    ClassVerdict = "holds"
	ClassHoldsFor ClassVerdict = "holds as far as asked"
	ClassBroken   ClassVerdict = "broken"
	ClassUnknown  ClassVerdict = "not assessed"
)

// ClassSummary counts the observable entries of one class of the ledger.
type ClassSummary struct {
	Class    string       `json:"class"`
	Verdict  ClassVerdict `json:"verdict"`
	Demanded bool         `json:"demanded,omitempty"`
	// All counts the entries of the class without those not applicable; the
	// other counts add up to it.
	All         int `json:"all"`
	Held        int `json:"held"`
	Violated    int `json:"violated"`
	Warned      int `json:"warnings"`
	Noted       int `json:"notes"`
	NotAsked    int `json:"not_asked"`
	Pending     int `json:"pending"`
	CouldNotRun int `json:"could_not_run"`
	EngineError int `json:"engine_errors"`
	// Inapplicable counts what the operator's declarations took away.
	Inapplicable int `json:"not_applicable"`
}

// Asked counts the entries that were assessed.
func (c ClassSummary) Asked() int { return c.Held + c.Violated + c.Warned + c.Noted }

// Open counts the entries that were not assessed.
func (c ClassSummary) Open() int { return c.All - c.Asked() }

// String is the summary in words.
func (c ClassSummary) String() string {
	var more []string
	add := func(n int, what string, plural string) {
		if n == 1 {
			more = append(more, "1 "+what)
		} else if n > 1 {
			more = append(more, fmt.Sprintf("%d %s", n, plural))
		}
	}
	lead := ""
	switch c.Verdict {
	case ClassHolds:
		lead = fmt.Sprintf("all %d asked", c.All)
	case ClassBroken:
		lead = fmt.Sprintf("%d of %d violated", c.Violated, c.All)
	default:
		lead = fmt.Sprintf("%d of %d", c.Asked(), c.All)
	}
	if c.Verdict != ClassHolds {
		more = append(more, fmt.Sprintf("%d not asked", c.NotAsked), fmt.Sprintf("%d pending", c.Pending))
	}
	add(c.CouldNotRun, "could not run", "could not run")
	add(c.EngineError, "engine error", "engine errors")
	add(c.Warned, "warning", "warnings")
	add(c.Noted, "note", "notes")
	add(c.Inapplicable, "not applicable", "not applicable")
	return fmt.Sprintf("%s (%s)", c.Verdict, strings.Join(append([]string{lead}, more...), ", "))
}

// summarise counts every class that has a selected entry. An entry of the class
// that was not selected counts as not asked: a class holds only as a whole.
func summarise(j *judgement, rep *Report) []ClassSummary {
	selected := map[string]bool{}
	outcome := map[string]Outcome{}
	for _, r := range rep.Results {
		selected[r.Entry.Class] = true
		outcome[r.Entry.ID] = r.Outcome
		if r.Outcome == CouldNotRun && isNotAsked(j.in.NotAsked, r.Entry.ID) {
			outcome[r.Entry.ID] = Unasked
		}
	}
	var out []ClassSummary
	for _, class := range spec.Classes {
		if !selected[class] && !slices.Contains(j.in.Claims, class) {
			continue
		}
		c := ClassSummary{Class: class, Demanded: slices.Contains(j.in.Claims, class)}
		for _, e := range j.ledger.Entries {
			if e.Class == class && e.Observable() {
				c.count(e, outcome[e.ID])
			}
		}
		c.decide()
		out = append(out, c)
	}
	return out
}

func isNotAsked(list []NotAsked, id string) bool {
	return slices.ContainsFunc(list, func(n NotAsked) bool { return n.ID == id })
}

func (c *ClassSummary) count(e spec.Entry, o Outcome) {
	if o == "" {
		o = Unasked
		if e.Pending {
			o = Unchecked
		}
	}
	at := map[Outcome]*int{
		Passed: &c.Held, Violated: &c.Violated, Warned: &c.Warned, Noted: &c.Noted, Unasked: &c.NotAsked,
		Unchecked: &c.Pending, CouldNotRun: &c.CouldNotRun, EngineError: &c.EngineError, Inapplicable: &c.Inapplicable,
	}[o]
	*at++
	if o != Inapplicable {
		c.All++
	}
}

func (c *ClassSummary) decide() {
	switch {
	case c.Violated > 0:
		c.Verdict = ClassBroken
	case c.Asked() == 0:
		c.Verdict = ClassUnknown
	case c.Open() == 0:
		c.Verdict = ClassHolds
	default:
		c.Verdict = ClassHoldsFor
	}
}
