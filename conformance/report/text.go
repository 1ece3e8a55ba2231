package report

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"cruxconform/conformance/wire"

	"github.com/fatih/color"
	"github.com/mattn/go-isatty"
)

// plain makes text from a server safe to print: control characters, which could
// drive a terminal, and bytes that are not UTF-8 are written as escapes.
func plain(s string) string {
	var b strings.Builder
	for len(s) > 0 {
		r, n := utf8.DecodeRuneInString(s)
		switch {
		case r == utf8.RuneError && n == 1:
			fmt.Fprintf(&b, `\x%02x`, s[0])
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case r == '\r':
			b.WriteString(`\r`)
		case unicode.IsControl(r), unicode.Is(unicode.Cf, r):
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteString(s[:n])
		}
		s = s[n:]
	}
	return b.String()
}

// clip shortens text to so many columns, the mark of the cut included.
func clip(s string, columns int) string {
	if utf8.RuneCountInString(s) <= columns {
		return s
	}
	return string([]rune(s)[:columns-4]) + " ..."
}

var colorCode = regexp.MustCompile("\x1b\\[[0-9;]*m")

// shown is how many columns text takes; colour takes none.
func shown(s string) int {
	return utf8.RuneCountInString(colorCode.ReplaceAllString(s, ""))
}

// wrap breaks text at blanks so that no line is longer than width where blanks
// allow it; a width of 0 or less breaks nothing. Lines after the first begin
// with the indent, which counts, and the first is taken to stand after as much.
func wrap(s string, width int, indent string) string {
	if width <= 0 {
		return s
	}
	var b strings.Builder
	room := width - utf8.RuneCountInString(indent)
	used := 0
	for i, word := range strings.Split(s, " ") {
		n := shown(word)
		switch {
		case i == 0:
		case used+1+n > room:
			b.WriteString("\n" + indent)
			used = 0
		default:
			b.WriteByte(' ')
			used++
		}
		b.WriteString(word)
		used += n
	}
	return b.String()
}

// bodyInCurl is the longest request body that a curl line shows, in bytes.
const bodyInCurl = 800

// curl is the request as one line that a person can paste. A body too long for
// that is named by the file that the evidence holds it in.
func curl(x *wire.Exchange, bodyFile string) string {
	if inLine(x.RequestBody) {
		return plain(x.Curl())
	}
	headless := *x
	headless.RequestBody = nil
	return plain(headless.Curl()) + " --data-binary @" + bodyFile
}

func inLine(body []byte) bool {
	if len(body) > bodyInCurl || !utf8.Valid(body) {
		return false
	}
	return plain(string(body)) == string(body)
}

// HasColor reports whether a report to this file is to be coloured: on a
// terminal, unless NO_COLOR is set or the terminal is dumb.
func HasColor(f *os.File) bool {
	return isatty.IsTerminal(f.Fd()) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
}

// paint colours words of a console report.
type paint struct{ red, yellow, green, cyan, bold func(string) string }

func newPaint(on bool) paint {
	with := func(a ...color.Attribute) func(string) string {
		c := color.New(a...)
		c.DisableColor()
		if on {
			c.EnableColor()
		}
		return func(s string) string { return c.Sprint(s) }
	}
	return paint{
		red: with(color.FgRed, color.Bold), yellow: with(color.FgYellow), green: with(color.FgGreen),
		cyan: with(color.FgCyan), bold: with(color.Bold),
	}
}
