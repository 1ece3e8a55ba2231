// Package cmd_test holds the walls between the two sides of the house: what is
// required, the suite that asks for it, and the daemon that serves it.
package cmd_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
)

// walls are the rules over the import graph. Each returns the imports that
// break it.
var walls = []struct {
	name     string
	breaches func(graph) []string
	// fault is a graph that breaks this wall alone.
	fault graph
}{
	{
		"spec imports nothing of ours", specAlone,
		graph{"spec": {"fixtures"}, "fixtures": {"embed"}},
	},
	{
		"conformance does not reach reference", apart("conformance", "reference"),
		graph{"conformance/target": {"fixtures"}, "fixtures": {"reference/config"}, "reference/config": nil},
	},
	{
		"reference does not reach conformance", apart("reference", "conformance"),
		graph{"reference/mcp": {"conformance/wire"}, "conformance/wire": {"net/http"}},
	},
	{
		"only commands join the two sides", joined,
		graph{"fixtures": {"reference", "conformance/report"}, "reference": nil, "conformance/report": nil},
	},
	{
		"only reference/store imports bbolt", bboltInStore,
		graph{"reference/store": {"go.etcd.io/bbolt"}, "reference/api": {"go.etcd.io/bbolt/errors"}},
	},
	{
		"tool handlers see neither HTTP nor bbolt", handlersSeeTheStoreOnly,
		graph{
			"reference/tools/facts": {"reference/store", "reference/extension"}, "reference/store": {"go.etcd.io/bbolt"},
			"reference/extension": {"net/http"},
		},
	},
	{
		"the suite reaches the network through wire and host only", suiteReachesTheNetwork,
		graph{
			"conformance/suite": {"conformance/wire", "conformance/probe"}, "conformance/wire": {"net/http", "net"},
			"conformance/probe": {"net/http"},
		},
	},
}

func TestWalls(t *testing.T) {
	g := load(t, "..")
	// The rules hold for nothing where the packages that they name are gone.
	for _, p := range []string{"spec", "conformance/suite", "conformance/wire", "reference", "reference/store", "reference/tools/facts", "cmd/cruxconform"} {
		if _, ok := g[p]; !ok {
			t.Errorf("there is no package %s; the walls name packages that have moved", p)
		}
	}
	for _, w := range walls {
		t.Run(w.name, func(t *testing.T) {
			for _, b := range w.breaches(g) {
				t.Error(b)
			}
		})
	}
}

// TestEachWallCanBreak: a graph with one fault breaks the wall that it is about
// and no other.
func TestEachWallCanBreak(t *testing.T) {
	for _, faulty := range walls {
		for _, w := range walls {
			if broken, want := len(w.breaches(faulty.fault)) > 0, w.name == faulty.name; broken != want {
				t.Errorf("a graph that breaks %q: wall %q broken %t, expected %t", faulty.name, w.name, broken, want)
			}
		}
	}
}

func specAlone(g graph) []string {
	return g.direct([]string{"spec"}, g.ours)
}

func apart(from, to string) func(graph) []string {
	return func(g graph) []string {
		return g.chains(g.under(from), within(to), nil)
	}
}

func joined(g graph) []string {
	var out []string
	for _, p := range g.packages() {
		if within("cmd")(p) || within("reference")(p) || within("conformance")(p) {
			continue // commands may, and the two sides have rules of their own
		}
		a, b := g.chain(p, within("reference"), nil), g.chain(p, within("conformance"), nil)
		if a != nil && b != nil {
			out = append(out, fmt.Sprintf("%s joins the sides: %s and %s", p, arrow(a), arrow(b)))
		}
	}
	return out
}

func bboltInStore(g graph) []string {
	others := slices.DeleteFunc(g.packages(), func(p string) bool { return p == "reference/store" })
	return g.direct(others, within("go.etcd.io/bbolt"))
}

// handlersSeeTheStoreOnly: what stands behind the store is the store's own
// business.
func handlersSeeTheStoreOnly(g graph) []string {
	forbidden := func(q string) bool { return network(q) || q == "net/http" || within("go.etcd.io/bbolt")(q) }
	return g.chains(g.under("reference/tools"), forbidden, within("reference/store"))
}

// suiteReachesTheNetwork: of net/http the suite itself takes names alone, which
// TestSuiteTakesNamesOfHTTP holds; what it imports may not have it at all.
func suiteReachesTheNetwork(g graph) []string {
	g = maps.Clone(g)
	suite := g.under("conformance/suite")
	for _, p := range suite {
		g[p] = slices.DeleteFunc(slices.Clone(g[p]), func(q string) bool { return q == "net/http" })
	}
	door := func(p string) bool { return within("conformance/wire")(p) || within("conformance/host")(p) }
	return g.chains(suite, func(q string) bool { return network(q) || q == "net/http" }, door)
}

// network reports whether a package opens connections or starts processes.
func network(p string) bool {
	return p == "net" || p == "crypto/tls" || p == "os/exec" || p == "syscall" ||
		within("net/http/httptest")(p) || within("net/http/httputil")(p) || within("net/rpc")(p) || within("net/smtp")(p) ||
		within("golang.org/x/net")(p) || within("golang.org/x/sys")(p)
}

func within(root string) func(string) bool {
	return func(p string) bool { return p == root || strings.HasPrefix(p, root+"/") }
}

func arrow(chain []string) string { return strings.Join(chain, " -> ") }
