package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const root = "../../.."

func TestConformanceIsNotStale(t *testing.T) {
	if err := run(root, true); err != nil {
		t.Error(err)
	}
}

func TestAStaleFileIsReportedAndLeftAlone(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "CONFORMANCE.md")
	if err := os.WriteFile(path, []byte("# Old\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := run(dir, true); err == nil || !strings.Contains(err.Error(), "go run ./conformance/report/gen") {
		t.Errorf("got %v", err)
	}
	if b, _ := os.ReadFile(path); string(b) != "# Old\n" {
		t.Errorf("the file holds %q", b)
	}
	if err := run(dir, false); err != nil {
		t.Fatal(err)
	}
	if err := run(dir, true); err != nil {
		t.Errorf("right after writing: %v", err)
	}
}
