package mcp_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"cruxconform/reference/mcp"
)

// twoMiB is the documented bound of a POST body.
const twoMiB = 2 << 20

const call = `"method":"tools/call","params":{"name":"query_facts","arguments":{"query":"a"}}`

// pad is a request of exactly so many bytes.
func pad(bytes int) string {
	const head, tail = `{"jsonrpc":"2.0","id":1,"method":"ping","params":"`, `"}`
	return head + strings.Repeat("x", bytes-len(head)-len(tail)) + tail
}

var _ = Describe("the gates before dispatch", func() {
	var d *daemon
	BeforeEach(func() { d = serve(nil) })

	DescribeTable("refuses a bad session id with 400 before anything is parsed or run",
		func(header http.Header, body string) {
			r := d.post(body, header)
			Expect(r.status).To(Equal(400))
			Expect(r.header["Content-Type"]).To(Equal([]string{"application/json"}))
			Expect(r.body).To(MatchJSON(`{"error":"invalid_mcp_session_id","hint":"Mcp-Session-Id must be 1..=128 ASCII chars from [A-Za-z0-9._:-]"}`))
			Expect(r.header).NotTo(HaveKey("Mcp-Session-Id"))
			Expect(d.runs).To(BeZero())
		},
		Entry("a call", session("a b"), `{"jsonrpc":"2.0","id":1,`+call+`}`),
		Entry("an initialize", session("a/b"), request("initialize")),
		Entry("a notification", session(""), `{"jsonrpc":"2.0",`+call+`}`),
		Entry("a broken body", session(strings.Repeat("a", 129)), `{`),
		Entry("an empty body", session("ü"), ""),
		Entry("a repeated header", session("a", "b"), request("ping")),
	)

	DescribeTable("answers -32700 with id null and without a session to what does not parse",
		func(body string) {
			r := d.post(body, session("abc"))
			failed(r, "null", -32700, HavePrefix("invalid JSON: "))
			Expect(r.header).NotTo(HaveKey("Mcp-Session-Id"))
			succeeded(d.post(request("tools/list")), "1", listing)
		},
		Entry("nothing", ""), Entry("words", "hello"), Entry("an open object", `{"jsonrpc":"2.0","id":7,"method":"ping"`),
		Entry("text behind", request("ping")+"x"), Entry("a batch", "["+request("ping")+"]"), Entry("no method", `{"jsonrpc":"2.0","id":7}`),
		Entry("an id twice", `{"jsonrpc":"2.0","id":7,"id":8,"method":"ping"}`), Entry("no UTF-8", "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"\xff\"}"),
		Entry("10,001 levels", strings.Repeat("[", 10001)), Entry("a million levels", `{"params":`+strings.Repeat("[", 1<<20)),
	)

	It("keeps the text of a broken body out of the message, and the message short", func() {
		r := d.post(`{"token":"ghp_0123456789abcdefghijABCDEFGHIJ012345","x":` + strings.Repeat("hunter2 ", 10_000))
		failed(r, "null", -32700, SatisfyAll(Not(ContainSubstring("ghp_")), Not(ContainSubstring("hunter2"))))
		Expect(len(r.body)).To(BeNumerically("<", 400))
	})

	DescribeTable("answers a message without an id with a bare 202 and runs nothing",
		func(body string) {
			r := d.post(body, session("abc"))
			Expect(r.status).To(Equal(202))
			Expect(r.body).To(BeEmpty())
			Expect(r.header).NotTo(HaveKey("Content-Type"))
			Expect(r.header["Mcp-Session-Id"]).To(Equal([]string{"abc"}))
			Expect(d.post(body).header).NotTo(HaveKey("Mcp-Session-Id"))
			Expect(d.runs).To(BeZero())
		},
		Entry("initialized", `{"jsonrpc":"2.0","method":"notifications/initialized"}`),
		Entry("cancelled", `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`),
		Entry("initialize", `{"jsonrpc":"2.0","method":"initialize"}`),
		Entry("tools/call", `{"jsonrpc":"2.0",`+call+`}`),
		Entry("an unknown method", `{"jsonrpc":"2.0","method":"no/such"}`),
		Entry("an id of null", `{"jsonrpc":"2.0","id":null,`+call+`}`),
		Entry("the result of a client", `{"jsonrpc":"2.0","id":1,"result":{}}`),
		Entry("the error of a client", `{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"x"}}`),
	)

	DescribeTable("echoes the session id of a dispatched request",
		func(body string) {
			Expect(d.post(body, session("Az.09_:-")).header["Mcp-Session-Id"]).To(Equal([]string{"Az.09_:-"}))
		},
		Entry("initialize", request("initialize")), Entry("tools/list", request("tools/list")), Entry("an error", request("ping")),
	)

	It("mints a session id for initialize alone", func() {
		first, second := d.post(request("initialize")), d.post(request("initialize"))
		Expect(first.header["Mcp-Session-Id"]).To(HaveExactElements(MatchRegexp(`^[0-9a-f]{12}4[0-9a-f]{3}[89ab][0-9a-f]{15}$`)))
		Expect(second.header["Mcp-Session-Id"]).NotTo(Equal(first.header["Mcp-Session-Id"]))
		Expect(d.post(request("tools/list"), first.header).status).To(Equal(200))
		for _, method := range []string{"tools/list", "ping", "notifications/initialized"} {
			Expect(d.post(request(method)).header).NotTo(HaveKey("Mcp-Session-Id"), method)
		}
	})
})

var _ = Describe("the bound of a body", func() {
	tooLong := func(r reply, limit int) {
		GinkgoHelper()
		Expect(r.status).To(Equal(413))
		Expect(r.header["Content-Type"]).To(Equal([]string{"application/problem+json"}))
		Expect(r.body).To(MatchJSON(fmt.Sprintf(`{"type":"https://errors.cuecrux.com/payload-too-large","title":"Payload Too Large","status":413,
			"detail":"request body exceeds the configured limit of %d bytes (CORECRUXD_MAX_REQUEST_BODY_BYTES)"}`, limit)))
	}

	It("is 2 MiB for a body with a length", func() {
		d := serve(nil)
		failed(d.post(pad(twoMiB)), "1", -32601, "method not found: ping")
		tooLong(d.post(pad(twoMiB+1)), twoMiB)
	})

	It("is 2 MiB for a chunked body", func() {
		d := serve(nil)
		chunked := func(body string) reply {
			res, err := d.Client().Post(d.URL+"/mcp", "", io.MultiReader(strings.NewReader(body)))
			Expect(err).NotTo(HaveOccurred())
			defer res.Body.Close()
			out, err := io.ReadAll(res.Body)
			Expect(err).NotTo(HaveOccurred())
			return reply{res.StatusCode, res.Header, string(out)}
		}
		failed(chunked(pad(twoMiB)), "1", -32601, "method not found: ping")
		tooLong(chunked(pad(twoMiB+1)), twoMiB)
	})

	It("can be set lower, not higher", func() {
		tooLong(serve(func(o *mcp.Options) { o.MaxBody = 100 }).post(pad(101)), 100)
		tooLong(serve(func(o *mcp.Options) { o.MaxBody = 16 << 20 }).post(pad(twoMiB+1)), twoMiB)
	})

	It("comes before the session header", func() {
		tooLong(serve(nil).post(pad(3<<20), session("a b")), twoMiB)
	})

	It("answers a client that sends all before it reads, and serves the connection on", func() {
		c := dial(serve(nil))
		for _, step := range []struct {
			body   string
			status int
		}{{pad(3 << 20), 413}, {request("ping"), 200}, {pad(5 << 20), 413}, {request("ping"), 200}} {
			c.send("POST /mcp HTTP/1.1\r\nHost: x\r\nContent-Length: " + fmt.Sprint(len(step.body)) + "\r\n\r\n" + step.body)
			Expect(c.status()).To(Equal(step.status))
		}
	})

	It("answers at once to a body that is announced beyond all bounds, and closes", func() {
		c := dial(serve(nil))
		c.send("POST /mcp HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000000000\r\n\r\nxx")
		Expect(c.status()).To(Equal(413))
		Expect(c.closed()).To(BeTrue())
	})

	It("gives no leave to send a body that is announced too long", func() {
		c := dial(serve(nil))
		c.send("POST /mcp HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 3145728\r\n\r\n")
		Expect(c.status()).To(Equal(413))
		Expect(c.closed()).To(BeTrue())
	})

	It("serves others after a body that broke off", func() {
		d := serve(nil)
		c := dial(d)
		c.send("POST /mcp HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{")
		Expect(c.CloseWrite()).To(Succeed())
		Expect(c.status()).To(Equal(400))
		Expect(c.closed()).To(BeTrue())
		succeeded(d.post(request("tools/list")), "1", listing)
	})
})

// conn is a connection whose bytes the test writes itself.
type conn struct {
	*net.TCPConn
	in *bufio.Reader
}

func dial(d *daemon) *conn {
	GinkgoHelper()
	c, err := net.Dial("tcp", d.Listener.Addr().String())
	Expect(err).NotTo(HaveOccurred())
	DeferCleanup(func() { _ = c.Close() })
	Expect(c.SetDeadline(time.Now().Add(20 * time.Second))).To(Succeed())
	return &conn{c.(*net.TCPConn), bufio.NewReader(c)}
}

func (c *conn) send(text string) {
	GinkgoHelper()
	_, err := io.WriteString(c, text)
	Expect(err).NotTo(HaveOccurred())
}

// status reads one response to its end.
func (c *conn) status() int {
	GinkgoHelper()
	res, err := http.ReadResponse(c.in, nil)
	Expect(err).NotTo(HaveOccurred())
	defer res.Body.Close()
	_, err = io.Copy(io.Discard, res.Body)
	Expect(err).NotTo(HaveOccurred())
	return res.StatusCode
}

// closed waits until the server has closed the connection; the deadline of the
// connection bounds the wait.
func (c *conn) closed() bool {
	_, err := c.in.ReadByte()
	return err == io.EOF
}
