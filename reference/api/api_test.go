package api_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"cruxconform/reference/api"
	"cruxconform/reference/store"
	"cruxconform/reference/tools"
	"cruxconform/reference/tools/retrieval"
)

func TestAPI(t *testing.T) {
	RegisterFailHandler(Fail)
	RunSpecs(t, "api")
}

// answer is what the port sent.
type answer struct {
	status      int
	contentType string
	allow       string
	body        string
}

func (a answer) object() map[string]any {
	GinkgoHelper()
	var object map[string]any
	Expect(json.Unmarshal([]byte(a.body), &object)).To(Succeed())
	return object
}

func ask(h http.Handler, method, path string, body io.Reader) answer {
	GinkgoHelper()
	server := httptest.NewServer(h)
	defer server.Close()
	request, err := http.NewRequest(method, server.URL+path, body)
	Expect(err).NotTo(HaveOccurred())
	response, err := server.Client().Do(request)
	Expect(err).NotTo(HaveOccurred())
	defer response.Body.Close()
	b, err := io.ReadAll(response.Body)
	Expect(err).NotTo(HaveOccurred())
	return answer{response.StatusCode, response.Header.Get("Content-Type"), response.Header.Get("Allow"), string(b)}
}

// expectProblem checks an RFC 7807 error with everything in it.
func expectProblem(a answer, status int, slug, detail string) {
	GinkgoHelper()
	Expect(a.status).To(Equal(status))
	Expect(a.contentType).To(Equal("application/problem+json"))
	want := map[string]any{
		"type": "https://errors.cuecrux.com/" + slug, "title": http.StatusText(status), "status": float64(status), "detail": detail,
	}
	if status == http.StatusRequestEntityTooLarge {
		want["title"] = "Payload Too Large"
	}
	if detail == "" {
		delete(want, "detail")
	}
	Expect(a.object()).To(Equal(want))
}

// index is a retrieval index on a store of its own.
func index() *retrieval.Index {
	GinkgoHelper()
	st, err := store.Open(GinkgoT().TempDir())
	Expect(err).NotTo(HaveOccurred())
	DeferCleanup(st.Close)
	x, err := retrieval.Open(st)
	Expect(err).NotTo(HaveOccurred())
	return x
}

type ingesterFunc func(context.Context, []byte, store.Segment) (retrieval.Receipt, error)

func (f ingesterFunc) Ingest(ctx context.Context, canonical []byte, seg store.Segment) (retrieval.Receipt, error) {
	return f(ctx, canonical, seg)
}

// never is an ingester that must not be reached.
var never = ingesterFunc(func(context.Context, []byte, store.Segment) (retrieval.Receipt, error) {
	panic("a refused payload was taken in")
})

const route = "/v1/local/ingest"

var _ = Describe("The HTTP API port", func() {
	h := func() http.Handler { return api.Handler(api.Options{Ingest: never, Version: "1.2.3", Commit: "abc"}) }

	It("says that it lives", func() {
		a := ask(h(), "GET", "/healthz", nil)
		Expect(a.status).To(Equal(200))
		Expect(a.contentType).To(Equal("application/json"))
		Expect(a.object()).To(Equal(map[string]any{"ok": true, "build": map[string]any{"version": "1.2.3", "commit": "abc"}}))
		Expect(ask(h(), "HEAD", "/healthz", nil)).To(Equal(answer{200, "application/json", "", ""}))
	})

	DescribeTable("has nothing else", func(method, path string) {
		expectProblem(ask(h(), method, path, nil), 404, "not-found", "")
	},
		Entry(nil, "GET", "/"), Entry(nil, "POST", "/mcp"), Entry(nil, "GET", "/mcp"), Entry(nil, "GET", "/healthz/"),
		Entry(nil, "POST", "/v1/local/ingest/"), Entry(nil, "GET", "/.well-known/agent-card"),
	)

	It("names the methods of a route that was asked with another", func() {
		Expect(ask(h(), "DELETE", "/healthz", nil)).To(Equal(answer{status: 405, allow: "GET"}))
		Expect(ask(h(), "GET", route, nil)).To(Equal(answer{status: 405, allow: "POST"}))
	})

	It("has no ingest where that is switched off", func() {
		off := api.Handler(api.Options{Ingest: never, NoIngest: true})
		expectProblem(ask(off, "POST", route, strings.NewReader(`{}`)), 404, "not-found", "")
	})
})

// payload is a valid body with one member replaced.
func payload(member, value string) string {
	members := map[string]string{"tenant_id": `"t"`, "corpus_id": `"c"`, "documents": documents(`"chunks":[{"chunk_id":"1","text":"x"}]`)}
	members[member] = value
	return fmt.Sprintf(`{"tenant_id":%s,"corpus_id":%s,"documents":%s}`, members["tenant_id"], members["corpus_id"], members["documents"])
}

func documents(members string) string { return `[{"doc_id":"d",` + members + `}]` }

func repeated(n int, element string) string {
	return "[" + strings.Repeat(element+",", n-1) + element + "]"
}

var _ = Describe("Ingest", func() {
	It("answers a receipt, and the documents can be found", func() {
		x := index()
		h := api.Handler(api.Options{Ingest: x, MaxBody: api.DefaultMaxBody})
		body := `{"tenant_id":"t","corpus_id":"c","documents":[
			{"doc_id":"a","title":"A","url":"u","source_timestamp":"s","chunks":[{"chunk_id":"1","text":"alpha","chunk_index":0,"metadata":{"k":[1]},"dense_vector":[0.5]},{"chunk_id":"2","text":"beta"}]},
			{"doc_id":"b","chunks":[{"chunk_id":"1","text":"gamma"}]}]}`
		a := ask(h, "POST", route, strings.NewReader(body))
		Expect(a.status).To(Equal(202))
		Expect(a.contentType).To(Equal("application/json"))
		Expect(a.object()).To(Equal(map[string]any{
			"tenant_id": "t", "corpus_id": "c", "documents": 2.0, "chunks": 3.0, "segment_seq": 1.0,
			"dense_status": "not_configured", "dense_vectors": 0.0, "dense_expected": 0.0,
		}))
		raw, err := retrieval.Handlers(x)["query"](context.Background(), tools.Caller{},
			tools.ParseArgs(json.RawMessage(`{"tenant_id":"t","query":"gamma","contract":"legacy"}`)))
		Expect(err).NotTo(HaveOccurred())
		Expect(string(raw)).To(ContainSubstring(`\"result_id\":\"0:2\"`))
	})

	It("takes a payload in once, in whatever form it comes", func() {
		h := api.Handler(api.Options{Ingest: index()})
		first := ask(h, "POST", route, strings.NewReader(`{"tenant_id":"t","corpus_id":"c","documents":[{"doc_id":"d","chunks":[{"chunk_id":"1","text":"x","metadata":{"a":1,"b":2}}]}]}`))
		again := ask(h, "POST", route, strings.NewReader(` {"documents":[{"chunks":[{"metadata":{"b":2,"a":1},"text":"x","chunk_id":"1"}],"doc_id":"d"}],"unknown":1,"corpus_id":"c","tenant_id":"t"}`))
		Expect(first.object()).To(And(HaveKeyWithValue("segment_seq", 1.0), HaveKeyWithValue("dense_status", "not_configured")))
		Expect(again.status).To(Equal(202))
		Expect(again.object()).To(And(HaveKeyWithValue("segment_seq", 1.0), HaveKeyWithValue("dense_status", "not_applicable"),
			HaveKeyWithValue("chunks", 1.0)))
	})

	It("takes payloads that differ in anything as two", func() {
		h := api.Handler(api.Options{Ingest: index()})
		for i, chunk := range []string{
			`{"chunk_id":"1","text":"x"}`, `{"chunk_id":"2","text":"x"}`, `{"chunk_id":"1","text":"x "}`,
			`{"chunk_id":"1","text":"x","metadata":9007199254740993}`, `{"chunk_id":"1","text":"x","metadata":9007199254740992}`,
			`{"chunk_id":"1","text":"x","chunk_index":0}`, `{"chunk_id":"1","text":"x","dense_vector":[1]}`,
		} {
			a := ask(h, "POST", route, strings.NewReader(payload("documents", documents(`"chunks":[`+chunk+`]`))))
			Expect(a.object()).To(And(HaveKeyWithValue("segment_seq", float64(i+1)), HaveKeyWithValue("dense_status", "not_configured")))
		}
	})

	DescribeTable("refuses", func(body, detail string) {
		h := api.Handler(api.Options{Ingest: never})
		expectProblem(ask(h, "POST", route, strings.NewReader(body)), 400, "bad-request", detail)
	},
		Entry("null", `null`, "tenant_id must not be empty"),
		Entry("no tenant", `{}`, "tenant_id must not be empty"),
		Entry("a blank tenant", payload("tenant_id", `" \t"`), "tenant_id must not be empty"),
		Entry("no corpus", payload("corpus_id", `null`), "corpus_id must not be empty"),
		Entry("a blank corpus", payload("corpus_id", `"\n"`), "corpus_id must not be empty"),
		Entry("no documents", payload("documents", `null`), "documents must not be empty"),
		Entry("an empty list", payload("documents", `[]`), "documents must not be empty"),
		Entry("4097 documents", payload("documents", repeated(4097, `{"doc_id":"d","chunks":[{"chunk_id":"1","text":"x"}]}`)), "max 4096 documents per request"),
		Entry("a document without id", payload("documents", `[{"chunks":[{"chunk_id":"1","text":"x"}]}]`), "document doc_id must not be empty"),
		Entry("a document without chunks", payload("documents", documents(`"title":"t"`)), "document `d` has no chunks"),
		Entry("a document with an empty list", payload("documents", documents(`"chunks":[]`)), "document `d` has no chunks"),
		Entry("65537 chunks", payload("documents", documents(`"chunks":`+repeated(65537, `{"chunk_id":"1","text":"x"}`))), "max 65536 chunks per request"),
		Entry("65537 chunks of two documents", payload("documents",
			`[{"doc_id":"d","chunks":`+repeated(65536, `{"chunk_id":"1","text":"x"}`)+`},{"doc_id":"e","chunks":[{"chunk_id":"1","text":"x"}]}]`), "max 65536 chunks per request"),
		Entry("a chunk without id", payload("documents", documents(`"chunks":[{"text":"x"}]`)), "chunk_id must not be empty in document `d`"),
		Entry("a blank chunk", payload("documents", documents(`"chunks":[{"chunk_id":"1","text":" "}]`)), "chunk `1` text must not be empty"),
		Entry("a chunk of 4 MiB and a byte", payload("documents", documents(`"chunks":[{"chunk_id":"1","text":"`+strings.Repeat("x", 4<<20+1)+`"}]`)),
			"chunk `1` text exceeds 4194304 bytes"),
	)

	DescribeTable("refuses what is no payload", func(body string) {
		a := ask(api.Handler(api.Options{Ingest: never}), "POST", route, strings.NewReader(body))
		Expect(a.status).To(Equal(400))
		Expect(a.contentType).To(Equal("application/problem+json"))
		Expect(a.object()["detail"]).To(HavePrefix("request body is not an ingest payload: "))
	},
		Entry("nothing", ``), Entry("text", `hello`), Entry("a list", `[]`), Entry("a cut body", `{"tenant_id":"t"`),
		Entry("text behind it", payload("tenant_id", `"t"`)+` x`), Entry("a number for a name", payload("tenant_id", `7`)),
		Entry("text for documents", payload("documents", `"d"`)), Entry("nesting without end", strings.Repeat("[", 20_000)),
		Entry("a vector that is none", payload("documents", documents(`"chunks":[{"chunk_id":"1","text":"x","dense_vector":["a"]}]`))),
	)

	DescribeTable("takes the largest payloads", func(body string, chunks float64) {
		a := ask(api.Handler(api.Options{Ingest: index(), MaxBody: api.DefaultMaxBody}), "POST", route, strings.NewReader(body))
		Expect(a.status).To(Equal(202), a.body)
		Expect(a.object()["chunks"]).To(Equal(chunks))
	},
		Entry("4096 documents", payload("documents", repeated(4096, `{"doc_id":"d","chunks":[{"chunk_id":"1","text":"x"}]}`)), 4096.0),
		Entry("65536 chunks", payload("documents", documents(`"chunks":`+repeated(65536, `{"chunk_id":"1","text":"x"}`))), 65536.0),
		Entry("a chunk of 4 MiB", payload("documents", documents(`"chunks":[{"chunk_id":"1","text":"`+strings.Repeat("x", 4<<20)+`"}]`)), 1.0),
	)

	DescribeTable("bounds the body", func(size int, chunked bool, status int) {
		const limit = 1000
		h := api.Handler(api.Options{Ingest: index(), MaxBody: limit})
		whole := payload("tenant_id", `"t"`)
		body := io.Reader(strings.NewReader(whole + strings.Repeat(" ", size-len(whole))))
		if chunked {
			// A reader of an unknown type has no Content-Length.
			body = io.MultiReader(body)
		}
		a := ask(h, "POST", route, body)
		if status == 202 {
			Expect(a.status).To(Equal(202), a.body)
			return
		}
		expectProblem(a, status, "payload-too-large", "request body exceeds the configured limit of 1000 bytes (CORECRUXD_MAX_REQUEST_BODY_BYTES)")
	},
		Entry("at the limit", 1000, false, 202), Entry("one above", 1001, false, 413),
		Entry("at the limit, chunked", 1000, true, 202), Entry("one above, chunked", 1001, true, 413), Entry("far above, chunked", 1<<20, true, 413),
	)

	It("answers 500 where the store fails, with the reason", func() {
		failing := ingesterFunc(func(context.Context, []byte, store.Segment) (retrieval.Receipt, error) {
			return retrieval.Receipt{}, errors.New("disk full")
		})
		expectProblem(ask(api.Handler(api.Options{Ingest: failing}), "POST", route, strings.NewReader(payload("tenant_id", `"t"`))),
			500, "internal", "ingest: disk full")
	})
})
