package deviant

import "sync"

// marks carries a word about one request from Ask to Tell. It is safe for
// concurrent use.
type marks[T any] struct {
	mu sync.Mutex
	of map[*Request]T
}

func newMarks[T any]() *marks[T] { return &marks[T]{of: map[*Request]T{}} }

func (m *marks[T]) put(r *Request, word T) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.of[r] = word
}

// take returns the word about a request once.
func (m *marks[T]) take(r *Request) (T, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	word, ok := m.of[r]
	delete(m.of, r)
	return word, ok
}
