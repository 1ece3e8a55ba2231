package suite

import (
	"context"
	"fmt"
	"reflect"
	"time"

	"cruxconform/conformance/verdict"
	"cruxconform/conformance/wire"

	"github.com/onsi/gomega/types"
)

// CleanupTimeout bounds the removal of what one check made.
const CleanupTimeout = 30 * time.Second

// Corpus is a loaded retrieval corpus.
type Corpus struct {
	// Tenant holds the documents; Query is a search with exactly Hits hits.
	Tenant string `json:"tenant"`
	Query  string `json:"query"`
	Hits   int    `json:"hits"`
}

// Env is the server under test as the checks of one worker see it.
type Env struct {
	// Setup is the named configuration that the server runs in.
	Setup string
	// Client talks to the MCP endpoint.
	Client *wire.Client
	// API is the base URL of the HTTP API port, empty where it is not known.
	API string
	// Bridge is the command of the stdio bridge, empty where none is known.
	Bridge []string
	// Corpus is nil where no corpus is loaded.
	Corpus *Corpus
	// RunID makes the names of this run unique.
	RunID string
	// fixtureLoaded is true once this worker has ingested the suite's own corpus.
	fixtureLoaded bool
}

// C is one running check: its bounded context, the server, and the record that
// its assertions fill.
type C struct {
	context.Context
	*Env
	id       string
	record   *verdict.Record
	row      string
	given    []string
	names    int
	cleanups []func(c *C)
}

// stop unwinds a check, or one row of it, after a failed assertion.
type stop struct{}

// Name returns a name that no other check and no other run uses.
func (c *C) Name(subject string) string {
	c.names++
	return fmt.Sprintf("%s-%s-%d-%s", c.RunID, c.id, c.names, subject)
}

// Equal fails unless both values are deeply equal.
func (c *C) Equal(what string, actual, expected any) {
	if !reflect.DeepEqual(actual, expected) {
		c.Fail(what, show(expected), show(actual))
	}
}

// That fails unless the matcher accepts the actual value. Expected says in a
// few words what the matcher demands.
func (c *C) That(what string, actual any, matcher types.GomegaMatcher, expected string) {
	ok, err := matcher.Match(actual)
	if err != nil {
		c.Fail(what, expected, fmt.Sprintf("%s (%v)", show(actual), err))
	}
	if !ok {
		c.Fail(what, expected, show(actual))
	}
}

// Fail records a failed assertion and ends the check, or the row it is in.
func (c *C) Fail(what, expected, actual string) {
	c.fail(verdict.Finding{What: what, Expected: expected, Actual: actual, Exchange: len(c.record.Exchanges) - 1})
}

func (c *C) fail(f verdict.Finding) {
	f.Row = c.row
	if n := len(c.given); n > 0 && c.given[n-1] != c.id {
		f.BlockedBy = c.given[n-1]
	}
	c.record.Findings = append(c.record.Findings, f)
	panic(stop{})
}

// Row runs one row of a table. A broken row does not keep the others from
// running; the check is broken when any row is.
func (c *C) Row(name string, body func()) {
	outer := c.row
	if outer != "" {
		name = outer + " / " + name
	}
	c.row = name
	broken := c.guard(body)
	c.row = outer
	c.record.Rows = append(c.record.Rows, verdict.Row{Name: name, Broken: broken})
}

// Given runs assertions about another entry that this check builds on. Where
// one fails, the check folds under that entry instead of being judged.
func (c *C) Given(id string, body func()) {
	c.given = append(c.given, id)
	defer func() { c.given = c.given[:len(c.given)-1] }()
	body()
}

// Cleanup registers a removal. Removals run in reverse order after the check,
// bounded, and never change its outcome.
func (c *C) Cleanup(remove func(c *C)) {
	c.cleanups = append(c.cleanups, remove)
}

// LeftBehind reports an object that could not be removed.
func (c *C) LeftBehind(format string, a ...any) {
	c.record.LeftBehind = append(c.record.LeftBehind, fmt.Sprintf(format, a...))
}

// Note adds a remark to the result that changes no outcome.
func (c *C) Note(format string, a ...any) {
	c.record.Notes = append(c.record.Notes, fmt.Sprintf(format, a...))
}

// CannotRun ends the check without a verdict, because something that only the
// operator can supply is missing. The reason names the remedy.
func (c *C) CannotRun(format string, a ...any) {
	c.record.State, c.record.Message = verdict.Unrun, fmt.Sprintf(format, a...)
	panic(stop{})
}

// guard runs body and reports whether an assertion in it failed. Any other
// panic goes on: it is a fault of the engine.
func (c *C) guard(body func()) (broken bool) {
	defer func() {
		switch p := recover(); p.(type) {
		case nil:
		case stop:
			broken = true
		default:
			panic(p)
		}
	}()
	body()
	return false
}
