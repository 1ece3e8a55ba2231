package main

import (
	"fmt"
	"io"
	"os"
	"time"

	"github.com/mattn/go-isatty"
)

// progressAfter is how long a run is quiet before it shows a progress line.
const progressAfter = 2 * time.Second

// progress is one line on a terminal that is written over and removed at the
// end. It shows nothing where standard error is no terminal.
type progress struct {
	w     io.Writer
	start time.Time
	shown bool
}

func newProgress(w io.Writer) *progress {
	f, ok := w.(*os.File)
	if !ok || !isatty.IsTerminal(f.Fd()) {
		w = nil
	}
	return &progress{w: w, start: time.Now()}
}

func (p *progress) show(done, planned int) {
	if p.w == nil || time.Since(p.start) < progressAfter {
		return
	}
	p.shown = true
	fmt.Fprintf(p.w, "\r\x1b[K%d of %d checks", done, planned)
}

func (p *progress) clear() {
	if p.shown {
		fmt.Fprint(p.w, "\r\x1b[K")
	}
}
