package store

import (
	"fmt"
	"iter"
	"sync"

	"go.etcd.io/bbolt"
)

// slot holds the present value of a fact; the indexes share it, so that a
// change is made in one place.
type slot struct{ fact *Fact }

// chain names the versions of one (entity, key).
type chain struct{ entity, key string }

// factIndex finds committed facts. Slices are in the order of the sequence
// numbers.
type factIndex struct {
	mu       sync.RWMutex
	byID     map[string]*slot
	byEntity map[string][]*slot
	byChain  map[chain][]*slot
}

func newFactIndex() *factIndex {
	return &factIndex{
		byID:     map[string]*slot{},
		byEntity: map[string][]*slot{},
		byChain:  map[chain][]*slot{},
	}
}

func (x *factIndex) set(f *Fact) {
	if s, ok := x.byID[f.ID]; ok {
		s.fact = f
		return
	}
	s := &slot{f}
	c := chain{f.Entity, f.Key}
	x.byID[f.ID] = s
	x.byEntity[f.Entity] = append(x.byEntity[f.Entity], s)
	x.byChain[c] = append(x.byChain[c], s)
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

// Facts yields every fact, deleted and superseded ones included, in no
// particular order. Writers wait while the loop runs; the body must not write.
func (s *Store) Facts() iter.Seq[*Fact] {
	return func(yield func(*Fact) bool) {
		s.facts.mu.RLock()
		defer s.facts.mu.RUnlock()
		for _, slot := range s.facts.byID {
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
	return values(s.facts.byEntity[entity])
}

// History returns the versions of one (stored entity, key), deleted and
// superseded ones included, in the order they were stored.
func (s *Store) History(entity, key string) []*Fact {
	s.facts.mu.RLock()
	defer s.facts.mu.RUnlock()
	return values(s.facts.byChain[chain{entity, key}])
}

func values(slots []*slot) []*Fact {
	facts := make([]*Fact, len(slots))
	for i, s := range slots {
		facts[i] = s.fact
	}
	return facts
}

// factLayer is what the writes of one group have changed on top of the index.
// The committer alone writes the index, so it reads it without the lock.
type factLayer struct {
	base    *factIndex
	changed map[string]*Fact
	added   map[chain][]string
	order   []string
}

func newFactLayer(base *factIndex) *factLayer {
	return &factLayer{base: base, changed: map[string]*Fact{}, added: map[chain][]string{}}
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

// newest returns the newest fact of the chain that is not deleted, or nil.
func (l *factLayer) newest(c chain) *Fact {
	ids := l.added[c]
	for i := len(ids) - 1; i >= 0; i-- {
		if f := l.changed[ids[i]]; !f.Deleted {
			return f
		}
	}
	slots := l.base.byChain[c]
	for i := len(slots) - 1; i >= 0; i-- {
		if f, _ := l.get(slots[i].fact.ID); !f.Deleted {
			return f
		}
	}
	return nil
}

// set makes f the present value and returns how to undo that.
func (l *factLayer) set(f *Fact) (undo func() error) {
	if old, ok := l.changed[f.ID]; ok {
		l.changed[f.ID] = f
		return func() error { l.changed[f.ID] = old; return nil }
	}
	c := chain{f.Entity, f.Key}
	_, known := l.base.byID[f.ID]
	l.changed[f.ID] = f
	l.order = append(l.order, f.ID)
	if !known {
		l.added[c] = append(l.added[c], f.ID)
	}
	return func() error {
		// Undoing goes backwards, so what was appended last is this fact.
		delete(l.changed, f.ID)
		l.order = l.order[:len(l.order)-1]
		if !known {
			l.added[c] = l.added[c][:len(l.added[c])-1]
		}
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
