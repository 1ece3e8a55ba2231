package report

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"cruxconform/spec"
)

// Explain says everything about one entry: what is required and how strongly,
// what is sent, what must come back, what it takes to ask it and which deviants
// turn it red. The error for an unknown id names the nearest ones.
func Explain(id string, width int) (string, error) {
	e, ok := spec.Find(id)
	if !ok {
		return "", unknownID(id)
	}
	return explain(e, width), nil
}

func unknownID(id string) error {
	var known []string
	for _, e := range spec.Ledger().Entries {
		known = append(known, e.ID)
	}
	hint := "cruxconform list shows the entries"
	if near := spec.Nearest(id, known); len(near) > 0 {
		hint = "did you mean " + strings.Join(near, " or ") + "? " + hint
	}
	return fmt.Errorf("no entry has the id %q; %s", id, hint)
}

// LevelWords says what a breach at a level means.
func LevelWords(l spec.Level) string {
	switch l {
	case spec.Must:
		return "must: a chapter states it; a breach is violated and the run fails"
	case spec.Should:
		return "should: a chapter implies it; a breach is a warning, and fails the run with --strict"
	}
	return "observed: only published sources show it; a breach is a note, with --strict a warning, and never fails a run"
}

// effectWords says what the check of an entry leaves behind.
var effectWords = map[spec.Effect]string{
	spec.EffectNone:        "nothing; the check only reads",
	spec.EffectUndone:      "nothing; the check removes what it makes",
	spec.EffectKept:        "what the surface keeps by design, named for the run",
	spec.EffectDestructive: "what cannot be undone; asked only of a launched or disposable server",
}

func explain(e spec.Entry, width int) string {
	var b strings.Builder
	put := func(label, value string) {
		if value != "" {
			fmt.Fprintf(&b, "%-13s%s\n", label, wrap(value, width, "             "))
		}
	}
	fmt.Fprintf(&b, "%s  %s\n\n", e.ID, wrap(e.Says, width, strings.Repeat(" ", utf8.RuneCountInString(e.ID)+2)))
	put("Section", e.Section)
	put("Level", LevelWords(e.Level))
	put("Class", e.Class)
	if !e.Observable() {
		reason := e.Reason
		if e.CoveredBy != "" {
			reason += " (" + e.CoveredBy + ")"
		}
		put("Not asked", "no client can observe this: "+reason)
		return b.String()
	}
	put("Setup", setupWords(e.Setup))
	put("Needs", strings.Join(e.Needs, ", "))
	put("Sent", e.Sends)
	put("Must return", e.Expects)
	put("Leaves", effectWords[e.Effect])
	if e.Unless != "" {
		put("Unless", "the target file declares "+e.Unless)
	}
	if e.Slow {
		put("Slow", "takes more than 5 s; asked with --slow")
	}
	put("Folds under", strings.Join(e.After, ", "))
	if e.Pending {
		put("Check", "not written yet; runs report the entry as not checked")
	}
	put("Turned red", strings.Join(e.Deviants, ", "))
	if e.Quirk {
		put("Quirk", "documented behaviour that surprises integrators")
	}
	if e.Page != "" {
		fmt.Fprintf(&b, "\n%s\n", strings.TrimSpace(e.Page))
	}
	return b.String()
}

// setupWords is a setup with its meaning and the variables that make it.
func setupWords(name string) string {
	s, ok := spec.FindSetup(name)
	if !ok {
		return name
	}
	words := name + ": " + s.About
	for _, k := range sortedKeys(s.Env) {
		words += fmt.Sprintf(" %s=%q", k, s.Env[k])
	}
	return words
}
