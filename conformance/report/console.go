package report

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"cruxconform/conformance/verdict"
)

// ConsoleOptions say how a console report looks.
type ConsoleOptions struct {
	// Color is decided by the caller, see HasColor.
	Color bool
	// Width is where prose is wrapped, in columns; 0 means 100. Shell lines are
	// never wrapped.
	Width int
}

// defaultWidth is the width of a report whose reader is not known, in columns.
const defaultWidth = 100

// rowsShown is how many broken rows of a table check a console report lists.
const rowsShown = 8

// Console writes the report for people.
func Console(w io.Writer, r *verdict.Report, o ConsoleOptions) error {
	if o.Width == 0 {
		o.Width = defaultWidth
	}
	c := &console{w: bufio.NewWriter(w), r: r, paint: newPaint(o.Color), width: o.Width}
	c.head()
	c.sections()
	c.breaches()
	c.faults()
	c.unassessed()
	c.quirks()
	c.remarks()
	c.notAsked()
	c.classes()
	c.foot()
	return c.w.Flush()
}

type console struct {
	paint
	w     *bufio.Writer
	r     *verdict.Report
	width int
}

// line writes one line. A bufio.Writer keeps the first error for Flush.
func (c *console) line(format string, a ...any) { fmt.Fprintf(c.w, format+"\n", a...) }

// title begins a block.
func (c *console) title(format string, a ...any) {
	c.line("\n%s", c.bold(wrap(fmt.Sprintf(format, a...), c.width, "")))
}

// fieldIndent stands under the label of a field.
var fieldIndent = strings.Repeat(" ", 15)

// field writes a labelled value, wrapped under itself.
func (c *console) field(label, value string) {
	c.line("  %-12s %s", label, wrap(value, c.width, fieldIndent))
}

func (c *console) head() {
	name := plain(c.r.Target.Name)
	if h := c.r.Target.How; h != "" && h != name {
		name += " (" + h + ")"
	}
	c.line("%s %s", c.bold("cruxconform:"), name)
	var how []string
	if c.r.Strict {
		how = append(how, "strict")
	}
	if c.r.Repetitions > 1 {
		how = append(how, fmt.Sprintf("%d repetitions", c.r.Repetitions))
	}
	if c.r.Seed != 0 {
		how = append(how, fmt.Sprintf("shuffled with seed %d", c.r.Seed))
	}
	if len(how) > 0 {
		c.line("%s", strings.Join(how, ", "))
	}
}

// sections writes a line of counts for each section, in ledger order.
func (c *console) sections() {
	var order []string
	counts := map[string]map[verdict.Outcome]int{}
	for _, r := range c.r.Results {
		s := r.Entry.Section
		if counts[s] == nil {
			counts[s] = map[verdict.Outcome]int{}
			order = append(order, s)
		}
		counts[s][r.Outcome]++
	}
	c.title("Sections")
	for _, s := range order {
		c.named(s, c.counts(counts[s]))
	}
	c.named("all", c.counts(c.r.Counts))
}

// named writes a line of a table with one word in front.
func (c *console) named(name, text string) {
	c.line("  %-14s %s", name, wrap(text, c.width, strings.Repeat(" ", 17)))
}

// counts lists the outcomes that occur. Pending entries are told as what they
// are for a reader: not checked yet.
func (c *console) counts(n map[verdict.Outcome]int) string {
	var parts []string
	for _, o := range verdict.Outcomes {
		if n[o] == 0 {
			continue
		}
		word := string(o)
		if o == verdict.Unchecked {
			word = "not checked yet"
		}
		parts = append(parts, c.colored(o)(fmt.Sprintf("%d %s", n[o], word)))
	}
	return strings.Join(parts, ", ")
}

func (c *console) colored(o verdict.Outcome) func(string) string {
	switch o {
	case verdict.Passed:
		return c.green
	case verdict.Violated, verdict.EngineError:
		return c.red
	case verdict.Warned, verdict.CouldNotRun:
		return c.yellow
	case verdict.Noted:
		return c.cyan
	}
	return func(s string) string { return s }
}

// classes says per class what the run can claim.
func (c *console) classes() {
	if len(c.r.Classes) == 0 {
		return
	}
	c.title("Classes")
	for _, s := range c.r.Classes {
		words := s.String()
		switch s.Verdict {
		case verdict.ClassHolds:
			words = c.green(words)
		case verdict.ClassBroken:
			words = c.red(words)
		}
		c.named(s.Class, words)
	}
}

// foot is the last word: the exit code and what it means.
func (c *console) foot() {
	words := fmt.Sprintf("exit %d: %s", c.r.Exit, c.r.Conclusion)
	switch c.r.Exit {
	case verdict.ExitConformant:
		words = c.green(words)
	case verdict.ExitCouldNotRun:
		words = c.yellow(words)
	default:
		words = c.red(words)
	}
	c.line("")
	if n := c.r.Counts[verdict.Unchecked]; n > 0 {
		c.line("not checked yet: %d", n)
	}
	c.line("%s", words)
	for _, why := range c.r.Reasons {
		c.line("  %s", wrap(plain(why), c.width, "    "))
	}
}
