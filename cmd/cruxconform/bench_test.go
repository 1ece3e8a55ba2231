package main

import (
	"io"
	"os/exec"
	"testing"
)

// BenchmarkRun measures whole runs of the built command: the class core against
// a daemon that already runs, and the default run, which starts the embedded
// reference in every setup.
func BenchmarkRun(b *testing.B) {
	s := startRefd(b)
	for name, args := range map[string][]string{
		"core over loopback": {"run", "--url", s.mcp, "--class", "core"},
		"default":            {"run"},
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				cmd := exec.Command(binary, args...)
				cmd.Stdout, cmd.Stderr = io.Discard, io.Discard
				if err := cmd.Run(); err != nil {
					b.Fatalf("%v: %v", cmd.Args, err)
				}
			}
		})
	}
}
