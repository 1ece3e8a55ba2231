package report

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"cruxconform/conformance/verdict"
)

func devNull(t *testing.T) *os.File {
	t.Helper()
	f, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

func content(t *testing.T, path ...string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(path...))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestEvidenceIsWhatStoodOnTheWire(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "made", "here")
	if err := Evidence(dir, sample()); err != nil {
		t.Fatal(err)
	}
	want := "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:14801\r\nContent-Type: application/json\r\n\r\n{\"method\":\"ping\"}"
	if got := content(t, dir, "1.1-01", "1.request.http"); got != want {
		t.Errorf("request: got %q, want %q", got, want)
	}
	want = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n" + string(binary)
	if got := content(t, dir, "1.1-02", "2.response.http"); got != want {
		t.Errorf("answer: got %q, want %q", got, want)
	}
	if got := content(t, dir, "1.1-02", "2.request.body"); got != string(binary) {
		t.Errorf("a body that no shell line carries: got %q", got)
	}
	if got := strings.Count(content(t, dir, "1.1-02", "curl.txt"), "\n"); got != 2 {
		t.Errorf("curl.txt has %d lines, want one for each of the 2 requests", got)
	}
}

func TestTheCurlLineSendsTheSameBody(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("no shell on this machine")
	}
	body := `{"text":"it's a \"quote\" and $HOME"}`
	x := sampleExchange(body, nil)
	// The shell reads the line; printf in curl's place shows the words it made.
	out, err := exec.Command("sh", "-c", `curl() { printf '%s\n' "$@"; }; `+curl(&x, "unused")).Output()
	if err != nil {
		t.Fatal(err)
	}
	wantIn(t, string(out), "--data-binary\n"+body+"\n", "-H\nContent-Type: application/json\n")
}

func TestALongBodyIsNamedByItsEvidenceFile(t *testing.T) {
	x := sampleExchange(strings.Repeat("x", bodyInCurl+1), nil)
	got := curl(&x, evidenceName("1.1-01", 0, "request.body"))
	if !strings.HasSuffix(got, " --data-binary @1.1-01/1.request.body") {
		t.Errorf("got %s", got)
	}
}

func TestEvidenceNamesCannotLeaveTheDirectory(t *testing.T) {
	for _, id := range []string{"../../etc/passwd", "..", ".", "", "a/b", `a\b`, "tool.store_fact-01", "a\x00b"} {
		got := safeName(id)
		if got != filepath.Base(got) || got == "." || got == ".." || strings.ContainsAny(got, "/\\\x00") {
			t.Errorf("%q becomes %q", id, got)
		}
	}
	if got := safeName("tool.store_fact-01"); got != "tool.store_fact-01" {
		t.Errorf("an id of the ledger is changed to %q", got)
	}
}

func TestAFailedReportLeavesTheOldOneWhole(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "report.json")
	if err := os.WriteFile(path, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	err := WriteFile(path, func(w io.Writer) error {
		io.WriteString(w, "half of the n")
		return errors.New("disk full")
	})
	if err == nil || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), "disk full") {
		t.Errorf("the error names neither place nor cause: %v", err)
	}
	if got := content(t, path); got != "old" {
		t.Errorf("the file holds %q", got)
	}
	if names, _ := filepath.Glob(filepath.Join(dir, ".*")); len(names) > 0 {
		t.Errorf("left over: %v", names)
	}
}

func TestAReportGoesThroughALinkAndIntoADevice(t *testing.T) {
	dir := t.TempDir()
	file, link := filepath.Join(dir, "real"), filepath.Join(dir, "link")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(file, link); err != nil {
		t.Fatal(err)
	}
	text := func(w io.Writer) error { _, err := io.WriteString(w, "new"); return err }
	if err := WriteFile(link, text); err != nil {
		t.Fatal(err)
	}
	if got := content(t, file); got != "new" {
		t.Errorf("behind the link stands %q", got)
	}
	pipe, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer pipe.Close()
	if err := WriteFile(fmt.Sprintf("/dev/fd/%d", pipe.Fd()), text); err != nil {
		t.Error(err)
	}
}

func TestWriteNamesTheFormatsItKnows(t *testing.T) {
	err := Write(io.Discard, "html", verdict.Judge(verdict.Input{}), ConsoleOptions{})
	if err == nil || !strings.Contains(err.Error(), "console json junit") {
		t.Errorf("got %v", err)
	}
}
