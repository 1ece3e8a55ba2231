package store

import (
	"runtime"
	"time"
)

const (
	// groupLen bounds the writes of one commit, and so how long the first of
	// them waits for the last.
	groupLen = 256
	// maxPatience bounds the wait for a group to fill on a slow disk.
	maxPatience = time.Millisecond
)

// gathering forms the groups of writes that share a commit.
//
// The writers that a commit woke are about to write again. A group that closes
// before they are back is half of what it could be, and everyone waits for two
// commits instead of one. So a group takes what is queued, and then waits until
// it is as large as the last one, at most a quarter of the time that the last
// one took. A lone writer is never waited for.
type gathering struct {
	queue <-chan *write
	group []*write
	// started is when the group had its first write, taken how many of the
	// group next has handed out.
	started time.Time
	taken   int
	// timer runs while the group waits for more.
	timer   *time.Timer
	waiting bool

	lastLen  int
	lastTook time.Duration
}

func newGathering(queue <-chan *write) *gathering {
	timer := time.NewTimer(0)
	timer.Stop()
	return &gathering{queue: queue, timer: timer}
}

// begin starts a group with its first write.
func (g *gathering) begin(first *write) {
	g.group = append(g.group[:0], first)
	g.taken = 0
	g.started = time.Now()
}

// next returns the next write of the group, nil when the group is complete.
func (g *gathering) next() *write {
	if g.taken == len(g.group) && !g.grow() {
		g.timer.Stop()
		g.waiting = false
		return nil
	}
	g.taken++
	return g.group[g.taken-1]
}

// grow adds one write, and reports false when there is none to wait for.
func (g *gathering) grow() bool {
	if len(g.group) == groupLen {
		return false
	}
	if w := g.poll(); w != nil {
		return g.add(w)
	}
	if len(g.group) >= g.lastLen {
		return false
	}
	if !g.waiting {
		g.waiting = true
		g.timer.Reset(min(g.lastTook/4, maxPatience))
	}
	select {
	case w, ok := <-g.queue:
		return ok && g.add(w)
	case <-g.timer.C:
		return false
	}
}

// poll returns a write that is queued, or that gets queued when the writers
// that are ready to run have their turn; nil when there is none.
func (g *gathering) poll() *write {
	for yielded := false; ; yielded = true {
		select {
		case w := <-g.queue:
			return w
		default:
		}
		if yielded || len(g.group) < g.lastLen {
			return nil
		}
		runtime.Gosched()
	}
}

func (g *gathering) add(w *write) bool {
	g.group = append(g.group, w)
	return true
}

// end closes the books of a group after its commit.
func (g *gathering) end() {
	g.lastLen, g.lastTook = len(g.group), time.Since(g.started)
	clear(g.group)
}
