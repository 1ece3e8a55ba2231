package report

import (
	"encoding/json"
	"fmt"
	"io"

	"cruxconform/conformance/verdict"
)

// Schema names the version of the JSON report. A change that a reader of an
// older report would not understand gets a new name.
const Schema = "cruxconform.report.v1"

// Document is the JSON report. spec/report.schema.json describes it.
type Document struct {
	Schema      string                  `json:"schema"`
	Target      verdict.Target          `json:"target"`
	Strict      bool                    `json:"strict"`
	Repetitions int                     `json:"repetitions"`
	Seed        int64                   `json:"seed"`
	Unreachable string                  `json:"unreachable,omitempty"`
	Interrupted string                  `json:"interrupted,omitempty"`
	Exit        int                     `json:"exit"`
	Conclusion  string                  `json:"conclusion"`
	Reasons     []string                `json:"reasons"`
	Counts      map[verdict.Outcome]int `json:"counts"`
	Classes     []ClassLine             `json:"classes"`
	Results     []ResultLine            `json:"results"`
	Faults      []verdict.WorkerFault   `json:"faults"`
	// Bodies holds each distinct body once, by the hex SHA-256 of its bytes.
	Bodies map[string]Body `json:"bodies"`
}

// ClassLine is a class summary with its words.
type ClassLine struct {
	verdict.ClassSummary
	Summary string `json:"summary"`
}

// ResultLine is the result of one entry.
type ResultLine struct {
	ID      string          `json:"id"`
	Section string          `json:"section"`
	Level   string          `json:"level"`
	Class   string          `json:"class"`
	Setup   string          `json:"setup,omitempty"`
	Quirk   bool            `json:"quirk,omitempty"`
	Says    string          `json:"says"`
	Outcome verdict.Outcome `json:"outcome"`
	Message string          `json:"message,omitempty"`
	Remedy  string          `json:"remedy,omitempty"`
	// After is the entry that this one folds under, Folded what folds under it.
	After    string   `json:"after,omitempty"`
	Folded   []string `json:"folded,omitempty"`
	Demanded bool     `json:"demanded,omitempty"`
	Unstable string   `json:"unstable,omitempty"`
	// Expected and Actual stand side by side for every entry that was asked: the
	// first finding, or what the ledger expects and the last answer.
	Expected   string         `json:"expected,omitempty"`
	Actual     string         `json:"actual,omitempty"`
	Findings   []FindingLine  `json:"findings,omitempty"`
	Rows       []verdict.Row  `json:"rows,omitempty"`
	Exchanges  []ExchangeLine `json:"exchanges,omitempty"`
	Notes      []string       `json:"notes,omitempty"`
	LeftBehind []string       `json:"left_behind,omitempty"`
	Repetition int            `json:"repetition"`
	Millis     int64          `json:"millis"`
}

// FindingLine is one failed assertion.
type FindingLine struct {
	Row        string `json:"row,omitempty"`
	What       string `json:"what"`
	Expected   string `json:"expected"`
	Actual     string `json:"actual"`
	BlockedBy  string `json:"blocked_by,omitempty"`
	Unanswered bool   `json:"unanswered,omitempty"`
	// Exchange is the index into the exchanges of the result, -1 for none.
	Exchange int `json:"exchange"`
}

// ExchangeLine is one request and its answer; bodies stand in Document.Bodies.
type ExchangeLine struct {
	Method       string `json:"method"`
	URL          string `json:"url"`
	RequestHead  string `json:"request_head"`
	RequestBody  string `json:"request_body,omitempty"`
	Status       int    `json:"status"`
	ResponseHead string `json:"response_head,omitempty"`
	ResponseBody string `json:"response_body,omitempty"`
	Error        string `json:"error,omitempty"`
	TimedOut     bool   `json:"timed_out,omitempty"`
	// Micros is how long the exchange took, in microseconds.
	Micros int64 `json:"micros"`
	// Curl names the evidence file of a body that no shell line carries.
	Curl string `json:"curl"`
}

// Body is the bytes of one body: Text where they are UTF-8, else Base64.
type Body struct {
	Text   *string `json:"text,omitempty"`
	Base64 []byte  `json:"base64,omitempty"`
	Size   int     `json:"size"`
}

// Bytes returns the body as it stood on the wire.
func (b Body) Bytes() []byte {
	if b.Text != nil {
		return []byte(*b.Text)
	}
	return b.Base64
}

// Find returns the line of an entry, nil where it was not selected.
func (d *Document) Find(id string) *ResultLine {
	for i := range d.Results {
		if d.Results[i].ID == id {
			return &d.Results[i]
		}
	}
	return nil
}

// Read reads a JSON report. It refuses one of another version.
func Read(r io.Reader) (*Document, error) {
	d := new(Document)
	if err := json.NewDecoder(r).Decode(d); err != nil {
		return nil, fmt.Errorf("JSON report: %w", err)
	}
	if d.Schema != Schema {
		return nil, fmt.Errorf("JSON report of version %q; this command reads %s", d.Schema, Schema)
	}
	return d, nil
}
