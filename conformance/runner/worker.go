package runner

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"cruxconform/conformance/suite"
	"cruxconform/conformance/target"
	"cruxconform/conformance/verdict"
	"cruxconform/conformance/wire"
	"cruxconform/spec"
)

// job is what a worker reads as the first line of its input. The input stays
// open: its end tells the worker that the parent is gone or wants it to stop.
type job struct {
	Setup      string         `json:"setup"`
	Target     *target.Target `json:"target"`
	IDs        []string       `json:"ids"`
	Repetition int            `json:"repetition"`
	Seed       int64          `json:"seed"`
	FailFast   bool           `json:"fail_fast"`
	RunID      string         `json:"run_id"`
	Timeout    time.Duration  `json:"timeout"`
}

// event is one line that a worker writes.
type event struct {
	// Group is the process group of a server that the worker launched.
	Group int `json:"group,omitempty"`
	// Begin is the entry that is about to be asked.
	Begin string `json:"begin,omitempty"`
	// Record is a finished check.
	Record *verdict.Record `json:"record,omitempty"`
	// Unstarted says why the server could not be started, or went away.
	Unstarted string `json:"unstarted,omitempty"`
	// Fault says what the engine itself failed at.
	Fault string `json:"fault,omitempty"`
	// Done ends the stream of a worker that came to its end.
	Done bool `json:"done,omitempty"`
}

// Work is a worker process: it reads a job, runs it and streams events. It
// returns when the checks are through; when the input ends first, quit is
// called after the server was stopped.
func Work(input io.Reader, events io.Writer, quit func()) error {
	in := bufio.NewReader(input)
	line, err := in.ReadBytes('\n')
	if err != nil {
		return fmt.Errorf("no job on the input: %w", err)
	}
	var j job
	if err := json.Unmarshal(line, &j); err != nil {
		return fmt.Errorf("job: %w", err)
	}
	w := &worker{job: j, out: json.NewEncoder(events), started: make(chan struct{})}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	go func() {
		io.Copy(io.Discard, in)
		cancel()
		// A server that is being started is stopped by its start, which has to
		// come to its end for that.
		<-w.started
		w.stop()
		quit()
	}()
	w.work(ctx)
	w.stop()
	w.send(event{Done: true})
	return nil
}

type worker struct {
	job
	sending sync.Mutex
	out     *json.Encoder
	// started is closed when the start of the server has succeeded or failed.
	started chan struct{}
	serving sync.Mutex
	server  *target.Server
	stopped bool
	silent  silence
}

func (w *worker) send(e event) {
	w.sending.Lock()
	defer w.sending.Unlock()
	// A parent that went away ends the worker through its input.
	_ = w.out.Encode(e)
}

func (w *worker) stop() {
	w.serving.Lock()
	defer w.serving.Unlock()
	w.stopped = true
	if w.server != nil {
		w.server.Stop()
		w.server = nil
	}
}

func (w *worker) work(ctx context.Context) {
	server := w.start(ctx)
	if server == nil {
		return
	}
	env, err := w.env(server)
	if err != nil {
		w.send(event{Fault: err.Error()})
		return
	}
	defer env.Client.Close()
	w.silent = silence{env: env, ctx: ctx}
	plan := suite.Plan{
		IDs: w.IDs, Repetition: w.Repetition, Seed: w.Seed, FailFast: w.FailFast,
		Begin: w.begin,
	}
	suite.Run(env, plan, w.emit(w.Target.Secrets(server.Endpoint)))
}

// start returns the server, nil where there is none to ask.
func (w *worker) start(ctx context.Context) *target.Server {
	defer close(w.started)
	setup, ok := spec.FindSetup(w.Setup)
	if !ok {
		w.send(event{Fault: "no setup is named " + w.Setup})
		return nil
	}
	server, err := w.Target.Start(ctx, setup, func(pgid int) { w.send(event{Group: pgid}) })
	if err != nil {
		w.send(event{Unstarted: err.Error()})
		return nil
	}
	if !w.keep(server) {
		return nil
	}
	return server
}

// keep takes over a started server, unless the worker was stopped meanwhile.
func (w *worker) keep(s *target.Server) bool {
	w.serving.Lock()
	defer w.serving.Unlock()
	if w.stopped {
		s.Stop()
		return false
	}
	w.server = s
	return true
}

func (w *worker) env(s *target.Server) (*suite.Env, error) {
	client, err := wire.NewClient(wire.Options{MCP: s.MCP, Token: s.Token, CAFile: w.Target.CAFile, Timeout: w.Timeout})
	if err != nil {
		return nil, err
	}
	// Paths are put behind the base URL, which may come with a slash of its own.
	api := strings.TrimRight(s.API, "/")
	e := &suite.Env{Setup: w.Setup, Client: client, API: api, Bridge: w.Target.Bridge, RunID: w.RunID}
	if c := w.Target.Corpus; c != nil {
		e.Corpus = &suite.Corpus{Tenant: c.Tenant, Query: c.Query, Hits: c.Hits}
	}
	return e, nil
}

func (w *worker) begin(id string) string {
	if reason := w.silent.reason(); reason != "" {
		w.send(event{Unstarted: reason})
		return reason
	}
	w.send(event{Begin: id})
	return ""
}

func (w *worker) emit(secrets []string) func(verdict.Record) {
	return func(r verdict.Record) {
		w.silent.note(r)
		for _, secret := range secrets {
			redact(&r, secret)
		}
		w.send(event{Record: &r})
	}
}
