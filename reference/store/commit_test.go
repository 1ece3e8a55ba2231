package store_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"cruxconform/reference/store"
)

var _ = Describe("Update", func() {
	var dir string
	var st *store.Store
	BeforeEach(func() {
		dir = GinkgoT().TempDir()
		st = opened(dir)
	})

	// group runs writes that are certain to share one commit: a first write
	// holds the committer until all of them are queued behind it.
	group := func(writes ...func(*store.Tx) error) []error {
		GinkgoHelper()
		begun, release := make(chan struct{}), make(chan struct{})
		outcomes := make([]error, len(writes))
		var wg sync.WaitGroup
		wg.Go(func() {
			defer GinkgoRecover()
			Expect(st.Update(context.Background(), func(*store.Tx) error {
				close(begun)
				<-release
				return nil
			})).To(Succeed())
		})
		<-begun
		for i, write := range writes {
			wg.Go(func() { outcomes[i] = st.Update(context.Background(), write) })
			Eventually(func() int { return store.Queued(st) }).Should(Equal(i + 1))
		}
		close(release)
		wg.Wait()
		return outcomes
	}
	storing := func(entity string) func(*store.Tx) error {
		return func(t *store.Tx) error {
			_, err := t.StoreFact(statement(entity, "k", "v"))
			return err
		}
	}

	It("undoes a write that fails, and nothing of its neighbours", func() {
		refused := errors.New("refused")
		outcomes := group(
			storing("before"),
			func(t *store.Tx) error {
				Expect(storing("before")(t)).To(Succeed())
				Expect(storing("failed")(t)).To(Succeed())
				return refused
			},
			storing("after"),
		)
		Expect(outcomes).To(Equal([]error{nil, refused, nil}))
		for range 2 {
			Expect(st.FactsOf("before")).To(HaveLen(1))
			Expect(st.FactsOf("before")[0].SupersededBy).To(BeEmpty())
			Expect(st.FactsOf("failed")).To(BeEmpty())
			Expect(st.FactsOf("after")).To(HaveLen(1))
			Expect(st.FactsOf("after")[0].Seq).To(BeEquivalentTo(2), "a failed write leaves no gap")
			closed(st)
			st = opened(dir)
		}
	})

	It("turns a panic into the error of its own write", func() {
		outcomes := group(
			storing("before"),
			func(t *store.Tx) error {
				Expect(storing("panicked")(t)).To(Succeed())
				panic("a bug")
			},
			storing("after"),
		)
		Expect(outcomes[0]).NotTo(HaveOccurred())
		Expect(outcomes[1]).To(MatchError(ContainSubstring("a bug")))
		Expect(outcomes[2]).NotTo(HaveOccurred())
		Expect(st.FactsOf("panicked")).To(BeEmpty())
		Expect(st.FactsOf("after")).To(HaveLen(1))
	})

	It("shows a write what went before it in the same commit", func() {
		Expect(group(storing("same"), storing("same"), storing("same"))).To(HaveEach(BeNil()))
		facts := st.FactsOf("same")
		Expect(facts).To(HaveLen(3))
		for i, f := range facts {
			Expect(f.Version).To(BeEquivalentTo(i + 1))
		}
		Expect(facts[0].SupersededBy).To(Equal(facts[1].ID))
		Expect(facts[1].Supersedes).To(Equal(facts[0].ID))
		Expect(facts[2].SupersededBy).To(BeEmpty())
	})

	It("gives every one of many writers its own version", func() {
		const writers, each = 16, 20
		var wg sync.WaitGroup
		for range writers {
			wg.Go(func() {
				defer GinkgoRecover()
				for range each {
					stored(st, statement("contended", "k", "v"))
				}
			})
		}
		wg.Wait()
		closed(st)
		facts := opened(dir).FactsOf("contended")
		Expect(facts).To(HaveLen(writers * each))
		for i, f := range facts {
			Expect(f.Version).To(BeEquivalentTo(i + 1))
		}
	})

	It("withdraws a write whose context ends while it waits", func() {
		ctx, cancel := context.WithCancel(context.Background())
		begun, release := make(chan struct{}), make(chan struct{})
		var wg sync.WaitGroup
		wg.Go(func() {
			_ = st.Update(context.Background(), func(*store.Tx) error {
				close(begun)
				<-release
				return nil
			})
		})
		<-begun
		outcome := make(chan error)
		go func() { outcome <- st.Update(ctx, storing("withdrawn")) }()
		Eventually(func() int { return store.Queued(st) }).Should(Equal(1))
		cancel()
		Expect(<-outcome).To(MatchError(context.Canceled))
		close(release)
		wg.Wait()
		// The next write commits after the withdrawn one had its place.
		stored(st, statement("later", "k", "v"))
		Expect(st.FactsOf("withdrawn")).To(BeEmpty())
	})

	It("finishes a write that has begun when its context ends, and says how it went", func() {
		ctx, cancel := context.WithCancel(context.Background())
		Expect(st.Update(ctx, func(t *store.Tx) error {
			cancel()
			return storing("begun")(t)
		})).To(Succeed())
		Expect(st.FactsOf("begun")).To(HaveLen(1))
	})

	It("does not begin a write whose context has ended", func() {
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		Expect(st.Update(ctx, storing("late"))).To(MatchError(context.Canceled))
		Expect(st.FactsOf("late")).To(BeEmpty())
	})

	It("finishes what is queued before Close returns, and takes nothing after it", func() {
		begun, release := make(chan struct{}), make(chan struct{})
		outcomes := make(chan error, 6)
		go func() {
			outcomes <- st.Update(context.Background(), func(*store.Tx) error {
				close(begun)
				<-release
				return nil
			})
		}()
		<-begun
		for i := range 5 {
			go func() { outcomes <- st.Update(context.Background(), storing(fmt.Sprintf("queued-%d", i))) }()
		}
		Eventually(func() int { return store.Queued(st) }).Should(Equal(5))
		closing := make(chan error)
		go func() { closing <- st.Close() }()
		Consistently(closing, "50ms").ShouldNot(Receive())
		close(release)
		Expect(<-closing).To(Succeed())
		for range 6 {
			Expect(<-outcomes).To(Succeed())
		}
		Expect(st.Update(context.Background(), storing("too late"))).To(MatchError(store.ErrClosed))
		again := opened(dir)
		for i := range 5 {
			Expect(again.FactsOf(fmt.Sprintf("queued-%d", i))).To(HaveLen(1))
		}
	})

	It("closes under load without losing an acknowledged write", func() {
		var wg sync.WaitGroup
		var mu sync.Mutex
		acknowledged := map[string]bool{}
		enough := make(chan struct{})
		for range 8 {
			wg.Go(func() {
				for {
					f, err := st.StoreFact(context.Background(), statement("load", "k", "v"))
					if err != nil {
						return
					}
					mu.Lock()
					acknowledged[f.ID] = true
					if len(acknowledged) == 100 {
						close(enough)
					}
					mu.Unlock()
				}
			})
		}
		<-enough
		closed(st)
		wg.Wait()
		again := opened(dir)
		for id := range acknowledged {
			_, ok := again.Fact(id)
			Expect(ok).To(BeTrueBecause("fact %s was acknowledged", id))
		}
	})

	It("stops writing after a commit that failed, and keeps what was acknowledged", func() {
		stored(st, statement("kept", "k", "v"))
		store.LimitSize(st)
		large := statement("lost", "k", strings.Repeat("x", 20<<20))
		_, err := st.StoreFact(context.Background(), large)
		Expect(err).To(MatchError(ContainSubstring("commit to " + dir)))
		Expect(st.FactsOf("lost")).To(BeEmpty())
		_, err = st.StoreFact(context.Background(), statement("next", "k", "v"))
		Expect(err).To(MatchError(ContainSubstring("restarted")))
		closed(st)
		again := opened(dir)
		Expect(again.FactsOf("kept")).To(HaveLen(1))
		Expect(again.FactsOf("lost")).To(BeEmpty())
		stored(again, statement("next", "k", "v"))
	})
})
