// Package bench_test measures the daemon against a bare handler.
package bench_test

import (
	"context"
	"net/url"
	"testing"
	"time"

	"cruxconform/reference"
	"cruxconform/reference/config"
)

// connections load a server at once.
const connections = 16

// slice is how long each contender is loaded before the next one has its turn.
// Both servers stay up, and turns are short, so that what the machine does
// besides hits them alike.
const slice = 30 * time.Millisecond

// BenchmarkPOST measures requests per second of the daemon against a bare
// net/http handler that reads the request, scans the same envelope and writes
// the same finished bytes. One iteration is one turn of each; use
// -benchtime=100x or more. The bare handler has two turns, before the daemon
// and behind it, and the second over all iterations is the control: beyond 0.9
// to 1.1 it voids the run, which then reports no ratio.
func BenchmarkPOST(b *testing.B) {
	daemon := startDaemon(b)
	bare := startBare(b, result(b, daemon, listRequest))
	for _, c := range []struct{ name, request string }{
		{"tools-list", listRequest},
		{"unknown-method", unknownRequest},
	} {
		b.Run(c.name, func(b *testing.B) {
			same(b, ask(b, daemon, c.request), ask(b, bare, c.request))
			ours, base := connect(b, daemon, c.request), connect(b, bare, c.request)
			var before, rate, behind float64
			for range b.N {
				before += base.rate(b)
				rate += ours.rate(b)
				behind += base.rate(b)
			}
			turns := float64(b.N)
			control := behind / before
			b.ReportMetric(0, "ns/op")
			b.ReportMetric((before+behind)/2/turns, "bare/s")
			b.ReportMetric(rate/turns, "daemon/s")
			b.ReportMetric(control, "control/ratio")
			if control < 0.9 || control > 1.1 {
				if b.N > 1 { // the first call of a benchmark is one turn to warm up
					b.Logf("void: the control ran at %.2f of itself", control)
				}
				return
			}
			b.ReportMetric(2*rate/(before+behind), "daemon:bare/ratio")
		})
	}
}

func startDaemon(b *testing.B) (address string) {
	b.Helper()
	env := map[string]string{
		"CORECRUXD_MCP_PORT": "0", "CORECRUXD_HTTP_PORT": "0", "CORECRUXD_DATA_DIR": b.TempDir(), "CORECRUXD_SHUTDOWN_DRAIN_SECS": "1",
	}
	cfg, err := config.Load(func(name string) (string, bool) { v, ok := env[name]; return v, ok })
	if err != nil {
		b.Fatal(err)
	}
	d, err := reference.Open(cfg)
	if err != nil {
		b.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- d.Serve(ctx) }()
	b.Cleanup(func() {
		stop()
		if err := <-done; err != nil {
			b.Error(err)
		}
	})
	u, err := url.Parse(d.MCP())
	if err != nil {
		b.Fatal(err)
	}
	return u.Host
}
