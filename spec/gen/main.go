// Command gen turns the YAML ledger and setups into the JSON form that the
// command embeds, because JSON loads about ten times faster.
//
// It runs in the directory of package spec, as go generate does, and writes
// ledger.json there. With -check it writes nothing and exits 1 when the file
// is stale. In both forms it exits 1 and lists the faults when an entry breaks
// a rule of the ledger.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"cruxconform/spec/gen/build"
)

func main() {
	check := flag.Bool("check", false, "report a stale ledger.json and write nothing")
	dir := flag.String("dir", ".", "directory of package spec")
	flag.Parse()
	if err := run(*dir, *check); err != nil {
		fmt.Fprintln(os.Stderr, "gen:", err)
		os.Exit(1)
	}
}

// run looks for faults last: a ledger under work is regenerated all the same,
// so that its readers see the newest entries.
func run(dir string, check bool) error {
	source, err := build.Read(dir)
	if err != nil {
		return err
	}
	if check {
		err = build.Stale(dir, source)
	} else {
		err = write(dir, source)
	}
	for _, fault := range source.Faults() {
		err = errors.Join(err, errors.New(fault))
	}
	return err
}

func write(dir string, source *build.Source) error {
	out, err := build.Encode(source.Document())
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "ledger.json"), out, 0o644)
}
