package reference

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"testing"
	"time"
)

// patience bounds every wait; the bounds under test are far below it.
const patience = 20 * time.Second

// bounded serves a handler that reads the body whole, with short bounds.
func bounded(t *testing.T, b bounds) (address string) {
	t.Helper()
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := newHTTP(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, err := io.Copy(io.Discard, r.Body); err != nil {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		w.WriteHeader(http.StatusNotFound)
	}), b)
	done := make(chan error, 1)
	go func() { done <- s.Serve(l) }()
	t.Cleanup(func() {
		s.Close()
		<-done
	})
	return l.Addr().String()
}

// TestSlowPeersAreCut: a peer that stalls holds a connection no longer than the
// bound of the part in which it stalls.
func TestSlowPeersAreCut(t *testing.T) {
	const short, long = 50 * time.Millisecond, time.Hour
	for name, c := range map[string]struct {
		bounds bounds
		send   string
	}{
		"nothing sent":       {bounds{header: short, request: long, response: long, idle: long}, ""},
		"half a header":      {bounds{header: short, request: long, response: long, idle: long}, "POST /mcp HTTP/1.1\r\nHost: x\r\n"},
		"half a body":        {bounds{header: long, request: short, response: long, idle: long}, "POST /mcp HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{"},
		"no further request": {bounds{header: long, request: long, response: long, idle: short}, "GET /mcp HTTP/1.1\r\nHost: x\r\n\r\n"},
	} {
		t.Run(name, func(t *testing.T) {
			conn, err := net.Dial("tcp4", bounded(t, c.bounds))
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Close()
			if err := conn.SetDeadline(time.Now().Add(patience)); err != nil {
				t.Fatal(err)
			}
			if _, err := io.WriteString(conn, c.send); err != nil {
				t.Fatal(err)
			}
			if _, err := io.Copy(io.Discard, conn); err != nil {
				t.Errorf("the connection is still open after %s: %v", patience, err)
			}
		})
	}
}

func TestLongHeadersAreRefused(t *testing.T) {
	conn, err := net.Dial("tcp4", bounded(t, standardBounds))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if err := conn.SetDeadline(time.Now().Add(patience)); err != nil {
		t.Fatal(err)
	}
	go fmt.Fprintf(conn, "GET /mcp HTTP/1.1\r\nHost: x\r\nX-Long: %01000000d\r\n\r\n", 0) // cut off when the answer is there
	res, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		t.Fatal(err)
	}
	if res.StatusCode != http.StatusRequestHeaderFieldsTooLarge {
		t.Errorf("status %d, expected 431", res.StatusCode)
	}
}

func TestOptionsOfTheServerGoToTheHandler(t *testing.T) {
	conn, err := net.Dial("tcp4", bounded(t, standardBounds))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if err := conn.SetDeadline(time.Now().Add(patience)); err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(conn, "OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n"); err != nil {
		t.Fatal(err)
	}
	res, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		t.Fatal(err)
	}
	if res.StatusCode != http.StatusNotFound {
		t.Errorf("status %d, expected the 404 of the handler", res.StatusCode)
	}
}

func TestAddressesKeepToTheirFamily(t *testing.T) {
	for address, want := range map[string]string{
		"127.0.0.1:80": "tcp4", "0.0.0.0:80": "tcp4", "[::1]:80": "tcp6", "[::]:80": "tcp6",
	} {
		if got := network(netip.MustParseAddrPort(address)); got != want {
			t.Errorf("%s: got %s, expected %s", address, got, want)
		}
	}
}
