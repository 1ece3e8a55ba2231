package cmd_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"testing"
)

// unflushed are the options of bbolt that leave the flush to disk out: with one
// of them an acknowledged write may be lost with the power.
var unflushed = []string{"NoSync", "NoGrowSync"}

// TestNothingLeavesTheFlushOut holds for every source of the module, tests aside.
func TestNothingLeavesTheFlushOut(t *testing.T) {
	files := 0
	sources(t, "..", ".", func(dir string, file *ast.File) {
		files++
		for _, name := range named(file, unflushed) {
			t.Errorf("%s uses %s; an acknowledged write has to be on the disk", dir, name)
		}
	})
	if files == 0 {
		t.Error("no source was looked at")
	}
}

// TestFlushOptionsAreFound: in a literal, as a field, and not in a comment.
func TestFlushOptionsAreFound(t *testing.T) {
	for source, want := range map[string][]string{
		`package p; var _ = bbolt.Options{NoSync: true}`:   {"NoSync"},
		`package p; func f(o *T) { o.NoGrowSync = true }`:  {"NoGrowSync"},
		`package p // NoSync`:                              nil,
		`package p; var _ = bbolt.Options{ReadOnly: true}`: nil,
	} {
		file, err := parser.ParseFile(token.NewFileSet(), "p.go", source, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		if got := named(file, unflushed); !slices.Equal(got, want) {
			t.Errorf("%s: found %v, expected %v", source, got, want)
		}
	}
}

// named lists the identifiers of a file that are among the names.
func named(file *ast.File, names []string) []string {
	var out []string
	ast.Inspect(file, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && slices.Contains(names, id.Name) {
			out = append(out, id.Name)
		}
		return true
	})
	return out
}
