package mcp_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"cruxconform/reference/dispatch"
	"cruxconform/reference/mcp"
	"cruxconform/reference/tools"
)

func TestMCP(t *testing.T) {
	RegisterFailHandler(Fail)
	RunSpecs(t, "the MCP port")
}

const listing = `{"tools":[{"name":"echo"}]}`

// daemon is a port with one tool that answers its arguments and counts its runs.
type daemon struct {
	*httptest.Server
	runs int
}

func serve(change func(*mcp.Options)) *daemon {
	d := new(daemon)
	o := mcp.Options{
		Version: "9.8.7", Listing: json.RawMessage(listing),
		Calls: dispatch.New(map[string]tools.Handler{
			"query_facts": func(_ context.Context, _ tools.Caller, args tools.Args) (json.RawMessage, error) {
				d.runs++
				if v, ok := args.String("query"); ok {
					return tools.Text("query " + v), nil
				}
				return nil, tools.MissingParam("query")
			},
		}, false),
	}
	if change != nil {
		change(&o)
	}
	d.Server = httptest.NewServer(mcp.NewServer(o).Handler())
	DeferCleanup(d.Close)
	return d
}

// reply is an answer that was read to its end.
type reply struct {
	status int
	header http.Header
	body   string
}

func (d *daemon) do(method, path, body string, header http.Header) reply {
	GinkgoHelper()
	var in io.Reader
	if body != "" {
		in = strings.NewReader(body)
	}
	req, err := http.NewRequest(method, d.URL+path, in)
	Expect(err).NotTo(HaveOccurred())
	for k, v := range header {
		req.Header[k] = v
	}
	res, err := d.Client().Do(req)
	Expect(err).NotTo(HaveOccurred())
	defer res.Body.Close()
	out, err := io.ReadAll(res.Body)
	Expect(err).NotTo(HaveOccurred())
	return reply{res.StatusCode, res.Header, string(out)}
}

func (d *daemon) post(body string, header ...http.Header) reply {
	GinkgoHelper()
	h := http.Header{}
	for _, more := range header {
		for k, v := range more {
			h[k] = v
		}
	}
	return d.do(http.MethodPost, "/mcp", body, h)
}

func session(values ...string) http.Header { return http.Header{"Mcp-Session-Id": values} }

// request is a request with an id of 1.
func request(method string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":%q}`, method)
}

// answered demands a JSON-RPC response in HTTP 200 and returns it.
func answered(r reply) map[string]json.RawMessage {
	GinkgoHelper()
	Expect(r.status).To(Equal(http.StatusOK), r.body)
	Expect(r.header["Content-Type"]).To(Equal([]string{"application/json"}))
	var members map[string]json.RawMessage
	Expect(json.Unmarshal([]byte(r.body), &members)).To(Succeed(), r.body)
	Expect(string(members["jsonrpc"])).To(Equal(`"2.0"`))
	return members
}

// failed demands an error response with exactly code and message.
func failed(r reply, id string, code int, message any) {
	GinkgoHelper()
	members := answered(r)
	Expect(members).To(HaveLen(3), "jsonrpc, id and error: %s", r.body)
	Expect(string(members["id"])).To(Equal(id))
	var e map[string]any
	Expect(json.Unmarshal(members["error"], &e)).To(Succeed(), r.body)
	Expect(e).To(HaveLen(2), "code and message: %s", r.body)
	Expect(e["code"]).To(BeEquivalentTo(code))
	Expect(e["message"]).To(match(message))
}

// succeeded demands a result response with exactly this JSON.
func succeeded(r reply, id, result string) {
	GinkgoHelper()
	members := answered(r)
	Expect(members).To(HaveLen(3), "jsonrpc, id and result: %s", r.body)
	Expect(string(members["id"])).To(Equal(id))
	Expect(members["result"]).To(MatchJSON(result))
}
