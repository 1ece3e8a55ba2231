package main

import (
	"fmt"
	"runtime/debug"

	"cruxconform/conformance/report"
	"cruxconform/conformance/runner"
	"cruxconform/conformance/suite"
	"cruxconform/spec"
)

// listCommand lists the ledger.
type listCommand struct {
	targetFlags
	selectFlags
}

// Run implements the command.
func (l *listCommand) Run(s *streams) error {
	t, err := l.resolve()
	if err != nil {
		return err
	}
	sel := l.selection(l.selectFlags)
	plan, err := runner.NewPlan(t, sel)
	if err != nil {
		return usageError{err}
	}
	return report.List(s.out, plan.Rows(), width(s.out))
}

// explainCommand explains one entry.
type explainCommand struct {
	ID string `arg:"" help:"Entry, for example 11.4-02."`
}

// Run implements the command.
func (e *explainCommand) Run(s *streams) error {
	text, err := report.Explain(e.ID, width(s.out))
	if err != nil {
		return usageError{err}
	}
	_, err = fmt.Fprint(s.out, text)
	return err
}

// schemaCommand prints a JSON Schema.
type schemaCommand struct {
	Of string `arg:"" enum:"target,report" help:"target or report."`
}

// Run implements the command.
func (c *schemaCommand) Run(s *streams) error {
	schema := spec.TargetSchema
	if c.Of == "report" {
		schema = spec.ReportSchema
	}
	_, err := s.out.Write(schema)
	return err
}

// versionCommand prints the version.
type versionCommand struct{}

// Run implements the command.
func (versionCommand) Run(s *streams) error {
	version, revision := "devel", "unknown"
	if info, ok := debug.ReadBuildInfo(); ok {
		if v := info.Main.Version; v != "" && v != "(devel)" {
			version = v
		}
		for _, kv := range info.Settings {
			if kv.Key == "vcs.revision" {
				revision = kv.Value
			}
		}
	}
	_, err := fmt.Fprintf(s.out, "%s %s (%s), %d entries, %d checks\n",
		programName, version, revision, len(spec.Ledger().Entries), len(suite.Checks()))
	return err
}
