package wire

import (
	"bytes"
	"net"
	"sync"
)

// maxHead bounds what a recorder keeps of each direction, in bytes: bodies are
// kept by the exchange, so only the heads are of interest here.
const maxHead = 64 << 10

// recorder keeps the first bytes that went each way over a connection since the
// last request on it began. HTTP/1.1 without pipelining has one request at a
// time on a connection, so these bytes belong to one exchange.
type recorder struct {
	net.Conn
	mu       sync.Mutex
	sent     []byte
	received []byte
}

func record(c net.Conn, err error) (net.Conn, error) {
	if err != nil {
		return nil, err
	}
	return &recorder{Conn: c}, nil
}

func (r *recorder) begin() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.sent, r.received = nil, nil
}

func (r *recorder) Write(p []byte) (int, error) {
	n, err := r.Conn.Write(p)
	r.mu.Lock()
	r.sent = keep(r.sent, p[:n])
	r.mu.Unlock()
	return n, err
}

func (r *recorder) Read(p []byte) (int, error) {
	n, err := r.Conn.Read(p)
	r.mu.Lock()
	r.received = keep(r.received, p[:n])
	r.mu.Unlock()
	return n, err
}

func (r *recorder) sentHead() string { return r.head(&r.sent) }

func (r *recorder) receivedHead() string { return r.head(&r.received) }

func (r *recorder) receivedNothing() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.received) == 0
}

func (r *recorder) head(of *[]byte) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	head, _, _ := bytes.Cut(*of, []byte("\r\n\r\n"))
	return string(head)
}

func keep(have, more []byte) []byte {
	if room := maxHead - len(have); len(more) > room {
		more = more[:room]
	}
	return append(have, more...)
}
