package deviant_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"cruxconform/conformance/deviant"
	"cruxconform/conformance/report"
	"cruxconform/conformance/runner"
	"cruxconform/conformance/target"
	"cruxconform/spec"
)

// runsEach is how many runs one reference serves before it is replaced; its
// last is undisturbed and must be green.
const runsEach = 25

// runBound bounds one run of the command.
const runBound = 2 * time.Minute

// house owns the built command and the true servers.
type house struct {
	t         *testing.T
	binary    string
	dir       string
	reference *target.Target
	mu        sync.Mutex
	idle      map[string][]*server
	truths    map[string]*truth
	files     int
}

// server is a true server with the number of runs that it has served.
type server struct {
	*target.Server
	setup string
	runs  int
	// unlock gives the default ports back, nil for a server on free ones.
	unlock func()
}

// stop ends the server.
func (s *server) stop() {
	s.Stop()
	if s.unlock != nil {
		s.unlock()
	}
}

// truth is what the undisturbed reference answers to one selection.
type truth struct {
	once sync.Once
	doc  *report.Document
	err  error
}

func newHouse(t *testing.T) *house {
	t.Helper()
	h := &house{t: t, dir: tmpfs(t), idle: map[string][]*server{}, truths: map[string]*truth{}}
	h.binary = filepath.Join(h.dir, "cruxconform")
	build := exec.Command("go", "build", "-o", h.binary, "../../cmd/cruxconform")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	h.reference = &target.Target{Launch: &target.Launch{Command: []string{h.binary, "internal-reference"}}}
	t.Cleanup(h.close)
	return h
}

// tmpfs is a directory in memory where there is one: the gate stores thousands
// of facts, and none of them needs to outlive the machine.
func tmpfs(t *testing.T) string {
	t.Helper()
	if info, err := os.Stat("/dev/shm"); err == nil && info.IsDir() {
		if dir, err := os.MkdirTemp("/dev/shm", "cruxconform-gate-"); err == nil {
			t.Cleanup(func() { os.RemoveAll(dir) })
			t.Setenv("TMPDIR", dir)
			return dir
		}
	}
	return t.TempDir()
}

func (h *house) close() {
	for _, list := range h.idle {
		for _, s := range list {
			s.stop()
		}
	}
}

// take returns a true server in a setup. Where the launcher lies, it is a new
// one with the changed environment.
func (h *house) take(setup string, env map[string]string) (*server, error) {
	h.mu.Lock()
	if list := h.idle[setup]; len(env) == 0 && len(list) > 0 {
		h.idle[setup] = list[:len(list)-1]
		h.mu.Unlock()
		return list[len(list)-1], nil
	}
	h.mu.Unlock()
	s, ok := spec.FindSetup(setup)
	if !ok {
		return nil, fmt.Errorf("no setup is named %q", setup)
	}
	t := *h.reference
	launch := *t.Launch
	launch.Env = env
	t.Launch = &launch
	true_ := &server{setup: setup}
	var err error
	if s.Alone {
		if true_.unlock, err = runner.LockMachine(context.Background()); err != nil {
			return nil, err
		}
	}
	if true_.Server, err = t.Start(context.Background(), s, func(int) {}); err != nil {
		if true_.unlock != nil {
			true_.unlock()
		}
		return nil, err
	}
	return true_, nil
}

// give hands a server back, or retires it after its last run.
func (h *house) give(s *server, env map[string]string) {
	s.runs++
	if len(env) > 0 || s.unlock != nil {
		s.stop()
		return
	}
	if s.runs >= runsEach {
		h.last(s)
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.idle[s.setup] = append(h.idle[s.setup], s)
}

// last runs the suite against a server without a proxy: after all the lies
// about it, the truth must still be told.
func (h *house) last(s *server) {
	defer s.stop()
	doc, err := h.ask(s.setup, s.MCP, s.API, "", nil)
	if err != nil {
		h.t.Errorf("last run of a reference in setup %s: %v", s.setup, err)
		return
	}
	if doc.Exit != 0 {
		h.t.Errorf("last run of a reference in setup %s: exit %d, %v", s.setup, doc.Exit, doc.Reasons)
	}
}

// lastRuns retires every server that is left.
func (h *house) lastRuns() {
	h.mu.Lock()
	var left []*server
	for setup, list := range h.idle {
		left = append(left, list...)
		delete(h.idle, setup)
	}
	h.mu.Unlock()
	parallel(len(left), func(i int) { h.last(left[i]) })
}

// bridge is the command of a true bridge, with the lie of the named deviant or
// variant around it. Lies elsewhere cannot show in what a bridge relays to
// endpoints of the suite, so their runs have no bridge, which is empty.
func (h *house) bridge(name string, lie func() deviant.BridgeLie) (true_, lying string) {
	if lie == nil {
		return "", ""
	}
	return "'" + h.binary + "' internal-bridge", "'" + h.binary + "' internal-bridge-deviant " + name
}

// undisturbed is what the reference itself answers to a selection, asked once.
func (h *house) undisturbed(setup, bridge string, args []string) (*report.Document, error) {
	key := setup + " " + bridge + " " + strings.Join(args, " ")
	h.mu.Lock()
	if h.truths[key] == nil {
		h.truths[key] = new(truth)
	}
	t := h.truths[key]
	h.mu.Unlock()
	t.once.Do(func() {
		if t.doc, t.err = h.run(setup, nil, nil, nil, bridge, args); t.err == nil && t.doc.Exit == 1 {
			t.err = fmt.Errorf("the undisturbed reference is violated in setup %s: %v", setup, t.doc.Reasons)
		}
	})
	return t.doc, t.err
}

// run runs the command against a true server behind the given lies.
func (h *house) run(setup string, env map[string]string, mcp, api func() deviant.Lie, bridge string, args []string) (*report.Document, error) {
	s, err := h.take(setup, env)
	if err != nil {
		return nil, err
	}
	defer h.give(s, env)
	mcpURL, closeMCP, err := before(s.MCP, mcp)
	if err != nil {
		return nil, err
	}
	defer closeMCP()
	apiURL, closeAPI, err := before(s.API, api)
	if err != nil {
		return nil, err
	}
	defer closeAPI()
	return h.ask(setup, mcpURL, apiURL, bridge, args)
}

// before puts a proxy before a port, unless that side is true.
func before(raw string, lie func() deviant.Lie) (string, func(), error) {
	if lie == nil {
		return raw, func() {}, nil
	}
	u, err := url.Parse(raw)
	if err != nil {
		return "", nil, err
	}
	proxy := httptest.NewServer(deviant.Proxy(&url.URL{Scheme: u.Scheme, Host: u.Host}, lie()))
	return proxy.URL + u.Path, proxy.Close, nil
}

// ask runs the built command against a server that already runs.
func (h *house) ask(setup, mcp, api, bridge string, args []string) (*report.Document, error) {
	given := []string{"run", "--url", mcp, "--api", api, "--setup", setup}
	if bridge != "" {
		given = append(given, "--bridge", bridge)
	}
	return h.command(append(given, args...)...)
}

// command runs the built command and reads its JSON report.
func (h *house) command(args ...string) (*report.Document, error) {
	h.mu.Lock()
	h.files++
	path := filepath.Join(h.dir, fmt.Sprintf("report-%d.json", h.files))
	h.mu.Unlock()
	defer os.Remove(path)
	ctx, cancel := context.WithTimeout(context.Background(), runBound)
	defer cancel()
	cmd := exec.CommandContext(ctx, h.binary, append(args, "--format", "json", "-o", path)...)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return nil, fmt.Errorf("%v: %w\n%s", cmd.Args, err, &out)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("%v wrote no report: %s", cmd.Args, &out)
	}
	defer f.Close()
	doc, err := report.Read(f)
	if err != nil {
		return nil, err
	}
	if doc.Exit == 4 {
		return nil, fmt.Errorf("engine error: %v", doc.Reasons)
	}
	return doc, nil
}
