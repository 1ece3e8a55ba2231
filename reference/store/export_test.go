package store

// Queued is how many writes wait for the committer.
func Queued(s *Store) int { return len(s.commits.queue) }

// LimitSize makes every commit fail that needs a larger file. The store must be
// at rest.
func LimitSize(s *Store) { s.db.MaxSize = 1 << 20 }
