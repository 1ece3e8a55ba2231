package store_test

import (
	"context"
	"fmt"
	"os"
	"testing"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"cruxconform/reference/store"
)

func TestMain(m *testing.M) {
	if dir := os.Getenv(childVariable); dir != "" {
		os.Exit(storeUntilKilled(dir))
	}
	os.Exit(m.Run())
}

func TestStore(t *testing.T) {
	RegisterFailHandler(Fail)
	RunSpecs(t, "store")
}

// opened opens a store that the spec closes at its end, unless it does so itself.
func opened(dir string) *store.Store {
	GinkgoHelper()
	st, err := store.Open(dir)
	Expect(err).NotTo(HaveOccurred())
	DeferCleanup(func() { _ = st.Close() })
	return st
}

func closed(st *store.Store) {
	GinkgoHelper()
	Expect(st.Close()).To(Succeed())
}

var noon = time.Date(2026, 1, 2, 12, 0, 0, 123456789, time.UTC)

// statement is a fact to store with what most specs do not care about filled in.
func statement(entity, key, value string) store.NewFact {
	return store.NewFact{
		Entity: entity, Key: key, Value: value, Confidence: 1, Horizon: "none",
		Clock: func() time.Time { return noon },
	}
}

func stored(st *store.Store, n store.NewFact) *store.Fact {
	GinkgoHelper()
	f, err := st.StoreFact(context.Background(), n)
	Expect(err).NotTo(HaveOccurred())
	return f
}

// fill stores many facts in one commit.
func fill(st *store.Store, facts int) {
	GinkgoHelper()
	Expect(st.Update(context.Background(), func(t *store.Tx) error {
		for i := range facts {
			n := statement(fmt.Sprintf("entity-%d", i), "key", "a value that takes its room on a page of the file")
			if _, err := t.StoreFact(n); err != nil {
				return err
			}
		}
		return nil
	})).To(Succeed())
}
