package main

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// asBare makes the test binary be a bare net/http server on the named address.
const asBare = "CRUXREFD_TEST_AS_BARE"

func serveBare(address string) {
	err := http.ListenAndServe(address, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, "{}")
	}))
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

// BenchmarkColdStart measures the time from the start of the process to its
// first answer, with an empty data directory, in turn with a process that is a
// bare net/http server; and the anonymous memory of the daemon at rest after
// that answer. Times are medians in milliseconds. Use -benchtime=20x or more.
func BenchmarkColdStart(b *testing.B) {
	bin := filepath.Join(b.TempDir(), "cruxrefd")
	if out, err := exec.Command("go", "build", "-o", bin, ".").CombinedOutput(); err != nil {
		b.Fatalf("go build: %v\n%s", err, out)
	}
	var ours, bare []float64
	memory := 0
	for range b.N {
		address := freeAddress(b)
		_, port, _ := strings.Cut(address, ":")
		took, kib := coldStart(b, address, exec.Command(bin),
			"CORECRUXD_MCP_PORT="+port, "CORECRUXD_HTTP_PORT=0", "CORECRUXD_DATA_DIR="+filepath.Join(b.TempDir(), "data"))
		ours, memory = append(ours, took), max(memory, kib)
		address = freeAddress(b)
		took, _ = coldStart(b, address, exec.Command(os.Args[0]), asBare+"="+address)
		bare = append(bare, took)
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(median(ours), "cruxrefd-ms")
	b.ReportMetric(median(bare), "bare-ms")
	b.ReportMetric(float64(memory), "RssAnon-KiB")
}

func median(values []float64) float64 {
	slices.Sort(values)
	return values[len(values)/2]
}

func freeAddress(b *testing.B) string {
	b.Helper()
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// coldStart returns the milliseconds to the first answer, and the anonymous
// memory of the process then, in KiB.
func coldStart(b *testing.B, address string, cmd *exec.Cmd, env ...string) (ms float64, kib int) {
	b.Helper()
	cmd.Env = append(env, "PATH="+os.Getenv("PATH"))
	began := time.Now()
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	defer func() {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		_ = cmd.Wait() // the bare server dies of the signal
	}()
	for !answers(address) {
		if time.Since(began) > patience {
			b.Fatalf("%s does not answer on %s", cmd.Path, address)
		}
		time.Sleep(200 * time.Microsecond)
	}
	return float64(time.Since(began).Microseconds()) / 1000, anonymous(b, cmd.Process.Pid)
}

func answers(address string) bool {
	c, err := net.Dial("tcp4", address)
	if err != nil {
		return false
	}
	defer c.Close()
	if _, err := io.WriteString(c, "GET /mcp HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"); err != nil {
		return false
	}
	line, err := bufio.NewReader(c).ReadString('\n')
	return err == nil && strings.HasPrefix(line, "HTTP/1.1 200")
}

// anonymous is the RssAnon of a process, 0 where the system does not tell.
func anonymous(b *testing.B, pid int) int {
	b.Helper()
	raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(raw)) {
		if rest, ok := strings.CutPrefix(line, "RssAnon:"); ok {
			kib, err := strconv.Atoi(strings.Fields(rest)[0])
			if err != nil {
				b.Fatal(err)
			}
			return kib
		}
	}
	return 0
}
