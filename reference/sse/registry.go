// Package sse keeps the open event streams of the MCP port (sections 11.1 and
// 11.10). A stream is push only and carries one notification, list_changed.
package sse

import (
	"net"
	"sync"
	"time"
)

// The documented limits on streams that are open at once; 0 lifts a limit.
const (
	DefaultGlobal   = 1024
	DefaultPerOwner = 64
)

// KeepAlive is how often every open stream is sent a comment.
const KeepAlive = 15 * time.Second

// writeBound bounds one write to a stream. A reader that is slower loses its
// stream, so that it holds up nobody's POST.
const writeBound = time.Second

// Scope says which limit was met.
type Scope string

// The scopes of a limit.
const (
	Global   Scope = "global"
	PerOwner Scope = "owner"
)

// LimitError is a stream beyond a limit.
type LimitError struct {
	Scope Scope
	Limit int
}

func (e *LimitError) Error() string { return "sse session limit (" + string(e.Scope) + ")" }

// OwnerError is a live session id that another caller holds.
type OwnerError struct{}

func (OwnerError) Error() string { return "session id is owned by a different caller" }

// Registry holds the open streams by session id. It is safe for concurrent use.
type Registry struct {
	// Global and PerOwner are the limits, 0 for none.
	Global, PerOwner int

	mu      sync.Mutex
	streams map[string]*stream
	owned   map[string]int
	closed  bool
	beating bool
	stop    chan struct{}
}

// NewRegistry returns a registry with the given limits.
func NewRegistry(global, perOwner int) *Registry {
	return &Registry{
		Global: global, PerOwner: perOwner,
		streams: map[string]*stream{}, owned: map[string]int{}, stop: make(chan struct{}),
	}
}

// stream is one open connection. Its reader goroutine is all that it costs
// beside the connection.
type stream struct {
	id, owner string
	conn      net.Conn
	writing   sync.Mutex
	ended     bool
}

// reservation is a place in the registry for a stream whose connection is still
// to be taken over.
type reservation struct {
	r        *Registry
	s        *stream
	replaced *stream
}

// Reserve takes a place under an id, in the documented order of checks: the
// owner of a live id, the global limit, the owner's limit. The owner of a live
// id may open it again, which replaces the older stream.
func (r *Registry) Reserve(id, owner string) (*reservation, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return nil, net.ErrClosed
	}
	old := r.streams[id]
	switch {
	case old != nil && old.owner != owner:
		return nil, OwnerError{}
	case old == nil && r.Global > 0 && len(r.streams) >= r.Global:
		return nil, &LimitError{Global, r.Global}
	}
	others := r.owned[owner]
	if old != nil {
		others--
	}
	if r.PerOwner > 0 && others >= r.PerOwner {
		return nil, &LimitError{PerOwner, r.PerOwner}
	}
	s := &stream{id: id, owner: owner}
	r.streams[id] = s
	if old == nil {
		r.owned[owner]++
	}
	if !r.beating {
		r.beating = true
		go r.beat()
	}
	return &reservation{r, s, old}, nil
}

// Release gives a place back whose connection could not be taken over.
func (v *reservation) Release() {
	v.r.remove(v.s)
	if v.replaced != nil {
		v.replaced.end()
	}
}

// Open makes the reserved stream live on a connection, sends its head, ends the
// stream that it replaces, and frees the place when the peer goes. The head and
// the connection are one step: whoever has seen the head misses no event.
func (v *reservation) Open(conn net.Conn) {
	opened := v.s.open(conn)
	if v.replaced != nil {
		v.replaced.end()
	}
	if !opened {
		v.r.remove(v.s)
		conn.Close()
		return
	}
	go v.r.watch(v.s)
}

// watch reads until the peer is gone. Whatever it sends on a stream is ignored.
func (r *Registry) watch(s *stream) {
	var b [1]byte
	for {
		if _, err := s.conn.Read(b[:]); err != nil {
			break
		}
	}
	r.remove(s)
	s.conn.Close()
}

// remove frees the place of a stream, unless a newer one has taken it.
func (r *Registry) remove(s *stream) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.streams[s.id] != s {
		return
	}
	delete(r.streams, s.id)
	if r.owned[s.owner]--; r.owned[s.owner] == 0 {
		delete(r.owned, s.owner)
	}
}

// ListChanged pushes the one notification to the stream of a session. Without
// a live stream it does nothing.
func (r *Registry) ListChanged(id string) {
	r.mu.Lock()
	s := r.streams[id]
	r.mu.Unlock()
	if s != nil && s.write(listChanged) != nil {
		r.remove(s)
	}
}

// beat sends the comments that keep idle streams open: one timer for all.
func (r *Registry) beat() {
	tick := time.NewTicker(KeepAlive)
	defer tick.Stop()
	for {
		select {
		case <-r.stop:
			return
		case <-tick.C:
		}
		for _, s := range r.live() {
			if s.write(comment) != nil {
				r.remove(s)
			}
		}
	}
}

func (r *Registry) live() []*stream {
	r.mu.Lock()
	defer r.mu.Unlock()
	out := make([]*stream, 0, len(r.streams))
	for _, s := range r.streams {
		out = append(out, s)
	}
	return out
}

// Close ends every stream cleanly and refuses new ones.
func (r *Registry) Close() {
	r.mu.Lock()
	if r.closed {
		r.mu.Unlock()
		return
	}
	r.closed = true
	close(r.stop)
	r.mu.Unlock()
	for _, s := range r.live() {
		r.remove(s)
		s.end()
	}
}
