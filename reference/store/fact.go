package store

import (
	"time"

	"github.com/go-json-experiment/json"
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

func encodeFact(f *Fact) ([]byte, error) { return json.Marshal(f) }

func decodeFact(seq uint64, record []byte) (*Fact, error) {
	f := &Fact{}
	if err := json.Unmarshal(record, f); err != nil {
		return nil, err
	}
	f.Seq = seq
	return f, nil
}
