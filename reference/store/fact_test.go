package store_test

import (
	"context"
	"errors"
	"regexp"
	"slices"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"cruxconform/reference/store"
)

var _ = Describe("Facts", func() {
	var dir string
	var st *store.Store
	BeforeEach(func() {
		dir = GinkgoT().TempDir()
		st = opened(dir)
	})
	remove := func(id string) {
		GinkgoHelper()
		deleted, err := st.DeleteFact(context.Background(), id, func(*store.Fact) (bool, error) { return true, nil })
		Expect(err).NotTo(HaveOccurred())
		Expect(deleted).To(BeTrueBecause("fact %s was there", id))
	}

	It("have ids of f_ and 32 hex digits", func() {
		Expect(stored(st, statement("e", "k", "v")).ID).To(MatchRegexp(`^f_[0-9a-f]{32}$`))
	})

	It("come back whole after a restart", func() {
		n := statement("e\x00\u2028", "<k>\\", " v\r\n\"é\U0001F600 ")
		n.Confidence, n.Horizon, n.Private, n.SourceReceipt, n.Actor = -0.7, "stable", true, "r", "a"
		before := stored(st, n)
		after := stored(st, n)
		remove(after.ID)
		want := []*store.Fact{before, after}
		for i := range want {
			now, _ := st.Fact(want[i].ID)
			want[i] = now
		}
		closed(st)
		Expect(opened(dir).FactsOf(n.Entity)).To(Equal(want))
		Expect(*want[0]).To(Equal(store.Fact{
			Seq: 1, ID: before.ID, Entity: "e\x00\u2028", Key: "<k>\\", Value: " v\r\n\"é\U0001F600 ",
			Version: 1, SupersededBy: after.ID, Confidence: -0.7, StoredAt: noon, Horizon: "stable",
			Private: true, SourceReceipt: "r", Actor: "a",
		}))
		Expect(want[1].Deleted).To(BeTrueBecause("it was deleted"))
		Expect(want[1].Supersedes).To(Equal(before.ID))
	})

	It("are found by chain in entities of any size", func() {
		for i := range 80 {
			stored(st, statement("large", string(rune('a'+i%4)), "v"))
		}
		for range 2 {
			history := st.History("large", "b")
			Expect(history).To(HaveLen(20))
			for i, f := range history {
				Expect(f.Key).To(Equal("b"))
				Expect(f.Version).To(BeEquivalentTo(i + 1))
			}
			Expect(st.History("large", "z")).To(BeEmpty())
			Expect(st.History("none", "b")).To(BeEmpty())
			closed(st)
			st = opened(dir)
		}
	})

	It("continue from the newest version that is left", func() {
		first, second := stored(st, statement("e", "k", "1")), stored(st, statement("e", "k", "2"))
		remove(second.ID)
		third := stored(st, statement("e", "k", "3"))
		Expect(third.Version).To(BeEquivalentTo(2))
		Expect(third.Supersedes).To(Equal(first.ID))
		now, _ := st.Fact(first.ID)
		Expect(now.SupersededBy).To(Equal(third.ID))
	})

	It("begin again at version 1 once the whole chain is deleted", func() {
		remove(stored(st, statement("e", "k", "1")).ID)
		again := stored(st, statement("e", "k", "2"))
		Expect(again.Version).To(BeEquivalentTo(1))
		Expect(again.Supersedes).To(BeEmpty())
	})

	It("retire facts of other chains", func() {
		old := stored(st, statement("old", "k", "v"))
		n := statement("new", "k", "v")
		n.Supersedes = []string{old.ID}
		f := stored(st, n)
		now, _ := st.Fact(old.ID)
		Expect(now.SupersededBy).To(Equal(f.ID))
		Expect(f.Version).To(BeEquivalentTo(1))
	})

	It("store nothing where the check refuses", func() {
		refused := errors.New("refused")
		old := stored(st, statement("old", "k", "v"))
		n := statement("new", "k", "v")
		n.Supersedes = []string{old.ID, "f_unknown"}
		n.Check = func(retired []*store.Fact) error {
			Expect(retired).To(Equal([]*store.Fact{old, nil}))
			return refused
		}
		_, err := st.StoreFact(context.Background(), n)
		Expect(err).To(Equal(refused))
		Expect(st.FactsOf("new")).To(BeEmpty())
	})

	It("need every id to supersede to exist", func() {
		n := statement("new", "k", "v")
		n.Supersedes = []string{"f_unknown"}
		_, err := st.StoreFact(context.Background(), n)
		Expect(err).To(MatchError(ContainSubstring(`"f_unknown"`)))
	})

	It("are deleted once, and only where the check allows", func() {
		f := stored(st, statement("e", "k", "v"))
		delete := func(visible bool, refusal error) (bool, error) {
			return st.DeleteFact(context.Background(), f.ID, func(*store.Fact) (bool, error) { return visible, refusal })
		}
		refused := errors.New("refused")
		deleted, err := delete(true, refused)
		Expect(deleted).To(BeFalseBecause("the check refused"))
		Expect(err).To(Equal(refused))
		Expect(delete(false, nil)).To(BeFalseBecause("the check hid it"))
		Expect(delete(true, nil)).To(BeTrueBecause("it was there"))
		Expect(delete(true, nil)).To(BeFalseBecause("it was deleted"))
	})

	It("do not change in the hands of a reader", func() {
		f := stored(st, statement("e", "k", "v"))
		remove(f.ID)
		Expect(f.Deleted).To(BeFalseBecause("the reader holds the older value"))
		Expect(slices.Collect(st.Facts())).To(HaveLen(1))
	})

	DescribeTable("count a token per four bytes begun", func(value string, tokens int) {
		Expect((&store.Fact{Value: value}).Tokens()).To(BeEquivalentTo(tokens))
	},
		Entry(nil, "", 0), Entry(nil, "a", 1), Entry(nil, "abcd", 1), Entry(nil, "abcde", 2), Entry(nil, "éé", 1), Entry(nil, "ééa", 2),
	)
})

var _ = Describe("Segments", func() {
	It("are kept in order, and a payload is kept once", func() {
		dir := GinkgoT().TempDir()
		st := opened(dir)
		published := 0
		appendSegment := func(hash byte, text string) (uint64, bool) {
			GinkgoHelper()
			seg := store.Segment{TenantID: "t", CorpusID: "c", Chunks: []store.SegmentChunk{{Document: "d", Chunk: "c", Text: text}}}
			seq, fresh, err := st.AppendSegment(context.Background(), store.PayloadHash{hash}, seg, func() { published++ })
			Expect(err).NotTo(HaveOccurred())
			return seq, fresh
		}
		seq, fresh := appendSegment(1, "one")
		Expect(seq).To(BeEquivalentTo(1))
		Expect(fresh).To(BeTrueBecause("it is new"))
		seq, fresh = appendSegment(2, "two")
		Expect(seq).To(BeEquivalentTo(2))
		Expect(fresh).To(BeTrueBecause("it is new"))
		seq, fresh = appendSegment(1, "one")
		Expect(seq).To(BeEquivalentTo(1))
		Expect(fresh).To(BeFalseBecause("it was stored before"))
		Expect(published).To(Equal(2))
		closed(st)

		st = opened(dir)
		seq, fresh = appendSegment(2, "two")
		Expect(seq).To(BeEquivalentTo(2))
		Expect(fresh).To(BeFalseBecause("it was stored before the restart"))
		var texts []string
		Expect(st.Segments(func(seg *store.Segment) { texts = append(texts, seg.Chunks[0].Text) })).To(Succeed())
		Expect(texts).To(Equal([]string{"one", "two"}))
	})

	It("that do not decode are an error with the path", func() {
		dir := GinkgoT().TempDir()
		closed(opened(dir))
		path := dir + "/" + store.FileName
		edit(path, putSegment("{"))
		err := opened(dir).Segments(func(*store.Segment) {})
		Expect(err).To(MatchError(store.ErrCorrupt))
		Expect(err).To(MatchError(MatchRegexp(regexp.QuoteMeta(path))))
	})
})
