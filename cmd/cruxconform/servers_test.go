package main

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"cruxconform/conformance/report"
	"cruxconform/conformance/suite"
	"cruxconform/conformance/verdict"
	"cruxconform/spec"
)

func contains(text, part string) bool { return strings.Contains(text, part) }

func serve500(w http.ResponseWriter, _ *http.Request) {
	http.Error(w, "out of order", http.StatusInternalServerError)
}

func serveHTML(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/html")
	fmt.Fprint(w, "<!doctype html><title>hello</title>")
}

func serveCut(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", "500")
	fmt.Fprint(w, `{"jsonrpc":"2.0",`)
	w.(http.Flusher).Flush()
	panic(http.ErrAbortHandler)
}

// TestBrokenServers: a server that answers, but not as documented, is violated.
// One fault has one headline: everything else folds under the root.
func TestBrokenServers(t *testing.T) {
	for name, c := range map[string]struct {
		serve http.HandlerFunc
		says  string
		// passing lists what a server that says 200 to everything does right.
		passing []string
	}{
		"only 500":           {serve500, "500", nil},
		"HTML":               {serveHTML, "doctype", []string{"11.1-37", "11.1-72", "11.1-73", "11.1-74", "11.4-01", "11.5-01", "11.6-06"}},
		"a body that is cut": {serveCut, "of the body", nil},
	} {
		t.Run(name, func(t *testing.T) {
			server := httptest.NewServer(c.serve)
			defer server.Close()
			out := filepath.Join(t.TempDir(), "report.json")
			o := cruxconform(t, "run", "--url", server.URL+"/mcp", "--format", "console", "--format", "json", "-o", out)
			o.expect(t, 1, suite.RootAnswer, c.says)
			d := readReport(t, out)
			root := d.Find(suite.RootAnswer)
			if root == nil || root.Outcome != verdict.Violated {
				t.Fatalf("the root %s is not violated: %+v", suite.RootAnswer, root)
			}
			if len(root.Folded) < 20 {
				t.Errorf("only %d entries fold under the root", len(root.Folded))
			}
			onlyPass(t, d, c.passing)
		})
	}
}

// onlyPass demands that no must-entry but the named ones, which are about the
// status alone, passed on a server that never gave a JSON-RPC answer.
func onlyPass(t *testing.T, d *report.Document, passing []string) {
	t.Helper()
	for _, r := range d.Results {
		e, _ := spec.Find(r.ID)
		if r.Outcome == verdict.Passed && e.Level == spec.Must && !slices.Contains(passing, r.ID) {
			t.Errorf("%s passed: %s", r.ID, r.Says)
		}
	}
}

// silent accepts connections and never answers.
func silent(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			t.Cleanup(func() { c.Close() })
		}
	}()
	return "http://" + l.Addr().String() + "/mcp"
}

// deadURL is the URL of a port that nothing listens on.
func deadURL(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return "http://" + l.Addr().String() + "/mcp"
}

// TestUnreachable: a server that never answers says nothing about itself.
func TestUnreachable(t *testing.T) {
	private := httptest.NewTLSServer(http.HandlerFunc(serveHTML))
	defer private.Close()
	for name, c := range map[string]struct {
		url  string
		says string
	}{
		"a dead port":               {deadURL(t), "connection refused"},
		"a server that is silent":   {silent(t), "no whole answer within the bound"},
		"a certificate of nobody's": {private.URL + "/mcp", "--ca-file"},
	} {
		t.Run(name, func(t *testing.T) {
			out := filepath.Join(t.TempDir(), "report.json")
			junit := filepath.Join(t.TempDir(), "junit.xml")
			o := cruxconform(t, "run", "--url", c.url, "--request-timeout", "1s",
				"--format", "console", "--format", "json", "-o", out, "--format", "junit", "-o", junit)
			o.expect(t, 3, c.says)
			d := readReport(t, out)
			for _, r := range d.Results {
				if r.Outcome == verdict.Passed || r.Outcome == verdict.Violated {
					t.Errorf("%s is %s on a server that never answered", r.ID, r.Outcome)
				}
			}
			if _, err := os.Stat(junit); err != nil {
				t.Errorf("the JUnit report was not written: %v", err)
			}
		})
	}
}

// TestInterrupt: an interrupt ends the run soon, stops what it started, and the
// reports are written all the same.
func TestInterrupt(t *testing.T) {
	asked := make(chan struct{}, 1000)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet {
			return // the probe of the preflight is answered
		}
		// Only a body that was read lets the server notice that its peer is gone.
		io.Copy(io.Discard, r.Body)
		asked <- struct{}{}
		<-r.Context().Done()
	}))
	defer server.Close()
	out := filepath.Join(t.TempDir(), "report.json")
	cmd := command(t, "run", "--url", server.URL+"/mcp", "--format", "json", "-o", out)
	done := make(chan outcome)
	go func() { done <- finish(t, cmd) }()
	for range 3 { // two of the preflight, one of a check
		<-asked
	}
	if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	select {
	case o := <-done:
		o.expect(t, 3, "could not run")
	case <-time.After(15 * time.Second):
		t.Fatal("the run did not end within 15 s of the interrupt")
	}
	if d := readReport(t, out); d.Interrupted == "" {
		t.Error("the report does not say that the run was interrupted")
	}
}

// TestLaunchFailures: a command that is no server leaves every entry unassessed
// and its last words in the report.
func TestLaunchFailures(t *testing.T) {
	for name, c := range map[string]struct {
		command, says string
	}{
		"no such program":        {"/no/such/program", "/no/such/program"},
		"a program that ends":    {"sh -c 'echo cannot serve today >&2; exit 5'", "cannot serve today"},
		"a program that is deaf": {"sleep 600", "no answer"},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "target.yaml")
			text := fmt.Sprintf("launch:\n  command: %q\n  ready: 1s\n", c.command)
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			cruxconform(t, "run", "--target", path, "--setup", "default").expect(t, 3, c.says)
		})
	}
}

// TestKilledWorker: a worker that is killed is an engine error, and neither the
// server that it had launched nor anything else keeps the run from ending. The
// server itself does the killing, so the moment is always the same.
func TestKilledWorker(t *testing.T) {
	begin := time.Now()
	o := cruxconform(t, "run", "--setup", "default", "--launch", "sh -c 'sleep 1; kill -9 $PPID; sleep 50'")
	o.expect(t, 4, "the worker ended early", "killed")
	if took := time.Since(begin); took > 30*time.Second {
		t.Errorf("the run ended %s after its worker was killed", took)
	}
}

// TestInterruptDuringTheStart: a server that is still being started when the run
// is interrupted leaves no data directory behind.
func TestInterruptDuringTheStart(t *testing.T) {
	dir := t.TempDir()
	flag := filepath.Join(dir, "up")
	temp := filepath.Join(dir, "tmp")
	if err := os.Mkdir(temp, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(flag, 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := command(t, "run", "--setup", "default", "--launch", fmt.Sprintf("sh -c 'echo up >%s; exec sleep 50'", flag))
	cmd.Env = append(os.Environ(), "TMPDIR="+temp)
	done := make(chan outcome)
	go func() { done <- finish(t, cmd) }()
	if _, err := os.ReadFile(flag); err != nil { // waits for the writer
		t.Fatal(err)
	}
	if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	(<-done).expect(t, 3, "interrupt")
	left, err := os.ReadDir(temp)
	if err != nil {
		t.Fatal(err)
	}
	if len(left) != 0 {
		t.Errorf("left behind: %v", left)
	}
}
