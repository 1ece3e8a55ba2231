package store_test

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"go.etcd.io/bbolt"

	"cruxconform/reference/store"
)

// childVariable makes the test binary a writer on the directory that it names.
const childVariable = "CRUXREFD_STORE_TEST_CHILD"

// storeUntilKilled stores facts from several goroutines and prints the id of
// each one that was acknowledged.
func storeUntilKilled(dir string) int {
	st, err := store.Open(dir)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	acknowledged := make(chan string)
	for i := range 4 {
		go func() {
			for {
				f, err := st.StoreFact(context.Background(), store.NewFact{
					Entity: fmt.Sprintf("writer-%d", i), Key: "k", Value: "v", Confidence: 1, Horizon: "none", Clock: time.Now,
				})
				if err != nil {
					fmt.Fprintln(os.Stderr, err)
					os.Exit(1)
				}
				acknowledged <- f.ID
			}
		}()
	}
	for id := range acknowledged {
		fmt.Println(id)
	}
	return 0
}

var _ = Describe("A killed daemon", func() {
	It("has kept every acknowledged fact, round after round", func(ctx SpecContext) {
		dir := GinkgoT().TempDir()
		var acknowledged []string
		for round := range 4 {
			acknowledged = append(acknowledged, killAfter(ctx, dir, 30+20*round)...)
			st := opened(dir)
			for _, id := range acknowledged {
				_, ok := st.Fact(id)
				Expect(ok).To(BeTrueBecause("fact %s was acknowledged before the kill", id))
			}
			for i := range 4 {
				for j, f := range st.FactsOf(fmt.Sprintf("writer-%d", i)) {
					Expect(f.Version).To(BeEquivalentTo(j + 1))
				}
			}
			closed(st)
		}
		Expect(len(acknowledged)).To(BeNumerically(">=", 30+50+70+90))
	}, SpecTimeout(30*time.Second))
})

// killAfter starts a writer, kills it in mid-write after n acknowledgements and
// returns the ids that it acknowledged.
func killAfter(ctx context.Context, dir string, n int) []string {
	GinkgoHelper()
	child := exec.CommandContext(ctx, os.Args[0])
	child.Env = append(os.Environ(), childVariable+"="+dir)
	child.Stderr = GinkgoWriter
	out, err := child.StdoutPipe()
	Expect(err).NotTo(HaveOccurred())
	Expect(child.Start()).To(Succeed())
	var ids []string
	for lines := bufio.NewScanner(out); lines.Scan(); {
		// The kill may cut the last line.
		if id := lines.Text(); len(id) == len("f_")+32 {
			ids = append(ids, id)
		}
		if len(ids) == n {
			Expect(child.Process.Kill()).To(Succeed())
		}
	}
	Expect(child.Wait()).To(MatchError("signal: killed"))
	return ids
}

func putSegment(record string) func(*bbolt.Tx) error {
	return func(tx *bbolt.Tx) error {
		return tx.Bucket([]byte("segments")).Put([]byte("\x00\x00\x00\x00\x00\x00\x00\x01"), []byte(record))
	}
}
