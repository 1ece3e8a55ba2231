// Command gen writes CONFORMANCE.md from the ledger, the registered checks and
// the committed result of the gate. It runs in the root of the repository:
//
//	go run ./conformance/report/gen
//
// With -check it writes nothing and exits 1 when the file is stale.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"cruxconform/conformance/report"
	"cruxconform/conformance/suite"
	"cruxconform/spec"
)

func main() {
	check := flag.Bool("check", false, "report a stale CONFORMANCE.md and write nothing")
	root := flag.String("root", ".", "root of the repository")
	flag.Parse()
	if err := run(*root, *check); err != nil {
		fmt.Fprintln(os.Stderr, "gen:", err)
		os.Exit(1)
	}
}

func run(root string, check bool) error {
	text, err := generate(root)
	if err != nil {
		return err
	}
	path := filepath.Join(root, "CONFORMANCE.md")
	if !check {
		return report.WriteFile(path, func(w io.Writer) error {
			_, err := w.Write(text)
			return err
		})
	}
	have, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if !bytes.Equal(have, text) {
		return fmt.Errorf("%s is stale: run go run ./conformance/report/gen", path)
	}
	return nil
}

// generate makes the file from what the repository below root holds.
func generate(root string) ([]byte, error) {
	gate, err := report.ReadGate(filepath.Join(root, "snapshots", "gate.json"))
	if err != nil {
		return nil, err
	}
	rulings, err := report.Rulings()
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = report.Conformance(&b, report.ConformanceInput{
		Ledger: spec.Ledger(), Checked: suite.Has, Gate: gate, Rulings: rulings,
	})
	return b.Bytes(), err
}
