package retrieval_test

import (
	"fmt"
	"sync"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"cruxconform/reference/tools/retrieval"
)

var _ = Describe("Ingest", func() {
	It("seals one segment per payload, once", func() {
		d := newDaemon()
		Expect(d.ingest("t", "one")).To(Equal(retrieval.Receipt{SegmentSeq: 1, Fresh: true}))
		Expect(d.ingest("t", "two")).To(Equal(retrieval.Receipt{SegmentSeq: 2, Fresh: true}))
		Expect(d.ingest("t", "one")).To(Equal(retrieval.Receipt{SegmentSeq: 1, Fresh: false}))
		Expect(d.store.Close()).To(Succeed())
		d.start()
		Expect(d.ingest("t", "two")).To(Equal(retrieval.Receipt{SegmentSeq: 2, Fresh: false}))
		Expect(d.ingest("t", "three")).To(Equal(retrieval.Receipt{SegmentSeq: 3, Fresh: true}))
		Expect(ids(d.call("query", `{"tenant_id":"t","query":"one two three"}`)["pointers"])).To(ConsistOf("0:0", "1:0", "2:0"))
	})

	It("goes on beside searches, and the numbers agree with the ids", func() {
		d := newDaemon()
		var wg sync.WaitGroup
		for i := range 8 {
			wg.Go(func() {
				defer GinkgoRecover()
				text := fmt.Sprintf("common word%d", i)
				r := d.ingest("t", text)
				id := fmt.Sprintf("%d:0", r.SegmentSeq-1)
				got := d.call("query", fmt.Sprintf(`{"tenant_id":"t","query":"word%d"}`, i))
				Expect(ids(got["pointers"])).To(Equal([]string{id}))
			})
		}
		wg.Wait()
		Expect(d.call("query", `{"tenant_id":"t","query":"common"}`)["pointers"]).To(HaveLen(8))
	})
})
