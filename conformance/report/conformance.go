package report

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"

	"cruxconform/conformance/verdict"
	"cruxconform/spec"
)

// ConformanceInput is what CONFORMANCE.md is made from.
type ConformanceInput struct {
	Ledger *spec.Document
	// Checked reports whether an entry has a check.
	Checked func(id string) bool
	Gate    *Gate
	Rulings []Ruling
}

// Conformance writes CONFORMANCE.md: the requirements with what shows each, the
// statements that no client can see, the rulings, and the committed results.
// The same input gives the same bytes; there is no date and no timing in them.
func Conformance(w io.Writer, in ConformanceInput) error {
	c := &conformance{ConformanceInput: in, w: bufio.NewWriter(w)}
	c.intro()
	c.classTable()
	c.reference()
	c.quirks()
	c.requirements()
	c.unobservable()
	c.rulings()
	c.deviants()
	c.variants()
	c.setups()
	return c.w.Flush()
}

type conformance struct {
	ConformanceInput
	w *bufio.Writer
}

func (c *conformance) line(format string, a ...any) { fmt.Fprintf(c.w, format+"\n", a...) }

// row writes a row of a table; what would end a cell is escaped.
func (c *conformance) row(cells ...string) {
	for i, cell := range cells {
		cells[i] = strings.ReplaceAll(strings.ReplaceAll(cell, "|", `\|`), "\n", " ")
	}
	c.line("| %s |", strings.Join(cells, " | "))
}

var markup = strings.NewReplacer("__", `\_\_`, "*", `\*`, "<", "&lt;")

// prose is text of the ledger as Markdown shows it: nothing in it is markup.
func prose(s string) string { return markup.Replace(s) }

// table begins a table. A column whose name begins with ">" holds numbers.
func (c *conformance) table(columns ...string) {
	rule := make([]string, len(columns))
	for i, name := range columns {
		rule[i] = "---"
		if n, number := strings.CutPrefix(name, ">"); number {
			columns[i], rule[i] = n, "--:"
		}
	}
	c.line("")
	c.row(columns...)
	c.row(rule...)
}

// folded wraps a long part so that a reader opens it where it is wanted.
func (c *conformance) folded(summary string, body func()) {
	c.line("\n<details><summary>%s</summary>", summary)
	body()
	c.line("\n</details>")
}

const introduction = `# Conformance

What is required of a server that speaks the documented Crux MCP surface, how each requirement is shown, and what the reference daemon makes of it.
This file is generated from the ledger (` + "`spec/ledger`" + `) and the committed result of the gate (` + "`snapshots/gate.json`" + `) by ` + "`go run ./conformance/report/gen`" + `; a test fails when it is stale.

## How to read it

An **entry** is one testable statement of the chapters, named by its section and a number that is never used again (` + "`11.4-02`" + `), or by the tool whose page states it (` + "`tool.query-01`" + `). ` + "`cruxconform explain ID`" + ` tells what is sent for it and what must come back.
Each entry that a run can ask has a **check**, and one or more **deviants**: servers with exactly one fault, each named for its lie, that turn the check red. **Variants** are servers that differ from the reference in legal ways only; none of them may turn anything red. The gate runs the suite against all of them.

| level | who says it | a breach is | ` + "with `--strict`" + ` |
| --- | --- | --- | --- |
| must | a chapter states it | violated: exit code 1 | violated |
| should | a chapter implies it, or known servers differ in form | a warning: exit code 0 | violated |
| observed | only published sources of the original daemon show it | a note: exit code 0 | a warning: exit code 0 |

A run says of each entry: pass, note, warning, violated, not applicable (by a declaration of the operator), could not run (with what is missing, or with the broken entry that it builds on), engine error (a fault of the suite), not asked (with the option that would ask it) or pending (no check yet). Only the first is a pass.
Exit codes: 0 conformant to what was asked, 1 violated, 2 wrong usage or unreadable input, 3 could not run, 4 engine error.
A **class** is what a report can claim as a whole. It *holds* only where every observable entry of it was asked and none was violated; with less it *holds as far as asked*, which is no claim of conformance.`

func (c *conformance) intro() {
	c.line("%s", introduction)
	total, asked, pending, none := c.count(func(spec.Entry) bool { return true })
	c.line("\nThe ledger has %d entries: %d are checked, %d are **not checked yet**, and %d cannot be seen by any client.", total, asked, pending, none)
}

// count counts entries: all, those with a check, those not checked yet, and
// those that cannot be observed.
func (c *conformance) count(of func(spec.Entry) bool) (total, asked, pending, none int) {
	for _, e := range c.Ledger.Entries {
		switch {
		case !of(e):
			continue
		case !e.Observable():
			none++
		case c.Checked(e.ID):
			asked++
		default:
			pending++
		}
		total++
	}
	return total, asked, pending, none
}

func (c *conformance) classTable() {
	c.line("\n## Classes")
	c.table("class", "what it is about", ">entries", ">checked", ">not checked yet", "on the reference")
	judged := map[string]string{}
	for _, s := range c.judge().Classes {
		judged[s.Class] = string(s.Verdict)
	}
	for _, class := range spec.Classes {
		total, asked, pending, none := c.count(func(e spec.Entry) bool { return e.Class == class })
		if total-none == 0 {
			continue
		}
		word := judged[class]
		if word == "" || len(c.Gate.Reference) == 0 {
			word = string(verdict.ClassUnknown)
		}
		c.row(class, classAbout[class], num(total-none), num(asked), num(pending), word)
	}
}

// judge judges the committed outcomes of the reference by the rules of any run,
// so that this file can claim no more of it than a report could.
func (c *conformance) judge() *verdict.Report {
	in := verdict.Input{Ledger: c.Ledger, Answered: true}
	for _, e := range c.Ledger.Entries {
		state, asked := map[verdict.Outcome]verdict.State{
			verdict.Passed: verdict.Held, verdict.Violated: verdict.Broken, verdict.Warned: verdict.Broken,
			verdict.Noted: verdict.Broken, verdict.CouldNotRun: verdict.Unrun, verdict.EngineError: verdict.Failed,
		}[c.Gate.Reference[e.ID]]
		switch {
		case !e.Observable():
		case asked:
			in.Asked = append(in.Asked, e.ID)
			in.Records = append(in.Records, verdict.Record{ID: e.ID, Setup: e.Setup, State: state, Message: "as the gate has it"})
		case e.Pending:
			in.Pending = append(in.Pending, e.ID)
		default:
			in.NotAsked = append(in.NotAsked, verdict.NotAsked{ID: e.ID, Reason: "not in the committed result of the gate"})
		}
	}
	return verdict.Judge(in)
}

func (c *conformance) reference() {
	c.line("\n## The reference daemon")
	if len(c.Gate.Reference) == 0 {
		c.line("\nNo result of the reference daemon is committed.")
		return
	}
	rep := c.judge()
	var parts []string
	for _, o := range verdict.Outcomes {
		if n := rep.Counts[o]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, o))
		}
	}
	c.line("\nOf the %d observable entries: %s.", len(rep.Results), strings.Join(parts, ", "))
	c.line("")
	for _, s := range rep.Classes {
		c.line("- %s: %s", s.Class, s)
	}
	c.exceptions(rep)
}

// exceptions names every asked entry that did not pass.
func (c *conformance) exceptions(rep *verdict.Report) {
	var rows [][]string
	for _, r := range rep.Results {
		if r.Outcome != verdict.Passed && r.Outcome != verdict.Unchecked {
			rows = append(rows, []string{"`" + r.Entry.ID + "`", string(r.Outcome), prose(r.Entry.Says)})
		}
	}
	if len(rows) == 0 {
		return
	}
	c.table("entry", "outcome", "requirement")
	for _, r := range rows {
		c.row(r...)
	}
}

// quirks lists the documented behaviour that integrators trip over.
func (c *conformance) quirks() {
	c.line("\n## Quirks")
	c.line("\nDocumented behaviour that surprises integrators. Those with a page explain it under `cruxconform explain ID`.")
	c.table("entry", "quirk", "page", "check")
	for _, e := range c.Ledger.Entries {
		if !e.Quirk || !e.Observable() {
			continue
		}
		page := ""
		if e.Page != "" {
			page = "yes"
		}
		c.row("`"+e.ID+"`", prose(e.Says), page, c.checkWord(e))
	}
}

func (c *conformance) checkWord(e spec.Entry) string {
	switch {
	case !e.Observable():
		return "none"
	case c.Checked(e.ID):
		return "yes"
	}
	return "not yet"
}

func num(n int) string { return fmt.Sprint(n) }

// code lists names in code type.
func code(names []string) string {
	out := make([]string, len(names))
	for i, n := range names {
		out[i] = "`" + n + "`"
	}
	return strings.Join(out, ", ")
}

// sectionsOf lists the sections in ledger order.
func (c *conformance) sectionsOf() []string {
	var out []string
	for _, e := range c.Ledger.Entries {
		if !slices.Contains(out, e.Section) {
			out = append(out, e.Section)
		}
	}
	return out
}
