package suite

import (
	"context"
	"fmt"
	"runtime/debug"
	"time"

	"cruxconform/conformance/verdict"
	"cruxconform/spec"

	//lint:ignore ST1001 a Ginkgo tree reads as sentences
	. "github.com/onsi/ginkgo/v2"
)

// Bounds of one check, without its clean-up.
const (
	CheckTimeout     = 60 * time.Second
	SlowCheckTimeout = 3 * time.Minute
)

// Plan says which checks a worker runs and how.
type Plan struct {
	// IDs are the entries to ask; each must have a check.
	IDs []string
	// Repetition is stamped on every record.
	Repetition int
	// Seed orders the checks; 0 keeps the order of the ledger.
	Seed int64
	// FailFast ends the run at the first broken check of level must.
	FailFast bool
	// Begin is called before each check. A reason that is not empty keeps the
	// check from running.
	Begin func(id string) (reason string)
}

// reporter receives Ginkgo's own verdict on the whole tree.
type reporter struct{ failed bool }

// Fail implements the interface that Ginkgo demands of a test.
func (r *reporter) Fail() { r.failed = true }

// Run runs the planned checks against the server as one Ginkgo run and hands
// each record to emit as it is finished. Ginkgo allows one run in a process.
func Run(env *Env, plan Plan, emit func(verdict.Record)) {
	conf, report := GinkgoConfiguration()
	conf.FailOnEmpty = true
	conf.FailFast = plan.FailFast
	conf.OutputInterceptorMode = "none"
	conf.RandomizeAllSpecs = plan.Seed != 0
	conf.RandomSeed = plan.Seed
	conf.Timeout = 24 * time.Hour // the parent owns the budget of the run
	report.Succinct, report.NoColor = true, true
	placed := false
	for _, id := range plan.IDs {
		def, ok := registry[id]
		if !ok {
			emit(verdict.Record{ID: id, Setup: env.Setup, Repetition: plan.Repetition, State: verdict.Failed, Message: "the entry has no check"})
			continue
		}
		place(env, def, plan, emit)
		placed = true
	}
	if placed {
		RunSpecs(new(reporter), "cruxconform", conf, report)
	}
}

// place puts one check into the Ginkgo tree.
func place(env *Env, def Check, plan Plan, emit func(verdict.Record)) {
	entry, _ := spec.Find(def.ID)
	bound := CheckTimeout
	if entry.Slow {
		bound = SlowCheckTimeout
	}
	Describe("section "+entry.Section, func() {
		It(def.Sentence, Label(def.ID), SpecTimeout(bound+CleanupTimeout), func(ctx SpecContext) {
			r := verdict.Record{ID: def.ID, Setup: env.Setup, State: verdict.Unrun}
			if r.Message = plan.Begin(def.ID); r.Message == "" {
				r = run(ctx, env, def, bound)
			}
			r.Repetition = plan.Repetition
			emit(r)
			if r.State != verdict.Held && (entry.Level == spec.Must || r.State == verdict.Failed) {
				Fail(def.ID + " " + string(r.State))
			}
		})
	})
}

// run runs one check and returns its record, whatever the check does.
func run(ctx context.Context, env *Env, def Check, bound time.Duration) (r verdict.Record) {
	r = verdict.Record{ID: def.ID, Setup: env.Setup, State: verdict.Held}
	start := time.Now()
	body, cancel := context.WithTimeout(ctx, bound)
	defer cancel()
	lastID.Store(0)
	c := &C{Context: body, Env: env, id: def.ID, record: &r}
	defer func() {
		if p := recover(); p != nil {
			r.State, r.Message = verdict.Failed, fmt.Sprintf("panic: %v\n%s", p, debug.Stack())
		}
		r.Millis = time.Since(start).Milliseconds()
	}()
	defer c.cleanUp(ctx, &r)
	c.guard(func() { def.body(c) })
	if len(r.Findings) > 0 {
		r.State = verdict.Broken
	}
	return r
}

// cleanUp runs the registered removals, last made first. Their exchanges stay
// out of the evidence and their failures change no outcome.
func (c *C) cleanUp(ctx context.Context, r *verdict.Record) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), CleanupTimeout)
	defer cancel()
	aside := verdict.Record{ID: r.ID}
	for i := len(c.cleanups) - 1; i >= 0; i-- {
		k := &C{Context: ctx, Env: c.Env, id: c.id, record: &aside}
		if k.guard(func() { c.cleanups[i](k) }) {
			r.LeftBehind = append(r.LeftBehind, aside.Findings[len(aside.Findings)-1].Actual)
		}
	}
	r.LeftBehind = append(r.LeftBehind, aside.LeftBehind...)
}
