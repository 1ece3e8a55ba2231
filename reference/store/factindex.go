package store

import (
	"fmt"
	"iter"
	"slices"
	"sync"

	"go.etcd.io/bbolt"
)

// slot holds the present value of a fact; the indexes share it, so that a
// change is made in one place.
type slot struct{ fact *Fact }

// fewFacts is up to how many facts an entity is searched for one of its keys.
// Most entities have a handful, and an index by key costs more than it saves.
const fewFacts = 32

// entityFacts are the facts of one entity in the order of their numbers.
type entityFacts struct {
	all []*slot
	// byKey is nil for an entity with few facts.
	byKey map[string][]*slot
}

func (e *entityFacts) add(s *slot) {
	e.all = append(e.all, s)
	switch {
	case e.byKey != nil:
		e.byKey[s.fact.Key] = append(e.byKey[s.fact.Key], s)
	case len(e.all) > fewFacts:
		e.byKey = map[string][]*slot{}
		for _, s := range e.all {
			e.byKey[s.fact.Key] = append(e.byKey[s.fact.Key], s)
		}
	}
}

// versions returns the facts that may have the key; the caller looks again.
func (e *entityFacts) versions(key string) []*slot {
	switch {
	case e == nil:
		return nil
	case e.byKey != nil:
		return e.byKey[key]
	}
	return e.all
}

// factIndex finds committed facts; all has them in the order of their numbers.
type factIndex struct {
	mu       sync.RWMutex
	all      []*slot
	byID     map[string]*slot
	byEntity map[string]*entityFacts
}

func newFactIndex() *factIndex {
	return &factIndex{byID: map[string]*slot{}, byEntity: map[string]*entityFacts{}}
}

func (x *factIndex) set(f *Fact) {
	if s, ok := x.byID[f.ID]; ok {
		s.fact = f
		return
	}
	s := &slot{f}
	x.all = append(x.all, s)
	x.byID[f.ID] = s
	e, ok := x.byEntity[f.Entity]
	if !ok {
		e = &entityFacts{}
		x.byEntity[f.Entity] = e
	}
	e.add(s)
}

func (s *Store) loadFacts(tx *bbolt.Tx) error {
	return eachRecord(tx.Bucket(bucketFacts), func(seq uint64, record []byte) error {
		f, err := decodeFact(seq, record)
		if err != nil {
			return fmt.Errorf("fact %d: %w", seq, err)
		}
		s.facts.set(f)
		return nil
	})
}

// Fact returns the fact with the id, deleted ones included.
func (s *Store) Fact(id string) (*Fact, bool) {
	s.facts.mu.RLock()
	defer s.facts.mu.RUnlock()
	if slot, ok := s.facts.byID[id]; ok {
		return slot.fact, true
	}
	return nil, false
}

// Facts yields every fact, deleted and superseded ones included, in the order
// they were stored. Writers wait while the loop runs; the body must not write.
func (s *Store) Facts() iter.Seq[*Fact] {
	return func(yield func(*Fact) bool) {
		s.facts.mu.RLock()
		defer s.facts.mu.RUnlock()
		for _, slot := range s.facts.all {
			if !yield(slot.fact) {
				return
			}
		}
	}
}

// FactsOf returns the facts of one stored entity, deleted and superseded ones
// included, in the order they were stored.
func (s *Store) FactsOf(entity string) []*Fact {
	s.facts.mu.RLock()
	defer s.facts.mu.RUnlock()
	e, ok := s.facts.byEntity[entity]
	if !ok {
		return nil
	}
	facts := make([]*Fact, len(e.all))
	for i, slot := range e.all {
		facts[i] = slot.fact
	}
	return facts
}

// History returns the versions of one (stored entity, key), deleted and
// superseded ones included, in the order they were stored.
func (s *Store) History(entity, key string) []*Fact {
	s.facts.mu.RLock()
	defer s.facts.mu.RUnlock()
	var facts []*Fact
	for _, slot := range s.facts.byEntity[entity].versions(key) {
		if slot.fact.Key == key {
			facts = append(facts, slot.fact)
		}
	}
	return facts
}

// factLayer is what the writes of one group have changed on top of the index.
// The committer alone writes the index, so it reads it without the lock.
type factLayer struct {
	base *factIndex
	// changed holds the present values by id, order the ids as they came.
	changed map[string]*Fact
	order   []string
}

func (l *factLayer) reset() {
	clear(l.changed)
	clear(l.order)
	l.order = l.order[:0]
}

func (l *factLayer) get(id string) (*Fact, bool) {
	if f, ok := l.changed[id]; ok {
		return f, true
	}
	if s, ok := l.base.byID[id]; ok {
		return s.fact, true
	}
	return nil, false
}

// newest returns the newest fact of (entity, key) that is not deleted, or nil.
func (l *factLayer) newest(entity, key string) *Fact {
	// A group is small, and whatever it adds is newer than the index.
	for _, id := range slices.Backward(l.order) {
		if f := l.changed[id]; f.Entity == entity && f.Key == key && !f.Deleted && !l.indexed(id) {
			return f
		}
	}
	for _, s := range slices.Backward(l.base.byEntity[entity].versions(key)) {
		if s.fact.Key != key {
			continue
		}
		if f, _ := l.get(s.fact.ID); !f.Deleted {
			return f
		}
	}
	return nil
}

func (l *factLayer) indexed(id string) bool {
	_, ok := l.base.byID[id]
	return ok
}

// set makes f the present value and returns how to undo that.
func (l *factLayer) set(f *Fact) (undo func() error) {
	old, again := l.changed[f.ID]
	l.changed[f.ID] = f
	if again {
		return func() error { l.changed[f.ID] = old; return nil }
	}
	l.order = append(l.order, f.ID)
	return func() error {
		// Undoing goes backwards, so what was appended last is this fact.
		delete(l.changed, f.ID)
		l.order = l.order[:len(l.order)-1]
		return nil
	}
}

func (l *factLayer) publish() {
	if len(l.order) == 0 {
		return
	}
	l.base.mu.Lock()
	defer l.base.mu.Unlock()
	for _, id := range l.order {
		l.base.set(l.changed[id])
	}
}
