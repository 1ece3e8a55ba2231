package main

import (
	"io"
	"os"

	"cruxconform/conformance/report"

	"golang.org/x/sys/unix"
)

// width is how many columns the writer shows, 0 where it is no terminal: then
// prose takes its default width and a table has one line an entry.
func width(w io.Writer) int {
	if f, ok := w.(*os.File); ok {
		if size, err := unix.IoctlGetWinsize(int(f.Fd()), unix.TIOCGWINSZ); err == nil && size.Col >= 40 {
			return int(size.Col)
		}
	}
	return 0
}

func colored(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && report.HasColor(f)
}
