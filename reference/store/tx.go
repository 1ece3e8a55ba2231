package store

import (
	"bytes"
	"fmt"

	"go.etcd.io/bbolt"
)

// group is what the writes of one commit share.
type group struct {
	store      *Store
	tx         *bbolt.Tx
	facts      *factLayer
	wrote      bool
	afterwards []func()
	broken     error
}

func newGroup(s *Store, tx *bbolt.Tx) *group {
	return &group{store: s, tx: tx, facts: newFactLayer(s.facts)}
}

// Tx is the right to write, given to a function for the time it runs. It sees
// the writes that went before it in the same commit.
type Tx struct {
	group *group
	undo  []func() error
}

// run executes one write and undoes it when it fails.
func (g *group) run(fn func(*Tx) error) error {
	t := &Tx{group: g}
	err := protect(func() error { return fn(t) })
	if err == nil {
		g.wrote = g.wrote || len(t.undo) > 0
		return nil
	}
	if undoErr := t.rollback(); undoErr != nil {
		// A half-undone write must not be committed, so the group is given up.
		g.broken = fmt.Errorf("store: undo: %w", undoErr)
	}
	return err
}

// protect turns a panic of one write into its error, so that its neighbours and
// the daemon live on.
func protect(fn func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("store: write panicked: %v", r)
		}
	}()
	return fn()
}

func (t *Tx) rollback() error {
	return protect(func() error {
		for i := len(t.undo) - 1; i >= 0; i-- {
			if err := t.undo[i](); err != nil {
				return err
			}
		}
		return nil
	})
}

// put writes one record and notes how to undo it.
func (t *Tx) put(bucket, key, value []byte) error {
	b := t.group.tx.Bucket(bucket)
	old := bytes.Clone(b.Get(key))
	if err := b.Put(key, value); err != nil {
		return err
	}
	t.undo = append(t.undo, func() error {
		if old == nil {
			return b.Delete(key)
		}
		return b.Put(key, old)
	})
	return nil
}

// onCommit has fn called once the write is on disk, before its caller returns.
func (t *Tx) onCommit(fn func()) {
	g := t.group
	g.afterwards = append(g.afterwards, fn)
	t.undo = append(t.undo, func() error {
		g.afterwards = g.afterwards[:len(g.afterwards)-1]
		return nil
	})
}

// publish makes the committed writes visible to readers.
func (g *group) publish() {
	g.facts.publish()
	for _, fn := range g.afterwards {
		fn()
	}
}
