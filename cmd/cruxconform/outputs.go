package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// output is one report to write: to a file, or to standard output where no path
// was given.
type output struct{ format, path string }

// outputs pairs every -o with the --format before it, as the command line has
// them. Without any --format a console report goes to standard output.
func outputs(args []string) ([]output, error) {
	var out []output
	for i := 0; i < len(args); i++ {
		name, value, ok := flagValue(args, &i)
		if !ok {
			continue
		}
		if name == "format" {
			out = append(out, output{format: value})
			continue
		}
		if len(out) == 0 || out[len(out)-1].path != "" {
			return nil, fmt.Errorf("-o %s stands after no --format of its own; write for example --format json -o %s", value, value)
		}
		out[len(out)-1].path = value
	}
	if len(out) == 0 {
		out = []output{{format: "console"}}
	}
	return out, checkOutputs(out)
}

// flagValue reads a --format or -o at args[*i], in any of the forms that the
// flag parser takes.
func flagValue(args []string, i *int) (name, value string, ok bool) {
	a := args[*i]
	for _, f := range []struct{ flag, name string }{{"--format", "format"}, {"--output", "o"}, {"-o", "o"}} {
		if a == f.flag && *i+1 < len(args) {
			*i++
			return f.name, args[*i], true
		}
		if v, found := strings.CutPrefix(a, f.flag+"="); found {
			return f.name, v, true
		}
		if v, found := strings.CutPrefix(a, "-o"); found && f.flag == "-o" && v != "" {
			return f.name, v, true
		}
	}
	return "", "", false
}

// checkOutputs refuses, before anything is run, what could not be written
// after it.
func checkOutputs(out []output) error {
	onStdout := 0
	seen := map[string]bool{}
	for _, o := range out {
		if o.path == "" {
			onStdout++
			continue
		}
		if seen[o.path] {
			return fmt.Errorf("two reports for one file, %s", o.path)
		}
		seen[o.path] = true
		if err := writable(o.path); err != nil {
			return fmt.Errorf("-o %s: %w", o.path, err)
		}
	}
	if onStdout > 1 {
		return fmt.Errorf("%d reports for standard output; give all but one a file with -o", onStdout)
	}
	return nil
}

// writable tries the directory, because a report is written beside its place
// and then moved there.
func writable(path string) error {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return fmt.Errorf("is a directory; name a file in it")
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".cruxconform-*")
	if err != nil {
		return fmt.Errorf("cannot write there: %w", err)
	}
	f.Close()
	return os.Remove(f.Name())
}
