package report

import (
	"fmt"
	"sort"

	"cruxconform/conformance/verdict"
)

// unassessed lists what could not be run and folds under nothing, by cause.
func (c *console) unassessed() {
	causes := newGroups()
	for _, r := range c.r.With(verdict.CouldNotRun) {
		if r.After != "" {
			continue // told by the headline that it folds under
		}
		cause := r.Message
		if r.Remedy != "" {
			cause += "; to ask it: " + r.Remedy
		}
		causes.add(cause, r.Entry.ID)
	}
	c.grouped("Could not run", causes)
}

// notAsked lists what the target cannot show, by what would show it.
func (c *console) notAsked() {
	remedies := newGroups()
	for _, r := range c.r.With(verdict.Unasked) {
		remedies.add(fmt.Sprintf("%s; to ask it: %s", r.Message, r.Remedy), r.Entry.ID)
	}
	c.grouped("Not asked", remedies)
	declared := newGroups()
	for _, r := range c.r.With(verdict.Inapplicable) {
		declared.add(r.Message, r.Entry.ID)
	}
	c.grouped("Not applicable", declared)
}

// quirks lists apart the documented behaviour that surprises integrators.
func (c *console) quirks() {
	kept, broken := []verdict.Result{}, []verdict.Result{}
	for _, r := range c.r.Results {
		switch {
		case !r.Entry.Quirk:
		case r.Outcome == verdict.Passed:
			kept = append(kept, r)
		case r.Outcome.Breach():
			broken = append(broken, r)
		}
	}
	if len(kept)+len(broken) == 0 {
		return
	}
	c.title("Quirks: documented behaviour that surprises (cruxconform explain ID)")
	for _, r := range kept {
		c.line("  %s %-9s %s", c.green("held  "), r.Entry.ID, wrap(r.Entry.Says, c.width, "                   "))
	}
	for _, r := range broken {
		c.line("  %s %-9s %s", c.colored(r.Outcome)("broken"), r.Entry.ID, wrap(r.Entry.Says, c.width, "                   "))
	}
}

// remarks lists what changes no outcome: unstable results that hold in the end
// are told with their breach, here stand left-behind objects and notes.
func (c *console) remarks() {
	var left, notes, unstable []string
	for _, r := range c.r.Results {
		for _, l := range r.LeftBehind {
			left = append(left, r.Entry.ID+": "+l)
		}
		for _, n := range r.Notes {
			notes = append(notes, r.Entry.ID+": "+n)
		}
		if r.Unstable != "" && !r.Outcome.Breach() {
			unstable = append(unstable, fmt.Sprintf("%s: %s, %s repetitions", r.Entry.ID, r.Outcome, r.Unstable))
		}
	}
	c.listed("Unstable", unstable)
	c.listed("Left behind on the server", left)
	c.listed("Remarks", notes)
}

func (c *console) listed(title string, lines []string) {
	if len(lines) == 0 {
		return
	}
	c.title("%s: %d", title, len(lines))
	for _, l := range lines {
		c.line("  %s", wrap(plain(l), c.width, "    "))
	}
}

// groups collects ids under a text, in the order of first use.
type groups struct {
	order []string
	ids   map[string][]string
}

func newGroups() *groups { return &groups{ids: map[string][]string{}} }

func (g *groups) add(key, id string) {
	if g.ids[key] == nil {
		g.order = append(g.order, key)
	}
	g.ids[key] = append(g.ids[key], id)
}

// grouped writes groups, the largest first.
func (c *console) grouped(title string, g *groups) {
	if len(g.order) == 0 {
		return
	}
	total := 0
	for _, k := range g.order {
		total += len(g.ids[k])
	}
	sort.SliceStable(g.order, func(a, b int) bool { return len(g.ids[g.order[a]]) > len(g.ids[g.order[b]]) })
	c.title("%s: %d", title, total)
	for _, k := range g.order {
		c.line("  %4d  %s", len(g.ids[k]), wrap(plain(k), c.width, "        "))
		c.line("        %s", wrap(someOf(g.ids[k], 8), c.width, "        "))
	}
}
