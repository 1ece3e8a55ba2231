package suite

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"cruxconform/conformance/wire"
	"cruxconform/spec"

	"github.com/onsi/gomega"
)

// truncated is a request cut in the middle.
const truncated = `{"jsonrpc":"2.0","id":7,"method":"tools/list","params":{"a":`

// brokenBodies are no JSON.
var brokenBodies = []named{
	{"a truncated object", truncated},
	{"a bare word", "tools/list"},
	{"a comma too many", `{"jsonrpc":"2.0","id":7,"method":"tools/list",}`},
	{"two texts without a comma", `{"jsonrpc":"2.0" "method":"tools/list","id":7}`},
}

// parseError posts a body that is no JSON and demands the documented refusal,
// which 11.5-01 and 11.5-02 own.
func (c *C) parseError(body string, opts ...Option) *wire.Exchange {
	x := c.Post(body, opts...)
	c.Given("11.5-01", func() { c.Equal("HTTP status", x.Status, http.StatusOK) })
	c.Given("11.5-02", func() { c.refused(x, spec.CodeParse) })
	return x
}

// unparseable demands that a body is refused inside HTTP 200 with -32700.
func (c *C) unparseable(body string) *wire.Exchange {
	x := c.Post(body)
	c.Equal("HTTP status", x.Status, http.StatusOK)
	c.refused(x, spec.CodeParse)
	return x
}

// unparseables is a check that bodies are refused as unparseable, one row each.
func unparseables(bodies ...named) func(c *C) {
	return func(c *C) {
		c.parseError(truncated)
		for _, b := range bodies {
			c.Row(b.name, func() { c.unparseable(b.body) })
		}
	}
}

var _ = check("11.5-01", "a body that is no JSON is answered inside HTTP 200", func(c *C) {
	c.settled(c.hello())
	for _, b := range brokenBodies {
		c.Row(b.name, func() { c.Equal("HTTP status", c.Post(b.body).Status, http.StatusOK) })
	}
})

var _ = check("11.5-02", "a body that is no JSON is refused with code -32700", func(c *C) {
	c.settled(c.hello())
	for _, b := range brokenBodies {
		c.Row(b.name, func() {
			x := c.Post(b.body)
			c.Given("11.5-01", func() { c.Equal("HTTP status", x.Status, http.StatusOK) })
			c.refused(x, spec.CodeParse)
		})
	}
})

var _ = check("11.5-03", "the answer to a body that is no JSON carries id null", func(c *C) {
	for _, b := range brokenBodies[:2] {
		c.Row(b.name, func() { c.Equal("the id of the answer", c.idOf(c.parseError(b.body)), "null") })
	}
})

// idOf is the id of an answer that is one object, as JSON.
func (c *C) idOf(x *wire.Exchange) string {
	return sameForm(c.answerIn(x).Members["id"])
}

// served demands a result for a valid request, which its twin is changed from.
func (c *C) served(body string) {
	c.Given(RootAnswer, func() { c.listedBy(c.Post(body)) })
}

// errorOf posts a body that is no JSON and returns the error object.
func (c *C) errorOf(body string) *wire.RPCError {
	return c.refused(c.parseError(body), spec.CodeParse)
}

var _ = check("11.5-04", "the message for a body that is no JSON has the documented beginning", func(c *C) {
	c.That("the error message", c.errorOf(truncated).Text(), gomega.HavePrefix(spec.MessageParse), "a text that begins with "+show(spec.MessageParse))
})

var _ = check("11.5-05", "the error for a body that is no JSON has no data", func(c *C) {
	c.Equal("member data of the error", sameForm(c.errorOf(truncated).Members["data"]), none)
})

var _ = check("11.5-06", "an empty body is unparseable", func(c *C) {
	c.parseError(truncated)
	c.unparseable("")
})

var _ = check("11.5-07", "text behind the object makes a body unparseable", func(c *C) {
	c.parseError(truncated)
	whole := request(nextID(), "tools/list", nil)
	c.Given(RootList, func() { c.listedBy(c.Post(whole)) })
	for _, r := range []named{{"a closing brace behind it", whole + "}"}, {"a second object behind it", whole + whole}} {
		c.Row(r.name, func() { c.unparseable(r.body) })
	}
})

var _ = check("11.5-08", "a body that is not UTF-8 is unparseable", func(c *C) {
	c.parseError(truncated)
	body := request(nextID(), "initialize", asked(spec.ProtocolVersion))
	c.served(body)
	c.unparseable(strings.Replace(body, "cruxconform", "crux\xffconform", 1))
})

var _ = check("11.5-09", "an object without a method is unparseable", unparseables(
	named{"no method", `{"jsonrpc":"2.0","id":7,"params":{}}`},
	named{"a number as method", `{"jsonrpc":"2.0","id":7,"method":7}`},
))

var _ = check("11.5-10", "an object without jsonrpc is unparseable", unparseables(
	named{"no jsonrpc", `{"id":7,"method":"tools/list"}`},
	named{"a number as jsonrpc", `{"jsonrpc":2.0,"id":7,"method":"tools/list"}`},
))

var _ = check("11.5-11", "the text of jsonrpc is not examined", func(c *C) {
	c.Given(RootList, func() { c.listedBy(c.listed()) })
	for _, version := range []string{"1.0", ""} {
		c.Row(fmt.Sprintf("jsonrpc %q", version), func() {
			c.listedBy(c.Post(fmt.Sprintf(`{"jsonrpc":%q,"id":7,"method":"tools/list"}`, version)))
		})
	}
})

var _ = check("11.5-12", "batches are not supported", func(c *C) {
	x := c.parseError(truncated)
	c.Given("11.5-03", func() { c.Equal("the id of the answer", c.idOf(x), "null") })
	one, two := request(nextID(), "tools/list", nil), request(nextID(), "tools/list", nil)
	for _, r := range []named{{"two requests", "[" + one + "," + two + "]"}, {"one request", "[" + one + "]"}} {
		c.Row(r.name, func() { c.Equal("the id of the answer", c.idOf(c.unparseable(r.body)), "null") })
	}
})

var _ = check("11.5-13", "JSON that is no object is unparseable", unparseables(
	named{"a number", "7"}, named{"a text", `"tools/list"`}, named{"true", "true"}, named{"null", "null"}, named{"an empty array", "[]"},
))

var _ = check("11.5-14", "a repeated member makes a body unparseable", unparseables(
	named{"method twice", `{"jsonrpc":"2.0","id":7,"method":"tools/list","method":"tools/list"}`},
	named{"id twice", `{"jsonrpc":"2.0","id":7,"id":8,"method":"tools/list"}`},
))

var _ = check("11.5-15", "the answer of a client is taken without a body or refused", func(c *C) {
	c.parseError(truncated)
	for _, r := range []named{
		{"a result", `{"jsonrpc":"2.0","id":7,"result":{}}`},
		{"an error", `{"jsonrpc":"2.0","id":7,"error":{"code":-32601,"message":"method not found"}}`},
	} {
		c.Row(r.name, func() {
			x := c.Post(r.body)
			if x.Status == http.StatusAccepted {
				c.Equal("the body of the 202", string(x.Body), "")
				return
			}
			if x.Status != http.StatusOK {
				c.Fail("HTTP status", "202 or 200", fmt.Sprint(x.Status))
			}
			c.refused(x, spec.CodeParse)
		})
	}
})

var _ = check("11.5-16", "after a body that is no JSON the session goes on", func(c *C) {
	c.Given("11.1-80", func() { c.listedBy(c.listed(withSession(c.sessionID()))) })
	id := withSession(c.sessionID())
	c.parseError(truncated, id)
	c.listedBy(c.listed(id))
})

// keepsSecret demands that a secret in an unparseable body does not come back.
func keepsSecret(c *C) {
	c.parseError(truncated)
	// Written in parts, so that nobody takes them for secrets that leaked.
	key, bearer := "sk-"+"live-8d1f4c2b7a6e9035", "Bearer "+"q7Zr2mVx9Kd4Lw8TnB3y"
	for _, r := range []struct{ name, body, secret string }{
		{"an API key in a JSON text", `"` + key + `"`, key},
		{"a bearer in a truncated object", `{"jsonrpc":"2.0","id":7,"method":"tools/list","params":{"auth":"` + bearer + `"`, strings.TrimPrefix(bearer, "Bearer ")},
	} {
		c.Row(r.name, func() {
			x := c.Post(r.body)
			c.errorIn200(x)
			c.That("the answer", x.ResponseHead+sameForm(json.RawMessage(x.Body)), gomega.Not(gomega.ContainSubstring(r.secret)), "no secret in it")
		})
	}
}

var (
	_ = check("11.5-17", "a secret in a body that is no JSON does not come back", keepsSecret)
	_ = check("11.5-18", "under redaction a secret in a body that is no JSON does not come back", keepsSecret)
)

// errorIn200 demands an error of any code inside HTTP 200.
func (c *C) errorIn200(x *wire.Exchange) *wire.RPCError {
	c.Equal("HTTP status", x.Status, http.StatusOK)
	a := c.answerIn(x)
	if a.Error == nil {
		c.Fail("the answer", "an error", "result "+clip(a.Members["result"]))
	}
	return a.Error
}

// What 11.5-19 sends and allows, in characters.
const (
	longText    = 5000
	longMessage = 300
)

var _ = check("11.5-19", "the message for a long body that is no JSON stays short", func(c *C) {
	c.parseError(truncated)
	message := c.errorIn200(c.Post(`"` + strings.Repeat("a", longText) + `"`)).Text()
	if n := len([]rune(message)); n > longMessage {
		c.Fail("the error message", fmt.Sprintf("at most %d characters", longMessage), fmt.Sprintf("%d characters: %s", n, clip(message)))
	}
})

// badSession posts a body with a session id that the gate refuses with HTTP
// 400, which the entry owns.
func (c *C) badSession(entry, id, body string) *wire.Exchange {
	x := c.Post(body, withSession(id))
	c.Given(entry, func() { c.Equal("HTTP status", x.Status, http.StatusBadRequest) })
	return x
}

const slashed = "not/valid"

var _ = check("11.5-21", "the refusal of a session id has the documented error", func(c *C) {
	for _, r := range []struct{ name, id, entry string }{
		{"a slash", slashed, "11.1-76"}, {"129 characters", strings.Repeat("s", spec.SessionIDMax+1), "11.1-75"},
	} {
		c.Row(r.name, func() {
			var body struct{ Error json.RawMessage }
			c.Decode("the body", c.badSession(r.entry, r.id, handshake).Body, &body)
			c.Equal("member error", sameForm(body.Error), fmt.Sprintf("%q", spec.ErrorBadSessionID))
		})
	}
})

var _ = check("11.5-22", "the refusal of a session id has a hint", func(c *C) {
	members := map[string]json.RawMessage{}
	x := c.badSession("11.1-76", slashed, handshake)
	c.Given("11.5-21", func() { c.Decode("the body", x.Body, &members) })
	c.That("member hint", sameForm(members["hint"]), gomega.MatchRegexp(isText), "a string that is not empty")
})

var _ = check("11.5-23", "a call with a bad session id is not run", func(c *C) {
	fact := func(entity string) map[string]any {
		return map[string]any{"entity": entity, "key": "k", "value": "stored by " + entity}
	}
	good, twin, gated := c.sessionID(), c.Name("valid"), c.Name("gated")
	c.opened(good)
	c.Store(fact(twin), withSession(good))
	c.badSession("11.1-76", good+"/x", request(nextID(), "tools/call", map[string]any{"name": "store_fact", "arguments": fact(gated)}))
	find := func(entity string) string {
		return c.Tool("query_facts", map[string]any{"entity": entity, "contract": "legacy"}).Text
	}
	c.Given("tool.store_fact-01", func() {
		c.That("what query_facts finds of the call with a valid id", find(twin), gomega.ContainSubstring("stored by "+twin), "the stored value")
	})
	found := find(gated)
	if strings.Contains(found, "stored by "+gated) {
		c.strayed(gated, "a call with a bad session id")
		c.Fail("what query_facts finds of the call with a bad id", "no fact", clip(found))
	}
})

var _ = check("11.5-24", "the session gate comes before the parser", func(c *C) {
	good := c.sessionID()
	c.parseError(truncated, withSession(good))
	c.Given("11.1-76", func() { c.Equal("HTTP status", c.hello(withSession(good+"/x")).Status, http.StatusBadRequest) })
	c.Equal("HTTP status", c.Post(truncated, withSession(good+"/x")).Status, http.StatusBadRequest)
})

var _ = check("11.5-25", "the session gate comes before the 202", func(c *C) {
	good := c.sessionID()
	c.notified("notifications/initialized", withSession(good))
	c.Given("11.1-76", func() { c.Equal("HTTP status", c.hello(withSession(good+"/x")).Status, http.StatusBadRequest) })
	c.Equal("HTTP status", c.Post(withoutID("notifications/initialized", nil), withSession(good+"/x")).Status, http.StatusBadRequest)
})

// nested is how many levels deep the params of 11.5-42 are.
const nested = 10_000

var _ = check("11.5-42", "deeply nested params are served or refused as unparseable", func(c *C) {
	c.parseError(truncated)
	params := asked(spec.ProtocolVersion)
	params["capabilities"] = map[string]any{"experimental": map[string]any{"nested": []any{}}}
	body := request(nextID(), "initialize", params)
	c.served(body)
	x := c.Post(strings.Replace(body, "[]", strings.Repeat("[", nested)+strings.Repeat("]", nested), 1))
	c.Equal("HTTP status", x.Status, http.StatusOK)
	if a := c.answerIn(x); a.Error != nil {
		c.Refusal(a, spec.CodeParse)
	}
})
