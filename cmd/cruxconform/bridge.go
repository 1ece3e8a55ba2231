package main

import (
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"cruxconform/conformance/deviant"
	"cruxconform/reference"
	"cruxconform/reference/bridge"
)

// relay is the reference's stdio bridge. A host that closed its end of stdout
// is an end like any other, not a broken pipe to die of.
func relay() int {
	signal.Ignore(syscall.SIGPIPE)
	return bridge.Run(bridge.Options{
		Lookup: os.LookupEnv, In: os.Stdin, Out: os.Stdout, Err: os.Stderr,
		Name: "cruxrefd", Version: reference.Version,
	})
}

// relayWithLie puts a deviant or variant around a true bridge: a command that
// follows its name, or the reference's own.
func relayWithLie(args []string) int {
	signal.Ignore(syscall.SIGPIPE)
	if len(args) == 0 {
		fmt.Fprintf(os.Stderr, "%s %s: name a deviant or variant; cruxconform deviant list shows them\n", programName, bridgeLieArg)
		return exitUsage
	}
	lie, ok := deviant.BridgeNamed(args[0])
	if !ok {
		fmt.Fprintf(os.Stderr, "%s %s: no deviant or variant named %q changes a bridge\n", programName, bridgeLieArg, args[0])
		return exitUsage
	}
	command := args[1:]
	if len(command) == 0 {
		self, err := os.Executable()
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return exitEngine
		}
		command = []string{self, bridgeArg}
	}
	return deviant.RunBridge(lie(), command, os.Stdin, os.Stdout, os.Stderr)
}
