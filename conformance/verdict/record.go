// Package verdict turns what checks recorded into outcomes, folds them under
// their root causes and decides the exit code (design: outcomes).
package verdict

import "cruxconform/conformance/wire"

// State is what a check found before anything is judged.
type State string

// The states of a record.
const (
	Held   State = "held"   // every assertion held
	Broken State = "broken" // an assertion failed
	Failed State = "failed" // the engine itself failed: a panic or a dead worker
	Unrun  State = "unrun"  // something other than the server kept the check from running
)

// Record is the raw result of one check in one repetition, as a worker streams
// it, one JSON object a line.
type Record struct {
	ID         string `json:"id"`
	Setup      string `json:"setup"`
	Repetition int    `json:"repetition"`
	State      State  `json:"state"`
	// Findings are the failed assertions, in the order they were met.
	Findings []Finding `json:"findings,omitempty"`
	// Rows are the rows of a table check, broken or not.
	Rows []Row `json:"rows,omitempty"`
	// Message says what the engine failed at, or what kept the check from running.
	Message string `json:"message,omitempty"`
	// LeftBehind lists objects that could not be removed.
	LeftBehind []string `json:"left_behind,omitempty"`
	// Notes are remarks that change no outcome.
	Notes     []string        `json:"notes,omitempty"`
	Exchanges []wire.Exchange `json:"exchanges,omitempty"`
	Millis    int64           `json:"millis"`
}

// Finding is one failed assertion with both values.
type Finding struct {
	// Row names the table row, empty outside a table.
	Row string `json:"row,omitempty"`
	// What names the thing that was asserted.
	What     string `json:"what"`
	Expected string `json:"expected"`
	Actual   string `json:"actual"`
	// BlockedBy is the entry whose behaviour this check needed and did not get.
	BlockedBy string `json:"blocked_by,omitempty"`
	// Unanswered is true where no status line came back at all.
	Unanswered bool `json:"unanswered,omitempty"`
	// Exchange is the index into Exchanges of the answer that failed, -1 for none.
	Exchange int `json:"exchange"`
}

// Row is one row of a table check.
type Row struct {
	Name   string `json:"name"`
	Broken bool   `json:"broken"`
}
