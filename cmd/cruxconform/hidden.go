package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"cruxconform/conformance/runner"
	"cruxconform/reference"
)

// The hidden subcommands: the processes that a run consists of. They are looked
// at before the grammar is built, because a run starts many of them.
const (
	workerArg    = "internal-worker"
	referenceArg = "internal-reference"
	bridgeArg    = "internal-bridge"
	// bridgeLieArg is followed by the name of a deviant or variant, which then
	// stands around the true bridge.
	bridgeLieArg = "internal-bridge-deviant"
)

// eventsFD is the descriptor on which a worker streams its events.
const eventsFD = 3

func hidden(args []string) (code int, ok bool) {
	if len(args) == 0 {
		return 0, false
	}
	switch args[0] {
	case workerArg:
		return work(), true
	case referenceArg:
		return serve(), true
	case bridgeArg:
		return relay(), true
	case bridgeLieArg:
		return relayWithLie(args[1:]), true
	}
	return 0, false
}

func work() int {
	// The parent waits for the end of this pipe. A server that inherited it would
	// keep the parent waiting after its worker was killed.
	syscall.CloseOnExec(eventsFD)
	events := os.NewFile(eventsFD, "events")
	if err := runner.Work(os.Stdin, events, func() { os.Exit(exitNoRun) }); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return exitEngine
	}
	return exitOK
}

// serve is the embedded reference daemon, configured by its environment alone.
func serve() int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := reference.Main(ctx, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return exitOK
}
