package mcp_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"cruxconform/reference/dispatch"
	"cruxconform/reference/mcp"
	"cruxconform/reference/sse"
)

// streamBound bounds every wait for an event.
const streamBound = 10 * time.Second

func streaming(t *testing.T, global, perOwner int) (url string, streams *sse.Registry) {
	t.Helper()
	streams = sse.NewRegistry(global, perOwner)
	t.Cleanup(streams.Close)
	server := httptest.NewServer(mcp.NewServer(mcp.Options{
		Version: "1.2.3", Listing: json.RawMessage(`{"tools":[]}`), Calls: dispatch.New(nil, false), Streams: streams,
	}).Handler())
	t.Cleanup(server.Close)
	return server.URL + "/mcp", streams
}

func open(t *testing.T, url, id string) *http.Response {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), streamBound)
	t.Cleanup(cancel)
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Accept", "application/json, text/event-stream")
	if id != "" {
		req.Header.Set("Mcp-Session-Id", id)
	}
	res, err := http.DefaultTransport.RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { res.Body.Close() })
	return res
}

func say(t *testing.T, url, id, params string) {
	t.Helper()
	body := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":%s}`, params)
	req, err := http.NewRequest(http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if id != "" {
		req.Header.Set("Mcp-Session-Id", id)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	res.Body.Close()
}

const (
	withIntent = `{"name":"cuecrux_session","arguments":{"intent":"audit_review"}}`
	eventData  = `data: {"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`
)

// TestListChanged: only an intent that comes on the session of the stream is
// announced there. Absence is shown by the one event that must come after.
func TestListChanged(t *testing.T) {
	url, streams := streaming(t, 10, 10)
	res := open(t, url, "mine")
	if got := res.Header.Get("Content-Type"); res.StatusCode != http.StatusOK || got != "text/event-stream" {
		t.Fatalf("status %d, content type %q", res.StatusCode, got)
	}
	if got := res.Header.Get("Mcp-Session-Id"); got != "mine" {
		t.Errorf("session id %q", got)
	}
	say(t, url, "other", withIntent)
	say(t, url, "", withIntent)
	say(t, url, "mine", `{"name":"cuecrux_session","arguments":{}}`)
	say(t, url, "mine", `{"name":"cuecrux_session","arguments":{"intent":"  "}}`)
	say(t, url, "mine", `{"name":"get_agent_identity","arguments":{"intent":"audit_review"}}`)
	say(t, url, "mine", withIntent)
	say(t, url, "mine", withIntent)
	streams.Close()
	all, err := io.ReadAll(res.Body)
	if err != nil {
		t.Errorf("the stream did not end cleanly: %v", err)
	}
	if want := strings.Repeat(eventData+"\n\n", 2); string(all) != want {
		t.Errorf("the stream carried %q, expected %q", all, want)
	}
}

func TestStreamLimits(t *testing.T) {
	url, _ := streaming(t, 3, 2)
	first := open(t, url, "a")
	if id := open(t, url, "").Header.Get("Mcp-Session-Id"); len(id) != 32 {
		t.Errorf("minted id %q, expected 32 characters", id)
	}
	res := open(t, url, "c")
	body, _ := io.ReadAll(res.Body)
	if res.StatusCode != http.StatusTooManyRequests || string(body) != `{"error":"sse_session_limit","limit":2,"scope":"owner"}` {
		t.Errorf("third stream of an owner: %d %s", res.StatusCode, body)
	}
	if res.Header.Get("Retry-After") == "" {
		t.Error("the 429 has no Retry-After")
	}
	// The owner of a live id may open it again: the older stream ends.
	if again := open(t, url, "a"); again.StatusCode != http.StatusOK {
		t.Errorf("re-opening a live id: %d", again.StatusCode)
	}
	if rest, err := io.ReadAll(first.Body); err != nil || len(rest) != 0 {
		t.Errorf("the replaced stream ended with %q, %v", rest, err)
	}
}

func TestPlaceIsFreedWhenTheClientGoes(t *testing.T) {
	url, _ := streaming(t, 1, 0)
	res := open(t, url, "a")
	if res := open(t, url, "b"); res.StatusCode != http.StatusTooManyRequests {
		t.Fatalf("second stream: %d", res.StatusCode)
	}
	res.Body.Close()
	for deadline := time.Now().Add(streamBound); ; time.Sleep(5 * time.Millisecond) {
		if open(t, url, "b").StatusCode == http.StatusOK {
			return
		}
		if time.Now().After(deadline) {
			t.Fatal("the place was not freed")
		}
	}
}

func TestEventsComeAtOnce(t *testing.T) {
	url, _ := streaming(t, 0, 0)
	lines := bufio.NewReader(open(t, url, "mine").Body)
	say(t, url, "mine", withIntent)
	line, err := lines.ReadString('\n')
	if err != nil || strings.TrimSpace(line) != eventData {
		t.Errorf("first line %q, %v", line, err)
	}
}
