package bridge

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// endpoint answers every body with a result that repeats it.
func endpoint(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	var m map[string]json.RawMessage
	if json.Unmarshal(body, &m) == nil && m["id"] == nil {
		w.WriteHeader(http.StatusAccepted)
		return
	}
	fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":%s}`, m["id"], body)
}

func lookup(vars map[string]string) func(string) (string, bool) {
	return func(name string) (string, bool) {
		v, ok := vars[name]
		return v, ok
	}
}

// relayed runs a bridge over a whole input.
func relayed(vars map[string]string, in string) (status int, out, stderr string) {
	var o, e bytes.Buffer
	status = Run(Options{Lookup: lookup(vars), In: strings.NewReader(in), Out: &o, Err: &e, Name: "cruxrefd", Version: "1.2.3"})
	return status, o.String(), e.String()
}

func serve(t *testing.T, h http.HandlerFunc) map[string]string {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return map[string]string{"CRUX_MCP_URL": s.URL}
}

func request(id string) string { return `{"jsonrpc":"2.0","id":` + id + `,"method":"tools/list"}` }

// A burst of 20 requests followed at once by the end of input is answered whole
// and in order, ids digit for digit.
func TestBurstBeforeTheEndOfInput(t *testing.T) {
	vars := serve(t, endpoint)
	var in, want strings.Builder
	for i := range 20 {
		id := fmt.Sprintf("1234567890123456789012345678%02d", i)
		in.WriteString(request(id) + "\n")
		want.WriteString(`{"jsonrpc":"2.0","id":` + id + `,"result":` + request(id) + "}\n")
	}
	status, out, _ := relayed(vars, in.String())
	if status != 0 || out != want.String() {
		t.Errorf("status %d, output:\n%s", status, out)
	}
}

func TestLines(t *testing.T) {
	var auth []string
	vars := serve(t, func(w http.ResponseWriter, r *http.Request) {
		auth = append(auth, r.Header.Get("Authorization"))
		endpoint(w, r)
	})
	answer := func(id string) string { return `{"jsonrpc":"2.0","id":` + id + `,"result":` + request(id) + "}\n" }
	for _, c := range []struct {
		name, in, token, out, auth string
	}{
		{name: "a last line without its end", in: request("1"), out: answer("1")},
		{name: "blank lines and CRLF", in: "\n \t\r\n\r\n" + request("2") + "\r\n\n", out: answer("2")},
		{name: "a notification", in: `{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n", out: "\n"},
		{name: "a token", in: request("3"), token: "a b ", out: answer("3"), auth: "Bearer a b"},
		{name: "a blank token", in: request("4"), token: " \t", out: answer("4")},
		{name: "nothing", in: ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			auth = nil
			vars["CRUX_AGENT_TOKEN"] = c.token
			status, out, stderr := relayed(vars, c.in)
			if status != 0 || out != c.out {
				t.Errorf("status %d, output %q, want %q", status, out, c.out)
			}
			// Blanks at the end of a header value are not part of it.
			if len(auth) > 0 && strings.TrimSpace(auth[0]) != c.auth {
				t.Errorf("Authorization %q, want %q", auth[0], c.auth)
			}
			if c.auth != "" && strings.Contains(stderr, c.token) {
				t.Errorf("stderr holds the token: %s", stderr)
			}
		})
	}
}

func TestFailures(t *testing.T) {
	failing := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusBadGateway)
		io.WriteString(w, `{"jsonrpc":"2.0","id":1,"result":{}}`)
	})
	cut := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "100")
		io.WriteString(w, "{")
		_ = http.NewResponseController(w).Flush()
		panic(http.ErrAbortHandler)
	})
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	down := map[string]string{"CRUX_MCP_URL": "http://" + l.Addr().String() + "/mcp"}
	l.Close()
	for _, c := range []struct {
		name          string
		vars          map[string]string
		line, id, say string
	}{
		{"HTTP 502", failing, request(`"a"`), `"a"`, "upstream MCP endpoint answered HTTP 502"},
		{"an id of 30 digits", failing, request("123456789012345678901234567890"), "123456789012345678901234567890", "upstream MCP endpoint answered HTTP 502"},
		{"no id", failing, `{"jsonrpc":"2.0","method":"x"}`, "null", "upstream MCP endpoint answered HTTP 502"},
		{"a member ID is no id", failing, `{"ID":1}`, "null", "upstream MCP endpoint answered HTTP 502"},
		{"no JSON", failing, `{"id":1`, "null", "upstream MCP endpoint answered HTTP 502"},
		{"a batch", failing, `[{"id":1}]`, "null", "upstream MCP endpoint answered HTTP 502"},
		{"a cut body", cut, request("1"), "1", "read upstream response: "},
		{"refused", down, request("1"), "1", "upstream MCP endpoint unreachable: "},
		{"an empty URL", map[string]string{"CRUX_MCP_URL": ""}, request("1"), "1", "upstream MCP endpoint unreachable: "},
	} {
		t.Run(c.name, func(t *testing.T) {
			status, out, _ := relayed(c.vars, c.line+"\n"+c.line+"\n")
			if status != 0 || strings.Count(out, "\n") != 2 {
				t.Fatalf("status %d, output %q; want two lines", status, out)
			}
			var m struct {
				ID    json.RawMessage
				Error struct {
					Code    int
					Message string
				}
			}
			first, _, _ := strings.Cut(out, "\n")
			if err := json.Unmarshal([]byte(first), &m); err != nil {
				t.Fatal(err)
			}
			if string(m.ID) != c.id || m.Error.Code != -32000 || !strings.HasPrefix(m.Error.Message, c.say) {
				t.Errorf("got %s; want id %s, code -32000 and a message that begins with %q", first, c.id, c.say)
			}
		})
	}
}

// A redirect is not followed: the bearer is for the configured endpoint.
func TestRedirectKeepsTheToken(t *testing.T) {
	strayed := make(chan struct{}, 1)
	other := serve(t, func(http.ResponseWriter, *http.Request) { strayed <- struct{}{} })
	vars := serve(t, func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, other["CRUX_MCP_URL"], http.StatusTemporaryRedirect)
	})
	vars["CRUX_AGENT_TOKEN"] = "secret-of-the-test"
	_, out, _ := relayed(vars, request("1"))
	if !strings.Contains(out, `"code":-32000`) {
		t.Errorf("output %q", out)
	}
	select {
	case <-strayed:
		t.Error("the redirect was followed")
	default:
	}
}

func TestAnswersOverSeveralLines(t *testing.T) {
	body := ""
	vars := serve(t, func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, body) })
	for _, c := range []struct{ body, want string }{
		{"{\r\n \"a\": 12345678901234567890,\n \"b\": \"x\\ny\"\n}\n", `{"a":12345678901234567890,"b":"x\ny"}` + "\n"},
		{"no JSON\nat all\n", "no JSON at all\n"},
	} {
		body = c.body
		if _, out, _ := relayed(vars, request("1")); out != c.want {
			t.Errorf("%q became %q, want %q", c.body, out, c.want)
		}
	}
}

// A reader that takes an answer of 1 MB slowly gets it whole, on one line.
func TestSlowReader(t *testing.T) {
	big := strings.Repeat("0123456789abcdef", 1<<16)
	vars := serve(t, func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, `"`+big+`"`) })
	r, w := io.Pipe()
	go func() {
		Run(Options{Lookup: lookup(vars), In: strings.NewReader(request("1") + "\n" + request("2")), Out: w, Err: io.Discard})
		w.Close()
	}()
	// A thousand bytes at a time: the pipe holds the writer back.
	lines := bufio.NewReaderSize(chunks{r, 1000}, 16)
	for range 2 {
		line, err := lines.ReadString('\n')
		if err != nil || line != `"`+big+"\"\n" {
			t.Fatalf("a line of %d bytes, %v; want %d", len(line), err, len(big)+3)
		}
	}
	if _, err := lines.ReadByte(); err != io.EOF {
		t.Errorf("behind the answers: %v, want the end", err)
	}
}

// chunks reads at most so many bytes at once.
type chunks struct {
	io.Reader
	most int
}

func (c chunks) Read(p []byte) (int, error) { return c.Reader.Read(p[:min(len(p), c.most)]) }

// An endpoint that goes away and comes back on its port costs the lines in
// between and no other.
func TestUpstreamRestart(t *testing.T) {
	first := httptest.NewServer(http.HandlerFunc(endpoint))
	address := first.Listener.Addr().String()
	in, feed := io.Pipe()
	out, told := io.Pipe()
	go func() {
		Run(Options{Lookup: lookup(map[string]string{"CRUX_MCP_URL": first.URL}), In: in, Out: told, Err: io.Discard})
		told.Close()
	}()
	lines := bufio.NewReader(out)
	ask := func(id string) string {
		t.Helper()
		if _, err := io.WriteString(feed, request(id)+"\n"); err != nil {
			t.Fatal(err)
		}
		line, err := lines.ReadString('\n')
		if err != nil || !strings.Contains(line, `"id":`+id) {
			t.Fatalf("answer %q, %v; want id %s", line, err, id)
		}
		return line
	}
	if got := ask("1"); !strings.Contains(got, "result") {
		t.Errorf("before the restart: %s", got)
	}
	first.Close()
	if got := ask("2"); !strings.Contains(got, "-32000") {
		t.Errorf("while the endpoint is away: %s", got)
	}
	again, err := net.Listen("tcp", address)
	if err != nil {
		t.Skipf("another process took the port meanwhile: %v", err)
	}
	second := &http.Server{Handler: http.HandlerFunc(endpoint), ReadHeaderTimeout: time.Second}
	go second.Serve(again)
	t.Cleanup(func() { second.Close() })
	if got := ask("3"); !strings.Contains(got, "result") {
		t.Errorf("behind the restart: %s", got)
	}
	feed.Close()
	if _, err := lines.ReadByte(); err != io.EOF {
		t.Errorf("behind the end of input: %v, want the end", err)
	}
}

func TestStatus(t *testing.T) {
	vars := serve(t, endpoint)
	if status, out, stderr := relayed(vars, request("1")+"\n\xff\n"+request("2")); status != 1 || strings.Count(out, "\n") != 1 || !strings.Contains(stderr, "UTF-8") {
		t.Errorf("invalid UTF-8: status %d, output %q, stderr %q", status, out, stderr)
	}
	broken := Options{Lookup: lookup(vars), In: io.MultiReader(strings.NewReader("\n"), failingReader{}), Out: io.Discard, Err: io.Discard}
	if status := Run(broken); status != 1 {
		t.Errorf("an input that cannot be read: status %d, want 1", status)
	}
	closed, w := io.Pipe()
	closed.Close()
	if status := Run(Options{Lookup: lookup(vars), In: strings.NewReader(request("1")), Out: w, Err: io.Discard}); status != 0 {
		t.Errorf("a closed output: status %d, want 0", status)
	}
}

type failingReader struct{}

func (failingReader) Read([]byte) (int, error) { return 0, io.ErrNoProgress }

func TestStderr(t *testing.T) {
	vars := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		io.WriteString(w, `{"jsonrpc":"2.0","id":1,"result":{"serverInfo":{"name":"x","version":"9.9.9"}}}`)
	})
	hello := `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}`
	_, _, stderr := relayed(vars, hello)
	want := "cruxrefd mcp-stdio 1.2.3: bridging stdio ⇄ " + vars["CRUX_MCP_URL"] + " (auth: none)\n"
	if !strings.HasPrefix(stderr, want) || !strings.Contains(stderr, "version drift") || !strings.Contains(stderr, "9.9.9") {
		t.Errorf("stderr %q", stderr)
	}
	if _, _, stderr := relayed(vars, request("1")); stderr != want {
		t.Errorf("stderr %q without a handshake, want %q", stderr, want)
	}
	vars["CRUX_AGENT_TOKEN"] = "secret-of-the-test"
	if _, _, stderr := relayed(vars, ""); !strings.HasSuffix(stderr, "(auth: bearer token from CRUX_AGENT_TOKEN)\n") {
		t.Errorf("stderr %q", stderr)
	}
	vars["CRUX_MCP_URL"] = "http://user:hidden@127.0.0.1:1/mcp"
	if _, out, stderr := relayed(vars, request("1")); strings.Contains(out+stderr, "hidden") {
		t.Errorf("a password is shown: %s%s", out, stderr)
	}
	if _, _, stderr := relayed(nil, ""); !strings.Contains(stderr, "http://127.0.0.1:14801/mcp") {
		t.Errorf("stderr %q does not name the default endpoint", stderr)
	}
}
