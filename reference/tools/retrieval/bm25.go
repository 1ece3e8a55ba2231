package retrieval

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode"
)

// Okapi BM25 constants.
const (
	k1 = 1.2
	b  = 0.75
)

// tokenize splits text into its runs of letters and digits, in lower case. No
// word is left out and none is cut to a stem.
func tokenize(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
}

// idf weighs a token that df of n documents hold. It is never negative.
func idf(n, df int) float64 {
	return math.Log((float64(n)-float64(df)+0.5)/(float64(df)+0.5) + 1)
}

// termScore is what a token adds to a document of length tokens that holds it
// tf times.
func termScore(idf float64, tf, length int, averageLength float64) float64 {
	f := float64(tf)
	return idf * f * (k1 + 1) / (f + k1*(1-b+b*float64(length)/averageLength))
}

// hit is a document that a search found; doc counts over all segments.
type hit struct {
	doc   int
	score float64
}

// search returns the documents of one tenant with a score above 0, best first;
// equal scores keep the order of segments and documents. A token that the query
// repeats counts each time.
func (x *corpus) search(tenant uint64, tokens []string) []hit {
	scores := map[int]float64{}
	average := x.averageLength()
	for _, token := range tokens {
		t, ok := x.terms[token]
		if !ok {
			continue
		}
		weight := idf(len(x.docs), t.documents)
		for _, p := range t.byTenant[tenant] {
			scores[p.doc] += termScore(weight, p.count, x.docs[p.doc].length, average)
		}
	}
	hits := make([]hit, 0, len(scores))
	for doc, score := range scores {
		hits = append(hits, hit{doc, score})
	}
	slices.SortFunc(hits, func(a, b hit) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.doc, b.doc))
	})
	return hits
}

// missing returns the tokens that occur nowhere, under no tenant.
func (x *corpus) missing(tokens []string) []string {
	absent := []string{}
	for _, token := range tokens {
		if _, ok := x.terms[token]; !ok {
			absent = append(absent, token)
		}
	}
	return absent
}
