package mcp_test

import (
	"encoding/json"
	"net/http"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	gomegatypes "github.com/onsi/gomega/types"
)

// match takes a text as it stands and a matcher as it is.
func match(v any) gomegatypes.GomegaMatcher {
	if m, ok := v.(gomegatypes.GomegaMatcher); ok {
		return m
	}
	return Equal(v)
}

var _ = Describe("the routes", func() {
	var d *daemon
	BeforeEach(func() { d = serve(nil) })

	It("answers GET /mcp with the discovery blob and nothing else", func() {
		r := d.do(http.MethodGet, "/mcp", "", session("abc"))
		Expect(r.status).To(Equal(200))
		Expect(r.header["Content-Type"]).To(Equal([]string{"application/json"}))
		Expect(r.body).To(MatchJSON(`{"protocolVersion":"2024-11-05","serverInfo":{"name":"crux","version":"9.8.7"}}`))
		Expect(r.header).NotTo(HaveKey("Mcp-Session-Id"))
	})

	It("does not look at the session header of GET /mcp", func() {
		Expect(d.do(http.MethodGet, "/mcp", "", session("a b", "c")).status).To(Equal(200))
	})

	It("answers HEAD /mcp as GET, without the body", func() {
		get, head := d.do(http.MethodGet, "/mcp", "", nil), d.do(http.MethodHead, "/mcp", "", nil)
		Expect(head.status).To(Equal(200))
		Expect(head.body).To(BeEmpty())
		Expect(head.header["Content-Length"]).To(Equal(get.header["Content-Length"]))
		Expect(head.header["Content-Type"]).To(Equal(get.header["Content-Type"]))
	})

	DescribeTable("answers 405 without a body, with Allow, to another method on /mcp",
		func(method string) {
			r := d.do(method, "/mcp", "", nil)
			Expect(r.status).To(Equal(405))
			Expect(r.body).To(BeEmpty())
			Expect(strings.Split(r.header.Get("Allow"), ", ")).To(ConsistOf("GET", "HEAD", "POST"))
			Expect(r.header).NotTo(HaveKey("Content-Type"))
		},
		Entry(nil, "DELETE"), Entry(nil, "OPTIONS"), Entry(nil, "PUT"), Entry(nil, "PATCH"), Entry(nil, "TRACE"),
		Entry(nil, "PROPFIND"), Entry(nil, "BREW"), Entry("lower case", "post"),
	)

	DescribeTable("answers 404 without a body on every other path",
		func(method, path string) {
			r := d.do(method, path, "", nil)
			Expect(r.status).To(Equal(404))
			Expect(r.body).To(BeEmpty())
			Expect(r.header).NotTo(HaveKey("Content-Type"))
		},
		Entry(nil, "GET", "/"), Entry(nil, "POST", "/"), Entry(nil, "GET", "/mcp/"), Entry(nil, "POST", "/mcp/"),
		Entry(nil, "GET", "/MCP"), Entry(nil, "GET", "//mcp"), Entry(nil, "GET", "/mcp/x"), Entry(nil, "GET", "/healthz"),
		Entry(nil, "GET", "/metrics"), Entry(nil, "GET", "/.well-known/agent-card.json"),
		Entry(nil, "GET", "/.well-known/oauth-protected-resource/mcp"), Entry(nil, "GET", "/.well-known/oauth-authorization-server"),
		Entry(nil, "GET", "/.well-known/openid-configuration"), Entry(nil, "POST", "/register"),
		Entry(nil, "BREW", "/healthz"), Entry(nil, "DELETE", "/other"),
	)

	It("takes a query on /mcp for nothing", func() {
		Expect(d.do(http.MethodGet, "/mcp?session=1&x", "", nil).status).To(Equal(200))
		succeeded(d.do(http.MethodPost, "/mcp?a=b", request("tools/list"), nil), "1", listing)
	})
})

var _ = Describe("the four methods", func() {
	var d *daemon
	BeforeEach(func() { d = serve(nil) })

	It("answers initialize with the documented handshake", func() {
		members := answered(d.post(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2099-01-01"}}`))
		var result map[string]any
		Expect(json.Unmarshal(members["result"], &result)).To(Succeed())
		Expect(result).To(HaveLen(4))
		Expect(result["protocolVersion"]).To(Equal("2024-11-05"))
		Expect(result["capabilities"]).To(Equal(map[string]any{"tools": map[string]any{"listChanged": true}}))
		Expect(result["serverInfo"]).To(Equal(map[string]any{"name": "crux", "version": "9.8.7"}))
		welcome := result["_welcome"].(map[string]any)
		Expect(welcome).To(HaveLen(3))
		Expect(welcome["docs"]).To(Equal("https://github.com/CueCrux/Crux/blob/main/docs/agent-guide.md"))
		Expect(welcome["hint"]).To(SatisfyAll(ContainSubstring(`get_bootstrap("patterns")`), ContainSubstring("sync_status()"), ContainSubstring("update_status()")))
		steps := []string{"get_bootstrap", "sync_status", "update_status", "store_fact", "query_facts"}
		Expect(welcome["quickstart"]).To(HaveLen(len(steps)))
		for i, step := range steps {
			Expect(welcome["quickstart"].([]any)[i]).To(HavePrefix(step))
		}
	})

	It("answers notifications/initialized that carries an id with a result of null", func() {
		r := d.post(request("notifications/initialized"))
		Expect(r.body).To(MatchJSON(`{"jsonrpc":"2.0","id":1,"result":null}`))
		Expect(r.status).To(Equal(200))
	})

	It("answers tools/list with the listing, whatever its params", func() {
		succeeded(d.post(request("tools/list")), "1", listing)
		succeeded(d.post(`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":"x"}}`), "1", listing)
		succeeded(d.post(`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":7}`), "1", listing)
	})

	It("runs tools/call", func() {
		r := d.post(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"query_facts","arguments":{"query":"a"},"_meta":{"progressToken":1}}}`)
		succeeded(r, "1", `{"content":[{"type":"text","text":"query a"}]}`)
		failed(d.post(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"query_facts"}}`), "1", -32602, "missing required param: query")
	})

	DescribeTable("refuses every other method with -32601 inside HTTP 200",
		func(method string) {
			failed(d.post(request(method)), "1", -32601, "method not found: "+method)
		},
		Entry(nil, "ping"), Entry(nil, "resources/list"), Entry(nil, "resources/read"), Entry(nil, "resources/templates/list"),
		Entry(nil, "prompts/list"), Entry(nil, "prompts/get"), Entry(nil, "completion/complete"), Entry(nil, "logging/setLevel"),
		Entry(nil, "roots/list"), Entry(nil, "notifications/cancelled"), Entry(nil, "server/discover"),
		Entry("none", ""), Entry("another case", "Tools/List"), Entry("blanks around", " tools/list "),
		Entry("beyond ASCII", "wérkzeug/<list>&\u2028"), Entry("a long one", strings.Repeat("x", 5000)),
	)

	DescribeTable("echoes the id as it was sent",
		func(id string) {
			body := `{"jsonrpc":"2.0","id":` + id + `,"method":"ping"}`
			Expect(d.post(body).body).To(HavePrefix(`{"jsonrpc":"2.0","id":` + id + `,`))
			failed(d.post(body), id, -32601, "method not found: ping")
		},
		Entry(nil, `0`), Entry(nil, `-1`), Entry(nil, `9007199254740993`), Entry(nil, `123456789012345678901234567890123456789`),
		Entry(nil, `1.0`), Entry(nil, `0.1e-7`), Entry(nil, `"7"`), Entry(nil, `""`), Entry(nil, `"é\u00e9\""`),
		Entry(nil, `true`), Entry(nil, `[]`), Entry(nil, `{"a":[1,null]}`), Entry("4,000 digits", strings.Repeat("7", 4000)),
	)
})

var _ = Describe("the headers that are not examined", func() {
	DescribeTable("change nothing",
		func(name, value string) {
			r := serve(nil).post(request("tools/list"), http.Header{name: {value}})
			succeeded(r, "1", listing)
		},
		Entry(nil, "Mcp-Protocol-Version", "2099-01-01"), Entry(nil, "Content-Type", "text/plain"), Entry(nil, "Content-Type", "multipart/form-data"),
		Entry(nil, "Accept", "text/html"), Entry(nil, "Accept", "text/event-stream"), Entry(nil, "Origin", "https://elsewhere.example"),
		Entry(nil, "Authorization", "Bearer unknown"), Entry(nil, "Authorization", "Basic x"), Entry(nil, "Last-Event-Id", "9"),
	)
})
