// Package build reads the YAML ledger and setups of package spec, finds the
// entries that break a rule, and encodes the JSON form that is embedded.
package build

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"sort"
	"strconv"
	"strings"

	"cruxconform/spec"

	"github.com/goccy/go-yaml"
)

// Source is the ledger as it stands in its YAML files.
type Source struct {
	Setups []spec.Setup
	// Tools holds the names of the catalogue, which ids of tool pages use.
	Tools []string
	Files []File
}

// File is one ledger file. Every entry of it has its Section set.
type File struct {
	// Name is the base name, "11.04-not-implemented.yaml".
	Name    string
	Entries []spec.Entry
}

// Read loads setups.yaml, ledger/*.yaml and the names of catalogue.json below the directory of package
// spec. Decoding is strict: an unknown or doubled key is an error that names
// the file and the line.
func Read(dir string) (*Source, error) {
	s := new(Source)
	if err := decode(filepath.Join(dir, "setups.yaml"), &s.Setups); err != nil {
		return nil, err
	}
	names, err := toolNames(filepath.Join(dir, "catalogue.json"))
	if err != nil {
		return nil, err
	}
	s.Tools = names
	paths, err := filepath.Glob(filepath.Join(dir, "ledger", "*.yaml"))
	if err != nil {
		return nil, err
	}
	if len(paths) == 0 {
		return nil, fmt.Errorf("no ledger files in %s: run in the directory of package spec or name it with -dir", filepath.Join(dir, "ledger"))
	}
	for _, path := range paths {
		f := File{Name: filepath.Base(path)}
		if err := decode(path, &f.Entries); err != nil {
			return nil, err
		}
		for i := range f.Entries {
			f.Entries[i].Section = section(f.Entries[i].ID, f.Name)
		}
		s.Files = append(s.Files, f)
	}
	return s, nil
}

// Document returns the ledger as one list, in the order of its ids.
func (s *Source) Document() *spec.Document {
	doc := &spec.Document{Setups: s.Setups}
	for _, f := range s.Files {
		doc.Entries = append(doc.Entries, f.Entries...)
	}
	sort.SliceStable(doc.Entries, func(i, j int) bool {
		return order(doc.Entries[i].ID) < order(doc.Entries[j].ID)
	})
	return doc
}

// Encode returns the bytes of ledger.json.
func Encode(doc *spec.Document) ([]byte, error) {
	out, err := json.MarshalIndent(doc, "", " ")
	if err != nil {
		return nil, err
	}
	return append(out, '\n'), nil
}

// Stale returns an error when ledger.json in dir is not what the source
// encodes to.
func Stale(dir string, s *Source) error {
	want, err := Encode(s.Document())
	if err != nil {
		return err
	}
	path := filepath.Join(dir, "ledger.json")
	have, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if !bytes.Equal(have, want) {
		return fmt.Errorf("%s is stale: run go generate ./spec", path)
	}
	return nil
}

// toolNames reads only the names, so that a ledger can be built while the rest
// of the catalogue is under work.
func toolNames(path string) ([]string, error) {
	raw, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var tools []struct {
		Name string `json:"name"`
	}
	if err := json.Unmarshal(raw, &tools); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	var names []string
	for _, t := range tools {
		names = append(names, t.Name)
	}
	return names, nil
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

// section is the part of a chapter id before the number; an entry of a tool
// page takes the plane that its file is named for.
func section(id, file string) string {
	if p := filePlane(file); p != "" {
		return p
	}
	s, _, _ := strings.Cut(id, "-")
	return s
}

var (
	planeFile   = regexp.MustCompile(`^tools-([a-z0-9-]+)\.yaml$`)
	chapterFile = regexp.MustCompile(`^(\d{2})(?:\.(\d{2}))?-[a-z0-9-]+\.yaml$`)
)

// filePlane is the tool plane that a file is named for, or "".
func filePlane(file string) string {
	if m := planeFile.FindStringSubmatch(file); m != nil {
		return m[1]
	}
	return ""
}

// fileSection is the chapter section that a file is named for, or "": the
// padded "11.04" of a name stands for section 11.4.
func fileSection(file string) string {
	m := chapterFile.FindStringSubmatch(file)
	if m == nil {
		return ""
	}
	if m[2] == "" {
		return m[1]
	}
	n, _ := strconv.Atoi(m[2]) // two digits by the pattern
	return m[1] + "." + strconv.Itoa(n)
}

var digits = regexp.MustCompile(`\d+`)

// order sorts 11.4-02 before 11.10-01 by padding every number.
func order(id string) string {
	return digits.ReplaceAllStringFunc(id, func(d string) string {
		return strings.Repeat("0", max(0, 6-len(d))) + d
	})
}
