package host

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"syscall"
	"time"
)

// maxReceived bounds what a hosted server reads of one body, in bytes.
const maxReceived = 8 << 20

// Received is one request as a hosted server got it.
type Received struct {
	Method string
	// URI is path and query as they stood in the request line.
	URI    string
	Header http.Header
	Body   []byte
}

// Reply is what a hosted server answers.
type Reply struct {
	Status int
	Header http.Header
	Body   string
	// Delay holds the answer back.
	Delay time.Duration
	// Cut closes the connection without an answer.
	Cut bool
}

// Upstream is an endpoint on loopback that records what it gets and answers as
// it is told. Stop must be called.
type Upstream struct {
	server   *httptest.Server
	mu       sync.Mutex
	received []Received
	script   func(r Received) Reply
}

// NewUpstream starts an endpoint that answers as the script says.
func NewUpstream(script func(r Received) Reply) *Upstream {
	u := &Upstream{script: script}
	u.server = httptest.NewServer(u)
	return u
}

// URL is the base of the endpoint, without a path; it answers on every path.
func (u *Upstream) URL() string { return u.server.URL }

// Stop closes the endpoint.
func (u *Upstream) Stop() { u.server.Close() }

// Script replaces what the endpoint answers from now on.
func (u *Upstream) Script(script func(r Received) Reply) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.script = script
}

// Received lists what came so far, in the order of its coming.
func (u *Upstream) Received() []Received {
	u.mu.Lock()
	defer u.mu.Unlock()
	return append([]Received(nil), u.received...)
}

// ServeHTTP implements http.Handler.
func (u *Upstream) ServeHTTP(w http.ResponseWriter, in *http.Request) {
	body, err := io.ReadAll(io.LimitReader(in.Body, maxReceived))
	if err != nil {
		return // the caller went away in the middle of its request
	}
	r := Received{Method: in.Method, URI: in.URL.RequestURI(), Header: in.Header.Clone(), Body: body}
	u.mu.Lock()
	u.received = append(u.received, r)
	script := u.script
	u.mu.Unlock()
	reply := script(r)
	select {
	case <-time.After(reply.Delay):
	case <-in.Context().Done():
		return
	}
	if reply.Cut {
		panic(http.ErrAbortHandler)
	}
	for name, values := range reply.Header {
		w.Header()[name] = values
	}
	w.WriteHeader(reply.Status)
	// A caller that went away needs no answer.
	_, _ = io.WriteString(w, reply.Body)
}

// Refusing holds a loopback port on which every connection is refused.
type Refusing struct {
	fd   int
	port int
}

// NewRefusing binds a port without listening on it: so no other process can
// take it and answer there meanwhile.
func NewRefusing() (*Refusing, error) {
	fd, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM|syscall.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	if err := syscall.Bind(fd, &syscall.SockaddrInet4{Addr: [4]byte{127, 0, 0, 1}}); err != nil {
		syscall.Close(fd)
		return nil, err
	}
	name, err := syscall.Getsockname(fd)
	if err != nil {
		syscall.Close(fd)
		return nil, err
	}
	at, ok := name.(*syscall.SockaddrInet4)
	if !ok {
		syscall.Close(fd)
		return nil, fmt.Errorf("bound to %T instead of an IPv4 address", name)
	}
	return &Refusing{fd: fd, port: at.Port}, nil
}

// URL is the base of the port that refuses.
func (r *Refusing) URL() string { return fmt.Sprintf("http://127.0.0.1:%d", r.port) }

// Stop gives the port back.
func (r *Refusing) Stop() { syscall.Close(r.fd) }
