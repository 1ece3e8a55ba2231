// Package report writes a judged run for people (console), for machines (JSON,
// JUnit) and as evidence files, explains single entries, and generates
// CONFORMANCE.md.
package report

import (
	"fmt"
	"io"
	"os"
	"path/filepath"

	"cruxconform/conformance/verdict"
)

// Formats lists what Write can write, in the order that help texts name it.
var Formats = []string{"console", "json", "junit"}

// Write writes the report in a named format. The error names the known ones.
func Write(w io.Writer, format string, r *verdict.Report, o ConsoleOptions) error {
	switch format {
	case "console":
		return Console(w, r, o)
	case "json":
		return JSON(w, r)
	case "junit":
		return JUnit(w, r)
	}
	return fmt.Errorf("no report format is named %q; they are %v", format, Formats)
}

// WriteFile writes a file by way of a temporary one beside it, so that nobody
// ever reads half of it. A link is followed; what is no regular file, such as a
// pipe or a device, is written in place. The error names the path.
func WriteFile(path string, write func(io.Writer) error) error {
	err := writeFile(path, write)
	if err != nil {
		return fmt.Errorf("report %s: %w", path, err)
	}
	return nil
}

func writeFile(path string, write func(io.Writer) error) error {
	if info, err := os.Stat(path); err == nil {
		if !info.Mode().IsRegular() {
			return writeInPlace(path, write)
		}
		if path, err = filepath.EvalSymlinks(path); err != nil {
			return err
		}
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".cruxconform-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // after the rename there is nothing left to remove
	err = write(f)
	if err == nil {
		// A temporary file is private; a report is as readable as any other file.
		err = f.Chmod(0o644)
	}
	if closing := f.Close(); err == nil {
		err = closing
	}
	if err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

func writeInPlace(path string, write func(io.Writer) error) error {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	err = write(f)
	if closing := f.Close(); err == nil {
		err = closing
	}
	return err
}
