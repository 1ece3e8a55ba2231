package facts_test

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"cruxconform/reference/store"
	"cruxconform/reference/tools"
	"cruxconform/reference/tools/facts"
)

const benchFacts = 100_000

// filled is a directory whose store holds benchFacts facts of 10,000 entities.
func filled(b *testing.B) string {
	dir := b.TempDir()
	st, err := store.Open(dir)
	if err != nil {
		b.Fatal(err)
	}
	for start := 0; start < benchFacts; start += 1000 {
		err := st.Update(context.Background(), func(t *store.Tx) error {
			for i := start; i < start+1000; i++ {
				_, err := t.StoreFact(store.NewFact{
					Entity: fmt.Sprintf("entity-%d", i%10_000), Key: fmt.Sprintf("key-%d", i/10_000),
					Value:      fmt.Sprintf("Value number %d of a fact that says a few words about its entity", i),
					Confidence: 1, Horizon: "none", Clock: time.Now,
				})
				if err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			b.Fatal(err)
		}
	}
	if err := st.Close(); err != nil {
		b.Fatal(err)
	}
	return dir
}

func BenchmarkQueryFacts(b *testing.B) {
	st, err := store.Open(filled(b))
	if err != nil {
		b.Fatal(err)
	}
	defer st.Close()
	handlers := facts.Handlers(st, time.Now)
	for _, c := range []struct{ name, tool, args string }{
		{"entity", "query_facts", `{"entity":"entity-4711"}`},
		{"text", "query_facts", `{"query":"4711 words"}`},
		{"all", "query_facts", `{}`},
		{"entities", "list_entities", `{}`},
		{"history", "fact_history", `{"entity":"entity-4711","key":"key-3"}`},
	} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				args := tools.ParseArgs(json.RawMessage(c.args))
				if _, err := handlers[c.tool](context.Background(), tools.Caller{}, args); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkOpen is the start of a daemon on a full store.
func BenchmarkOpen(b *testing.B) {
	dir := filled(b)
	for b.Loop() {
		st, err := store.Open(dir)
		if err != nil {
			b.Fatal(err)
		}
		if err := st.Close(); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkOpenEmpty is the first start of a daemon.
func BenchmarkOpenEmpty(b *testing.B) {
	for b.Loop() {
		st, err := store.Open(b.TempDir())
		if err != nil {
			b.Fatal(err)
		}
		if err := st.Close(); err != nil {
			b.Fatal(err)
		}
	}
}
