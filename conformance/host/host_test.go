package host_test

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"cruxconform/conformance/host"
)

// shell starts a bridge that is a shell script.
func shell(t *testing.T, script string, env map[string]string) *host.Bridge {
	t.Helper()
	b, err := host.StartBridge([]string{"/bin/sh", "-c", script}, env)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Stop)
	return b
}

func wantLine(t *testing.T, b *host.Bridge, want string) {
	t.Helper()
	if got, err := b.Line(t.Context()); err != nil || got != want {
		t.Fatalf("line %q, %v; want %q", got, err, want)
	}
}

func TestBridgeLinesAndStatus(t *testing.T) {
	b := shell(t, `while read -r l; do echo "got $l"; done; echo said >&2; printf unfinished; exit 7`, nil)
	if err := b.Write(t.Context(), "one\ntwo\n"); err != nil {
		t.Fatal(err)
	}
	wantLine(t, b, "got one")
	wantLine(t, b, "got two")
	b.CloseInput()
	wantLine(t, b, "unfinished")
	if _, err := b.Line(t.Context()); err != io.EOF {
		t.Errorf("behind the last line: %v, want io.EOF", err)
	}
	if status, err := b.Exit(t.Context()); err != nil || status != 7 {
		t.Errorf("exit %d, %v; want 7", status, err)
	}
	if got := b.Stderr(); got != "said\n" {
		t.Errorf("stderr %q", got)
	}
}

func TestBridgeGetsNoVariableOfTheSurface(t *testing.T) {
	t.Setenv("CRUX_AGENT_TOKEN", "of the caller")
	t.Setenv("CORECRUXD_DATA_DIR", "of the caller")
	b := shell(t, `echo "$CRUX_AGENT_TOKEN|$CORECRUXD_DATA_DIR|$CRUX_MCP_URL"`, map[string]string{"CRUX_MCP_URL": "http://x"})
	wantLine(t, b, "||http://x")
}

// A bridge that says and reads nothing is given up, and ended with its child.
func TestBridgeThatHangs(t *testing.T) {
	// Whoever of the tree lives on holds the named pipe open.
	pipe := filepath.Join(t.TempDir(), "alive")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	b := shell(t, `exec 3>"$ALIVE"; sleep 300 & wait`, map[string]string{"ALIVE": pipe})
	alive, err := os.Open(pipe)
	if err != nil {
		t.Fatal(err)
	}
	defer alive.Close()
	soon, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if _, err := b.Line(soon); !errors.Is(err, host.ErrTimeout) {
		t.Errorf("line: %v, want ErrTimeout", err)
	}
	if _, err := b.Exit(soon); !errors.Is(err, host.ErrTimeout) {
		t.Errorf("exit: %v, want ErrTimeout", err)
	}
	if err := b.Write(soon, strings.Repeat("x", 1<<20)); !errors.Is(err, host.ErrTimeout) {
		t.Errorf("write: %v, want ErrTimeout", err)
	}
	b.Stop()
	if _, err := alive.Read(make([]byte, 1)); err != io.EOF {
		t.Errorf("read of what the bridge and its child held: %v, want io.EOF", err)
	}
}

func TestBridgeThatDoesNotExist(t *testing.T) {
	if _, err := host.StartBridge([]string{"/no/such/bridge"}, nil); err == nil || !strings.Contains(err.Error(), "/no/such/bridge") {
		t.Errorf("error %v does not name the command", err)
	}
	if _, err := host.StartBridge([]string{"no-such-bridge"}, nil); !errors.Is(err, exec.ErrNotFound) {
		t.Errorf("error %v, want exec.ErrNotFound", err)
	}
}

func TestUpstreamRecordsAndAnswers(t *testing.T) {
	u := host.NewUpstream(func(host.Received) host.Reply {
		return host.Reply{Status: http.StatusTeapot, Header: http.Header{"X-Name": {"v"}}, Body: "told"}
	})
	t.Cleanup(u.Stop)
	res, err := http.Post(u.URL()+"/a/b?c=d", "text/plain", strings.NewReader("asked"))
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil || string(body) != "told" || res.StatusCode != http.StatusTeapot || res.Header.Get("X-Name") != "v" {
		t.Errorf("answer %d %q %v, %v", res.StatusCode, body, res.Header, err)
	}
	got := u.Received()
	if len(got) != 1 || got[0].Method != "POST" || got[0].URI != "/a/b?c=d" || string(got[0].Body) != "asked" || got[0].Header.Get("Content-Type") != "text/plain" {
		t.Errorf("received %+v", got)
	}
	u.Script(func(host.Received) host.Reply { return host.Reply{Cut: true} })
	if res, err := http.Post(u.URL(), "text/plain", nil); err == nil {
		res.Body.Close()
		t.Errorf("a cut connection answered HTTP %d", res.StatusCode)
	}
}

func TestRefusing(t *testing.T) {
	r, err := host.NewRefusing()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Stop()
	address := strings.TrimPrefix(r.URL(), "http://")
	if _, err := net.Dial("tcp", address); !errors.Is(err, syscall.ECONNREFUSED) {
		t.Errorf("dial: %v, want ECONNREFUSED", err)
	}
	if l, err := net.Listen("tcp", address); err == nil {
		l.Close()
		t.Error("another listener could take the port")
	}
}
