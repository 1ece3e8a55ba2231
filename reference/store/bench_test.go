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
// -benchtime=10x or more. The group commit runs twice in each round, the second
// time as the control: "control/ratio" beyond 0.9 to 1.1 voids a run.
func BenchmarkStoreFact(b *testing.B) {
	for _, callers := range []int{1, 16} {
		b.Run(fmt.Sprintf("callers=%d", callers), func(b *testing.B) {
			ours := storeFactCall(b)
			update := updateCall(b)
			group := groupCall(b)
			rates := map[string][]float64{}
			for range b.N {
				first := rate(b, callers, group)
				one := rate(b, callers, update)
				fact := rate(b, callers, ours)
				control := rate(b, callers, group)
				base := (first + control) / 2
				rates["store_fact/s"] = append(rates["store_fact/s"], fact)
				rates["group/s"] = append(rates["group/s"], base)
				rates["update/s"] = append(rates["update/s"], one)
				rates["store_fact:group/ratio"] = append(rates["store_fact:group/ratio"], fact/base)
				rates["store_fact:update/ratio"] = append(rates["store_fact:update/ratio"], fact/one)
				rates["control/ratio"] = append(rates["control/ratio"], control/first)
			}
			b.ReportMetric(0, "ns/op")
			for name, values := range rates {
				b.ReportMetric(median(values), name)
			}
		})
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
