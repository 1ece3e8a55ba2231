package store

import (
	"bytes"
	"fmt"
	"slices"

	"go.etcd.io/bbolt"
)

// keptRecords bounds the memory in bytes that a group of large records leaves
// behind for the next.
const keptRecords = 1 << 20

// fillPercent is how full bbolt leaves a page of facts that it splits. Keys only
// grow, so a page is split once, at its end; what is left free is for records
// that grow when their fact is superseded. bbolt's own half would double the
// pages of a commit.
const fillPercent = 0.9

// group is what the writes of one commit share. The committer uses one for all
// its commits, so that its memory is there already.
type group struct {
	tx         *bbolt.Tx
	facts      factLayer
	records    []byte
	undo       []func() error
	wrote      bool
	afterwards []func()
	broken     error
}

func (g *group) reset(tx *bbolt.Tx) {
	g.tx = tx
	tx.Bucket(bucketFacts).FillPercent = fillPercent
	g.facts.reset()
	// bbolt has let go of the records of the last group: it is committed.
	g.records = g.records[:0]
	if cap(g.records) > keptRecords {
		g.records = nil
	}
	g.wrote = false
	clear(g.afterwards)
	g.afterwards = g.afterwards[:0]
	g.broken = nil
}

// Tx is the right to write, given to a function for the time it runs. It sees
// the writes that went before it in the same commit.
type Tx struct{ *group }

// run executes one write and undoes it when it fails.
func (g *group) run(fn func(*Tx) error) error {
	clear(g.undo)
	g.undo = g.undo[:0]
	err := protect(fn, &Tx{g})
	if err == nil {
		g.wrote = g.wrote || len(g.undo) > 0
		return nil
	}
	if undoErr := protect((*Tx).rollback, &Tx{g}); undoErr != nil {
		// A half-undone write must not be committed, so the group is given up.
		g.broken = fmt.Errorf("store: undo: %w", undoErr)
	}
	return err
}

// protect turns a panic of one write into its error, so that its neighbours and
// the daemon live on.
func protect(fn func(*Tx) error, t *Tx) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("store: write panicked: %v", r)
		}
	}()
	return fn(t)
}

func (t *Tx) rollback() error {
	for _, undo := range slices.Backward(t.undo) {
		if err := undo(); err != nil {
			return err
		}
	}
	return nil
}

// replace writes a record that is there already.
func (t *Tx) replace(bucket, key, value []byte) error {
	b := t.tx.Bucket(bucket)
	old := bytes.Clone(b.Get(key))
	if err := b.Put(key, value); err != nil {
		return err
	}
	t.undo = append(t.undo, func() error { return b.Put(key, old) })
	return nil
}

// insert writes a record whose key is known to be new.
func (t *Tx) insert(bucket, key, value []byte) error {
	b := t.tx.Bucket(bucket)
	if err := b.Put(key, value); err != nil {
		return err
	}
	t.undo = append(t.undo, func() error { return b.Delete(key) })
	return nil
}

// nextSequence takes the next number of a bucket. A write that fails gives its
// number back, so that the numbers have no gaps.
func (t *Tx) nextSequence(bucket []byte) (uint64, error) {
	b := t.tx.Bucket(bucket)
	old := b.Sequence()
	t.undo = append(t.undo, func() error { return b.SetSequence(old) })
	return b.NextSequence()
}

// onCommit has fn called once the write is on disk, before its caller returns.
func (t *Tx) onCommit(fn func()) {
	t.afterwards = append(t.afterwards, fn)
	t.undo = append(t.undo, func() error {
		t.afterwards = t.afterwards[:len(t.afterwards)-1]
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
