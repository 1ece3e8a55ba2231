package store

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Fact is one version of one statement (tool page "Fact plane"). A *Fact handed
// out is never changed: a change makes a new value.
type Fact struct {
	// Seq numbers all facts of the store in the order of their commits, from 1.
	Seq uint64 `json:"-"`
	// ID is f_ and 32 lower-case hex digits.
	ID string `json:"id"`
	// Entity is the stored entity, with the owner's prefix where private by request.
	Entity string `json:"entity"`
	Key    string `json:"key"`
	Value  string `json:"value"`
	// Version counts from 1 within (Entity, Key).
	Version uint64 `json:"version"`
	// Supersedes is the predecessor's id, empty without one.
	Supersedes string `json:"supersedes,omitzero"`
	// SupersededBy is the id of the fact that retired this one, empty while none has.
	SupersededBy string `json:"superseded_by,omitzero"`
	// Confidence is kept as given; any finite number.
	Confidence float32   `json:"confidence"`
	StoredAt   time.Time `json:"stored_at"`
	// Horizon is volatile, medium, stable or none.
	Horizon string `json:"horizon"`
	// Private marks a fact that is private by policy and hidden from every caller.
	Private bool `json:"private,omitzero"`
	// SourceReceipt is the receipt that the fact came with, empty without one.
	SourceReceipt string `json:"source_receipt,omitzero"`
	// Actor is the principal bound by the transport, empty without one.
	Actor   string `json:"actor,omitzero"`
	Deleted bool   `json:"deleted,omitzero"`
}

// Tokens is the size of the value as budgets count it: its bytes divided by
// four, rounded up.
func (f *Fact) Tokens() uint64 { return (uint64(len(f.Value)) + 3) / 4 }

// appendFact appends the record of a fact to b. It writes what json.Marshal
// would, several times faster: all writes of the daemon go through the one
// goroutine that does this.
func appendFact(b []byte, f *Fact) ([]byte, error) {
	b = append(b, '{')
	texts := [...]struct{ name, value string }{
		{`"id":`, f.ID}, {`,"entity":`, f.Entity}, {`,"key":`, f.Key}, {`,"value":`, f.Value},
		{`,"horizon":`, f.Horizon}, {`,"supersedes":`, f.Supersedes},
		{`,"superseded_by":`, f.SupersededBy}, {`,"source_receipt":`, f.SourceReceipt}, {`,"actor":`, f.Actor},
	}
	for i, text := range texts {
		// The first five are always there, the others where they are not empty.
		if i >= 5 && text.value == "" {
			continue
		}
		var err error
		if b, err = jsontext.AppendQuote(append(b, text.name...), text.value); err != nil {
			return nil, fmt.Errorf("store: fact %s: %w", strings.Trim(text.name, `,":`), err)
		}
	}
	b = strconv.AppendUint(append(b, `,"version":`...), f.Version, 10)
	b = strconv.AppendFloat(append(b, `,"confidence":`...), float64(f.Confidence), 'g', -1, 32)
	b = append(f.StoredAt.AppendFormat(append(b, `,"stored_at":"`...), time.RFC3339Nano), '"')
	if f.Private {
		b = append(b, `,"private":true`...)
	}
	if f.Deleted {
		b = append(b, `,"deleted":true`...)
	}
	return append(b, '}'), nil
}

func decodeFact(seq uint64, record []byte) (*Fact, error) {
	f := &Fact{}
	if err := json.Unmarshal(record, f); err != nil {
		return nil, err
	}
	f.Seq = seq
	return f, nil
}
