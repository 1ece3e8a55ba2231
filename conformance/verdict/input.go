package verdict

import "cruxconform/spec"

// Target says in words which server was asked.
type Target struct {
	// Name is how the caller named the server: its URL, file or command.
	Name string `json:"name"`
	// How says how it was reached: "url", "target file", "launch", "embedded".
	How string `json:"how,omitempty"`
}

// NotAsked is an entry that the target cannot show, and what would show it.
type NotAsked struct {
	ID     string `json:"id"`
	Reason string `json:"reason"`
	Remedy string `json:"remedy"`
}

// NotApplicable is an entry that a declaration of the operator takes away.
type NotApplicable struct {
	ID          string `json:"id"`
	Declaration string `json:"declaration"`
}

// WorkerFault is a failure of the suite itself. ID is the entry that the worker
// was in, empty between two.
type WorkerFault struct {
	Setup   string `json:"setup"`
	ID      string `json:"id,omitempty"`
	Message string `json:"message"`
}

// Input is everything that a run brought back, and what was demanded of it.
type Input struct {
	// Ledger is the ledger to judge by, the embedded one where it is nil.
	Ledger *spec.Document
	Target Target
	// Records are the results that came back, in any order.
	Records []Record
	// Asked lists the entries that were planned. One without a record could not
	// be run.
	Asked         []string
	NotAsked      []NotAsked
	NotApplicable []NotApplicable
	// Pending lists the selected entries whose check is open work.
	Pending []string
	// Claims lists the classes and IDs the entries that were demanded.
	Claims []string
	IDs    []string
	// Strict raises the outcome of every breach below violated by one step.
	Strict bool
	// Answered is true where any request at all got a status line, also one that
	// is in no record.
	Answered bool
	// Unreachable says why nothing was asked.
	Unreachable string
	// Unreached says, by setup, why its server did not start or went away.
	Unreached map[string]string
	// Interrupted says why the run ended early.
	Interrupted string
	Faults      []WorkerFault
	// Repetitions is how often each check was to run; 0 counts as 1.
	Repetitions int
	// Seed is the order of the checks, 0 for ledger order.
	Seed int64
}
