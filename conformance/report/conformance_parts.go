package report

import (
	"fmt"
	"sort"
	"strings"

	"cruxconform/spec"
)

// requirements writes an overview of the sections, then each of them folded.
func (c *conformance) requirements() {
	c.line("\n## Requirements by section")
	c.table("section", "about", ">must", ">should", ">observed", ">checked", ">not checked yet", ">not observable")
	for _, s := range c.sectionsOf() {
		in := func(e spec.Entry) bool { return e.Section == s }
		_, asked, pending, none := c.count(in)
		cells := []string{s, subject(s)}
		for _, l := range levels {
			n, _, _, hidden := c.count(func(e spec.Entry) bool { return in(e) && e.Level == l })
			cells = append(cells, num(n-hidden))
		}
		c.row(append(cells, num(asked), num(pending), num(none))...)
	}
	for _, s := range c.sectionsOf() {
		c.section(s)
	}
}

func (c *conformance) section(s string) {
	total, asked, _, none := c.count(func(e spec.Entry) bool { return e.Section == s })
	if total == none {
		return
	}
	c.folded(fmt.Sprintf("<b>%s</b> %s (%d entries, %d checked)", s, subject(s), total-none, asked), func() {
		c.table("entry", "level", "setup", "requirement", "check", "turned red by")
		for _, e := range c.Ledger.Entries {
			if e.Section != s || !e.Observable() {
				continue
			}
			says := prose(e.Says)
			if e.Quirk {
				says += " *(quirk)*"
			}
			c.row("`"+e.ID+"`", string(e.Level), e.Setup, says, c.checkWord(e), code(e.Deviants))
		}
	})
}

// unobservable lists the statements that no client can see, by reason.
func (c *conformance) unobservable() {
	c.line("\n## Statements that no client can see")
	c.line("\nThey stand in the ledger so that no sentence of the chapters is left out, and are never asked. The reasons are a closed list.")
	for _, reason := range spec.NoneReasons {
		var entries []spec.Entry
		for _, e := range c.Ledger.Entries {
			if !e.Observable() && e.Reason == reason {
				entries = append(entries, e)
			}
		}
		if len(entries) == 0 {
			continue
		}
		c.folded(fmt.Sprintf("%s (%d)", reason, len(entries)), func() {
			c.table("entry", "section", "statement")
			for _, e := range entries {
				says := prose(e.Says)
				if e.CoveredBy != "" {
					says += " (shown by `" + e.CoveredBy + "`)"
				}
				c.row("`"+e.ID+"`", e.Section, says)
			}
		})
	}
}

func (c *conformance) rulings() {
	c.line("\n## Contradictions and rulings")
	c.line("\nWhere the chapters leave a question open, contradict themselves, or part from what published sources of the original daemon show, one answer holds here. Where chapter and sources part, the chapter wins.")
	c.table("ruling", "question", "what holds")
	for _, r := range c.Rulings {
		c.row(r.ID, prose(r.Question), prose(r.Holds))
	}
}

// deviants writes the matrix of lies: what each turns red, and what the gate saw
// of it.
func (c *conformance) deviants() {
	entries, names := c.liars()
	gated := 0
	for _, n := range names {
		if _, ok := c.Gate.Find(n); ok {
			gated++
		}
	}
	c.line("\n## Deviants")
	c.line("\nEach turns exactly the entries of its row red, in every row of a table check, and changes no other outcome but that of what folds under them. `cruxconform deviant serve NAME --upstream URL` runs one by hand.")
	c.line("\nThe ledger names %d deviants; %d of them are in the committed result of the gate.", len(names), gated)
	c.folded(fmt.Sprintf("the %d deviants and what they turn red", len(names)), func() {
		c.table("deviant", "its lie", "setup", "turns red", "could not be assessed for it", ">table rows", "in the gate")
		for _, n := range names {
			g, ok := c.Gate.Find(n)
			if !ok {
				c.row("`"+n+"`", "", "", code(entries[n]), "", "", "not yet")
				continue
			}
			rows := ""
			if g.Rows > 0 {
				rows = num(g.Rows)
			}
			c.row("`"+n+"`", prose(g.Lie), g.Setup, code(g.Entries), foldedWords(g.Folded), rows, "as it must")
		}
	})
}

// foldedWords names what folds where it is little, and counts it where a lie is
// about something that nearly every entry builds on.
func foldedWords(ids []string) string {
	const named = 6
	if len(ids) <= named {
		return code(ids)
	}
	return fmt.Sprintf("%d entries (all named in the gate result)", len(ids))
}

// liars lists the deviants by name, with the entries that name them.
func (c *conformance) liars() (entries map[string][]string, names []string) {
	entries = map[string][]string{}
	for _, e := range c.Ledger.Entries {
		for _, d := range e.Deviants {
			if entries[d] == nil {
				names = append(names, d)
			}
			entries[d] = append(entries[d], e.ID)
		}
	}
	sort.Strings(names)
	return entries, names
}

func (c *conformance) variants() {
	c.line("\n## Variants")
	if len(c.Gate.Variants) == 0 {
		c.line("\nNo result of a variant is committed.")
		return
	}
	c.line("\nLegal differences that must change no outcome.")
	c.table("variant", "what is different", "stayed green in")
	for _, v := range c.Gate.Variants {
		c.row("`"+v.Name+"`", prose(v.About), strings.Join(v.Setups, ", "))
	}
}

func (c *conformance) setups() {
	c.line("\n## Setups")
	c.line("\nAn entry is asked of a server in a named configuration. A server that honours the documented variables can be launched in any of them; one that runs already is asked what its setup can show.")
	c.folded(fmt.Sprintf("the %d setups", len(c.Ledger.Setups)), func() {
		c.table("setup", "what it is", "variables")
		for _, s := range c.Ledger.Setups {
			var env []string
			for _, k := range sortedKeys(s.Env) {
				env = append(env, fmt.Sprintf("%s=%q", k, s.Env[k]))
			}
			c.row(s.Name, prose(s.About), code(env))
		}
	})
}
