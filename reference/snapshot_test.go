package reference_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/gkampitakis/go-snaps/snaps"

	"cruxconform/reference"
	"cruxconform/reference/config"
)

// goldens is where the wire shapes are kept, relative to this file.
const goldens = "../snapshots"

// settings are variables of the environment.
type settings map[string]string

// shape is one exchange whose form is kept.
type shape struct {
	name    string
	setup   settings
	method  string
	path    string
	session string
	accept  string
	token   string
	body    string
	// before are exchanges that come first, on a daemon that serves this shape
	// alone.
	before []shape
	// part takes what is kept out of the body, nil for all of it.
	part func(t *testing.T, body []byte) any
}

// exchange is how a golden shows a shape. A body stands as JSON; null is none.
type exchange struct {
	Setup    settings          `json:"setup,omitempty"`
	Request  requestShape      `json:"request"`
	Status   int               `json:"status"`
	Header   map[string]string `json:"header"`
	Response any               `json:"response"`
}

type requestShape struct {
	Line    string `json:"line"`
	Session string `json:"session,omitempty"`
	Accept  string `json:"accept,omitempty"`
	Token   string `json:"token,omitempty"`
	Body    string `json:"body,omitempty"`
}

// TestSnapshots compares what the daemon answers with the goldens. Write them
// anew with UPDATE_SNAPS=true; without it a difference or a missing one fails.
func TestSnapshots(t *testing.T) {
	running := map[string]daemon{}
	for _, s := range shapes {
		t.Run(s.name, func(t *testing.T) {
			key := string(compact(t, s.setup))
			if len(s.before) > 0 {
				key += s.name
			}
			d, ok := running[key]
			if !ok {
				// It outlives the subtest that happens to need it first.
				d = start(t, s.setup)
				running[key] = d
			}
			for _, b := range s.before {
				b.exchange(t, d)
			}
			snaps.WithConfig(
				snaps.Dir(goldens), snaps.Filename(s.name), snaps.Update(os.Getenv("UPDATE_SNAPS") == "true"),
			).MatchStandaloneJSON(t, compact(t, s.exchange(t, d)))
		})
	}
	for _, d := range running {
		if err := d.stop(); err != nil {
			t.Errorf("a daemon did not end cleanly: %v", err)
		}
	}
}

// TestNoSnapshotIsOrphaned: go-snaps does not see files that nobody compares.
func TestNoSnapshotIsOrphaned(t *testing.T) {
	// The result of the gate is kept there as well.
	compared := map[string]bool{"gate.json": true}
	for _, s := range shapes {
		file := s.name + "_1.snap.json"
		if compared[file] {
			t.Errorf("two shapes are named %s", s.name)
		}
		compared[file] = true
	}
	files, err := os.ReadDir(goldens)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if !compared[f.Name()] {
			t.Errorf("%s belongs to no shape; remove it", filepath.Join(goldens, f.Name()))
		}
	}
}

// daemon is one that serves until it is stopped.
type daemon struct {
	*reference.Daemon
	stop func() error
}

// start serves a daemon on free ports that knows no variable but the given.
func start(t *testing.T, setup settings) daemon {
	t.Helper()
	dir, err := os.MkdirTemp("", "cruxrefd-snapshots-")
	if err != nil {
		t.Fatal(err)
	}
	env := settings{"CORECRUXD_DATA_DIR": dir, "CORECRUXD_MCP_PORT": "0", "CORECRUXD_HTTP_PORT": "0"}
	maps.Copy(env, setup)
	cfg, err := config.Load(func(name string) (string, bool) { v, ok := env[name]; return v, ok })
	if err != nil {
		t.Fatal(err)
	}
	d, err := reference.Open(cfg)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- d.Serve(ctx) }()
	return daemon{d, func() error {
		cancel()
		return errors.Join(<-done, os.RemoveAll(dir))
	}}
}

func (s shape) exchange(t *testing.T, d daemon) exchange {
	t.Helper()
	method, path := s.method, s.path
	if method == "" {
		method = http.MethodPost
	}
	if path == "" {
		path = "/mcp"
	}
	req, err := http.NewRequest(method, strings.TrimSuffix(d.MCP(), "/mcp")+path, strings.NewReader(s.body))
	if err != nil {
		t.Fatal(err)
	}
	for name, v := range map[string]string{"Mcp-Session-Id": s.session, "Accept": s.accept, "Authorization": s.token} {
		if v != "" {
			req.Header.Set(name, v)
		}
	}
	client := &http.Client{Timeout: 20 * time.Second}
	res, err := client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	// A stream stays open, for what comes after it.
	t.Cleanup(func() { res.Body.Close() })
	var body []byte
	if res.Header.Get("Content-Type") != "text/event-stream" {
		if body, err = io.ReadAll(res.Body); err != nil {
			t.Fatal(err)
		}
	}
	return exchange{
		Setup:   s.setup,
		Request: requestShape{method + " " + path, s.session, s.accept, s.token, short(s.body)},
		Status:  res.StatusCode, Header: header(res.Header), Response: s.response(t, body),
	}
}

func (s shape) response(t *testing.T, body []byte) any {
	t.Helper()
	if s.part != nil {
		return s.part(t, body)
	}
	if len(body) == 0 {
		return nil
	}
	if !json.Valid(body) {
		return string(body)
	}
	return json.RawMessage(numbered(bytes.ReplaceAll(body, []byte(`"`+reference.Version+`"`), []byte(`"<version>"`))))
}

var factID = regexp.MustCompile(`f_[0-9a-f]{32}`)

// numbered replaces the ids of facts by their number in order of appearance.
func numbered(body []byte) []byte {
	numbers := map[string]int{}
	return factID.ReplaceAllFunc(body, func(id []byte) []byte {
		n, ok := numbers[string(id)]
		if !ok {
			n = len(numbers) + 1
			numbers[string(id)] = n
		}
		return fmt.Appendf(nil, "<fact %d>", n)
	})
}

var minted = regexp.MustCompile(`^[0-9a-f]{12}4[0-9a-f]{3}[89ab][0-9a-f]{15}$`)

// header keeps the headers that the surface documents. A minted id differs each
// time.
func header(h http.Header) map[string]string {
	out := map[string]string{}
	for _, name := range []string{"Allow", "Content-Type", "Mcp-Session-Id", "Retry-After", "Www-Authenticate"} {
		if values, ok := h[name]; ok {
			out[name] = strings.Join(values, " | ")
		}
	}
	if minted.MatchString(out["Mcp-Session-Id"]) {
		out["Mcp-Session-Id"] = "<minted>"
	}
	return out
}

// short keeps a body of megabytes out of a golden.
func short(body string) string {
	if len(body) <= 300 {
		return body
	}
	return body[:60] + "…"
}

func compact(t *testing.T, v any) []byte {
	t.Helper()
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
