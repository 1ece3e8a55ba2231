package cmd_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// module is the path that imports of ours begin with.
const module = "cruxconform/"

// graph holds what each package of ours imports, its tests aside. Packages of
// ours go by their directory, others by their import path.
type graph map[string][]string

func (g graph) ours(p string) bool { _, ok := g[p]; return ok }

func (g graph) packages() []string {
	var out []string
	for p := range g {
		out = append(out, p)
	}
	slices.Sort(out)
	return out
}

func (g graph) under(root string) []string {
	return slices.DeleteFunc(g.packages(), func(p string) bool { return !within(root)(p) })
}

// direct lists the imports of the packages that are forbidden.
func (g graph) direct(packages []string, forbidden func(string) bool) []string {
	var out []string
	for _, p := range packages {
		for _, q := range g[p] {
			if forbidden(q) {
				out = append(out, arrow([]string{p, q}))
			}
		}
	}
	return out
}

// chain returns a shortest way through the imports from a package to one that
// is sought, nil where there is none. It does not go on behind a door.
func (g graph) chain(from string, sought, door func(string) bool) []string {
	seen := map[string]bool{from: true}
	for ways := [][]string{{from}}; len(ways) > 0; ways = ways[1:] {
		way := ways[0]
		at := way[len(way)-1]
		if door != nil && door(at) {
			continue
		}
		for _, next := range g[at] {
			if seen[next] {
				continue
			}
			seen[next] = true
			longer := append(slices.Clone(way), next)
			if sought(next) {
				return longer
			}
			ways = append(ways, longer)
		}
	}
	return nil
}

// chains lists the ways from the packages to one that is sought.
func (g graph) chains(from []string, sought, door func(string) bool) []string {
	var out []string
	for _, p := range from {
		if chain := g.chain(p, sought, door); chain != nil {
			out = append(out, arrow(chain))
		}
	}
	return out
}

// load reads the import graph of the module from its sources, whatever their
// build tags. Directories with a go.mod of their own are other modules.
func load(t *testing.T, root string) graph {
	t.Helper()
	g := graph{}
	sources(t, root, ".", func(dir string, file *ast.File) {
		g[dir] = append(g[dir], imports(t, file)...)
	})
	for p := range g {
		slices.Sort(g[p])
		g[p] = slices.Compact(g[p])
	}
	return g
}

// sources parses every Go file at or below a directory, tests aside.
func sources(t *testing.T, root, below string, visit func(dir string, file *ast.File)) {
	t.Helper()
	err := filepath.WalkDir(filepath.Join(root, below), func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		if e.IsDir() {
			_, err := os.Stat(filepath.Join(path, "go.mod"))
			if rel != "." && (err == nil || strings.HasPrefix(e.Name(), ".") || e.Name() == "testdata" || e.Name() == "node_modules") {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		visit(filepath.ToSlash(filepath.Dir(rel)), file)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func imports(t *testing.T, file *ast.File) []string {
	t.Helper()
	var out []string
	for _, i := range file.Imports {
		path, err := strconv.Unquote(i.Path.Value)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, strings.TrimPrefix(path, module))
	}
	return out
}

// TestSuiteTakesNamesOfHTTP: the suite may speak of methods, statuses and
// headers, and leaves it to the wire to send anything.
func TestSuiteTakesNamesOfHTTP(t *testing.T) {
	used := 0
	sources(t, "..", "conformance/suite", func(dir string, file *ast.File) {
		name := httpName(t, file)
		ast.Inspect(file, func(n ast.Node) bool {
			s, ok := n.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			if x, ok := s.X.(*ast.Ident); !ok || x.Name != name {
				return true
			}
			used++
			if !isName(s.Sel.Name) {
				t.Errorf("%s uses http.%s; what reaches the network belongs into conformance/wire or conformance/host", dir, s.Sel.Name)
			}
			return true
		})
	})
	if used == 0 {
		t.Error("the suite uses nothing of net/http: this test looks at the wrong place")
	}
}

// httpName is what a file calls net/http, "-" where it does not import it.
func httpName(t *testing.T, file *ast.File) string {
	t.Helper()
	for _, i := range file.Imports {
		if i.Path.Value != `"net/http"` {
			continue
		}
		if i.Name == nil {
			return "http"
		}
		if i.Name.Name == "." {
			t.Fatal("net/http is imported with a dot: its names cannot be told from others")
		}
		return i.Name.Name
	}
	return "-"
}

func isName(s string) bool {
	return s == "Header" || s == "CanonicalHeaderKey" || s == "StatusText" ||
		strings.HasPrefix(s, "Method") || strings.HasPrefix(s, "Status")
}
