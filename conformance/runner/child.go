package runner

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"

	"cruxconform/conformance/target"
)

// workerGrace bounds the wait for a worker that was told to stop: it stops its
// server first, which is itself bounded.
const workerGrace = target.StopTimeout + 3*time.Second

// child is one worker process as its parent sees it.
type child struct {
	*parent
	setup      string
	repetition int
	// at is the entry that the worker is in, empty between two.
	at     string
	groups []int
	done   bool
}

// run starts the worker, feeds it the job and takes its events until it ends.
func (c *child) run(ctx context.Context, j job) {
	cmd := exec.Command(c.Self[0], c.Self[1:]...)
	stderr := new(bytes.Buffer)
	cmd.Stderr = stderr
	cmd.WaitDelay = workerGrace
	// A group of its own: the interrupt of a terminal reaches the parent alone,
	// which then ends its workers in order.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	events, theirs, err := os.Pipe()
	if err != nil {
		c.fault(c.setup, "", err.Error())
		return
	}
	defer events.Close()
	cmd.ExtraFiles = []*os.File{theirs}
	input, err := cmd.StdinPipe()
	if err == nil {
		err = cmd.Start()
	}
	theirs.Close()
	if err != nil {
		c.fault(c.setup, "", "cannot start a worker: "+err.Error())
		return
	}
	stopped := make(chan struct{})
	go c.end(ctx, input, cmd.Process.Pid, stopped)
	if line, err := json.Marshal(j); err == nil {
		// A worker that is already gone shows in its missing events.
		_, _ = input.Write(append(line, '\n'))
	}
	c.listen(ctx, events)
	input.Close()
	err = cmd.Wait()
	close(stopped)
	for _, g := range c.groups {
		target.KillGroup(g)
	}
	c.died(ctx, err, stderr.String())
}

// end stops the worker when the run does: first by the end of its input, then
// by force.
func (c *child) end(ctx context.Context, input io.Closer, pid int, stopped <-chan struct{}) {
	select {
	case <-stopped:
		return
	case <-ctx.Done():
	}
	input.Close()
	select {
	case <-stopped:
	case <-time.After(workerGrace):
		target.KillGroup(pid)
	}
}

func (c *child) listen(ctx context.Context, events io.Reader) {
	lines := bufio.NewReaderSize(events, 1<<16)
	for {
		line, err := lines.ReadBytes('\n')
		if len(line) > 0 {
			c.take(ctx, line)
		}
		if err != nil {
			return
		}
	}
}

func (c *child) take(ctx context.Context, line []byte) {
	var e event
	if err := json.Unmarshal(line, &e); err != nil {
		// Half a line of a worker that was killed: its death is reported below.
		return
	}
	switch {
	case e.Group != 0:
		c.groups = append(c.groups, e.Group)
	case e.Done:
		c.done = true
	case ctx.Err() != nil:
		// The run was stopped, and its servers with it: what a check meets now
		// says nothing about the target.
	case e.Begin != "":
		c.at = e.Begin
	case e.Record != nil:
		c.at = ""
		c.record(*e.Record)
	case e.Unstarted != "":
		c.unstarted(c.setup, e.Unstarted)
	case e.Fault != "":
		c.fault(c.setup, c.at, e.Fault)
	}
}

// died reports a worker that ended before its work did, unless it was told to.
func (c *child) died(ctx context.Context, err error, stderr string) {
	if c.done || ctx.Err() != nil && !overran(ctx) {
		return
	}
	message := "the worker ended early"
	if overran(ctx) {
		message = context.Cause(ctx).Error()
	} else if err != nil {
		message = fmt.Sprintf("%s (%v)", message, err)
	}
	if tail := strings.TrimSpace(stderr); tail != "" {
		message += ": " + tail[max(0, len(tail)-2000):]
	}
	c.fault(c.setup, c.at, message)
}

func overran(ctx context.Context) bool {
	return ctx.Err() == context.DeadlineExceeded
}
