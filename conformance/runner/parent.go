package runner

import (
	"context"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"sync"
	"time"

	"cruxconform/conformance/target"
	"cruxconform/conformance/verdict"
	"cruxconform/spec"
)

// Options say how a plan is run.
type Options struct {
	// Self is the command that starts a worker: this binary and its hidden
	// subcommand.
	Self []string
	// Repeat is how often each check is run; Seed shuffles them, 0 does not.
	Repeat int
	Seed   int64
	// Budget bounds the whole run, RequestTimeout one exchange.
	Budget         time.Duration
	RequestTimeout time.Duration
	FailFast       bool
	RunID          string
	// Progress is called, from one goroutine at a time, after each record.
	Progress func(done, planned int)
}

// Outcome is what came back from all workers.
type Outcome struct {
	Records []verdict.Record
	Faults  []verdict.WorkerFault
	// Unstarted says, by setup, why its server did not start or went away.
	Unstarted map[string]string
	// Answered is true where any request got a status line.
	Answered bool
	// Unreachable says why nothing was asked; Interrupted why the run ended early.
	Unreachable string
	Interrupted string
}

// parent collects what the workers stream.
type parent struct {
	Options
	target  *target.Target
	plan    *Plan
	cancel  context.CancelCauseFunc
	mu      sync.Mutex
	out     Outcome
	planned int
	// running serialises, by setup, the workers of one server that already runs.
	running map[string]*sync.Mutex
}

// Run runs a plan to its end, its budget or the end of ctx, whichever is first.
// Every process that it started is gone when it returns.
func Run(ctx context.Context, t *target.Target, p *Plan, o Options) Outcome {
	if !t.Launched() {
		if why := reach(ctx, t, p, o); why != "" {
			return Outcome{Unreachable: why}
		}
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	ctx, stop := context.WithTimeoutCause(ctx, o.Budget, fmt.Errorf("the run's budget of %s is spent (--timeout)", o.Budget))
	defer stop()
	r := &parent{Options: o, target: t, plan: p, cancel: cancel, running: map[string]*sync.Mutex{}}
	r.out.Unstarted = map[string]string{}
	r.out.Answered = !t.Launched()
	var alone, shared []spec.Setup
	for _, s := range p.Setups() {
		r.planned += len(p.BySetup[s.Name]) * o.Repeat
		r.running[s.Name] = new(sync.Mutex)
		if s.Alone && t.Launched() {
			alone = append(alone, s)
		} else {
			shared = append(shared, s)
		}
	}
	r.all(ctx, shared, runtime.NumCPU())
	r.all(ctx, alone, 1)
	if ctx.Err() != nil {
		r.out.Interrupted = context.Cause(ctx).Error()
	}
	if len(r.out.Records) == 0 && len(r.out.Unstarted) > 0 {
		// One of them stands for all, the same one every time.
		first := slices.Sorted(maps.Keys(r.out.Unstarted))[0]
		r.out.Unreachable = r.out.Unstarted[first]
	}
	return r.out
}

// all runs one worker per setup and repetition, at most so many at once.
func (r *parent) all(ctx context.Context, setups []spec.Setup, most int) {
	slots := make(chan struct{}, most)
	var group sync.WaitGroup
	for repetition := range r.Repeat {
		for _, s := range setups {
			slots <- struct{}{}
			group.Go(func() {
				defer func() { <-slots }()
				r.one(ctx, s, repetition)
			})
		}
	}
	group.Wait()
}

func (r *parent) one(ctx context.Context, s spec.Setup, repetition int) {
	if !r.target.Launched() {
		// One server that already runs is asked by one worker at a time.
		r.running[s.Name].Lock()
		defer r.running[s.Name].Unlock()
	}
	if s.Alone && r.target.Launched() {
		unlock, err := LockMachine(ctx)
		if err != nil {
			r.unstarted(s.Name, err.Error())
			return
		}
		defer unlock()
	}
	if ctx.Err() != nil {
		return
	}
	var seed int64
	if r.Seed != 0 {
		seed = r.Seed + int64(repetition)
	}
	c := &child{parent: r, setup: s.Name, repetition: repetition}
	c.run(ctx, job{
		Setup: s.Name, Target: r.target.In(s.Name), IDs: r.plan.BySetup[s.Name], Repetition: repetition,
		Seed: seed, FailFast: r.FailFast, RunID: fmt.Sprintf("%s-%d", r.RunID, repetition), Timeout: r.RequestTimeout,
	})
}

func (r *parent) unstarted(setup, why string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.out.Unstarted[setup] = why
}

func (r *parent) fault(setup, id, message string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.out.Faults = append(r.out.Faults, verdict.WorkerFault{Setup: setup, ID: id, Message: message})
}

func (r *parent) record(rec verdict.Record) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.out.Records = append(r.out.Records, rec)
	if r.Progress != nil {
		r.Progress(len(r.out.Records), r.planned)
	}
	if r.FailFast && rec.State == verdict.Broken {
		if e, _ := spec.Find(rec.ID); e.Level == spec.Must {
			r.cancel(fmt.Errorf("stopped at the first violation, %s (--fail-fast)", rec.ID))
		}
	}
}
