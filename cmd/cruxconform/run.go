package main

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"time"

	"cruxconform/conformance/report"
	"cruxconform/conformance/runner"
	"cruxconform/conformance/target"
	"cruxconform/conformance/verdict"
	"cruxconform/conformance/wire"
)

// runCommand runs the suite.
type runCommand struct {
	targetFlags
	selectFlags
	Strict         bool          `help:"Count a breach of level should as violated and one of level observed as a warning."`
	Timeout        time.Duration `default:"10m" help:"Budget of the whole run."`
	RequestTimeout time.Duration `default:"5s" help:"Bound on one answer."`
	FailFast       bool          `help:"Stop at the first violation."`
	Shuffle        *int64        `placeholder:"SEED" help:"Run the checks in the order that this seed gives; any number but 0."`
	Repeat         int           `default:"1" help:"Run every check so many times."`
	Format         []string      `enum:"console,json,junit" placeholder:"FORMAT" help:"Report to write: console, json or junit. May be repeated, each with its own -o."`
	Output         []string      `short:"o" placeholder:"FILE" help:"File of the --format before it; without one the report goes to standard output."`
	Evidence       string        `placeholder:"DIR" help:"Write the exchanges of every check as files in this directory."`
}

// Run implements the command.
func (r *runCommand) Run(s *streams, code *int) error {
	outs, err := r.check(s)
	if err != nil {
		return usageError{err}
	}
	t, err := r.resolve()
	if err != nil {
		return err
	}
	plan, err := runner.NewPlan(t, r.selection(r.selectFlags))
	if err != nil {
		return usageError{err}
	}
	rep, err := r.assess(s, t, plan)
	if err != nil {
		return err
	}
	*code = rep.Exit
	return r.write(s, outs, rep)
}

// check refuses what no run could make sense of, before anything is started.
func (r *runCommand) check(s *streams) ([]output, error) {
	switch {
	case r.Repeat < 1 || r.Repeat > 1000:
		return nil, fmt.Errorf("--repeat %d is not in 1..1000", r.Repeat)
	case r.Timeout <= 0:
		return nil, fmt.Errorf("--timeout %s is not a positive duration such as 5m", r.Timeout)
	case r.RequestTimeout <= 0:
		return nil, fmt.Errorf("--request-timeout %s is not a positive duration such as 5s", r.RequestTimeout)
	case r.Shuffle != nil && *r.Shuffle == 0:
		return nil, errors.New("--shuffle 0 shuffles nothing; give a seed such as 1 or leave it out")
	case r.seed() > math.MaxInt64-int64(r.Repeat):
		return nil, fmt.Errorf("--shuffle %d is too large; give a seed such as 1", r.seed())
	}
	if r.Evidence != "" {
		if err := os.MkdirAll(r.Evidence, 0o755); err != nil {
			return nil, fmt.Errorf("--evidence: %w", err)
		}
	}
	if r.CAFile != "" {
		if _, err := wire.NewClient(wire.Options{CAFile: r.CAFile}); err != nil {
			return nil, fmt.Errorf("--ca-file: %w", err)
		}
	}
	return outputs(s.args)
}

// seed is the seed of the order; 0 is the order of the ledger.
func (r *runCommand) seed() int64 {
	if r.Shuffle == nil {
		return 0
	}
	return *r.Shuffle
}

// assess runs the plan and judges what came back.
func (r *runCommand) assess(s *streams, t *target.Target, plan *runner.Plan) (*verdict.Report, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	var id [4]byte
	if _, err := rand.Read(id[:]); err != nil {
		return nil, err
	}
	line := newProgress(s.err)
	out := runner.Run(s.ctx, t, plan, runner.Options{
		Self: []string{self, workerArg}, Repeat: r.Repeat, Seed: r.seed(), Budget: r.Timeout,
		RequestTimeout: r.RequestTimeout, FailFast: r.FailFast,
		RunID: "cc-" + hex.EncodeToString(id[:]), Progress: line.show,
	})
	line.clear()
	return verdict.Judge(verdict.Input{
		Target: verdict.Target{Name: t.Name, How: t.How}, Records: out.Records, Asked: plan.Asked(),
		NotAsked: plan.NotAsked, NotApplicable: plan.NotApplicable, Pending: plan.Pending,
		Claims: r.Claim, IDs: r.ID, Strict: r.Strict, Answered: out.Answered,
		Unreachable: out.Unreachable, Unreached: out.Unstarted, Interrupted: out.Interrupted,
		Faults: out.Faults, Repetitions: r.Repeat, Seed: r.seed(),
	}), nil
}

// write writes every report that was asked for, also when one of them fails.
func (r *runCommand) write(s *streams, outs []output, rep *verdict.Report) error {
	var failed []error
	shown := false
	for _, o := range outs {
		shown = shown || o.path == "" && o.format == "console"
		if err := writeOne(s.out, o, rep); err != nil {
			failed = append(failed, err)
		}
	}
	if r.Evidence != "" {
		if err := report.Evidence(r.Evidence, rep); err != nil {
			failed = append(failed, fmt.Errorf("--evidence: %w", err))
		}
	}
	if !shown {
		fmt.Fprintf(s.err, "%s: %s\n", programName, conclusion(rep))
	}
	return errors.Join(failed...)
}

func conclusion(rep *verdict.Report) string {
	if len(rep.Reasons) == 0 {
		return rep.Conclusion
	}
	return rep.Conclusion + ": " + rep.Reasons[0]
}

func writeOne(stdout io.Writer, o output, rep *verdict.Report) error {
	if o.path == "" {
		return report.Write(stdout, o.format, rep, report.ConsoleOptions{Color: colored(stdout), Width: width(stdout)})
	}
	return report.WriteFile(o.path, func(w io.Writer) error {
		return report.Write(w, o.format, rep, report.ConsoleOptions{})
	})
}
