package build

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// tree writes a directory of package spec with one ledger file.
func tree(t *testing.T, ledger string) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "ledger"), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"setups.yaml":            "- name: default\n  about: defaults\n",
		"catalogue.json":         `[{"name":"store_fact","budget":{"minimum":"any"}}]`,
		"ledger/" + file:         ledger,
		"ledger/not-a-ledger.md": "prose",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestStaleComparesTheEmbeddedForm(t *testing.T) {
	dir := tree(t, "- id: 11.4-01\n  says: first\n")
	s, err := Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	out, err := Encode(s.Document())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "ledger.json"), out, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := Stale(dir, s); err != nil {
		t.Errorf("just written, yet: %v", err)
	}
	s.Files[0].Entries[0].Says = "second"
	if err := Stale(dir, s); err == nil || !strings.Contains(err.Error(), "is stale: run go generate ./spec") {
		t.Errorf("after a change of the source: %v, want stale", err)
	}
}

func TestReadNamesTheFileOfAnUnknownKey(t *testing.T) {
	_, err := Read(tree(t, "- id: 11.4-01\n  sayz: first\n"))
	if err == nil || !strings.Contains(err.Error(), file) || !strings.Contains(err.Error(), "sayz") {
		t.Errorf("error %v, want one with file and key", err)
	}
}

func TestReadRefusesADirectoryWithoutLedger(t *testing.T) {
	dir := tree(t, "")
	if err := os.RemoveAll(filepath.Join(dir, "ledger")); err != nil {
		t.Fatal(err)
	}
	if _, err := Read(dir); err == nil || !strings.Contains(err.Error(), "no ledger files") {
		t.Errorf("error %v, want one about missing ledger files", err)
	}
}
