// Command gen turns the YAML ledger and setups into the JSON form that the
// command embeds, because JSON loads about ten times faster.
//
// It runs in the directory of package spec, as go generate does, and writes
// ledger.json there. With -check it writes nothing and exits 1 when the file
// is stale.
package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"sort"
	"strings"

	"cruxconform/spec"

	"github.com/goccy/go-yaml"
)

func main() {
	check := flag.Bool("check", false, "report a stale ledger.json and write nothing")
	dir := flag.String("dir", ".", "directory of package spec")
	flag.Parse()
	if err := run(*dir, *check); err != nil {
		fmt.Fprintln(os.Stderr, "gen:", err)
		os.Exit(1)
	}
}

func run(dir string, check bool) error {
	doc, err := read(dir)
	if err != nil {
		return err
	}
	out, err := json.MarshalIndent(doc, "", " ")
	if err != nil {
		return err
	}
	out = append(out, '\n')
	path := filepath.Join(dir, "ledger.json")
	if !check {
		return os.WriteFile(path, out, 0o644)
	}
	have, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if !bytes.Equal(have, out) {
		return fmt.Errorf("%s is stale: run go generate ./spec", path)
	}
	return nil
}

func read(dir string) (*spec.Document, error) {
	doc := new(spec.Document)
	if err := decode(filepath.Join(dir, "setups.yaml"), &doc.Setups); err != nil {
		return nil, err
	}
	files, err := filepath.Glob(filepath.Join(dir, "ledger", "*.yaml"))
	if err != nil {
		return nil, err
	}
	sort.Strings(files)
	for _, f := range files {
		var entries []spec.Entry
		if err := decode(f, &entries); err != nil {
			return nil, err
		}
		for i := range entries {
			entries[i].Section = section(entries[i].ID, f)
		}
		doc.Entries = append(doc.Entries, entries...)
	}
	sort.SliceStable(doc.Entries, func(i, j int) bool {
		return order(doc.Entries[i].ID) < order(doc.Entries[j].ID)
	})
	return doc, nil
}

func decode(path string, into any) error {
	raw, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if err := yaml.UnmarshalWithOptions(raw, into, yaml.Strict()); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

var plane = regexp.MustCompile(`tools-([a-z0-9-]+)\.yaml$`)

// section is the part of a chapter id before the number; an entry of a tool
// page takes the plane that its file is named for.
func section(id, file string) string {
	if m := plane.FindStringSubmatch(file); m != nil {
		return m[1]
	}
	s, _, _ := strings.Cut(id, "-")
	return s
}

var digits = regexp.MustCompile(`\d+`)

// order sorts 11.4-02 before 11.10-01 by padding every number.
func order(id string) string {
	return digits.ReplaceAllStringFunc(id, func(d string) string {
		return strings.Repeat("0", max(0, 6-len(d))) + d
	})
}
