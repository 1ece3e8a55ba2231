// Package suite holds the checks: one file per chapter section, each check a
// sentence with the ledger id that it proves. A check reaches the server only
// through packages wire and host.
package suite

import (
	"fmt"
	"sort"
)

// Check is one registered check.
type Check struct {
	// ID is the ledger entry that the check proves.
	ID string
	// Sentence says what the server does, as a person would say it.
	Sentence string
	body     func(c *C)
}

var registry = map[string]Check{}

// check registers a check. Registering an id twice is a programming error and
// panics at start.
func check(id, sentence string, body func(c *C)) bool {
	if _, taken := registry[id]; taken {
		panic(fmt.Sprintf("suite: check %s is registered twice", id))
	}
	registry[id] = Check{ID: id, Sentence: sentence, body: body}
	return true
}

// Checks lists the registered checks by id.
func Checks() []Check {
	out := make([]Check, 0, len(registry))
	for _, c := range registry {
		out = append(out, c)
	}
	sort.Slice(out, func(i, j int) bool { return out[i].ID < out[j].ID })
	return out
}

// Has reports whether a check is registered for the entry.
func Has(id string) bool {
	_, ok := registry[id]
	return ok
}

// Sentence is what the check of an entry says, empty where it has none.
func Sentence(id string) string { return registry[id].Sentence }
