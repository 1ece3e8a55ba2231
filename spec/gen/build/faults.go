package build

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"cruxconform/spec"
)

// Faults lists every breach of a rule of the ledger, each with file, id and
// what is wrong. It is empty for a sound ledger.
func (s *Source) Faults() []string {
	c := newChecker(s)
	for _, f := range s.Files {
		for _, e := range f.Entries {
			c.at = f.Name + ": " + e.ID
			c.identity(f.Name, e)
			c.vocabulary(e)
			switch {
			case !e.Observable():
				c.unobservable(e)
			case e.Pending:
				c.observable(e)
			default:
				c.observable(e)
				c.asked(e)
			}
			c.references(e)
		}
	}
	return append(c.faults, c.cycles(s)...)
}

// examples is the reason that must name the entry which covers the line.
const examples = "example line that another entry covers"

// roots are implied for every check and so never listed in after.
var roots = []string{"11.3-01", "11.3-02", "11.6-01"}

type checker struct {
	byID   map[string]spec.Entry
	seen   map[string]string // id to the file that holds it
	setups map[string]bool
	tools  map[string]bool
	at     string
	faults []string
}

func newChecker(s *Source) *checker {
	c := &checker{
		byID:   map[string]spec.Entry{},
		seen:   map[string]string{},
		setups: map[string]bool{},
		tools:  map[string]bool{},
	}
	for _, setup := range s.Setups {
		if c.setups[setup.Name] {
			c.faults = append(c.faults, fmt.Sprintf("setups.yaml: %s: named twice", setup.Name))
		}
		c.setups[setup.Name] = true
		if setup.Name == "" || setup.About == "" {
			c.faults = append(c.faults, fmt.Sprintf("setups.yaml: %q: name or about is empty", setup.Name))
		}
	}
	for _, name := range s.Tools {
		c.tools[name] = true
	}
	for _, f := range s.Files {
		for _, e := range f.Entries {
			c.byID[e.ID] = e
		}
	}
	return c
}

func (c *checker) fault(format string, args ...any) {
	c.faults = append(c.faults, c.at+": "+fmt.Sprintf(format, args...))
}

// want reports a fault unless ok.
func (c *checker) want(ok bool, format string, args ...any) {
	if !ok {
		c.fault(format, args...)
	}
}

var (
	chapterID = regexp.MustCompile(`^(1[01](?:\.\d{1,2})?)-(?:\d{2}|[1-9]\d{2})$`)
	toolID    = regexp.MustCompile(`^tool\.([a-z_0-9]+)-\d{2}$`)
)

func (c *checker) identity(file string, e spec.Entry) {
	if other, ok := c.seen[e.ID]; ok {
		c.fault("id stands in %s too", other)
	}
	c.seen[e.ID] = file
	switch {
	case filePlane(file) != "":
		m := toolID.FindStringSubmatch(e.ID)
		if m == nil {
			c.fault("id has not the form tool.<name>-NN")
			return
		}
		c.want(c.tools[m[1]], "%s is no tool of the catalogue", m[1])
	case fileSection(file) != "":
		m := chapterID.FindStringSubmatch(e.ID)
		if m == nil {
			c.fault("id has not the form <section>-NN")
			return
		}
		c.want(m[1] == fileSection(file), "id of section %s in the file of section %s", m[1], fileSection(file))
	default:
		c.fault("file name has neither the form NN.NN-slug.yaml nor tools-plane.yaml")
	}
}

var (
	levels   = []spec.Level{spec.Must, spec.Should, spec.Observed}
	evidence = []spec.Evidence{spec.EvidenceWire, spec.EvidenceSetup, spec.EvidenceHost, spec.EvidenceAPI, spec.EvidenceNone}
	effects  = []spec.Effect{spec.EffectNone, spec.EffectUndone, spec.EffectKept, spec.EffectDestructive}
)

// vocabulary checks what every entry has and every closed list.
func (c *checker) vocabulary(e spec.Entry) {
	c.want(strings.TrimSpace(e.Says) != "", "says is empty")
	c.want(slices.Contains(levels, e.Level), "level %q is none of %v", e.Level, levels)
	c.want(slices.Contains(evidence, e.Evidence), "evidence %q is none of %v", e.Evidence, evidence)
	c.want(slices.Contains(spec.Classes, e.Class), "class %q is none of %v", e.Class, spec.Classes)
	c.want(e.Effect == "" || slices.Contains(effects, e.Effect), "effect %q is none of %v", e.Effect, effects)
	for _, n := range e.Needs {
		c.want(slices.Contains(spec.Needs, n), "needs %q, which is none of %v", n, spec.Needs)
	}
	c.want(e.Page == "" || e.Quirk, "page without quirk: true")
	for _, l := range []struct {
		name string
		list []string
	}{{"needs", e.Needs}, {"after", e.After}, {"deviants", e.Deviants}, {"places", e.Places}} {
		c.want(!repeats(l.list), "%s names one thing twice", l.name)
	}
}

// unobservable checks an entry that no run can ask.
func (c *checker) unobservable(e spec.Entry) {
	c.want(slices.Contains(spec.NoneReasons, e.Reason), "reason %q is none of %q", e.Reason, spec.NoneReasons)
	if e.Reason == examples {
		c.want(e.CoveredBy != "", "reason %q needs covered_by", examples)
	} else {
		c.want(e.CoveredBy == "", "covered_by is for the reason %q only", examples)
	}
	c.want(e.Setup == "" && e.Effect == "" && e.Sends == "" && e.Expects == "" && e.Unless == "",
		"evidence none, yet setup, effect, sends, expects or unless is given")
	c.want(len(e.Needs) == 0 && len(e.After) == 0 && len(e.Deviants) == 0,
		"evidence none, yet needs, after or deviants is given")
	c.want(!e.Pending && !e.Slow && !e.Quirk, "evidence none, yet pending, slow or quirk is given")
}

var declaration = regexp.MustCompile(`^[a-z_]+: \S+$`)

// observable checks what pending entries and asked ones share.
func (c *checker) observable(e spec.Entry) {
	c.want(e.Reason == "" && e.CoveredBy == "", "reason and covered_by are for evidence none only")
	switch {
	case !c.setups[e.Setup]:
		c.fault("setup %q is not in setups.yaml", e.Setup)
	case e.Evidence == spec.EvidenceWire:
		c.want(e.Setup == "default", "evidence wire is that of setup default; in %s it is setup", e.Setup)
	case e.Evidence == spec.EvidenceSetup:
		c.want(e.Setup != "default", "evidence setup needs a setup other than default")
	case e.Evidence == spec.EvidenceAPI:
		c.want(slices.Contains(e.Needs, "api"), "evidence api without needs: [api]")
	}
	c.want(e.Unless == "" || declaration.MatchString(e.Unless), "unless %q has not the form key: value", e.Unless)
}

var kebab = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)

// asked checks an entry that a run has a check for.
func (c *checker) asked(e spec.Entry) {
	c.want(e.Effect != "", "effect is missing")
	c.want(e.Sends != "", "sends is missing")
	c.want(e.Expects != "", "expects is missing")
	c.want(len(e.Deviants) > 0, "no deviant: what no lie turns red proves nothing")
	for _, d := range e.Deviants {
		c.want(kebab.MatchString(d), "deviant %q is not kebab-case", d)
	}
}

func (c *checker) references(e spec.Entry) {
	for _, id := range e.After {
		other, ok := c.byID[id]
		switch {
		case !ok:
			c.fault("after names %s, which is no entry", id)
		case !other.Observable():
			c.fault("after names %s, which no run asks", id)
		case other.Pending && !e.Pending:
			c.fault("after names %s, which is pending", id)
		case slices.Contains(roots, id):
			c.fault("after names %s, which is implied for every check", id)
		}
	}
	if e.CoveredBy == "" {
		return
	}
	other, ok := c.byID[e.CoveredBy]
	c.want(ok, "covered_by names %s, which is no entry", e.CoveredBy)
	c.want(!ok || other.Observable(), "covered_by names %s, which covers nothing a client sees", e.CoveredBy)
}

// cycles finds entries that would fold under themselves.
func (c *checker) cycles(s *Source) []string {
	var faults []string
	for _, f := range s.Files {
		for _, e := range f.Entries {
			if c.reaches(e.ID, e.ID, map[string]bool{}) {
				faults = append(faults, fmt.Sprintf("%s: %s: after leads back to the entry itself", f.Name, e.ID))
			}
		}
	}
	return faults
}

// reaches reports whether following after from one id meets the goal.
func (c *checker) reaches(from, goal string, seen map[string]bool) bool {
	for _, id := range c.byID[from].After {
		if id == goal {
			return true
		}
		if !seen[id] {
			seen[id] = true
			if c.reaches(id, goal, seen) {
				return true
			}
		}
	}
	return false
}

func repeats(list []string) bool {
	sorted := slices.Sorted(slices.Values(list))
	return len(slices.Compact(sorted)) != len(list)
}
