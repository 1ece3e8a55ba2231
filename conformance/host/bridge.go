// Package host holds what the suite runs beside the server under test: the
// servers that it hosts on loopback and the bridge process that it drives.
package host

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"
)

// BridgeTimeout bounds each wait for a bridge: for one line, for a write that
// it takes, for its end.
const BridgeTimeout = 5 * time.Second

// ErrTimeout says that a bridge did not do something within BridgeTimeout.
var ErrTimeout = fmt.Errorf("nothing within %s", BridgeTimeout)

// Bridge is a running stdio bridge (section 11.3). Stop must be called; nothing
// else may be after it.
type Bridge struct {
	cmd    *exec.Cmd
	stdin  io.WriteCloser
	stdout *lineQueue
	stderr *output
	done   chan struct{}
}

// StartBridge starts a bridge. Its environment is the caller's own without any
// variable of the surface, plus env; an empty value sets a variable to nothing.
func StartBridge(command []string, env map[string]string) (*Bridge, error) {
	b := &Bridge{
		cmd:    exec.Command(command[0], command[1:]...),
		stdout: newLineQueue(), stderr: new(output), done: make(chan struct{}),
	}
	b.cmd.Env = environment(env)
	b.cmd.Stdout, b.cmd.Stderr = b.stdout, b.stderr
	// A group of its own, so that the whole tree of a wrapper script ends.
	b.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	// A grandchild that keeps the output open must not keep Wait from returning.
	b.cmd.WaitDelay = time.Second
	stdin, err := b.cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	b.stdin = stdin
	if err := b.cmd.Start(); err != nil {
		return nil, fmt.Errorf("cannot start %q: %w", strings.Join(command, " "), err)
	}
	go func() {
		// The status is read from ProcessState, which says more than the error.
		_ = b.cmd.Wait()
		b.stdout.end()
		close(b.done)
	}()
	return b, nil
}

func environment(own map[string]string) []string {
	var env []string
	for _, kv := range os.Environ() {
		if !strings.HasPrefix(kv, "CORECRUXD_") && !strings.HasPrefix(kv, "CRUX_") {
			env = append(env, kv)
		}
	}
	for k, v := range own {
		env = append(env, k+"="+v)
	}
	return env
}

// Write writes text to stdin as it stands. A bridge that does not read is
// ErrTimeout.
func (b *Bridge) Write(ctx context.Context, text string) error {
	ctx, cancel := context.WithTimeout(ctx, BridgeTimeout)
	defer cancel()
	written := make(chan error, 1)
	go func() {
		_, err := io.WriteString(b.stdin, text)
		written <- err
	}()
	select {
	case err := <-written:
		return err
	case <-ctx.Done():
		return ErrTimeout
	}
}

// Line returns the next line of stdout without its end: io.EOF after the last,
// ErrTimeout where none comes in time.
func (b *Bridge) Line(ctx context.Context) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, BridgeTimeout)
	defer cancel()
	return b.stdout.next(ctx)
}

// CloseInput ends stdin.
func (b *Bridge) CloseInput() { b.stdin.Close() }

// Exit waits for the end of the process and returns its exit status, -1 where a
// signal ended it. A bridge that goes on is ErrTimeout.
func (b *Bridge) Exit(ctx context.Context) (int, error) {
	ctx, cancel := context.WithTimeout(ctx, BridgeTimeout)
	defer cancel()
	select {
	case <-b.done:
		return b.cmd.ProcessState.ExitCode(), nil
	case <-ctx.Done():
		return 0, ErrTimeout
	}
}

// Stderr is what the bridge has said on stderr so far, at most its last 4 KiB.
func (b *Bridge) Stderr() string { return b.stderr.String() }

// Stop ends the bridge with everything that it started and reaps it.
func (b *Bridge) Stop() {
	b.stdin.Close()
	err := syscall.Kill(-b.cmd.Process.Pid, syscall.SIGKILL)
	if err != nil && !errors.Is(err, syscall.ESRCH) {
		_ = b.cmd.Process.Kill()
	}
	<-b.done
}
