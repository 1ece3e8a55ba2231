package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"cruxconform/conformance/report"
)

// runBound bounds one run of the built command in a test.
const runBound = 60 * time.Second

// binary is the command under test, built once. Exit codes are tested on it
// because go run turns every code but 0 into 1.
var binary string

func TestMain(m *testing.M) {
	os.Exit(buildAndTest(m))
}

func buildAndTest(m *testing.M) int {
	dir, err := os.MkdirTemp("", "cruxconform-test-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	binary = filepath.Join(dir, "cruxconform")
	if out, err := exec.Command("go", "build", "-o", binary, ".").CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "go build: %v\n%s", err, out)
		return 1
	}
	return m.Run()
}

// outcome is what one run of the command did.
type outcome struct {
	code           int
	stdout, stderr string
}

// text is everything that a person would have seen.
func (o outcome) text() string { return o.stdout + o.stderr }

func command(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), runBound)
	t.Cleanup(cancel)
	return exec.CommandContext(ctx, binary, args...)
}

func cruxconform(t *testing.T, args ...string) outcome {
	t.Helper()
	return finish(t, command(t, args...))
}

func finish(t *testing.T, cmd *exec.Cmd) outcome {
	t.Helper()
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatalf("%v: %v", cmd.Args, err)
	}
	if cmd.ProcessState.ExitCode() < 0 {
		t.Fatalf("%v was killed after %s\n%s%s", cmd.Args, runBound, stdout.String(), stderr.String())
	}
	return outcome{cmd.ProcessState.ExitCode(), stdout.String(), stderr.String()}
}

// expect asserts the exit code and that every text was shown.
func (o outcome) expect(t *testing.T, code int, texts ...string) {
	t.Helper()
	if o.code != code {
		t.Errorf("exit code %d, expected %d\n%s", o.code, code, o.text())
	}
	for _, want := range texts {
		if !strings.Contains(o.text(), want) {
			t.Errorf("the output does not say %q:\n%s", want, o.text())
		}
	}
}

// readReport reads a JSON report that a run wrote.
func readReport(t *testing.T, path string) *report.Document {
	t.Helper()
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("the report was not written: %v", err)
	}
	d := new(report.Document)
	if err := json.Unmarshal(raw, d); err != nil {
		t.Fatalf("the report is not readable: %v", err)
	}
	return d
}
