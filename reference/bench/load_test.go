package bench_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// What a client sends: the members that real ones send.
const (
	listRequest    = `{"jsonrpc":"2.0","id":1234,"method":"tools/list","params":{}}`
	unknownRequest = `{"jsonrpc":"2.0","id":1234,"method":"resources/list","params":{}}`
)

// ask sends one request the ordinary way and returns the body of the answer.
func ask(b *testing.B, address, request string) []byte {
	b.Helper()
	res, err := http.Post("http://"+address+"/mcp", "application/json", strings.NewReader(request))
	if err != nil {
		b.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode != http.StatusOK {
		b.Fatalf("%s: status %d, %v", request, res.StatusCode, err)
	}
	return body
}

// result is the result member of the answer.
func result(b *testing.B, address, request string) []byte {
	b.Helper()
	var answer struct{ Result json.RawMessage }
	if err := json.Unmarshal(ask(b, address, request), &answer); err != nil || len(answer.Result) == 0 {
		b.Fatalf("%s: no result (%v)", request, err)
	}
	return answer.Result
}

// same demands that both contenders do the same work.
func same(b *testing.B, ours, bare []byte) {
	b.Helper()
	if !bytes.Equal(ours, bare) {
		b.Fatalf("the contenders answer differently: %d and %d bytes\n%.200s\n%.200s", len(ours), len(bare), ours, bare)
	}
}

// load is a set of open connections to one server. It writes and reads raw
// bytes, because what a client spends is spent for both contenders alike and
// would hide what they differ in.
type load struct {
	request []byte
	conns   []*connection
}

type connection struct {
	net.Conn
	in *bufio.Reader
}

func connect(b *testing.B, address, request string) *load {
	b.Helper()
	l := &load{request: fmt.Appendf(nil, "POST /mcp HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\nContent-Length: %d\r\n\r\n%s",
		address, len(request), request)}
	for range connections {
		c, err := net.Dial("tcp4", address)
		if err != nil {
			b.Fatal(err)
		}
		b.Cleanup(func() { c.Close() })
		l.conns = append(l.conns, &connection{c, bufio.NewReaderSize(c, 64<<10)})
	}
	return l
}

// rate loads the server for a slice and returns its answers per second.
func (l *load) rate(b *testing.B) float64 {
	var done atomic.Int64
	var wg sync.WaitGroup
	start := time.Now()
	for _, c := range l.conns {
		wg.Go(func() {
			for time.Since(start) < slice {
				if err := c.exchange(l.request); err != nil {
					b.Error(err)
					return
				}
				done.Add(1)
			}
		})
	}
	wg.Wait()
	return float64(done.Load()) / time.Since(start).Seconds()
}

var lengthHeader = []byte("Content-Length: ")

// exchange sends a request and reads its answer to the end.
func (c *connection) exchange(request []byte) error {
	if _, err := c.Write(request); err != nil {
		return err
	}
	length := -1
	for first := true; ; first = false {
		line, err := c.in.ReadSlice('\n')
		if err != nil {
			return err
		}
		if first && !bytes.HasPrefix(line, []byte("HTTP/1.1 200 ")) {
			return fmt.Errorf("answer %q", line)
		}
		if len(line) == 2 {
			break
		}
		if digits, ok := bytes.CutPrefix(line, lengthHeader); ok {
			length = 0
			for _, d := range bytes.TrimSpace(digits) {
				length = length*10 + int(d-'0')
			}
		}
	}
	if length < 0 {
		return fmt.Errorf("an answer without Content-Length")
	}
	_, err := c.in.Discard(length)
	return err
}
