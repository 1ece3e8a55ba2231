package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

func TestInformation(t *testing.T) {
	for arg, says := range map[string]string{
		"--version": "cruxrefd ", "-V": "cruxrefd ", "version": "cruxrefd ",
		"--help": "CORECRUXD_DATA_DIR", "-h": "CORECRUXD_DATA_DIR", "help": "CORECRUXD_DATA_DIR",
	} {
		// What would keep a daemon from starting must not keep it from this.
		p := start(t, []string{"CORECRUXD_MCP_HOST=0.0.0.0", "CORECRUXD_DATA_DIR=/dev/null/x"}, arg)
		if code := p.code(t); code != 0 || !strings.Contains(p.stdout.String(), says) {
			t.Errorf("%s: exit code %d, stdout %q; expected 0 and %q; stderr: %s", arg, code, &p.stdout, says, &p.stderr)
		}
	}
}

// TestServes: without an argument, and with one that means nothing.
func TestServes(t *testing.T) {
	for _, args := range [][]string{nil, {"serve"}, {"--port", "1"}, {"-v"}} {
		p := start(t, nil, args...)
		api, mcp := p.address(t, "HTTP API"), p.address(t, "MCP")
		for url, says := range map[string]string{"http://" + mcp + "/mcp": "2024-11-05", "http://" + api + "/healthz": `"ok":true`} {
			if body := get(t, url); !strings.Contains(body, says) {
				t.Errorf("%q: %s answers %s, expected %s in it", args, url, body, says)
			}
		}
		p.terminate(t)
		if code := p.code(t); code != 0 {
			t.Errorf("%q: exit code %d on SIGTERM, expected 0; stderr: %s", args, code, &p.stderr)
		}
		if p.stdout.Len() > 0 {
			t.Errorf("%q: stdout has %q, expected nothing", args, &p.stdout)
		}
	}
}

// TestRefusesToStart: exit code 1, and an error that names the thing and the
// remedy.
func TestRefusesToStart(t *testing.T) {
	taken, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	_, port, err := net.SplitHostPort(taken.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	holder := start(t, nil)
	held := holder.address(t, "MCP")

	damaged := t.TempDir()
	if err := os.WriteFile(filepath.Join(damaged, "crux.db"), bytes.Repeat([]byte("no database "), 4096), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		env  []string
		says []string
	}{
		"MCP port in use":       {[]string{"CORECRUXD_MCP_PORT=" + port}, []string{taken.Addr().String(), "in use", "CORECRUXD_MCP_PORT"}},
		"HTTP port in use":      {[]string{"CORECRUXD_HTTP_PORT=" + port}, []string{taken.Addr().String(), "in use", "CORECRUXD_HTTP_PORT"}},
		"data directory locked": {[]string{"CORECRUXD_DATA_DIR=" + holder.dir}, []string{holder.dir, "another daemon", "CORECRUXD_DATA_DIR"}},
		"no data directory":     {[]string{"CORECRUXD_DATA_DIR=/dev/null/x"}, []string{"/dev/null/x", "CORECRUXD_DATA_DIR"}},
		"damaged database":      {[]string{"CORECRUXD_DATA_DIR=" + damaged}, []string{filepath.Join(damaged, "crux.db"), "damaged"}},
		"open MCP host":         {[]string{"CORECRUXD_MCP_HOST=0.0.0.0"}, []string{"MCP may not bind to non-loopback address (0.0.0.0:0)"}},
		"unknown auth mode":     {[]string{"CORECRUXD_AUTH_MODE=none"}, []string{"CORECRUXD_AUTH_MODE `none`", "off"}},
	} {
		t.Run(name, func(t *testing.T) {
			p := start(t, c.env)
			if code := p.code(t); code != 1 {
				t.Errorf("exit code %d, expected 1", code)
			}
			for _, says := range c.says {
				if !strings.Contains(p.stderr.String(), says) {
					t.Errorf("stderr does not say %q:\n%s", says, &p.stderr)
				}
			}
		})
	}
	after, err := os.ReadFile(filepath.Join(damaged, "crux.db"))
	if err != nil || !bytes.Equal(after, bytes.Repeat([]byte("no database "), 4096)) {
		t.Errorf("the damaged file was changed: %d bytes, %v", len(after), err)
	}
	if body := get(t, "http://"+held+"/mcp"); !strings.Contains(body, "2024-11-05") {
		t.Errorf("the daemon that holds the directory answers %s", body)
	}
	holder.terminate(t)
	if code := holder.code(t); code != 0 {
		t.Errorf("exit code %d on SIGTERM, expected 0", code)
	}
}

// halfSent is a request of which the daemon has begun to read the body, and
// which rest completes.
type halfSent struct {
	net.Conn
	in   *bufio.Reader
	rest string
}

// sendHalf waits for the leave to send the body: without it the connection
// might still be one that nobody has accepted, which a drain does not save.
func sendHalf(t *testing.T, address string) *halfSent {
	t.Helper()
	const body = `{"jsonrpc":"2.0","id":1,"method":"ping"}`
	conn, err := net.Dial("tcp4", address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	if err := conn.SetDeadline(time.Now().Add(patience)); err != nil {
		t.Fatal(err)
	}
	if _, err := fmt.Fprintf(conn, "POST /mcp HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: %d\r\n\r\n", len(body)); err != nil {
		t.Fatal(err)
	}
	h := &halfSent{conn, bufio.NewReader(conn), body[10:]}
	if line, err := h.in.ReadString('\n'); err != nil || !strings.Contains(line, " 100 ") {
		t.Fatalf("got %q, %v; expected leave to send the body", line, err)
	}
	if _, err := h.in.ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(conn, body[:10]); err != nil {
		t.Fatal(err)
	}
	return h
}

// refused waits until nobody listens on an address any more: the drain has
// begun.
func refused(t *testing.T, address string) {
	t.Helper()
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(2 * time.Millisecond) {
		c, err := net.Dial("tcp4", address)
		if errors.Is(err, syscall.ECONNREFUSED) {
			return
		}
		if err == nil {
			c.Close()
		}
	}
	t.Fatalf("%s still takes connections after SIGTERM", address)
}

func TestDrainLetsARunningRequestFinish(t *testing.T) {
	p := start(t, nil)
	address := p.address(t, "MCP")
	half := sendHalf(t, address)
	p.terminate(t)
	refused(t, address)
	if _, err := io.WriteString(half, half.rest); err != nil {
		t.Fatal(err)
	}
	res, err := http.ReadResponse(half.in, nil)
	if err != nil {
		t.Fatalf("the request that ran got no answer: %v", err)
	}
	body, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode != 200 || !strings.Contains(string(body), "method not found: ping") {
		t.Errorf("status %d, body %s, %v; expected the answer to ping", res.StatusCode, body, err)
	}
	if code := p.code(t); code != 0 {
		t.Errorf("exit code %d, expected 0; stderr: %s", code, &p.stderr)
	}
}

// TestDrainIsBounded: a peer that never finishes holds the daemon no longer than
// CORECRUXD_SHUTDOWN_DRAIN_SECS.
func TestDrainIsBounded(t *testing.T) {
	p := start(t, []string{"CORECRUXD_SHUTDOWN_DRAIN_SECS=1"})
	sendHalf(t, p.address(t, "MCP"))
	began := time.Now()
	p.terminate(t)
	if code := p.code(t); code != 0 {
		t.Errorf("exit code %d, expected 0; stderr: %s", code, &p.stderr)
	}
	// The default is 30 s; the rest is room for a busy machine.
	if took := time.Since(began); took > 10*time.Second {
		t.Errorf("it ended after %s, expected about 1 s", took)
	}
}

// TestSecondSignalEndsAnUnboundedDrain: an operator who insists is heard.
func TestSecondSignalEndsAnUnboundedDrain(t *testing.T) {
	p := start(t, []string{"CORECRUXD_SHUTDOWN_DRAIN_SECS=0"})
	address := p.address(t, "MCP")
	sendHalf(t, address)
	p.terminate(t)
	refused(t, address)
	// One that comes too soon is taken for the first.
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); {
		_ = p.Process.Signal(syscall.SIGTERM) // it may have ended by now
		select {
		case <-p.done:
			if status, ok := p.ProcessState.Sys().(syscall.WaitStatus); !ok || status.Signal() != syscall.SIGTERM {
				t.Errorf("it ended with %v, expected the signal", p.ProcessState)
			}
			return
		case <-time.After(20 * time.Millisecond):
		}
	}
	t.Fatal("it does not heed a second signal")
}

func TestStopsOnInterrupt(t *testing.T) {
	p := start(t, nil)
	p.address(t, "MCP")
	if err := p.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if code := p.code(t); code != 0 {
		t.Errorf("exit code %d, expected 0; stderr: %s", code, &p.stderr)
	}
}

// TestMCPCanBeDisabled: the HTTP API alone is served. A port that another holds
// would end the start if it were opened.
func TestMCPCanBeDisabled(t *testing.T) {
	taken, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	_, port, err := net.SplitHostPort(taken.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	p := start(t, []string{"CORECRUXD_MCP_ENABLED=0", "CORECRUXD_MCP_PORT=" + port})
	api := p.address(t, "HTTP API")
	if body := get(t, "http://"+api+"/healthz"); !strings.Contains(body, `"ok":true`) {
		t.Errorf("the HTTP API answers %s", body)
	}
	p.terminate(t)
	if code := p.code(t); code != 0 {
		t.Errorf("exit code %d, expected 0", code)
	}
	if strings.Contains(p.stderr.String(), "MCP on") {
		t.Errorf("it says that MCP is served: %s", &p.stderr)
	}
}
