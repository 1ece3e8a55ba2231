package deviant

import "sync"

// memory is what a proxy remembers of one run. It is safe for concurrent use.
type memory struct {
	mu   sync.Mutex
	seen map[string]bool
}

func newMemory() *memory { return &memory{seen: map[string]bool{}} }

func (m *memory) add(s string) {
	if s == "" {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.seen[s] = true
}

func (m *memory) has(s string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.seen[s]
}
