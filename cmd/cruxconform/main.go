// Command cruxconform checks a server against the documented Crux MCP surface.
//
// Exit codes: 0 conformant to what was asked, 1 violated, 2 wrong usage or
// unreadable input, 3 could not run, 4 engine error.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"reflect"
	"runtime/debug"
	"syscall"

	"github.com/alecthomas/kong"
)

// The exit codes of the command.
const (
	exitOK      = 0
	exitUsage   = 2
	exitNoRun   = 3
	exitEngine  = 4
	programName = "cruxconform"
)

// commandLine is the grammar of the command.
type commandLine struct {
	Run     runCommand     `cmd:"" default:"withargs" help:"Run the suite against a target (the default command). Without a target, against an embedded reference daemon."`
	List    listCommand    `cmd:"" help:"List the entries of the ledger and what a target can be asked."`
	Explain explainCommand `cmd:"" help:"Explain one entry: what is sent, what must come back, which deviants turn it red."`
	Deviant deviantCommand `cmd:"" help:"One-fault servers: list them, or run one by hand."`
	Schema  schemaCommand  `cmd:"" help:"Print a JSON Schema: target or report."`
	Version versionCommand `cmd:"" help:"Print the version."`
}

// streams are where a command reads and writes.
type streams struct {
	ctx      context.Context
	out, err io.Writer
	args     []string
}

func main() {
	os.Exit(start(os.Args[1:]))
}

// start runs the command and returns its exit code. A panic is an engine error:
// left to the runtime it would exit with 2, which means wrong usage.
func start(args []string) (code int) {
	defer func() {
		if p := recover(); p != nil {
			fmt.Fprintf(os.Stderr, "%s: engine error: %v\n%s", programName, p, debug.Stack())
			code = exitEngine
		}
	}()
	if code, ok := hidden(args); ok {
		return code
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	return execute(&streams{ctx: ctx, out: os.Stdout, err: os.Stderr, args: args})
}

// usageError is an error in what the caller wrote: exit code 2.
type usageError struct{ error }

// helped is the panic that takes kong's wish to exit back to execute.
type helped int

func execute(s *streams) (code int) {
	defer func() {
		switch p := recover().(type) {
		case nil:
		case helped:
			code = int(p)
		default:
			panic(p)
		}
	}()
	var line commandLine
	parser := kong.Must(&line,
		kong.Name(programName),
		kong.Description("Black-box conformance suite for servers that speak the documented Crux MCP surface."),
		kong.UsageOnError(),
		kong.Writers(s.out, s.err),
		kong.Exit(func(c int) { panic(helped(c)) }),
	)
	parsed, err := parser.Parse(s.args)
	if err != nil {
		return fail(s, usageError{fmt.Errorf("%w (%s --help shows the flags)", err, programName)})
	}
	if err := emptyFlag(parsed); err != nil {
		return fail(s, usageError{err})
	}
	result := exitOK
	if err := parsed.Run(s, &result); err != nil {
		return fail(s, err)
	}
	return result
}

// emptyFlag refuses a flag that was given without a value. It comes from an unset
// variable (--url "$SERVER"), and taken as absent it would make a gate that asks
// the embedded reference, or demands nothing, and is green.
func emptyFlag(parsed *kong.Context) error {
	for _, p := range parsed.Path {
		if p.Flag == nil {
			continue
		}
		v := p.Flag.Target
		if (v.Kind() == reflect.String || v.Kind() == reflect.Slice) && v.Len() == 0 {
			return fmt.Errorf("--%s is empty (is a variable unset?); give it a value or leave it out", p.Flag.Name)
		}
	}
	return nil
}

func fail(s *streams, err error) int {
	fmt.Fprintf(s.err, "%s: %v\n", programName, err)
	var usage usageError
	if errors.As(err, &usage) {
		return exitUsage
	}
	return exitEngine
}
