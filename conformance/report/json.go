package report

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"unicode/utf8"

	"cruxconform/conformance/verdict"
	"cruxconform/conformance/wire"
)

// JSON writes the report for machines.
func JSON(w io.Writer, r *verdict.Report) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	return e.Encode(NewDocument(r))
}

// NewDocument is the JSON report of a judged run.
func NewDocument(r *verdict.Report) *Document {
	d := &Document{
		Schema: Schema, Target: r.Target, Strict: r.Strict, Repetitions: r.Repetitions, Seed: r.Seed,
		Unreachable: r.Unreachable, Interrupted: r.Interrupted,
		Exit: r.Exit, Conclusion: r.Conclusion, Reasons: list(r.Reasons),
		Counts: r.Counts, Faults: list(r.Faults), Classes: []ClassLine{}, Results: []ResultLine{},
		Bodies: map[string]Body{},
	}
	for _, c := range r.Classes {
		d.Classes = append(d.Classes, ClassLine{c, c.String()})
	}
	for _, x := range r.Results {
		d.Results = append(d.Results, d.line(x))
	}
	return d
}

// list is never null in JSON.
func list[T any](l []T) []T {
	if l == nil {
		return []T{}
	}
	return l
}

func (d *Document) line(r verdict.Result) ResultLine {
	e := r.Entry
	l := ResultLine{
		ID: e.ID, Section: e.Section, Level: string(e.Level), Class: e.Class, Setup: e.Setup, Quirk: e.Quirk,
		Says: e.Says, Outcome: r.Outcome, Message: r.Message, Remedy: r.Remedy, After: r.After, Folded: r.Folded,
		Demanded: r.Demanded, Unstable: r.Unstable, Rows: r.Rows, Notes: r.Notes, LeftBehind: r.LeftBehind,
		Repetition: r.Repetition, Millis: r.Millis,
	}
	l.Expected, l.Actual = sideBySide(r)
	for _, f := range r.Findings {
		l.Findings = append(l.Findings, FindingLine(f))
	}
	for i := range r.Exchanges {
		x := d.exchange(&r.Exchanges[i])
		x.Curl = curl(&r.Exchanges[i], evidenceName(e.ID, i, "request.body"))
		l.Exchanges = append(l.Exchanges, x)
	}
	return l
}

// sideBySide is the first finding, or for a check without one what the ledger
// expects and how the last answer came back.
func sideBySide(r verdict.Result) (expected, actual string) {
	if len(r.Findings) > 0 {
		f := r.Findings[0]
		return f.What + ": " + f.Expected, f.What + ": " + f.Actual
	}
	if n := len(r.Exchanges); n > 0 {
		return r.Entry.Expects, answer(&r.Exchanges[n-1])
	}
	return "", ""
}

// answer says in a few words how an answer came back.
func answer(x *wire.Exchange) string {
	switch {
	case !x.Answered():
		return "no answer: " + x.Err
	case !x.Whole():
		return fmt.Sprintf("HTTP %d, cut after %d bytes of the body: %s", x.Status, len(x.Body), x.Err)
	}
	return fmt.Sprintf("HTTP %d with a body of %d bytes", x.Status, len(x.Body))
}

func (d *Document) exchange(x *wire.Exchange) ExchangeLine {
	return ExchangeLine{
		Method: x.Method, URL: x.URL, RequestHead: x.RequestHead, RequestBody: d.keep(x.RequestBody),
		Status: x.Status, ResponseHead: x.ResponseHead, ResponseBody: d.keep(x.Body),
		Error: x.Err, TimedOut: x.TimedOut, Micros: x.Duration.Microseconds(),
	}
}

// keep stores a body once and returns its key, empty for no body.
func (d *Document) keep(body []byte) string {
	if len(body) == 0 {
		return ""
	}
	sum := sha256.Sum256(body)
	key := hex.EncodeToString(sum[:])
	if _, have := d.Bodies[key]; !have {
		b := Body{Size: len(body)}
		if utf8.Valid(body) {
			text := string(body)
			b.Text = &text
		} else {
			b.Base64 = body
		}
		d.Bodies[key] = b
	}
	return key
}
