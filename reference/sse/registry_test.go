package sse

import (
	"bufio"
	"errors"
	"io"
	"net"
	"net/http"
	"testing"
	"time"
)

// peer opens a stream and reads its head. What is read must not be closed: that
// would wait for the end of the stream.
func peer(t *testing.T, r *Registry, id, owner string) *http.Response {
	t.Helper()
	place, err := r.Reserve(id, owner)
	if err != nil {
		t.Fatal(err)
	}
	server, client := net.Pipe()
	t.Cleanup(func() { client.Close() })
	if err := client.SetDeadline(time.Now().Add(20 * time.Second)); err != nil {
		t.Fatal(err)
	}
	go place.Open(server)
	res, err := http.ReadResponse(bufio.NewReader(client), nil)
	if err != nil {
		t.Fatal(err)
	}
	if res.StatusCode != http.StatusOK || res.Header.Get("Content-Type") != "text/event-stream" || res.Header.Get("Mcp-Session-Id") != id {
		t.Fatalf("head: %d %v", res.StatusCode, res.Header)
	}
	return res
}

func read(t *testing.T, res *http.Response, bytes int) string {
	t.Helper()
	b := make([]byte, bytes)
	if _, err := io.ReadFull(res.Body, b); err != nil {
		t.Fatalf("read %q, then %v", b, err)
	}
	return string(b)
}

const event = "data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/tools/list_changed\"}\n\n"

// TestNoEventIsLostBehindTheHead: whoever has seen the head is told of what
// comes next, however soon.
func TestNoEventIsLostBehindTheHead(t *testing.T) {
	r := NewRegistry(0, 0)
	defer r.Close()
	for range 200 {
		res := peer(t, r, "a", "ip:1")
		go r.ListChanged("a")
		if got := read(t, res, len(event)); got != event {
			t.Fatalf("got %q, expected %q", got, event)
		}
	}
}

func TestCloseEndsStreamsCleanly(t *testing.T) {
	r := NewRegistry(0, 0)
	res := peer(t, r, "a", "ip:1")
	go r.Close()
	if rest, err := io.ReadAll(res.Body); err != nil || len(rest) != 0 {
		t.Errorf("the stream ended with %q, %v; expected a clean end", rest, err)
	}
	if _, err := r.Reserve("b", "ip:1"); !errors.Is(err, net.ErrClosed) {
		t.Errorf("a closed registry answers %v, expected %v", err, net.ErrClosed)
	}
}

// TestChecksOfAPlace: the documented order is owner of a live id, global limit,
// limit of the owner; 0 lifts a limit.
func TestChecksOfAPlace(t *testing.T) {
	type place struct{ id, owner string }
	global, perOwner := LimitError{Global, 3}, LimitError{PerOwner, 2}
	for name, c := range map[string]struct {
		global, perOwner int
		held             []place
		asked            place
		want             error
	}{
		"a first one":                           {3, 2, nil, place{"a", "x"}, nil},
		"below both limits":                     {3, 2, []place{{"a", "x"}}, place{"b", "x"}, nil},
		"at the limit of the owner":             {3, 2, []place{{"a", "x"}, {"b", "x"}}, place{"c", "x"}, &perOwner},
		"another owner has room":                {3, 2, []place{{"a", "x"}, {"b", "x"}}, place{"c", "y"}, nil},
		"at both limits":                        {3, 2, []place{{"a", "x"}, {"b", "x"}, {"c", "y"}}, place{"d", "x"}, &global},
		"a live id of another":                  {3, 2, []place{{"a", "x"}}, place{"a", "y"}, OwnerError{}},
		"a live id of another at all limits":    {3, 2, []place{{"a", "x"}, {"b", "y"}, {"c", "y"}}, place{"a", "y"}, OwnerError{}},
		"an own live id at all limits":          {3, 2, []place{{"a", "x"}, {"b", "x"}, {"c", "y"}}, place{"a", "x"}, nil},
		"no global limit":                       {0, 2, []place{{"a", "x"}, {"b", "y"}, {"c", "z"}, {"d", "z"}}, place{"e", "x"}, nil},
		"no limit of the owner":                 {9, 0, []place{{"a", "x"}, {"b", "x"}, {"c", "x"}}, place{"d", "x"}, nil},
		"opening anew takes no second place":    {2, 2, []place{{"a", "x"}, {"a", "x"}, {"a", "x"}}, place{"b", "x"}, nil},
		"opening anew takes no place of others": {3, 2, []place{{"a", "x"}, {"a", "x"}, {"b", "x"}}, place{"c", "x"}, &perOwner},
	} {
		t.Run(name, func(t *testing.T) {
			r := NewRegistry(c.global, c.perOwner)
			defer r.Close()
			for _, h := range c.held {
				if _, err := r.Reserve(h.id, h.owner); err != nil {
					t.Fatalf("%v: %v", h, err)
				}
			}
			_, err := r.Reserve(c.asked.id, c.asked.owner)
			var limit, want *LimitError
			if errors.As(err, &limit) && errors.As(c.want, &want) {
				if *limit != *want {
					t.Errorf("got %+v, expected %+v", *limit, *want)
				}
				return
			}
			if !errors.Is(err, c.want) {
				t.Errorf("got %v, expected %v", err, c.want)
			}
		})
	}
}

func TestReleasedPlaceIsFree(t *testing.T) {
	r := NewRegistry(1, 1)
	defer r.Close()
	place, err := r.Reserve("a", "x")
	if err != nil {
		t.Fatal(err)
	}
	place.Release()
	if _, err := r.Reserve("b", "y"); err != nil {
		t.Errorf("the place is not free: %v", err)
	}
}

// TestReaderThatStallsLosesItsStream: it holds up nobody for longer than the
// bound of one write.
func TestReaderThatStallsLosesItsStream(t *testing.T) {
	r := NewRegistry(1, 0)
	defer r.Close()
	peer(t, r, "a", "x")
	r.ListChanged("a") // nobody reads the other end of the pipe
	if _, err := r.Reserve("b", "y"); err != nil {
		t.Errorf("the place is not free: %v", err)
	}
}
