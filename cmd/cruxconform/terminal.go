package main

import (
	"io"
	"os"

	"cruxconform/conformance/report"

	"golang.org/x/sys/unix"
)

// plainWidth is the width of what is no terminal, in columns.
const plainWidth = 120

// width is how many columns the writer shows.
func width(w io.Writer) int {
	if f, ok := w.(*os.File); ok {
		if size, err := unix.IoctlGetWinsize(int(f.Fd()), unix.TIOCGWINSZ); err == nil && size.Col >= 40 {
			return int(size.Col)
		}
	}
	return plainWidth
}

func colored(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && report.HasColor(f)
}
