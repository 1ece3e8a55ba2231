package report

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"

	"cruxconform/conformance/verdict"
)

// The JUnit form that common readers agree on. Counts are attributes of each
// suite and of the whole.
type junitSuites struct {
	XMLName  xml.Name     `xml:"testsuites"`
	Name     string       `xml:"name,attr"`
	Tests    int          `xml:"tests,attr"`
	Failures int          `xml:"failures,attr"`
	Errors   int          `xml:"errors,attr"`
	Skipped  int          `xml:"skipped,attr"`
	Time     string       `xml:"time,attr"`
	Suites   []junitSuite `xml:"testsuite"`
	millis   int64
}

type junitSuite struct {
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Errors   int         `xml:"errors,attr"`
	Skipped  int         `xml:"skipped,attr"`
	Time     string      `xml:"time,attr"`
	Cases    []junitCase `xml:"testcase"`
	millis   int64
}

type junitCase struct {
	Name      string       `xml:"name,attr"`
	Classname string       `xml:"classname,attr"`
	Time      string       `xml:"time,attr"`
	Skipped   *junitDetail `xml:"skipped"`
	Error     *junitDetail `xml:"error"`
	Failure   *junitDetail `xml:"failure"`
	Out       string       `xml:"system-out,omitempty"`
}

type junitDetail struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr,omitempty"`
	Text    string `xml:",chardata"`
}

// JUnit writes one test case per selected entry, in a suite per section: a
// failure for each violated one, an error for a fault of the suite, skipped for
// all that was not assessed. Warnings and notes stand in system-out and fail
// nothing. A run that could not do its work has a case named "run" with an
// error, since skipped cases alone would read as green.
func JUnit(w io.Writer, r *verdict.Report) error {
	all := junitSuites{Name: "cruxconform"}
	at := map[string]int{}
	for _, x := range r.Results {
		s := "section " + x.Entry.Section
		i, have := at[s]
		if !have {
			i = len(all.Suites)
			at[s] = i
			all.Suites = append(all.Suites, junitSuite{Name: s})
		}
		all.Suites[i].add(newJunitCase(x), x.Millis)
	}
	if c, failed := runCase(r); failed {
		run := junitSuite{Name: "run"}
		run.add(c, 0)
		all.Suites = append(all.Suites, run)
	}
	all.total()
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	e := xml.NewEncoder(w)
	e.Indent("", " ")
	if err := e.Encode(all); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

// runCase is the case of the run itself: it is there where the run failed and no
// case of an entry says so.
func runCase(r *verdict.Report) (junitCase, bool) {
	told := r.Counts[verdict.EngineError] > 0
	if r.Exit == verdict.ExitConformant || r.Exit == verdict.ExitViolated || told {
		return junitCase{}, false
	}
	return junitCase{Name: "run", Classname: "cruxconform", Error: &junitDetail{
		Message: r.Conclusion, Type: r.Conclusion, Text: strings.Join(r.Reasons, "\n"),
	}}, true
}

func newJunitCase(r verdict.Result) junitCase {
	e := r.Entry
	c := junitCase{Name: e.ID + " " + e.Says, Classname: "cruxconform." + e.Class, Out: strings.Join(r.Notes, "\n")}
	switch r.Outcome {
	case verdict.Passed:
	case verdict.Violated:
		c.Failure = &junitDetail{Message: headline(r), Type: string(r.Outcome), Text: details(r)}
	case verdict.Warned, verdict.Noted:
		c.Out = strings.TrimSpace(fmt.Sprintf("%s: %s\n%s\n%s", r.Outcome, headline(r), details(r), c.Out))
	case verdict.EngineError:
		message, rest, _ := strings.Cut(r.Message, "\n")
		c.Error = &junitDetail{Message: message, Type: string(r.Outcome), Text: rest}
	default:
		c.Skipped = &junitDetail{Message: strings.TrimSuffix(string(r.Outcome)+": "+r.Message, ": "), Text: r.Remedy}
	}
	return c
}

// headline is the breach in one line.
func headline(r verdict.Result) string {
	if len(r.Findings) == 0 {
		return r.Message
	}
	f := r.Findings[0]
	return clip(plain(fmt.Sprintf("%s: expected %s, actual %s", f.What, f.Expected, f.Actual)), 300)
}

// details is everything that failed, with the request that shows it.
func details(r verdict.Result) string {
	var b strings.Builder
	fmt.Fprintf(&b, "Requirement: section %s (%s): %s\n", r.Entry.Section, r.Entry.Level, r.Entry.Says)
	if r.Message != "" {
		fmt.Fprintf(&b, "Cause: %s\n", plain(r.Message))
	}
	for _, f := range r.Findings {
		where := f.What
		if f.Row != "" {
			where = f.Row + ": " + where
		}
		fmt.Fprintf(&b, "%s\n  expected %s\n  actual   %s\n", plain(where), plain(f.Expected), plain(f.Actual))
	}
	if len(r.Findings) > 0 {
		if at := r.Findings[0].Exchange; at >= 0 && at < len(r.Exchanges) {
			fmt.Fprintf(&b, "Request: %s\n", curl(&r.Exchanges[at], evidenceName(r.Entry.ID, at, "request.body")))
		}
	}
	if len(r.Folded) > 0 {
		fmt.Fprintf(&b, "Could not be assessed for this: %s\n", strings.Join(r.Folded, " "))
	}
	return b.String()
}

func (s *junitSuite) add(c junitCase, millis int64) {
	c.Time = seconds(millis)
	s.Cases = append(s.Cases, c)
	s.Tests++
	s.millis += millis
	switch {
	case c.Failure != nil:
		s.Failures++
	case c.Error != nil:
		s.Errors++
	case c.Skipped != nil:
		s.Skipped++
	}
	s.Time = seconds(s.millis)
}

func (a *junitSuites) total() {
	for _, s := range a.Suites {
		a.Tests += s.Tests
		a.Failures += s.Failures
		a.Errors += s.Errors
		a.Skipped += s.Skipped
		a.millis += s.millis
	}
	a.Time = seconds(a.millis)
}

func seconds(millis int64) string { return fmt.Sprintf("%.3f", float64(millis)/1000) }
