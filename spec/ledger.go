// Package spec states what is required of a server that speaks the documented
// Crux MCP surface: the ledger of testable statements, the tool catalogue and
// the named setups. It holds data and types only and imports nothing else of
// this module.
package spec

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"sync"
)

// Level says who states a requirement and so what a breach of it means.
type Level string

// The three levels of a requirement.
const (
	Must     Level = "must"     // stated by a chapter; a breach is violated
	Should   Level = "should"   // implied by a chapter; a breach is a warning
	Observed Level = "observed" // shown by published sources only; a breach is a note
)

// Evidence says where a statement shows itself.
type Evidence string

// The kinds of evidence. EvidenceNone needs a Reason from NoneReasons.
const (
	EvidenceWire  Evidence = "wire"  // an answer on the MCP port
	EvidenceSetup Evidence = "setup" // an answer under a named configuration
	EvidenceHost  Evidence = "host"  // what the process or its files show
	EvidenceAPI   Evidence = "api"   // an answer on the HTTP API port
	EvidenceNone  Evidence = "none"  // no client can see it
)

// Effect says what a check leaves behind on the server.
type Effect string

// The effects of a check. A read-only run asks only EffectNone.
const (
	EffectNone        Effect = "none"
	EffectUndone      Effect = "undone"
	EffectKept        Effect = "kept"
	EffectDestructive Effect = "destructive"
)

// NoneReasons is the closed list of reasons why a statement cannot be observed.
var NoneReasons = []string{
	"source location",
	"internal test or count",
	"log line or span",
	"span of time over 60 s",
	"timing side channel",
	"outside the process",
	"not built, by ruling",
	"explanation that states no behaviour",
	"advice to the reader",
	"example line that another entry covers",
}

// Needs is the closed list of what an entry may take beyond its setup.
var Needs = []string{
	"api", "corpus", "agent", "second-agent", "operator-token", "bridge", "callback", "restart",
}

// Classes lists what a report can claim, in the order reports print it.
var Classes = []string{
	"core", "catalogue", "budget", "surface", "sse", "auth", "oauth",
	"capability", "extensions", "tools", "operator", "bridge",
}

// Entry is one testable statement of the chapters.
type Entry struct {
	// ID is the section and a number that is never reused: "11.4-02". Entries
	// from the tool pages are named "tool.<name>-NN".
	ID string `json:"id" yaml:"id"`
	// Section is the chapter section or tool plane whose file holds the entry.
	Section string `json:"section" yaml:"-"`
	// Level, Says, Evidence and Reason: what is required, how strongly, and
	// where it shows. Reason is set exactly when Evidence is none.
	Level    Level    `json:"level" yaml:"level"`
	Says     string   `json:"says" yaml:"says"`
	Evidence Evidence `json:"evidence" yaml:"evidence"`
	Reason   string   `json:"reason,omitempty" yaml:"reason,omitempty"`
	// CoveredBy names the entry that covers an example line.
	CoveredBy string `json:"covered_by,omitempty" yaml:"covered_by,omitempty"`
	// Setup is the named configuration under which the entry is asked.
	Setup string `json:"setup,omitempty" yaml:"setup,omitempty"`
	// Class is the conformance class that claims the entry.
	Class string `json:"class" yaml:"class"`
	// Needs lists what the check takes beyond its setup.
	Needs []string `json:"needs,omitempty" yaml:"needs,omitempty"`
	// Unless names the declaration of a target that makes the entry not
	// applicable, as "key: value" of its declares block.
	Unless string `json:"unless,omitempty" yaml:"unless,omitempty"`
	// Effect says what the check leaves behind.
	Effect Effect `json:"effect,omitempty" yaml:"effect,omitempty"`
	// Quirk marks behaviour that surprises integrators.
	Quirk bool `json:"quirk,omitempty" yaml:"quirk,omitempty"`
	// Pending marks an entry that open work will prove.
	Pending bool `json:"pending,omitempty" yaml:"pending,omitempty"`
	// Slow marks a check that takes more than 5 s.
	Slow bool `json:"slow,omitempty" yaml:"slow,omitempty"`
	// After lists the entries whose breach would keep this one from being
	// assessed. A check may fold only under these.
	After []string `json:"after,omitempty" yaml:"after,omitempty"`
	// Deviants names the one-fault servers that turn the entry red.
	Deviants []string `json:"deviants,omitempty" yaml:"deviants,omitempty"`
	// Sends and Expects are the explanation of the check for a reader.
	Sends   string `json:"sends,omitempty" yaml:"sends,omitempty"`
	Expects string `json:"expects,omitempty" yaml:"expects,omitempty"`
	// Page is the longer explanation that a headline quirk carries.
	Page string `json:"page,omitempty" yaml:"page,omitempty"`
	// Places lists the rows and sentences of the chapters that the entry
	// covers, each as "<section>/<line>.<sentence>".
	Places []string `json:"places,omitempty" yaml:"places,omitempty"`
}

// Observable reports whether a client or operator can see the statement hold.
func (e Entry) Observable() bool { return e.Evidence != EvidenceNone }

// Asked reports whether a run has a check for the entry.
func (e Entry) Asked() bool { return e.Observable() && !e.Pending }

// Setup is a named server configuration.
type Setup struct {
	Name  string `json:"name" yaml:"name"`
	About string `json:"about" yaml:"about"`
	// Env holds the documented variables that put a server into the setup.
	Env map[string]string `json:"env,omitempty" yaml:"env,omitempty"`
	// Alone is true for a setup that must not share the machine with another
	// server, because it uses the documented default ports.
	Alone bool `json:"alone,omitempty" yaml:"alone,omitempty"`
}

// Document is the whole ledger as the command embeds it.
type Document struct {
	Setups  []Setup `json:"setups"`
	Entries []Entry `json:"entries"`
}

//go:generate go run ./gen

//go:embed ledger.json
var embedded []byte

// Ledger returns the embedded ledger, parsed once. It panics on a damaged
// embedding, which a test of this package excludes.
var Ledger = sync.OnceValue(func() *Document {
	d := new(Document)
	if err := json.Unmarshal(embedded, d); err != nil {
		panic(fmt.Sprintf("spec: embedded ledger.json: %v (run go generate ./spec)", err))
	}
	return d
})

var byID = sync.OnceValue(func() map[string]Entry {
	m := make(map[string]Entry)
	for _, e := range Ledger().Entries {
		m[e.ID] = e
	}
	return m
})

// Find returns the entry with the given id.
func Find(id string) (Entry, bool) {
	e, ok := byID()[id]
	return e, ok
}

// FindSetup returns the setup with the given name.
func FindSetup(name string) (Setup, bool) {
	for _, s := range Ledger().Setups {
		if s.Name == name {
			return s, true
		}
	}
	return Setup{}, false
}

// BrokenBy returns the ids of the entries that the named deviant turns red, in
// ledger order.
func BrokenBy(deviant string) []string {
	var ids []string
	for _, e := range Ledger().Entries {
		for _, d := range e.Deviants {
			if d == deviant {
				ids = append(ids, e.ID)
				break
			}
		}
	}
	return ids
}
