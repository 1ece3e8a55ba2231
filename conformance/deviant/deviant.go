// Package deviant holds one-fault servers: a true server behind a proxy, or
// started by a launcher, that tells exactly one lie about the documented
// behaviour. A check that no deviant turns red proves nothing.
//
// A lie matches on documented features of a request only and lies to a plain
// curl as well; all else in its answer stays well-formed and legal. Lies live
// here and never in the reference daemon.
package deviant

import (
	"fmt"
	"sort"

	"cruxconform/spec"
)

// Deviant is a server with one fault.
type Deviant struct {
	// Name names the lie; the ledger names the entries that it breaks.
	Name string
	// Lie says in a sentence what the server does wrong.
	Lie string
	// Setup is the configuration that the true server runs in. Empty means the
	// setup of the entries that the deviant breaks.
	Setup string
	// Folds lists entries that come out as "could not run" under a broken one.
	Folds []string
	// Why is the reason of a deviant that breaks more than one entry.
	Why string
	// MCP and API make the lie on each port for one run; a nil side is true. A
	// lie may keep a memory, so each run gets a fresh one.
	MCP, API func() Lie
	// Bridge makes the lie around the stdio bridge; nil is the true bridge.
	Bridge func() BridgeLie
	// Env is what a launcher sets in the environment of the true server, over
	// what the setup asks for.
	Env map[string]string
}

// Variant is a server that differs from the reference in legal ways only.
type Variant struct {
	// Name names the variation; About says what is different.
	Name, About string
	// MCP and API make the variation for one run, Bridge that of the bridge.
	MCP, API func() Lie
	Bridge   func() BridgeLie
	// Env is what a launcher sets in the environment of the true server.
	Env map[string]string
}

var (
	deviants = map[string]Deviant{}
	variants = map[string]Variant{}
)

// lie registers a deviant. A name that is taken is a programming error.
func lie(d Deviant) bool {
	if _, taken := deviants[d.Name]; taken {
		panic(fmt.Sprintf("deviant: %s is registered twice", d.Name))
	}
	deviants[d.Name] = d
	return true
}

// vary registers a variant. A name that is taken is a programming error.
func vary(v Variant) bool {
	if _, taken := variants[v.Name]; taken {
		panic(fmt.Sprintf("deviant: variant %s is registered twice", v.Name))
	}
	variants[v.Name] = v
	return true
}

// All lists the deviants by name.
func All() []Deviant {
	out := make([]Deviant, 0, len(deviants))
	for _, d := range deviants {
		out = append(out, d)
	}
	sort.Slice(out, func(i, j int) bool { return out[i].Name < out[j].Name })
	return out
}

// Variants lists the variants by name.
func Variants() []Variant {
	out := make([]Variant, 0, len(variants))
	for _, v := range variants {
		out = append(out, v)
	}
	sort.Slice(out, func(i, j int) bool { return out[i].Name < out[j].Name })
	return out
}

// Find returns the deviant with the given name.
func Find(name string) (Deviant, bool) {
	d, ok := deviants[name]
	return d, ok
}

// FindVariant returns the variant with the given name.
func FindVariant(name string) (Variant, bool) {
	v, ok := variants[name]
	return v, ok
}

// Breaks lists the entries that the deviant turns red, as the ledger has them.
func (d Deviant) Breaks() []string { return spec.BrokenBy(d.Name) }

// RunsIn is the setup that the true server runs in.
func (d Deviant) RunsIn() string {
	if d.Setup != "" {
		return d.Setup
	}
	for _, id := range d.Breaks() {
		if e, ok := spec.Find(id); ok {
			return e.Setup
		}
	}
	return "default"
}
