package retrieval

import (
	"math"
	"reflect"
	"testing"

	"cruxconform/reference/store"
)

func TestTokenize(t *testing.T) {
	for text, want := range map[string][]string{
		"":                         {},
		" -_.,!\n":                 {},
		"Hello, WORLD":             {"hello", "world"},
		"snake_case kebab-case":    {"snake", "case", "kebab", "case"},
		"v1.2 x86":                 {"v1", "2", "x86"},
		"the the a":                {"the", "the", "a"},
		"Zürich ÉTÉ":               {"zürich", "été"},
		"don't":                    {"don", "t"},
		"\u65e5\u672c \u0663":      {"\u65e5\u672c", "\u0663"},
		"a\xffb":                   {"a", "b"},
		"emoji\U0001F600between":   {"emoji", "between"},
		"https://example.com/?q=1": {"https", "example", "com", "q", "1"},
	} {
		if got := tokenize(text); !reflect.DeepEqual(got, want) {
			t.Errorf("tokenize(%q) = %q, want %q", text, got, want)
		}
	}
}

// segment makes one document of each text.
func segment(tenant string, texts ...string) analysis {
	seg := &store.Segment{TenantID: tenant}
	for _, text := range texts {
		seg.Chunks = append(seg.Chunks, store.SegmentChunk{Text: text})
	}
	return analyse(seg)
}

func corpusOf(segments ...analysis) *corpus {
	x := newCorpus()
	for _, s := range segments {
		x.add(s)
	}
	return x
}

// The numbers are worked out by hand. Three documents of 3, 1 and 4 tokens:
// N = 3, average length 8/3. "apple" is in two of them: idf = ln(1.5/2.5 + 1) =
// ln 1.6 = 0.470004. In a document of 3 tokens that holds it twice:
// 0.470004 * 2 * 2.2 / (2 + 1.2*(0.25 + 0.75*3*3/8)) = 0.470004 * 4.4 / 3.3125 =
// 0.624307; once in 1 token: 0.470004 * 2.2 / 1.6375; "pear" once in 3 tokens:
// 0.470004 * 2.2 / 2.3125, and in 4: 0.470004 * 2.2 / 2.65. "fig" is in one
// document: idf = ln(2.5/1.5 + 1) = 0.980829, times 2.2 / 2.65.
func TestScores(t *testing.T) {
	for _, c := range []struct {
		name  string
		query string
		want  []hit
	}{
		{"a token in two documents", "apple", []hit{{1, 0.631455}, {0, 0.624307}}},
		{"a token in one document", "fig", []hit{{2, 0.814273}}},
		{"two tokens add up", "apple pear", []hit{{0, 0.624307 + 0.447139}, {1, 0.631455}, {2, 0.390192}}},
		{"a repeated token counts twice", "apple apple", []hit{{1, 2 * 0.631455}, {0, 2 * 0.624307}}},
		{"a token that occurs nowhere adds nothing", "fig melon", []hit{{2, 0.814273}}},
		{"no token at all", "!", []hit{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			x := corpusOf(segment("t", "apple apple pear", "Apple!", "plum, pear, fig, kiwi"))
			wantHits(t, x.search(tenantHash("t"), tokenize(c.query)), c.want)
		})
	}
}

func wantHits(t *testing.T, got, want []hit) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%d hits %v, want %d: %v", len(got), got, len(want), want)
	}
	for i := range want {
		if got[i].doc != want[i].doc || math.Abs(got[i].score-want[i].score) > 2e-6 {
			t.Errorf("hit %d is %v, want %v", i, got[i], want[i])
		}
	}
}

func TestStatisticsSpanTenantsAndSegments(t *testing.T) {
	whole := corpusOf(segment("t", "apple apple pear", "Apple!", "plum, pear, fig, kiwi"))
	spread := corpusOf(segment("t", "apple apple pear"), segment("other", "Apple!"), segment("third", "plum, pear, fig, kiwi"))
	got := spread.search(tenantHash("t"), []string{"apple"})
	wantHits(t, got, []hit{{0, 0.624307}})
	if want := whole.search(tenantHash("t"), []string{"apple"})[1].score; got[0].score != want {
		t.Errorf("score %v, want the %v of one tenant holding all", got[0].score, want)
	}
}

func TestTiesKeepTheOrderOfSegmentsAndDocuments(t *testing.T) {
	x := corpusOf(segment("t", "x a", "x b"), segment("u", "x c"), segment("t", "x d", "x e x e", "x f"))
	var order []int
	for _, h := range x.search(tenantHash("t"), []string{"x"}) {
		order = append(order, h.doc)
	}
	// Document 4 holds the token twice; the others are equal.
	if want := []int{4, 0, 1, 3, 5}; !reflect.DeepEqual(order, want) {
		t.Errorf("order %v, want %v", order, want)
	}
}

func TestIdfIsNeverNegative(t *testing.T) {
	for n := 1; n <= 50; n++ {
		for df := 1; df <= n; df++ {
			if got := idf(n, df); got <= 0 {
				t.Fatalf("idf(%d, %d) = %v", n, df, got)
			}
		}
	}
}

func TestTenantHashTrims(t *testing.T) {
	if tenantHash(" t\n") != tenantHash("t") {
		t.Error("blanks around a tenant count")
	}
	if tenantHash("t") == tenantHash("T") {
		t.Error("case does not count")
	}
	// xxHash64 with seed 0 of the empty input, a published test vector.
	if got := tenantHash(""); got != 0xef46db3751d8e999 {
		t.Errorf("hash of the empty tenant is %x", got)
	}
}

func TestFittingPointers(t *testing.T) {
	for _, c := range []struct {
		hits   int
		budget uint64
		want   int
	}{
		{20, 0, 1}, {20, 1, 1}, {20, 39, 1}, {20, 40, 1}, {20, 79, 1}, {20, 80, 2}, {20, 81, 2}, {20, 500, 12},
		{20, 799, 19}, {20, 800, 20}, {20, 4_000_000_000, 20}, {20, math.MaxUint64, 20}, {0, 0, 0}, {0, 100, 0},
	} {
		if got := fittingPointers(c.hits, c.budget); got != c.want {
			t.Errorf("%d hits, budget %d: %d, want %d", c.hits, c.budget, got, c.want)
		}
	}
}

func TestFittingRows(t *testing.T) {
	for _, c := range []struct {
		lengths []int
		budget  uint64
		want    int
	}{
		{[]int{5, 5, 5}, 0, 1}, {[]int{5, 5, 5}, 4, 1}, {[]int{5, 5, 5}, 9, 1}, {[]int{5, 5, 5}, 10, 2}, {[]int{5, 5, 5}, 11, 2},
		{[]int{5, 5, 5}, 15, 3}, {[]int{5, 5, 5}, 4_000_000_000, 3},
		{[]int{5, 9, 1}, 7, 1}, // it stops, and does not look for a smaller one
		{nil, 10, 0},
	} {
		var rows []row
		for _, n := range c.lengths {
			rows = append(rows, row{DocLengthTokens: n})
		}
		if got := fittingRows(rows, c.budget); got != c.want {
			t.Errorf("lengths %v, budget %d: %d, want %d", c.lengths, c.budget, got, c.want)
		}
	}
}

func TestFindNamesWhatIsWrong(t *testing.T) {
	x := corpusOf(segment("t", "a", "b"), segment("u", "c"))
	for _, c := range []struct{ id, fault, kind string }{
		{"", "invalid result_id format", "invalid_format"},
		{"0", "invalid result_id format", "invalid_format"},
		{"0:1:0", "invalid result_id format", "invalid_format"},
		{"x:0", "segment not found", "evicted"},
		{":0", "segment not found", "evicted"},
		{"2:0", "segment not found", "evicted"},
		{"-1:0", "segment not found", "evicted"},
		{"99999999999999999999:0", "segment not found", "evicted"},
		{"0:", "doc_id out of range", "evicted"},
		{"0:2", "doc_id out of range", "evicted"},
		{"0:x", "doc_id out of range", "evicted"},
		{"1:0", "tenant mismatch", "tenant_mismatch"},
	} {
		_, got := x.find(tenantHash("t"), c.id)
		if want := (idError{c.id, c.fault, c.kind}); got == nil || *got != want {
			t.Errorf("find(%q) = %v, want %v", c.id, got, want)
		}
	}
	d, fault := x.find(tenantHash("t"), "0:1")
	if fault != nil || d.segment != 0 || d.number != 1 || d.offset != 1 {
		t.Errorf("find(0:1) = %+v, %v", d, fault)
	}
}
