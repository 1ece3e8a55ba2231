package retrieval_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"cruxconform/reference/store"
	"cruxconform/reference/tools"
	"cruxconform/reference/tools/retrieval"
)

func TestRetrieval(t *testing.T) {
	RegisterFailHandler(Fail)
	RunSpecs(t, "retrieval")
}

// daemon is the plane on a store of its own.
type daemon struct {
	dir       string
	store     *store.Store
	index     *retrieval.Index
	handlers  map[string]tools.Handler
	truncated atomic.Bool
}

func newDaemon() *daemon {
	GinkgoHelper()
	d := &daemon{dir: GinkgoT().TempDir()}
	d.start()
	DeferCleanup(func() { _ = d.store.Close() })
	return d
}

func (d *daemon) start() {
	GinkgoHelper()
	var err error
	d.store, err = store.Open(d.dir)
	Expect(err).NotTo(HaveOccurred())
	d.index, err = retrieval.Open(d.store)
	Expect(err).NotTo(HaveOccurred())
	d.handlers = retrieval.Handlers(d.index)
}

// ingest takes one segment in, with one document per text.
func (d *daemon) ingest(tenant string, texts ...string) retrieval.Receipt {
	GinkgoHelper()
	seg := store.Segment{TenantID: tenant, CorpusID: "c"}
	for i, text := range texts {
		seg.Chunks = append(seg.Chunks, store.SegmentChunk{Document: "d", Chunk: fmt.Sprint(i), Text: text})
	}
	r, err := d.index.Ingest(context.Background(), []byte(tenant+"\n"+strings.Join(texts, "\n")), seg)
	Expect(err).NotTo(HaveOccurred())
	return r
}

func (d *daemon) text(tool, args string) string {
	GinkgoHelper()
	Expect(json.Valid([]byte(args))).To(BeTrueBecause("%s is sent as arguments", args))
	ctx, notes := tools.WithNotes(context.Background())
	raw, err := d.handlers[tool](ctx, tools.Caller{}, tools.ParseArgs(json.RawMessage(args)))
	Expect(err).NotTo(HaveOccurred())
	d.truncated.Store(notes.Truncated)
	var out map[string]any
	Expect(json.Unmarshal(raw, &out)).To(Succeed())
	Expect(out).To(HaveLen(1), "content alone")
	item := out["content"].([]any)[0].(map[string]any)
	Expect(item["type"]).To(Equal("text"))
	return item["text"].(string)
}

func (d *daemon) call(tool, args string) map[string]any {
	GinkgoHelper()
	var object map[string]any
	Expect(json.Unmarshal([]byte(d.text(tool, args)), &object)).To(Succeed())
	return object
}

func ids(rows any) []string {
	out := []string{}
	for _, r := range rows.([]any) {
		row := r.(map[string]any)
		if id, ok := row["id"]; ok {
			out = append(out, id.(string))
			continue
		}
		out = append(out, row["result_id"].(string))
	}
	return out
}

// manyDocuments are 30 documents of 4 tokens whose rank is their place.
func manyDocuments() []string {
	var texts []string
	for i := range 30 {
		texts = append(texts, fmt.Sprintf("needle hay%d straw%d grass%d", i, i, i))
	}
	return texts
}

var _ = Describe("Arguments", func() {
	DescribeTable("are refused", func(tool, args, message string) {
		for _, filled := range []bool{false, true} {
			d := newDaemon()
			if filled {
				d.ingest("t", "text")
			}
			_, err := d.handlers[tool](context.Background(), tools.Caller{}, tools.ParseArgs(json.RawMessage(args)))
			var refusal *tools.Error
			Expect(errors.As(err, &refusal)).To(BeTrueBecause("%s %s must be refused, got %v", tool, args, err))
			Expect(*refusal).To(Equal(tools.Error{Code: -32602, Message: message}))
		}
	},
		Entry(nil, "query", `{}`, "missing required param: tenant_id"),
		Entry(nil, "query", `{"tenant_id":7,"query":"x"}`, "missing required param: tenant_id"),
		Entry(nil, "query", `{"tenant_id":"","query":7}`, "tenant_id must name one concrete tenant"),
		Entry(nil, "query", `{"tenant_id":" \t"}`, "tenant_id must name one concrete tenant"),
		Entry(nil, "query", `{"tenant_id":" * "}`, "tenant_id must name one concrete tenant"),
		Entry(nil, "query", `{"tenant_id":"t"}`, "missing required param: query"),
		Entry(nil, "query", `{"tenant_id":"t","query":null}`, "missing required param: query"),
		Entry(nil, "query_scan", `{"query":"x"}`, "missing required param: tenant_id"),
		Entry(nil, "query_scan", `{"tenant_id":"*","query":"x"}`, "tenant_id must name one concrete tenant"),
		Entry(nil, "query_scan", `{"tenant_id":"t"}`, "missing required param: query"),
		Entry(nil, "query_expand", `{"result_ids":[]}`, "missing required param: tenant_id"),
		Entry(nil, "query_expand", `{"tenant_id":"*","result_ids":[]}`, "tenant_id must name one concrete tenant"),
		Entry(nil, "query_expand", `{"tenant_id":"t"}`, "missing required param: result_ids"),
		Entry(nil, "query_expand", `{"tenant_id":"t","result_ids":null}`, "missing required param: result_ids"),
		Entry(nil, "query_expand", `{"tenant_id":"t","result_ids":"0:0"}`, "missing required param: result_ids"),
		Entry(nil, "query_expand", `{"tenant_id":"t","result_ids":{}}`, "missing required param: result_ids"),
	)
})

var _ = Describe("An empty index", func() {
	It("answers plain text whatever the contract", func() {
		d := newDaemon()
		for _, contract := range []string{"v1", "legacy"} {
			args := fmt.Sprintf(`{"tenant_id":"t","query":"x","contract":%q}`, contract)
			Expect(d.text("query", args)).To(Equal("index is empty \u2014 ingest data first"))
			Expect(d.text("query_scan", args)).To(Equal("index is empty"))
		}
	})

	It("is not one that holds documents of others only", func() {
		d := newDaemon()
		d.ingest("other", "x")
		Expect(d.call("query", `{"tenant_id":"t","query":"x"}`)["pointers"]).To(BeEmpty())
		Expect(d.call("query_scan", `{"tenant_id":"t","query":"x","contract":"legacy"}`)["scan"]).To(BeEmpty())
	})
})

var _ = Describe("query", func() {
	var d *daemon
	BeforeEach(func() { d = newDaemon() })

	It("answers rows in the legacy shape", func() {
		d.ingest("t", "apple apple pear", "Apple!", "plum, pear, fig, kiwi")
		got := d.call("query", `{"tenant_id":" t ","query":"Apple melon","contract":"legacy"}`)
		score := func(v float64) any { return BeNumerically("~", v, 2e-6) }
		row := func(rank float64, doc, length float64, s float64) any {
			return And(HaveLen(10),
				HaveKeyWithValue("result_id", fmt.Sprintf("0:%v", doc)), HaveKeyWithValue("rank", rank), HaveKeyWithValue("score", score(s)),
				HaveKeyWithValue("source_label", "local_tenant_index"), HaveKeyWithValue("score_space", "bm25_lexical"),
				HaveKeyWithValue("semantic_profile_id", BeNil()), HaveKeyWithValue("local_semantic_profile_id", BeNil()),
				HaveKeyWithValue("segment_index", 0.0), HaveKeyWithValue("doc_id", doc), HaveKeyWithValue("doc_length_tokens", length))
		}
		Expect(got).To(HaveLen(4))
		Expect(got["results"]).To(HaveExactElements(row(1, 1, 1, 0.631455), row(2, 0, 3, 0.624307)))
		Expect(got["total_candidates"]).To(Equal(2.0))
		Expect(got["coverage"]).To(Equal(map[string]any{"score": 0.5, "missing_tokens": []any{"melon"}, "below_floor": 0.0}))
		Expect(got["meta"]).To(And(HaveLen(8), HaveKeyWithValue("source_label", "local_tenant_index"), HaveKeyWithValue("score_space", "bm25_lexical")))
	})

	It("answers pointers under CRC-v1, the default", func() {
		d.ingest("t", "apple apple pear", "Apple!", "plum, pear, fig, kiwi")
		got := d.call("query", `{"tenant_id":"t","query":"apple"}`)
		Expect(got["pointers"]).To(HaveExactElements(
			And(HaveLen(2), HaveKeyWithValue("id", "0:1"), HaveKeyWithValue("score", BeNumerically("~", 0.631455, 2e-6))),
			And(HaveLen(2), HaveKeyWithValue("id", "0:0"), HaveKeyWithValue("score", BeNumerically("~", 0.624307, 2e-6)))))
		delete(got, "pointers")
		Expect(got["meta"]).To(And(HaveLen(10), HaveKeyWithValue("score_space", "bm25_lexical"), HaveKeyWithValue("total_candidates", 2.0),
			HaveKeyWithValue("coverage", map[string]any{"score": 1.0, "missing_tokens": []any{}, "below_floor": 0.0})))
		delete(got, "meta")
		Expect(got).To(Equal(map[string]any{
			"contract": "crc-v1", "kind": "search", "hydrate_tier": "pointer",
			"cost_estimate": map[string]any{"pointer": 80.0, "summary": 300.0, "full": 4.0},
			"agent_decision": map[string]any{
				"load_bearing_lane": "Bm25", "fused_confidence": nil, "suggested_next_lane": "None",
				"lane_attribution": map[string]any{"bm25": map[string]any{"share": 1.0, "confidence": nil}}, "read_pointers": []any{},
			},
			"envelope": map[string]any{
				"freshness": nil, "receipts_used": []any{}, "memories_used": []any{},
				"autonomy_consumed": map[string]any{"capability": "retrieve:read", "cost_credits": 0.0, "scope": "agent"}, "links": map[string]any{},
			},
			"next": map[string]any{"expand": `query_expand {result_ids:["<seg>:<doc>"...]}`, "resolution_pointer": nil},
		}))
	})

	It("stays inside the tenant, whose name is trimmed", func() {
		d.ingest("t", "shared mine")
		d.ingest("u", "shared theirs")
		d.ingest(" t ", "shared mine too")
		Expect(ids(d.call("query", `{"tenant_id":"t","query":"shared"}`)["pointers"])).To(Equal([]string{"0:0", "2:0"}))
		Expect(ids(d.call("query", `{"tenant_id":"u","query":"shared mine"}`)["pointers"])).To(Equal([]string{"1:0"}))
		Expect(d.call("query", `{"tenant_id":"T","query":"shared"}`)["pointers"]).To(BeEmpty())
		// A token counts as matched wherever it occurs.
		Expect(d.call("query", `{"tenant_id":"u","query":"mine"}`)["meta"].(map[string]any)["coverage"]).To(
			Equal(map[string]any{"score": 1.0, "missing_tokens": []any{}, "below_floor": 0.0}))
	})

	DescribeTable("is bounded by limit and budget alone", func(args string, hits int, truncated bool) {
		d.ingest("t", manyDocuments()...)
		got := d.call("query", `{"tenant_id":"t","query":"needle"`+args+`}`)
		want := []string{}
		for i := range hits {
			want = append(want, fmt.Sprintf("0:%d", i))
		}
		Expect(ids(got["pointers"])).To(Equal(want))
		Expect(got["meta"]).To(HaveKeyWithValue("total_candidates", 30.0))
		n := float64(hits)
		Expect(got["cost_estimate"]).To(Equal(map[string]any{"pointer": 40 * n, "summary": 150 * n, "full": 4 * n}))
		Expect(d.truncated.Load()).To(Equal(truncated))
	},
		Entry("neither", ``, 10, false),
		Entry("limit 25", `,"limit":25`, 25, false),
		Entry("limit 0", `,"limit":0`, 0, false),
		Entry("limit beyond the hits", `,"limit":4000000000`, 30, false),
		Entry("limit -1", `,"limit":-1`, 10, false),
		Entry("limit 2.5", `,"limit":2.5`, 10, false),
		Entry("limit in words", `,"limit":"2"`, 10, false),
		Entry("budget 0", `,"token_budget":0`, 1, true),
		Entry("budget 39", `,"token_budget":39`, 1, true),
		Entry("budget 40", `,"token_budget":40`, 1, true),
		Entry("budget 79", `,"token_budget":79`, 1, true),
		Entry("budget 80", `,"token_budget":80`, 2, true),
		Entry("budget 81", `,"token_budget":81`, 2, true),
		Entry("budget 500 and limit 30", `,"token_budget":500,"limit":30`, 12, true),
		Entry("budget 400", `,"token_budget":400`, 10, false),
		Entry("no clamp", `,"token_budget":4000000000,"limit":30`, 30, false),
		Entry("budget in words", `,"token_budget":"0"`, 10, false),
	)

	It("drops hits below min_score before the cut, and counts them", func() {
		d.ingest("t", "apple apple pear", "Apple!", "plum, pear, fig, kiwi")
		got := d.call("query", `{"tenant_id":"t","query":"apple","min_score":0.63,"limit":1,"contract":"legacy"}`)
		Expect(ids(got["results"])).To(Equal([]string{"0:1"}))
		Expect(got["total_candidates"]).To(Equal(2.0))
		Expect(got["coverage"]).To(HaveKeyWithValue("below_floor", 1.0))
		got = d.call("query", `{"tenant_id":"t","query":"apple","min_score":9,"contract":"legacy"}`)
		Expect(got["results"]).To(Equal([]any{}))
		Expect(got["coverage"]).To(HaveKeyWithValue("below_floor", 2.0))
	})

	It("finds nothing for a query without tokens", func() {
		d.ingest("t", "apple")
		got := d.call("query", `{"tenant_id":"t","query":"?!","contract":"legacy"}`)
		Expect(got["results"]).To(Equal([]any{}))
		Expect(got["total_candidates"]).To(Equal(0.0))
		Expect(got["coverage"]).To(Equal(map[string]any{"score": 0.0, "missing_tokens": []any{}, "below_floor": 0.0}))
	})

	It("answers the same again, after a restart too", func() {
		d.ingest("t", manyDocuments()...)
		d.ingest("t", "needle needle", "other")
		for _, args := range []string{`{"tenant_id":"t","query":"needle hay3"}`, `{"tenant_id":"t","query":"needle hay3","contract":"v0","limit":40}`} {
			before := d.text("query", args)
			Expect(d.text("query", args)).To(Equal(before))
			Expect(d.store.Close()).To(Succeed())
			d.start()
			Expect(d.text("query", args)).To(Equal(before))
		}
	})
})

var _ = Describe("query_scan", func() {
	var d *daemon
	BeforeEach(func() {
		d = newDaemon()
		d.ingest("t", manyDocuments()...)
	})

	DescribeTable("is bounded by limit and by the tokens of its rows", func(args string, rows int, truncated bool) {
		legacy := d.call("query_scan", `{"tenant_id":"t","query":"needle","contract":"legacy"`+args+`}`)
		Expect(legacy).To(HaveLen(5))
		Expect(legacy["scan"]).To(HaveLen(rows))
		Expect(d.truncated.Load()).To(Equal(truncated))
		crc := d.call("query_scan", `{"tenant_id":"t","query":"needle","contract":"v1"`+args+`}`)
		Expect(crc["kind"]).To(Equal("search"))
		Expect(crc["pointers"]).To(HaveLen(rows))
		for _, reported := range []any{legacy, crc["meta"]} {
			Expect(reported).To(And(HaveKeyWithValue("total_candidates", 30.0), HaveKeyWithValue("tokens_returned", 4*float64(rows)),
				HaveKeyWithValue("budget_truncated", truncated), Not(HaveKey("coverage"))))
		}
	},
		Entry("neither", ``, 20, false),
		Entry("limit 0", `,"limit":0`, 0, false),
		Entry("limit 0 and a budget", `,"limit":0,"token_budget":1`, 0, false),
		Entry("limit 30", `,"limit":30`, 30, false),
		Entry("budget 0", `,"token_budget":0`, 1, true),
		Entry("budget 7", `,"token_budget":7`, 1, true),
		Entry("budget 8", `,"token_budget":8`, 2, true),
		Entry("budget 9", `,"token_budget":9`, 2, true),
		Entry("budget 79", `,"token_budget":79`, 19, true),
		Entry("budget 80", `,"token_budget":80`, 20, false),
		Entry("no clamp", `,"token_budget":4000000000,"limit":30`, 30, false),
		Entry("min_score is not read", `,"min_score":100`, 20, false),
	)
})

var _ = Describe("query_expand", func() {
	var d *daemon
	BeforeEach(func() {
		d = newDaemon()
		d.ingest("t", "one two", "three")
		d.ingest("u", "four")
	})

	It("answers each id alone", func() {
		got := d.call("query_expand", `{"tenant_id":"t","result_ids":["0:1","1:0","0:0",7,"0:1","9:0","0:9","x"],"contract":"legacy"}`)
		chunk := func(doc, offset, tokens float64) map[string]any {
			return map[string]any{
				"segment_index": 0.0, "doc_id": doc, "source_label": "local_tenant_index", "score_space": "bm25_lexical",
				"semantic_profile_id": nil, "local_semantic_profile_id": nil, "frame_offset": offset, "token_count": tokens,
			}
		}
		fault := func(id, text, kind string) map[string]any {
			return map[string]any{"result_id": id, "error": text, "error_kind": kind}
		}
		Expect(got["chunks"]).To(Equal([]any{chunk(1, 7, 1), chunk(0, 0, 2), chunk(1, 7, 1)}))
		Expect(got["tokens_loaded"]).To(Equal(4.0))
		Expect(got["errors"]).To(Equal([]any{
			fault("1:0", "tenant mismatch", "tenant_mismatch"), fault("", "invalid result_id format", "invalid_format"),
			fault("9:0", "segment not found", "evicted"), fault("0:9", "doc_id out of range", "evicted"),
			fault("x", "invalid result_id format", "invalid_format"),
		}))
		Expect(got).To(HaveLen(4))
	})

	It("is of kind addressed under CRC-v1", func() {
		got := d.call("query_expand", `{"tenant_id":"t","result_ids":["0:0","x"]}`)
		Expect(got["kind"]).To(Equal("addressed"))
		Expect(got["pointers"]).To(Equal([]any{map[string]any{"id": "0:0", "score": nil}}))
		Expect(got["agent_decision"]).To(BeNil())
		Expect(got).To(HaveKey("agent_decision"))
		Expect(got["next"]).To(Equal(map[string]any{"expand": nil, "resolution_pointer": nil}))
		Expect(got["cost_estimate"]).To(Equal(map[string]any{"pointer": 40.0, "summary": 150.0, "full": 2.0}))
		Expect(got["meta"]).To(And(HaveKeyWithValue("tokens_loaded", 2.0), HaveKeyWithValue("errors", HaveLen(1)),
			HaveKeyWithValue("score_space", "bm25_lexical")))
	})

	It("answers no ids with nothing, and no errors", func() {
		got := d.call("query_expand", `{"tenant_id":"t","result_ids":[],"contract":"legacy"}`)
		Expect(got["chunks"]).To(Equal([]any{}))
		Expect(got["tokens_loaded"]).To(Equal(0.0))
		Expect(got).NotTo(HaveKey("errors"))
		Expect(d.call("query_expand", `{"tenant_id":"t","result_ids":[]}`)["pointers"]).To(Equal([]any{}))
	})

	It("reports every id of an empty index as evicted", func() {
		got := newDaemon().call("query_expand", `{"tenant_id":"t","result_ids":["0:0"],"contract":"legacy"}`)
		Expect(got["errors"]).To(HaveExactElements(HaveKeyWithValue("error_kind", "evicted")))
	})
})
