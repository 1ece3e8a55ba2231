// Package retrieval serves query, query_scan and query_expand over documents
// that the HTTP API takes in (tool page "Retrieval plane").
//
// The inverted index lives in memory and is built from the store when the
// daemon starts: a search touches the postings of its own tokens and nothing on
// disk, and the texts, which no answer carries, stay in the store. A segment is
// published to the index after it is durable.
package retrieval

import (
	"context"
	"sync"

	"github.com/zeebo/blake3"

	"cruxconform/reference/store"
)

// Index finds documents. Its methods are safe for concurrent use.
type Index struct {
	store *store.Store

	mu     sync.RWMutex
	corpus *corpus
}

// Open builds the index from the segments of the store.
func Open(st *store.Store) (*Index, error) {
	x := &Index{store: st, corpus: newCorpus()}
	err := st.Segments(func(seg *store.Segment) { x.corpus.add(analyse(seg)) })
	if err != nil {
		return nil, err
	}
	return x, nil
}

// Receipt says what became of an ingest.
type Receipt struct {
	// SegmentSeq is the 1-based number of the segment that holds the payload.
	SegmentSeq uint64
	// Fresh is false where the same payload was taken in before.
	Fresh bool
}

// Ingest makes one segment of the payload and returns when it is durable and
// can be found. canonical identifies the payload: equal bytes are taken in once.
func (x *Index) Ingest(ctx context.Context, canonical []byte, seg store.Segment) (Receipt, error) {
	ready := analyse(&seg)
	seq, fresh, err := x.store.AppendSegment(ctx, blake3.Sum256(canonical), seg, func() { x.publish(ready) })
	return Receipt{SegmentSeq: seq, Fresh: fresh}, err
}

func (x *Index) publish(ready analysis) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.corpus.add(ready)
}
