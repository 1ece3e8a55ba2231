package store

import (
	"context"
	"fmt"
	"runtime/debug"
	"sync"
	"sync/atomic"
)

// queueLen bounds the writes that wait. A writer beyond it waits for room, as
// long as its context lets it.
const queueLen = 1024

// A write is in one of these states. Whoever moves it on from waiting decides:
// the committer takes it, or its caller gives it up.
const (
	waiting int32 = iota
	taken
	givenUp
)

type write struct {
	run   func(*Tx) error
	state atomic.Int32
	done  chan error
	// outcome belongs to the committer until it is sent over done.
	outcome error
}

// committer runs all writes in one goroutine and commits those that wait
// together in one bbolt transaction: one pair of disk flushes for the group.
type committer struct {
	store   *Store
	queue   chan *write
	stopped chan struct{}

	mu     sync.RWMutex // held for reading while a write is queued
	closed bool

	// The rest is used by the goroutine alone. broken is why no further write
	// is taken.
	gather *gathering
	group  *group
	broken error
}

func newCommitter(s *Store) *committer {
	queue := make(chan *write, queueLen)
	c := &committer{
		store:   s,
		queue:   queue,
		stopped: make(chan struct{}),
		gather:  newGathering(queue),
		group:   &group{facts: factLayer{base: s.facts, changed: map[string]*Fact{}}},
	}
	go c.loop()
	return c
}

// Update runs fn with the right to write and returns after its effects are on
// disk. fn runs alone, and may share its commit with others: when it fails or
// panics, its own effects are undone and the others go on. An error means that
// nothing of fn was kept, except after a failed commit, which is reported as
// such and stops all further writes.
//
// A context that ends while fn waits for its turn withdraws it. Once begun, fn
// is finished and its outcome returned.
func (s *Store) Update(ctx context.Context, fn func(*Tx) error) error {
	w := writes.Get().(*write)
	w.run, w.outcome = fn, nil
	w.state.Store(waiting)
	if err := s.commits.enqueue(ctx, w); err != nil {
		return err
	}
	select {
	case err := <-w.done:
		return w.free(err)
	case <-ctx.Done():
		if w.state.CompareAndSwap(waiting, givenUp) {
			return ctx.Err()
		}
		return w.free(<-w.done)
	}
}

// writes are those that no one waits for any more. One that was given up is
// not among them: the committer has yet to meet it.
var writes = sync.Pool{New: func() any { return &write{done: make(chan error, 1)} }}

func (w *write) free(outcome error) error {
	w.run = nil
	writes.Put(w)
	return outcome
}

func (c *committer) enqueue(ctx context.Context, w *write) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	c.mu.RLock()
	defer c.mu.RUnlock()
	if c.closed {
		return fmt.Errorf("store: %w", ErrClosed)
	}
	select {
	case c.queue <- w:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// stop refuses new writes and returns after the accepted ones are finished.
func (c *committer) stop() error {
	c.mu.Lock()
	if c.closed {
		c.mu.Unlock()
		return fmt.Errorf("store: %w", ErrClosed)
	}
	c.closed = true
	close(c.queue)
	c.mu.Unlock()
	<-c.stopped
	return nil
}

func (c *committer) loop() {
	defer close(c.stopped)
	debug.SetPanicOnFault(true)
	for first := range c.queue {
		c.gather.begin(first)
		c.commit()
		c.gather.end()
	}
}

// commit runs a group and tells each writer its outcome.
func (c *committer) commit() {
	err := c.broken
	if err == nil {
		err = c.commitGroup()
		c.broken = err
	}
	for _, w := range c.gather.group {
		if w.outcome == nil {
			w.outcome = err
		}
		w.done <- w.outcome
	}
}

// commitGroup runs the writes of a group while it forms, and commits them. Each
// write has its own outcome; the error is about the transaction and therefore
// about all of them.
func (c *committer) commitGroup() (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("store: %w: %s: %v; no further write is taken", ErrCorrupt, c.store.db.Path(), r)
		}
	}()
	tx, err := c.store.db.Begin(true)
	if err != nil {
		return fmt.Errorf("store: begin: %w", err)
	}
	// After a commit it does nothing; without one it gives the write lock back,
	// a panic included, or Close would wait for ever.
	defer func() { _ = tx.Rollback() }()
	g := c.group
	g.reset(tx)
	for w := c.gather.next(); w != nil; w = c.gather.next() {
		if w.state.CompareAndSwap(waiting, taken) {
			w.outcome = g.run(w.run)
		}
	}
	if g.broken != nil {
		return g.broken
	}
	if !g.wrote {
		return nil
	}
	if err := tx.Commit(); err != nil {
		// What reached the disk is uncertain now, so what memory says is too:
		// the next start reads the truth from the file.
		return fmt.Errorf("store: commit to %s failed: %w; no further write is taken until the daemon is restarted", c.store.db.Path(), err)
	}
	g.publish()
	return nil
}
