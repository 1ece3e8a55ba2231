package spec_test

import (
	"fmt"
	"os"
	"regexp"
	"testing"

	"github.com/goccy/go-yaml"
)

// place is one sentence, list item or table row of a chapter.
type place struct {
	Section  string `yaml:"section"`
	Line     int    `yaml:"line"`
	Sentence int    `yaml:"sentence"`
	Kind     string `yaml:"kind"`
	SHA256   string `yaml:"sha256"`
}

// String is the form in which entries name a place.
func (p place) String() string { return fmt.Sprintf("%s/%d.%d", p.Section, p.Line, p.Sentence) }

func places(t *testing.T) []place {
	t.Helper()
	raw, err := os.ReadFile("places.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var all []place
	if err := yaml.UnmarshalWithOptions(raw, &all, yaml.Strict()); err != nil {
		t.Fatal(err)
	}
	return all
}

// The number of places per section is that of the two chapters; together 466.
func TestPlacesAreThoseOfTheChapters(t *testing.T) {
	want := map[string]int{
		"10": 6, "10.1": 13, "10.2": 9, "10.3": 25, "10.4": 22, "10.5": 21,
		"11": 25, "11.0": 11, "11.1": 37, "11.2": 14, "11.3": 15, "11.4": 14, "11.5": 16, "11.6": 15,
		"11.7": 15, "11.8": 59, "11.9": 14, "11.10": 41, "11.11": 63, "11.12": 31,
	}
	all := places(t)
	if len(all) != 466 {
		t.Errorf("places.yaml has %d rows, want 466", len(all))
	}
	have := map[string]int{}
	for _, p := range all {
		have[p.Section]++
	}
	for section, n := range want {
		if have[section] != n {
			t.Errorf("section %s has %d places, want %d", section, have[section], n)
		}
	}
	for section, n := range have {
		if want[section] == 0 {
			t.Errorf("section %s with %d places is none of the chapters", section, n)
		}
	}
}

// Every non-empty line of a section holds a place, so lines and the sentences
// of a line are numbered from 1 without a gap.
func TestPlacesAreNumberedWithoutAGap(t *testing.T) {
	digest := regexp.MustCompile(`^[0-9a-f]{16}$`)
	kinds := map[string]bool{"text": true, "row": true, "item": true}
	last := map[string]place{}
	for _, p := range places(t) {
		before := last[p.Section]
		next := p.Line == before.Line && p.Sentence == before.Sentence+1
		fresh := p.Line == before.Line+1 && p.Sentence == 1
		if !next && !fresh {
			t.Errorf("place %s follows %s", p, before)
		}
		last[p.Section] = p
		if !digest.MatchString(p.SHA256) {
			t.Errorf("place %s: sha256 %q is not 16 hex digits", p, p.SHA256)
		}
		if !kinds[p.Kind] {
			t.Errorf("place %s: kind %q is none of text, row, item", p, p.Kind)
		}
	}
}

func TestEveryPlaceIsNamedByAnEntry(t *testing.T) {
	named := map[string]bool{}
	for _, e := range source(t).Document().Entries {
		for _, p := range e.Places {
			named[p] = true
		}
	}
	for _, p := range places(t) {
		if !named[p.String()] {
			t.Errorf("no entry names place %s (%s)", p, p.Kind)
		}
	}
}

func TestEntriesNameOnlyPlacesThatExist(t *testing.T) {
	known := map[string]bool{}
	for _, p := range places(t) {
		known[p.String()] = true
	}
	for _, e := range source(t).Document().Entries {
		for _, p := range e.Places {
			if !known[p] {
				t.Errorf("%s names place %s, which no chapter has", e.ID, p)
			}
		}
	}
}
