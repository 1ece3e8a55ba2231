package store

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"slices"
	"time"
)

// NewFact is a fact to be stored.
type NewFact struct {
	Entity, Key, Value string
	Confidence         float32
	Horizon            string
	Private            bool
	SourceReceipt      string
	Actor              string
	// Supersedes are ids of further facts, of any chain, that the new one retires.
	Supersedes []string
	// Clock gives the time that is written. It is asked when the fact has its
	// place in the order, so that versions and times agree.
	Clock func() time.Time
	// Check looks at the facts named in Supersedes, in their order, before
	// anything is written; nil stands for an unknown id. Its error fails the
	// whole write and comes back as it is. Without a Check an unknown id fails it.
	Check func(retired []*Fact) error

	// id is made before the write has its turn, which others wait for.
	id string
}

// StoreFact stores the next version of (Entity, Key). The newest version that
// is not deleted becomes its predecessor and is superseded by it.
func (s *Store) StoreFact(ctx context.Context, n NewFact) (*Fact, error) {
	var stored *Fact
	n.id = newFactID()
	err := s.Update(ctx, func(t *Tx) (err error) {
		stored, err = t.StoreFact(n)
		return err
	})
	if err != nil {
		return nil, err
	}
	return stored, nil
}

// StoreFact is Store.StoreFact as a part of a larger write.
func (t *Tx) StoreFact(n NewFact) (*Fact, error) {
	retired := t.lookUp(n.Supersedes)
	if n.Check != nil {
		if err := n.Check(retired); err != nil {
			return nil, err
		}
	}
	if i := slices.Index(retired, nil); i >= 0 {
		return nil, fmt.Errorf("store: no fact %q to supersede", n.Supersedes[i])
	}
	if n.id == "" {
		n.id = newFactID()
	}
	f := &Fact{
		ID: n.id, Entity: n.Entity, Key: n.Key, Value: n.Value, Version: 1,
		Confidence: n.Confidence, Horizon: n.Horizon, Private: n.Private,
		SourceReceipt: n.SourceReceipt, Actor: n.Actor, StoredAt: n.Clock().UTC(),
	}
	if prev := t.facts.newest(n.Entity, n.Key); prev != nil {
		f.Version, f.Supersedes = prev.Version+1, prev.ID
		retired = append(retired, prev)
	}
	for _, old := range retired {
		if err := t.changeFact(old.ID, func(f2 *Fact) { f2.SupersededBy = f.ID }); err != nil {
			return nil, err
		}
	}
	seq, err := t.nextSequence(bucketFacts)
	if err != nil {
		return nil, err
	}
	f.Seq = seq
	return f, t.writeFact(f, t.insert)
}

// DeleteFact marks a fact as deleted. It reports false, and writes nothing,
// where the id is unknown or deleted already, or where check hides it by
// returning false. An error of check comes back as it is.
func (s *Store) DeleteFact(ctx context.Context, id string, check func(*Fact) (bool, error)) (bool, error) {
	deleted := false
	err := s.Update(ctx, func(t *Tx) error {
		f, ok := t.facts.get(id)
		if !ok || f.Deleted {
			return nil
		}
		if visible, err := check(f); err != nil || !visible {
			return err
		}
		deleted = true
		return t.changeFact(id, func(f *Fact) { f.Deleted = true })
	})
	return deleted && err == nil, err
}

func (t *Tx) lookUp(ids []string) []*Fact {
	facts := make([]*Fact, len(ids))
	for i, id := range ids {
		facts[i], _ = t.facts.get(id)
	}
	return facts
}

// changeFact writes a changed copy of a fact that exists.
func (t *Tx) changeFact(id string, change func(*Fact)) error {
	f, _ := t.facts.get(id)
	changed := *f
	change(&changed)
	return t.writeFact(&changed, t.replace)
}

func (t *Tx) writeFact(f *Fact, write func(bucket, key, value []byte) error) error {
	start := len(t.records)
	records, err := appendFact(t.records, f)
	if err != nil {
		return err
	}
	t.records = records
	if err := write(bucketFacts, seqKey(f.Seq), records[start:len(records):len(records)]); err != nil {
		return err
	}
	t.undo = append(t.undo, t.facts.set(f))
	return nil
}

func newFactID() string {
	var b [16]byte
	// crypto/rand never fails on the systems Go supports: it ends the process.
	_, _ = rand.Read(b[:])
	// The id is a version 4 UUID without hyphens.
	b[6] = b[6]&0x0f | 0x40
	b[8] = b[8]&0x3f | 0x80
	return "f_" + hex.EncodeToString(b[:])
}
