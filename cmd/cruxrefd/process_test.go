package main

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// asCommand makes the test binary be the command, so that a test needs no build.
const asCommand = "CRUXREFD_TEST_AS_COMMAND"

func TestMain(m *testing.M) {
	if os.Getenv(asCommand) != "" {
		main()
	}
	if address := os.Getenv(asBare); address != "" {
		serveBare(address)
	}
	os.Exit(m.Run())
}

// patience bounds every wait of these tests.
const patience = 20 * time.Second

// process is the command as a child.
type process struct {
	*exec.Cmd
	dir    string
	stdout bytes.Buffer
	stderr lines
	done   chan error
}

// lines keeps what was written and tells each whole line on.
type lines struct {
	mu   sync.Mutex
	text bytes.Buffer
	told int
	next chan string
}

func (l *lines) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.text.Write(b)
	for {
		line, _, whole := strings.Cut(l.text.String()[l.told:], "\n")
		if !whole {
			return len(b), nil
		}
		l.told += len(line) + 1
		l.next <- line
	}
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// start runs the command on free ports with a data directory of its own. Given
// variables win.
func start(t *testing.T, env []string, args ...string) *process {
	t.Helper()
	p := &process{Cmd: exec.Command(os.Args[0], args...), dir: t.TempDir(), done: make(chan error, 1)}
	p.stderr.next = make(chan string, 100)
	p.Env = append([]string{
		asCommand + "=1", "PATH=" + os.Getenv("PATH"),
		"CORECRUXD_DATA_DIR=" + p.dir, "CORECRUXD_MCP_PORT=0", "CORECRUXD_HTTP_PORT=0",
	}, env...)
	p.Stdout, p.Stderr = &p.stdout, &p.stderr
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	go func() { p.done <- p.Wait() }()
	t.Cleanup(func() { _ = p.Process.Kill() }) // it has ended, unless the test failed
	return p
}

// code waits for the end and returns the exit code.
func (p *process) code(t *testing.T) int {
	t.Helper()
	select {
	case err := <-p.done:
		var exit *exec.ExitError
		if err != nil && !errors.As(err, &exit) {
			t.Fatal(err)
		}
		return p.ProcessState.ExitCode()
	case <-time.After(patience):
		t.Fatalf("it did not end within %s; stderr: %s", patience, &p.stderr)
		return 0
	}
}

// address waits for the line that names a plane and returns its host and port.
func (p *process) address(t *testing.T, plane string) string {
	t.Helper()
	for deadline := time.After(patience); ; {
		select {
		case line := <-p.stderr.next:
			if before, address, ok := strings.Cut(line, " on http://"); ok && strings.HasSuffix(before, plane) {
				return address
			}
		case err := <-p.done:
			t.Fatalf("it ended: %v; stderr: %s", err, &p.stderr)
		case <-deadline:
			t.Fatalf("it did not say where %s is; stderr: %s", plane, &p.stderr)
		}
	}
}

func (p *process) terminate(t *testing.T) {
	t.Helper()
	if err := p.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
}

func get(t *testing.T, url string) string {
	t.Helper()
	res, err := (&http.Client{Timeout: patience}).Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}
