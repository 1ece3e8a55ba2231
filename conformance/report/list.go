package report

import (
	"bufio"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"cruxconform/spec"
)

// Listed is one entry of a list with what a given target can be asked of it.
type Listed struct {
	Entry spec.Entry
	// Status is "asked", "not asked", "not applicable", "pending" or "not
	// observable"; Remedy says what would make a not asked entry asked.
	Status string
	Remedy string
}

// List writes a table of entries. Where any entry has a status, a column shows
// it, and the text of an entry that is not asked ends with the remedy. Width is
// that of the terminal in columns; with 0, as in a pipe, every entry is one line.
func List(w io.Writer, entries []Listed, width int) error {
	b := bufio.NewWriter(w)
	withStatus := slices.ContainsFunc(entries, func(l Listed) bool { return l.Status != "" })
	head := []string{"ID", "LEVEL", "SETUP", "CLASS"}
	if withStatus {
		head = append(head, "ASKED")
	}
	rows := [][]string{head}
	for _, l := range entries {
		row := []string{l.Entry.ID, string(l.Entry.Level), l.Entry.Setup, l.Entry.Class}
		if withStatus {
			row = append(row, l.Status)
		}
		rows = append(rows, row)
	}
	widths := columns(rows)
	for i, row := range rows {
		lead := ""
		for c, cell := range row {
			lead += fmt.Sprintf("%-*s  ", widths[c], cell)
		}
		text := "SAYS"
		if i > 0 {
			text = entries[i-1].text()
		}
		fmt.Fprintf(b, "%s%s\n", lead, wrap(text, roomy(width, lead), strings.Repeat(" ", utf8.RuneCountInString(lead))))
	}
	return b.Flush()
}

// roomy is the width to wrap at: none where it leaves too little for prose.
func roomy(width int, lead string) int {
	if width-utf8.RuneCountInString(lead) < 24 {
		return 0
	}
	return width
}

func (l Listed) text() string {
	if l.Remedy == "" {
		return l.Entry.Says
	}
	return l.Entry.Says + " (to ask it: " + l.Remedy + ")"
}

// columns is the width of each column.
func columns(rows [][]string) []int {
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for c, cell := range row {
			widths[c] = max(widths[c], utf8.RuneCountInString(cell))
		}
	}
	return widths
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
