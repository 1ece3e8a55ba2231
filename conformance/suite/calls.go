package suite

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"

	"cruxconform/conformance/verdict"
	"cruxconform/conformance/wire"
)

// The roots: entries that nearly every check builds on and may fold under
// without naming them in its ledger entry.
const (
	RootAnswer = "11.3-01" // a request gets one JSON-RPC response inside HTTP 200
	RootList   = "11.3-02" // tools/list answers an array of tools
	RootCall   = "11.6-01" // a call of a served tool answers a content array
)

var lastID atomic.Int64

// nextID returns a request id that no other request of the running check uses.
// Each check begins at 1, so that equal requests of two checks have equal
// answers, and a report keeps a listing of 110 KB once and not sixty times.
func nextID() int64 { return lastID.Add(1) }

// Option changes one request.
type Option func(*wire.Request)

// WithHeader sets a header, several values as several lines.
func WithHeader(name string, values ...string) Option {
	return func(r *wire.Request) {
		if r.Header == nil {
			r.Header = http.Header{}
		}
		r.Header[http.CanonicalHeaderKey(name)] = values
	}
}

// Send sends any request and returns the exchange, whatever came of it.
func (c *C) Send(r wire.Request, opts ...Option) *wire.Exchange {
	for _, o := range opts {
		o(&r)
	}
	x := c.Client.Do(c, r)
	c.record.Exchanges = append(c.record.Exchanges, *x)
	return x
}

// Exchange sends a request and fails unless the answer came back whole.
func (c *C) Exchange(r wire.Request, opts ...Option) *wire.Exchange {
	x := c.Send(r, opts...)
	if !x.Whole() {
		c.fail(verdict.Finding{
			What: "the answer", Expected: "a whole HTTP answer", Actual: absence(x),
			Unanswered: !x.Answered(), Exchange: len(c.record.Exchanges) - 1,
		})
	}
	return x
}

func absence(x *wire.Exchange) string {
	if x.Answered() {
		return fmt.Sprintf("HTTP %d, then %s after %d bytes of the body", x.Status, x.Err, len(x.Body))
	}
	return x.Err
}

// Post sends a body to the MCP endpoint.
func (c *C) Post(body string, opts ...Option) *wire.Exchange {
	return c.Exchange(wire.Request{Body: []byte(body)}, opts...)
}

// Get asks the MCP endpoint, or another URL, with GET.
func (c *C) Get(url string, opts ...Option) *wire.Exchange {
	return c.Exchange(wire.Request{Method: http.MethodGet, URL: url}, opts...)
}

// Answer is one JSON-RPC response with the exchange that carried it.
type Answer struct {
	*wire.Message
	*wire.Exchange
}

// Call sends a request with a fresh id and returns its response, result or
// error. It builds on the root RootAnswer.
func (c *C) Call(method string, params any, opts ...Option) Answer {
	id := nextID()
	return c.CallRaw(request(id, method, params), fmt.Sprint(id), opts...)
}

// request is the body of a call. Params that are nil are left out.
func request(id int64, method string, params any) string {
	m := struct {
		JSONRPC string `json:"jsonrpc"`
		ID      int64  `json:"id"`
		Method  string `json:"method"`
		Params  any    `json:"params,omitempty"`
	}{"2.0", id, method, params}
	b, err := json.Marshal(m)
	if err != nil {
		panic(fmt.Sprintf("suite: request does not encode: %v", err))
	}
	return string(b)
}

// CallRaw sends a body whose id is given as raw JSON and returns its response.
func (c *C) CallRaw(body, id string, opts ...Option) Answer {
	var a Answer
	c.Given(RootAnswer, func() {
		x := c.Post(body, opts...)
		c.Equal("HTTP status", x.Status, http.StatusOK)
		m, err := wire.ParseMessage(x.Body)
		if err != nil {
			c.Fail("the body", "one JSON-RPC response object", err.Error())
		}
		c.Equal("member jsonrpc", sameForm(m.Members["jsonrpc"]), `"2.0"`)
		c.Equal("the id of the response", sameForm(m.Members["id"]), sameForm(json.RawMessage(id)))
		_, hasResult := m.Members["result"]
		if hasResult == (m.Error != nil) {
			c.Fail("members result and error", "exactly one of the two", string(x.Body))
		}
		a = Answer{m, x}
	})
	return a
}

// Result is a call that must succeed: its result. A JSON-RPC error fails the
// check, within whatever Given stands around the call.
func (c *C) Result(method string, params any, opts ...Option) json.RawMessage {
	return c.Success(c.Call(method, params, opts...))
}

// Success demands that an answer is a result and returns it.
func (c *C) Success(a Answer) json.RawMessage {
	if a.Error != nil {
		c.Fail("the answer", "a result", fmt.Sprintf("error %s: %s", a.Error.Code, a.Error.Text()))
	}
	return a.Members["result"]
}

// Refusal demands that an answer is an error with the code and returns it.
func (c *C) Refusal(a Answer, code int) *wire.RPCError {
	if a.Error == nil {
		c.Fail("the answer", fmt.Sprintf("an error with code %d", code), "result "+clip(a.Members["result"]))
	}
	c.Equal("the error code", number(a.Error.Code), fmt.Sprint(code))
	return a.Error
}

// Listing returns the tools of tools/list, each as its raw members. It builds
// on the root RootList.
func (c *C) Listing(opts ...Option) []Listed {
	var tools []Listed
	c.Given(RootList, func() {
		var result struct {
			Tools []json.RawMessage `json:"tools"`
		}
		c.Decode("the tools/list result", c.Result("tools/list", nil, opts...), &result)
		for i, raw := range result.Tools {
			t := Listed{Raw: raw}
			c.Decode(fmt.Sprintf("tool %d", i), raw, &t)
			tools = append(tools, t)
		}
		if len(tools) == 0 {
			c.Fail("the tools/list result", "a tools array that is not empty", "no tool")
		}
	})
	return tools
}

// Listed is one tool of a listing.
type Listed struct {
	Raw         json.RawMessage `json:"-"`
	Name        string          `json:"name"`
	Description string          `json:"description"`
	InputSchema json.RawMessage `json:"inputSchema"`
	Meta        json.RawMessage `json:"_meta"`
}

// Decode reads JSON and fails with the text where it does not fit.
func (c *C) Decode(what string, raw json.RawMessage, into any) {
	if err := json.Unmarshal(raw, into); err != nil {
		c.Fail(what, fmt.Sprintf("JSON that fits %T", into), fmt.Sprintf("%v: %s", err, clip(raw)))
	}
}

// compact is raw JSON without insignificant whitespace; an absent member is
// "(absent)".
func compact(raw json.RawMessage) string {
	if raw == nil {
		return "(absent)"
	}
	var b bytes.Buffer
	if json.Compact(&b, raw) != nil {
		return string(raw)
	}
	return b.String()
}

// number is a JSON number without needless digits or exponent, since -32601.0 is
// the number -32601; what is no number is raw JSON.
func number(raw json.RawMessage) string {
	var n *float64
	if json.Unmarshal(raw, &n) != nil || n == nil {
		return compact(raw)
	}
	return strconv.FormatFloat(*n, 'f', -1, 64)
}

// sameForm is raw JSON in one way of writing: strings without needless escapes,
// members sorted, numbers digit for digit. An absent member is "(absent)".
func sameForm(raw json.RawMessage) string {
	if raw == nil {
		return "(absent)"
	}
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	var v any
	if dec.Decode(&v) != nil {
		return string(raw)
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if enc.Encode(v) != nil {
		return string(raw)
	}
	return strings.TrimSpace(b.String())
}
