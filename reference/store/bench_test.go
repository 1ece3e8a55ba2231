package store_test

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"go.etcd.io/bbolt"

	"cruxconform/reference/store"
	"cruxconform/reference/tools"
	"cruxconform/reference/tools/facts"
)

// slice is how long each contender is loaded before the next one has its turn.
// All of them stay open side by side, so that what the machine does besides
// hits them alike.
const slice = 150 * time.Millisecond

// record is what the baselines write: about the bytes of one stored fact.
var record = []byte(strings.Repeat("r", 260))

// BenchmarkStoreFact measures durable store_fact calls against two plain bbolt
// writers of one record of the same size: one db.Update per call, and a group
// commit tuned for bbolt. One iteration is one round over all contenders; use
// -benchtime=20x or more. The group commit runs first and last in each round,
// the second time as the control. A round whose control is beyond 0.9 to 1.1
// says more about the machine than about the contenders and is left out;
// "void-rounds" counts them. Ratios are medians over the rounds.
func BenchmarkStoreFact(b *testing.B) {
	for _, callers := range []int{1, 16} {
		b.Run(fmt.Sprintf("callers=%d", callers), func(b *testing.B) {
			ours, update, group := storeFactCall(b), updateCall(b), groupCall(b)
			results := map[string][]float64{}
			void := 0
			for range b.N {
				r := round(b, callers, ours, update, group)
				if control := r["control/ratio"]; control < 0.9 || control > 1.1 {
					void++
					continue
				}
				for name, value := range r {
					results[name] = append(results[name], value)
				}
			}
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(float64(void), "void-rounds")
			for name, values := range results {
				b.ReportMetric(median(values), name)
			}
		})
	}
}

func round(b *testing.B, callers int, ours, update, group func() error) map[string]float64 {
	before := rate(b, callers, group)
	fact := rate(b, callers, ours)
	one := rate(b, callers, update)
	after := rate(b, callers, group)
	base := (before + after) / 2
	return map[string]float64{
		"store_fact/s": fact, "group/s": base, "update/s": one,
		"store_fact:group/ratio": fact / base, "store_fact:update/ratio": fact / one, "control/ratio": after / before,
	}
}

// rate loads one contender with callers at once for a slice and returns its
// calls per second.
func rate(b *testing.B, callers int, call func() error) float64 {
	var done atomic.Int64
	var wg sync.WaitGroup
	start := time.Now()
	for range callers {
		wg.Go(func() {
			for time.Since(start) < slice {
				if err := call(); err != nil {
					b.Error(err)
					return
				}
				done.Add(1)
			}
		})
	}
	wg.Wait()
	return float64(done.Load()) / time.Since(start).Seconds()
}

func median(values []float64) float64 {
	slices.Sort(values)
	return values[len(values)/2]
}

// storeFactCall is the tool call itself, argument decoding and answer included.
func storeFactCall(b *testing.B) func() error {
	st, err := store.Open(b.TempDir())
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		if err := st.Close(); err != nil {
			b.Error(err)
		}
	})
	handler := facts.Handlers(st, time.Now)["store_fact"]
	var n atomic.Int64
	return func() error {
		raw := fmt.Sprintf(`{"entity":"bench:%d","key":"k","value":"a value of ordinary length"}`, n.Add(1))
		_, err := handler(context.Background(), tools.Caller{}, tools.ParseArgs(json.RawMessage(raw)))
		return err
	}
}

var bucket = []byte("records")

func plainDB(b *testing.B) *bbolt.DB {
	db, err := bbolt.Open(filepath.Join(b.TempDir(), "plain.db"), 0o600, &bbolt.Options{FreelistType: bbolt.FreelistMapType})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		if err := db.Close(); err != nil {
			b.Error(err)
		}
	})
	err = db.Update(func(tx *bbolt.Tx) error {
		_, err := tx.CreateBucket(bucket)
		return err
	})
	if err != nil {
		b.Fatal(err)
	}
	return db
}

func putRecord(tx *bbolt.Tx) error {
	records := tx.Bucket(bucket)
	n, err := records.NextSequence()
	if err != nil {
		return err
	}
	return records.Put(binary.BigEndian.AppendUint64(nil, n), record)
}

// updateCall is one transaction per call.
func updateCall(b *testing.B) func() error {
	db := plainDB(b)
	return func() error { return db.Update(putRecord) }
}

// groupCall is a group commit and nothing else: no isolation of failures, no
// contexts, no index.
func groupCall(b *testing.B) func() error {
	db := plainDB(b)
	queue := make(chan chan error, 1024)
	stopped := make(chan struct{})
	go func() {
		defer close(stopped)
		for first := range queue {
			runtime.Gosched()
			group := []chan error{first}
			for more := true; more && len(group) < 256; {
				select {
				case w, ok := <-queue:
					if more = ok; ok {
						group = append(group, w)
					}
				default:
					more = false
				}
			}
			err := db.Update(func(tx *bbolt.Tx) error {
				for range group {
					if err := putRecord(tx); err != nil {
						return err
					}
				}
				return nil
			})
			for _, w := range group {
				w <- err
			}
		}
	}()
	b.Cleanup(func() {
		close(queue)
		<-stopped
	})
	return func() error {
		done := make(chan error, 1)
		queue <- done
		return <-done
	}
}
