package verdict

import "cruxconform/spec"

// Outcome is what a run says about one entry.
type Outcome string

// The outcomes. Unasked and Unchecked are no results: they are listed apart and
// never count as passed.
const (
	Passed       Outcome = "pass"
	Noted        Outcome = "note"           // a breach that only published sources speak against
	Warned       Outcome = "warning"        // a breach of what a chapter implies
	Violated     Outcome = "violated"       // a breach of what a chapter states
	Inapplicable Outcome = "not applicable" // the operator declared what takes the entry away
	CouldNotRun  Outcome = "could not run"  // something kept the entry from being assessed
	EngineError  Outcome = "engine error"   // the suite itself failed
	Unasked      Outcome = "not asked"      // the target or the selection cannot show it
	Unchecked    Outcome = "pending"        // open work will bring the check
)

// Outcomes lists every outcome in the order that reports count them.
var Outcomes = []Outcome{
	Passed, Violated, Warned, Noted, CouldNotRun, EngineError, Inapplicable, Unasked, Unchecked,
}

// Assessed reports whether the outcome says something about the server.
func (o Outcome) Assessed() bool {
	return o == Passed || o == Noted || o == Warned || o == Violated
}

// Breach reports whether the server was seen to do otherwise than required.
func (o Outcome) Breach() bool { return o.Assessed() && o != Passed }

// BreachOf is the outcome of a breach at a level. Strict raises it by one step
// (design: must is violated, should a warning, observed a note).
func BreachOf(level spec.Level, strict bool) Outcome {
	switch {
	case level == spec.Must, level == spec.Should && strict:
		return Violated
	case level == spec.Should, strict:
		return Warned
	}
	return Noted
}

// The exit codes that a finished run can have. Code 2, wrong usage, is decided
// before a run starts.
const (
	ExitConformant  = 0
	ExitViolated    = 1
	ExitCouldNotRun = 3
	ExitEngineError = 4
)
