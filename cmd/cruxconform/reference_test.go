package main

import (
	"bufio"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"cruxconform/conformance/verdict"
	"cruxconform/spec"
)

// refd builds the daemon as a command of its own.
func refd(t testing.TB) string {
	t.Helper()
	bin := filepath.Join(t.TempDir(), "cruxrefd")
	if out, err := exec.Command("go", "build", "-o", bin, "../cruxrefd").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	return bin
}

func freePort(t testing.TB) int {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}

// serving is a daemon that runs as a separate process.
type serving struct{ mcp, api string }

// startRefd starts the daemon on free ports and waits for its first answer.
func startRefd(t testing.TB, env ...string) serving {
	t.Helper()
	mcp, api := freePort(t), freePort(t)
	cmd := exec.Command(refd(t))
	cmd.Env = append(os.Environ(), append([]string{
		"CORECRUXD_CONFIG_PATH=", "CORECRUXD_DATA_DIR=" + t.TempDir(),
		fmt.Sprintf("CORECRUXD_MCP_PORT=%d", mcp), fmt.Sprintf("CORECRUXD_HTTP_PORT=%d", api),
	}, env...)...)
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cmd.Process.Signal(syscall.SIGTERM)
		if err := cmd.Wait(); err != nil {
			t.Errorf("cruxrefd did not end cleanly on SIGTERM: %v", err)
		}
	})
	s := serving{fmt.Sprintf("http://127.0.0.1:%d/mcp", mcp), fmt.Sprintf("http://127.0.0.1:%d", api)}
	await(t, s.mcp)
	return s
}

// await polls until a URL answers at all.
func await(t testing.TB, url string) {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); ; time.Sleep(5 * time.Millisecond) {
		res, err := http.Get(url)
		if err == nil {
			res.Body.Close()
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("%s does not answer: %v", url, err)
		}
	}
}

func TestEmbeddedReferenceIsTheDefault(t *testing.T) {
	for _, args := range [][]string{nil, {"run"}} {
		o := cruxconform(t, args...)
		o.expect(t, 0, "embedded", "conformant")
	}
}

func TestLaunchedDaemon(t *testing.T) {
	out := filepath.Join(t.TempDir(), "report.json")
	bin := refd(t)
	o := cruxconform(t, "run", "--launch", bin, "--format", "console", "--format", "json", "-o", out)
	o.expect(t, 0, "conformant")
	d := readReport(t, out)
	setups := map[string]bool{}
	for _, r := range d.Results {
		if r.Outcome == verdict.Passed {
			setups[r.Setup] = true
		}
	}
	for _, s := range []string{"default", "mint", "minimal", "dynamic"} {
		if !setups[s] {
			t.Errorf("nothing passed in setup %s", s)
		}
	}
	left, err := exec.Command("pgrep", "-f", bin).Output()
	if err == nil {
		t.Errorf("launched daemons are left: %s", left)
	}
}

// TestRunningDaemon: two runs at once against one living server, and what one
// URL cannot show stays not asked.
func TestRunningDaemon(t *testing.T) {
	s := startRefd(t)
	done := make(chan outcome, 2)
	for range 2 {
		cmd := command(t, "run", "--url", s.mcp, "--shuffle", "11", "--repeat", "2")
		go func() { done <- finish(t, cmd) }()
	}
	for range 2 {
		o := <-done
		o.expect(t, 0, "as far as asked", "--api URL")
	}
	cruxconform(t, "run", "--url", s.mcp, "--api", s.api).expect(t, 0)
	cruxconform(t, "run", "--url", s.mcp, "--read-only").expect(t, 0, "--read-only")
	cruxconform(t, "run", "--url", s.mcp, "--claim", "surface").expect(t, 3, "class surface was demanded")
	cruxconform(t, "run", "--url", s.mcp, "--section", "11.4").expect(t, 0, "11.4")
}

// TestAnotherSetupBehindTheURL: an answer that fits another setup is violated,
// and the report names the option.
func TestAnotherSetupBehindTheURL(t *testing.T) {
	s := startRefd(t, "CORECRUXD_TOOL_SURFACE=minimal")
	cruxconform(t, "run", "--url", s.mcp).expect(t, 1, "--setup minimal")
	cruxconform(t, "run", "--url", s.mcp, "--setup", "minimal").expect(t, 0)
}

// TestDemands: a class with open work cannot be claimed yet, one
// entry can.
func TestDemands(t *testing.T) {
	cruxconform(t, "run", "--id", "11.4-02").expect(t, 0)
	cruxconform(t, "run", "--claim", "oauth").expect(t, 3, "class oauth was demanded")
}

func TestFailFastStopsEarly(t *testing.T) {
	s := startRefd(t)
	deviant := serveDeviant(t, "unknown-method-404", s)
	out := filepath.Join(t.TempDir(), "report.json")
	cruxconform(t, "run", "--url", deviant, "--fail-fast", "--format", "json", "-o", out).expect(t, 1)
	d := readReport(t, out)
	if n := d.Counts[verdict.Violated]; n != 1 {
		t.Errorf("%d entries violated, expected the first alone", n)
	}
	if d.Counts[verdict.CouldNotRun] == 0 {
		t.Error("no entry was left out after the first violation")
	}
}

// serveDeviant runs a deviant by hand and returns the MCP URL that it shows.
func serveDeviant(t *testing.T, name string, s serving) string {
	t.Helper()
	cmd := command(t, "deviant", "serve", name, "--upstream", s.mcp, "--api-upstream", s.api)
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cmd.Process.Signal(os.Interrupt)
		if err := cmd.Wait(); err != nil {
			t.Errorf("deviant serve did not end cleanly: %v", err)
		}
	})
	line, err := bufio.NewReader(stdout).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(line, "http://")
	address, _, _ := strings.Cut(rest, " ")
	return "http://" + address
}

// TestDeviantByHand: the lie is told to anybody, and the report shows one red
// line with both values and a curl line.
func TestDeviantByHand(t *testing.T) {
	s := startRefd(t)
	url := serveDeviant(t, "unknown-method-404", s)
	res, err := http.Post(url, "application/json", strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"resources/list"}`))
	if err != nil {
		t.Fatal(err)
	}
	res.Body.Close()
	if res.StatusCode != http.StatusNotFound {
		t.Errorf("status %d, expected 404", res.StatusCode)
	}
	o := cruxconform(t, "run", "--url", url)
	o.expect(t, 1, "Expected", "Actual", "Requirement", "curl -i -X POST")
	cruxconform(t, "deviant", "serve", "unknown-method-40", "--upstream", s.mcp).expect(t, 2, "unknown-method-404")
	cruxconform(t, "deviant", "serve", "unknown-method-404", "--upstream", s.mcp, "--listen", "0.0.0.0:0").expect(t, 2, "loopback")
	cruxconform(t, "deviant", "list").expect(t, 0, "unknown-method-404", "all-at-once")
}

func TestTokenIsNeverShown(t *testing.T) {
	const secret = "cc-secret-0123456789abcdef0123456789abcdef"
	s := startRefd(t)
	dir := t.TempDir()
	out := filepath.Join(dir, "report.json")
	cmd := command(t, "run", "--url", s.mcp, "--setup", "default", "--token-env", "CRUXCONFORM_TEST_TOKEN",
		"--format", "console", "--format", "json", "-o", out, "--evidence", filepath.Join(dir, "evidence"))
	cmd.Env = append(os.Environ(), "CRUXCONFORM_TEST_TOKEN="+secret)
	o := finish(t, cmd)
	o.expect(t, 0)
	if strings.Contains(o.text(), secret) {
		t.Error("the console shows the token")
	}
	filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		raw, err := os.ReadFile(path)
		if err == nil && strings.Contains(string(raw), secret) {
			t.Errorf("%s holds the token", path)
		}
		return err
	})
}

func TestReaders(t *testing.T) {
	cruxconform(t, "list").expect(t, 0, "11.4-02", "must")
	cruxconform(t, "list", "--url", "http://127.0.0.1:1/mcp", "--class", "surface").expect(t, 0, "not asked", "--setup")
	cruxconform(t, "explain", "11.4-02").expect(t, 0, "11.4-02", "-32601")
	cruxconform(t, "schema", "target").expect(t, 0, "capability_token")
	cruxconform(t, "schema", "report").expect(t, 0, "cruxconform.report.v1")
	cruxconform(t, "version").expect(t, 0, fmt.Sprintf("%d entries", len(spec.Ledger().Entries)))
	cruxconform(t, "--help").expect(t, 0, "explain", "list")
}
