package retrieval

import (
	"strings"

	"github.com/cespare/xxhash/v2"

	"cruxconform/reference/store"
)

// document is one chunk of a segment as the index knows it.
type document struct {
	segment int
	number  int
	tenant  uint64
	// length counts the tokens of the text; offset is where the text begins
	// among the texts of its segment, in bytes.
	length int
	offset int
}

type posting struct{ doc, count int }

// term is one token of the vocabulary. Postings are kept by tenant, because a
// search reads those of one tenant only, while documents counts all of them.
type term struct {
	documents int
	byTenant  map[uint64][]posting
}

// corpus is the inverted index. Segments, documents and postings are in the
// order of their numbers.
type corpus struct {
	docs     []document
	segments []span
	terms    map[string]*term
	tokens   int
}

// span is where the documents of one segment stand in corpus.docs.
type span struct{ first, count int }

func newCorpus() *corpus {
	return &corpus{terms: map[string]*term{}}
}

// tenantHash is what separates tenants in the index.
func tenantHash(tenant string) uint64 {
	return xxhash.Sum64String(strings.TrimSpace(tenant))
}

// analysis is a segment ready for the index. Making it takes most of the time
// that a segment costs, and needs no lock.
type analysis struct {
	tenant uint64
	docs   []analysedDocument
}

type analysedDocument struct {
	counts         map[string]int
	length, offset int
}

func analyse(seg *store.Segment) analysis {
	a := analysis{tenant: tenantHash(seg.TenantID), docs: make([]analysedDocument, len(seg.Chunks))}
	offset := 0
	for i, chunk := range seg.Chunks {
		tokens := tokenize(chunk.Text)
		counts := make(map[string]int, len(tokens))
		for _, token := range tokens {
			counts[token]++
		}
		a.docs[i] = analysedDocument{counts, len(tokens), offset}
		offset += len(chunk.Text)
	}
	return a
}

// add appends a segment.
func (x *corpus) add(a analysis) {
	segment := len(x.segments)
	x.segments = append(x.segments, span{len(x.docs), len(a.docs)})
	for number, d := range a.docs {
		x.post(len(x.docs), a.tenant, d.counts)
		x.docs = append(x.docs, document{segment, number, a.tenant, d.length, d.offset})
		x.tokens += d.length
	}
}

// post enters a document under each of its tokens.
func (x *corpus) post(doc int, tenant uint64, counts map[string]int) {
	for token, count := range counts {
		t, ok := x.terms[token]
		if !ok {
			t = &term{byTenant: map[uint64][]posting{}}
			// Cloned, or one token would keep the whole text in memory.
			x.terms[strings.Clone(token)] = t
		}
		t.documents++
		t.byTenant[tenant] = append(t.byTenant[tenant], posting{doc, count})
	}
}

// averageLength is the mean number of tokens over all documents. It is asked
// only where a document holds a token, so it is never 0 then.
func (x *corpus) averageLength() float64 {
	return float64(x.tokens) / float64(max(1, len(x.docs)))
}
