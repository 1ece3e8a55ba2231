package store

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
)

const (
	// queueLen bounds the writes that wait. A writer beyond it waits for room,
	// as long as its context lets it.
	queueLen = 1024
	// groupLen bounds the writes of one commit, and so how long the first of
	// them waits for the last.
	groupLen = 256
)

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
}

// committer runs all writes in one goroutine and commits those that wait
// together in one bbolt transaction: one pair of disk flushes for the group.
type committer struct {
	store   *Store
	queue   chan *write
	stopped chan struct{}

	mu     sync.RWMutex // held for reading while a write is queued
	closed bool

	// broken is why no further write is taken. Used by the goroutine alone.
	broken error
}

func newCommitter(s *Store) *committer {
	c := &committer{
		store:   s,
		queue:   make(chan *write, queueLen),
		stopped: make(chan struct{}),
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
	w := &write{run: fn, done: make(chan error, 1)}
	if err := s.commits.enqueue(ctx, w); err != nil {
		return err
	}
	select {
	case err := <-w.done:
		return err
	case <-ctx.Done():
		if w.state.CompareAndSwap(waiting, givenUp) {
			return ctx.Err()
		}
		return <-w.done
	}
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
	group := make([]*write, 0, groupLen)
	for first := range c.queue {
		// The writers that the last commit woke are ready to run; giving way
		// once lets them queue up, where they would else miss this commit.
		runtime.Gosched()
		group = c.drain(append(group[:0], first))
		c.commit(group)
		clear(group)
	}
}

// drain adds what waits to the group, without waiting for more.
func (c *committer) drain(group []*write) []*write {
	for len(group) < groupLen {
		select {
		case w, ok := <-c.queue:
			if !ok {
				return group
			}
			group = append(group, w)
		default:
			return group
		}
	}
	return group
}

// commit runs a group and tells each writer its outcome.
func (c *committer) commit(group []*write) {
	outcomes := make([]error, len(group))
	err := c.broken
	if err == nil {
		err = c.commitGroup(group, outcomes)
		c.broken = err
	}
	for i, w := range group {
		if w.state.Load() == givenUp {
			continue
		}
		if outcomes[i] == nil {
			outcomes[i] = err
		}
		w.done <- outcomes[i]
	}
}

// commitGroup fills in the outcome of each write. Its own error is about the
// transaction and therefore about all of them.
func (c *committer) commitGroup(group []*write, outcomes []error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("store: %w: %s: %v; no further write is taken", ErrCorrupt, c.store.db.Path(), r)
		}
	}()
	tx, err := c.store.db.Begin(true)
	if err != nil {
		return fmt.Errorf("store: begin: %w", err)
	}
	g := newGroup(c.store, tx)
	for i, w := range group {
		if w.state.CompareAndSwap(waiting, taken) {
			outcomes[i] = g.run(w.run)
		}
	}
	if g.broken != nil {
		return errors.Join(g.broken, tx.Rollback())
	}
	if !g.wrote {
		return tx.Rollback()
	}
	if err := tx.Commit(); err != nil {
		// What reached the disk is uncertain now, so what memory says is too:
		// the next start reads the truth from the file.
		return fmt.Errorf("store: commit to %s failed: %w; no further write is taken until the daemon is restarted", c.store.db.Path(), err)
	}
	g.publish()
	return nil
}
