// Package bench_test measures the daemon against a bare handler.
package bench_test

import (
	"context"
	"net/url"
	"slices"
	"testing"
	"time"

	"cruxconform/reference"
	"cruxconform/reference/config"
)

// connections load a server at once.
const connections = 16

// slice is how long each contender is loaded before the next one has its turn.
// Both servers stay up, so that what the machine does besides hits them alike.
const slice = 150 * time.Millisecond

// BenchmarkPOST measures requests per second of the daemon against a bare
// net/http handler that reads the request, scans the same envelope and writes
// the same finished bytes. One iteration is one round over the contenders; use
// -benchtime=20x or more. The bare handler runs first and last in each round,
// the second time as the control. A round whose control is beyond 0.9 to 1.1
// says more about the machine than about the contenders and is left out;
// "void-rounds" counts them. Ratios are medians over the rounds.
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
			rates := map[string][]float64{}
			void := 0
			for range b.N {
				r := round(b, ours, base)
				if control := r["control/ratio"]; control < 0.9 || control > 1.1 {
					void++
					continue
				}
				for name, v := range r {
					rates[name] = append(rates[name], v)
				}
			}
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(float64(void), "void-rounds")
			for name, values := range rates {
				b.ReportMetric(median(values), name)
			}
		})
	}
}

func round(b *testing.B, ours, base *load) map[string]float64 {
	before := base.rate(b)
	rate := ours.rate(b)
	after := base.rate(b)
	bare := (before + after) / 2
	return map[string]float64{
		"bare/s": bare, "daemon/s": rate, "daemon:bare/ratio": rate / bare, "control/ratio": after / before,
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

func median(values []float64) float64 {
	slices.Sort(values)
	return values[len(values)/2]
}
