package host

import (
	"bytes"
	"context"
	"io"
	"strings"
	"sync"
)

// lineQueue takes what a process writes and hands it out line by line. It never
// holds the writer back, so that the process cannot block on a check.
type lineQueue struct {
	mu    sync.Mutex
	rest  []byte
	lines []string
	ended bool
	// news has a token whenever lines or ended changed since the last look.
	news chan struct{}
}

func newLineQueue() *lineQueue { return &lineQueue{news: make(chan struct{}, 1)} }

func (q *lineQueue) Write(p []byte) (int, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.rest = append(q.rest, p...)
	for {
		line, rest, found := bytes.Cut(q.rest, []byte("\n"))
		if !found {
			break
		}
		q.lines = append(q.lines, strings.TrimSuffix(string(line), "\r"))
		q.rest = rest
	}
	q.tell()
	return len(p), nil
}

// end marks the end of the output. An unfinished line counts as one.
func (q *lineQueue) end() {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.rest) > 0 {
		q.lines = append(q.lines, string(q.rest))
		q.rest = nil
	}
	q.ended = true
	q.tell()
}

func (q *lineQueue) tell() {
	select {
	case q.news <- struct{}{}:
	default:
	}
}

func (q *lineQueue) next(ctx context.Context) (string, error) {
	for {
		if line, err, ok := q.take(); ok {
			return line, err
		}
		select {
		case <-q.news:
		case <-ctx.Done():
			return "", ErrTimeout
		}
	}
}

func (q *lineQueue) take() (line string, err error, ok bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	switch {
	case len(q.lines) > 0:
		line, q.lines = q.lines[0], q.lines[1:]
		return line, nil, true
	case q.ended:
		return "", io.EOF, true
	}
	return "", nil, false
}

// outputMax is how much of a stderr is kept, in bytes.
const outputMax = 4 << 10

// output keeps the end of what a process writes.
type output struct {
	mu  sync.Mutex
	buf []byte
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.buf = append(o.buf, p...)
	if over := len(o.buf) - outputMax; over > 0 {
		o.buf = append([]byte(nil), o.buf[over:]...)
	}
	return len(p), nil
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return strings.ToValidUTF8(string(o.buf), "?")
}
