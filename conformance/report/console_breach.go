package report

import (
	"fmt"
	"strings"

	"cruxconform/conformance/verdict"
)

// breaches writes each breach with both values, the gravest first.
func (c *console) breaches() {
	for _, o := range []verdict.Outcome{verdict.Violated, verdict.Warned, verdict.Noted} {
		for _, r := range c.r.With(o) {
			c.breach(r)
		}
	}
}

func (c *console) breach(r verdict.Result) {
	e := r.Entry
	word := strings.ToUpper(string(r.Outcome))
	c.line("\n%s %s  %s, setup %s, class %s", c.colored(r.Outcome)(word), c.bold(e.ID), e.Level, e.Setup, e.Class)
	at := -1
	if len(r.Findings) > 0 {
		f := r.Findings[0]
		where := f.What
		if f.Row != "" {
			where = f.Row + ": " + where
		}
		c.field("Expected", plain(where+": "+f.Expected))
		c.field("Actual", plain(f.Actual))
		at = f.Exchange
	}
	c.field("Requirement", fmt.Sprintf("section %s: %s", e.Section, e.Says))
	if r.Message != "" {
		c.field("Cause", plain(r.Message))
	}
	if r.Unstable != "" {
		c.field("Repeated", r.Unstable+" repetitions")
	}
	c.rows(r)
	if at >= 0 && at < len(r.Exchanges) {
		c.line("  %-12s %s", "Request", curl(&r.Exchanges[at], evidenceName(e.ID, at, "request.body")))
	}
	if len(r.Folded) > 0 {
		c.field("Folds", fmt.Sprintf("%d could not be assessed for this: %s", len(r.Folded), someOf(r.Folded, 12)))
	}
}

// rows writes a line for each broken row of a table check, up to a cap.
func (c *console) rows(r verdict.Result) {
	broken := 0
	for _, row := range r.Rows {
		if row.Broken {
			broken++
		}
	}
	if broken == 0 {
		return
	}
	c.field("Rows", fmt.Sprintf("%d of %d broken", broken, len(r.Rows)))
	shown := 0
	for _, f := range r.Findings {
		if f.Row == "" {
			continue
		}
		if shown == rowsShown {
			break
		}
		shown++
		text := fmt.Sprintf("%s: %s: expected %s, actual %s", f.Row, f.What, f.Expected, f.Actual)
		c.line("    %s", clip(plain(text), max(40, c.width-4)))
	}
	if broken > shown {
		c.line("    and %d more, all in the JSON report", broken-shown)
	}
}

// someOf lists up to n ids.
func someOf(ids []string, n int) string {
	if len(ids) <= n {
		return strings.Join(ids, " ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(ids[:n], " "), len(ids)-n)
}

// faults writes what the suite itself failed at.
func (c *console) faults() {
	for _, r := range c.r.With(verdict.EngineError) {
		c.line("\n%s %s  a fault of the suite, not of the server", c.red("ENGINE ERROR"), c.bold(r.Entry.ID))
		c.trace(r.Message)
	}
	for _, f := range c.r.Faults {
		if f.ID != "" {
			continue // told by the result of the entry
		}
		c.line("\n%s setup %s", c.red("ENGINE ERROR"), f.Setup)
		c.trace(f.Message)
	}
}

func (c *console) trace(message string) {
	for _, l := range strings.Split(strings.TrimSpace(message), "\n") {
		c.line("  %s", strings.ReplaceAll(plain(l), `\t`, "  "))
	}
}
