package suite

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"cruxconform/conformance/wire"
	"cruxconform/spec"

	"github.com/onsi/gomega"
)

var _ = check("11.3-01", "a request gets one JSON-RPC response inside HTTP 200", func(c *C) {
	for _, method := range []string{"initialize", "tools/list", "notifications/initialized"} {
		c.Row(method, func() {
			id := nextID()
			x := c.Post(request(id, method, asked(spec.ProtocolVersion)))
			if x.Status == http.StatusUnauthorized {
				c.Fail("HTTP status", "200", "401; a server with agent tokens is asked with --token-env NAME")
			}
			c.Equal("HTTP status", x.Status, http.StatusOK)
			m, err := wire.ParseMessage(x.Body)
			if err != nil {
				c.Fail("the body", "one JSON-RPC response object", err.Error())
			}
			c.Equal("member jsonrpc", sameForm(m.Members["jsonrpc"]), `"2.0"`)
			c.Equal("the id of the response", sameForm(m.Members["id"]), fmt.Sprint(id))
			_, hasResult := m.Members["result"]
			_, hasError := m.Members["error"]
			if hasResult == hasError {
				c.Fail("members result and error", "exactly one of the two", clip(x.Body))
			}
		})
	}
})

var _ = check("11.3-02", "tools/list answers an array of tools", func(c *C) {
	var result struct {
		Tools []map[string]json.RawMessage `json:"tools"`
	}
	c.Decode("the tools/list result", c.Result("tools/list", nil), &result)
	if len(result.Tools) == 0 {
		c.Fail("the tools/list result", "a tools array that is not empty", "no tool")
	}
	for i, t := range result.Tools {
		c.That(fmt.Sprintf("name of tool %d", i), sameForm(t["name"]), gomega.MatchRegexp(isText), "a string that is not empty")
		c.That(fmt.Sprintf("description of tool %d", i), sameForm(t["description"]), gomega.HavePrefix(`"`), "a string")
		c.That(fmt.Sprintf("inputSchema of tool %d", i), sameForm(t["inputSchema"]), gomega.HavePrefix("{"), "an object")
	}
})

var _ = check("11.3-03", "notifications/initialized with an id is answered with null", func(c *C) {
	c.Equal("the result", sameForm(c.Result("notifications/initialized", nil)), "null")
})

// withoutID is a message of a method that carries no id.
func withoutID(method string, params any) string {
	m := map[string]any{"jsonrpc": "2.0", "method": method}
	if params != nil {
		m["params"] = params
	}
	b, err := json.Marshal(m)
	if err != nil {
		panic(fmt.Sprintf("suite: message does not encode: %v", err))
	}
	return string(b)
}

var _ = check("11.3-04", "a message without an id gets HTTP 202", func(c *C) {
	for _, method := range []string{"notifications/initialized", "notifications/cancelled", "resources/list", "initialize", "tools/list"} {
		c.Row(method, func() {
			c.Equal("HTTP status", c.Post(withoutID(method, nil)).Status, http.StatusAccepted)
		})
	}
})

var _ = check("11.3-05", "the 202 has no body", func(c *C) {
	for _, method := range []string{"notifications/initialized", "resources/list", "tools/list"} {
		c.Row(method, func() { c.Equal("the body", string(c.notified(method).Body), "") })
	}
})

var _ = check("11.3-06", "a tools/call without an id is not run", func(c *C) {
	fact := func(entity string) map[string]any {
		return map[string]any{"entity": entity, "key": "k", "value": "stored by " + entity}
	}
	twin, silent := c.Name("asked"), c.Name("notified")
	c.Store(fact(twin))
	x := c.Post(withoutID("tools/call", map[string]any{"name": "store_fact", "arguments": fact(silent)}))
	c.Given("11.3-04", func() { c.Equal("HTTP status", x.Status, http.StatusAccepted) })
	find := func(entity string) string {
		return c.Tool("query_facts", map[string]any{"entity": entity, "contract": "legacy"}).Text
	}
	c.Given("tool.store_fact-01", func() {
		c.That("what query_facts finds of the call with an id", find(twin), gomega.ContainSubstring("stored by "+twin), "the stored value")
	})
	found := find(silent)
	if strings.Contains(found, "stored by "+silent) {
		c.strayed(silent, "a notification")
		c.Fail("what query_facts finds of the call without an id", "no fact", clip(found))
	}
})

// strayed reports what a server stored although it should not have.
func (c *C) strayed(entity, by string) {
	c.Cleanup(func(c *C) { c.LeftBehind("a fact of entity %s, stored by %s", entity, by) })
}

var _ = check("11.3-07", "an id of null makes a notification", func(c *C) {
	c.notified("tools/list")
	x := c.Post(`{"jsonrpc":"2.0","id":null,"method":"tools/list"}`)
	c.Equal("HTTP status", x.Status, http.StatusAccepted)
	c.Equal("the body", string(x.Body), "")
})

// echoed sends tools/list with an id and demands the same id back.
func (c *C) echoed(id string) {
	x := c.Post(`{"jsonrpc":"2.0","id":` + id + `,"method":"tools/list"}`)
	c.Equal("HTTP status", x.Status, http.StatusOK)
	m, err := wire.ParseMessage(x.Body)
	if err != nil {
		c.Fail("the answer", "one JSON-RPC response", err.Error())
	}
	c.Equal("the id of the response", sameForm(m.Members["id"]), sameForm(json.RawMessage(id)))
}

// echoes is a check that ids come back as they were sent, one row each where
// there are several.
func echoes(ids ...string) func(c *C) {
	return func(c *C) {
		c.Given(RootList, func() { c.Result("tools/list", nil) })
		if len(ids) == 1 {
			c.echoed(ids[0])
			return
		}
		for _, id := range ids {
			c.Row("id "+id, func() { c.echoed(id) })
		}
	}
}

var (
	_ = check("11.3-08", "a text id comes back as text", echoes(`"7"`, `"007"`))
	_ = check("11.3-09", "an id of 0 makes a request", echoes("0"))
	_ = check("11.3-10", "a negative id comes back", echoes("-5"))
	_ = check("11.3-11", "a large integer id comes back digit for digit", echoes("9007199254740993", "9223372036854775807"))
	_ = check("11.3-12", "a fractional id comes back", echoes("1.5"))
	_ = check("11.3-13", "an empty text as id makes a request", echoes(`""`))
	_ = check("11.3-14", "a boolean, an array and an object come back as ids", echoes("true", "[1]", `{"a":1}`))
)

// foreign demands that a method name is an unknown one.
func (c *C) foreign(method string) {
	c.Refusal(c.Call(method, nil), spec.CodeMethodNotFound)
}

var _ = check("11.3-15", "a method name in another case is unknown", func(c *C) {
	c.refusable()
	for _, method := range []string{"Initialize", "TOOLS/LIST", "Notifications/Initialized"} {
		c.Row(method, func() { c.foreign(method) })
	}
})

var _ = check("11.3-16", "a method name with blanks around it is unknown", func(c *C) {
	c.refusable()
	for _, method := range []string{" tools/list", "tools/list "} {
		c.Row(fmt.Sprintf("%q", method), func() { c.foreign(method) })
	}
})

// namesIn reads the names of a tools/list result.
func (c *C) namesIn(raw json.RawMessage) []string {
	var result struct{ Tools []Listed }
	c.Decode("the tools/list result", raw, &result)
	var names []string
	for _, t := range result.Tools {
		names = append(names, t.Name)
	}
	return names
}

var _ = check("11.3-17", "tools/list ignores its params", func(c *C) {
	var whole []string
	c.Given(RootList, func() {
		whole = c.namesIn(c.Result("tools/list", nil))
		c.That("the names without params", whole, gomega.Not(gomega.BeEmpty()), "at least one")
	})
	for name, params := range map[string]any{
		"a cursor": map[string]any{"cursor": "MTAw"}, "an array": []any{"cursor", 1},
	} {
		c.Row(name, func() {
			got := c.namesIn(c.Result("tools/list", params))
			if !slices.Equal(got, whole) {
				c.Fail("the names", fmt.Sprintf("the same %d as without params", len(whole)), fmt.Sprintf("%d: %s", len(got), show(got)))
			}
		})
	}
})

var _ = check("11.3-18", "tools/list has no pages", func(c *C) {
	members := map[string]json.RawMessage{}
	c.Given(RootList, func() { c.Decode("the tools/list result", c.Result("tools/list", nil), &members) })
	c.Equal("member nextCursor", sameForm(members["nextCursor"]), "(absent)")
})

var _ = check("11.3-19", "responses are sent as application/json", func(c *C) {
	for _, r := range []named{
		{"initialize", request(nextID(), "initialize", asked(spec.ProtocolVersion))},
		{"tools/list", request(nextID(), "tools/list", nil)},
		{"an unknown method", request(nextID(), "resources/list", nil)},
	} {
		c.Row(r.name, func() {
			x := c.Post(r.body)
			c.Given("11.4-01", func() { c.Equal("HTTP status", x.Status, http.StatusOK) })
			media, _, _ := strings.Cut(x.Header.Get("Content-Type"), ";")
			c.Equal("media type", strings.ToLower(strings.TrimSpace(media)), asJSON)
		})
	}
})

var _ = check("11.3-20", "the content type of a POST is not examined", func(c *C) {
	c.Given(RootList, func() { c.listedBy(c.listed(WithHeader("Content-Type", asJSON))) })
	for _, media := range []string{"text/plain", "application/octet-stream"} {
		c.Row(media, func() { c.listedBy(c.listed(WithHeader("Content-Type", media))) })
	}
})

var _ = check("11.3-21", "a POST that accepts JSON alone is served", func(c *C) {
	c.Given(RootList, func() { c.listedBy(c.listed()) })
	c.listedBy(c.listed(WithHeader("Accept", asJSON)))
})

var _ = check("11.3-22", "a POST is never answered with an event stream", func(c *C) {
	c.Given(RootList, func() { c.listedBy(c.listed()) })
	c.listedBy(c.listed(WithHeader("Accept", "text/event-stream")))
})

var _ = check("11.3-23", "the origin of a POST is not examined", func(c *C) {
	c.Given(RootList, func() { c.listedBy(c.listed()) })
	c.listedBy(c.listed(WithHeader("Origin", "https://example.com")))
})

var _ = check("11.3-24", "unknown members of a request are ignored", func(c *C) {
	c.Given(RootList, func() { c.listedBy(c.listed()) })
	body := strings.Replace(request(nextID(), "tools/list", nil), "{", `{"x-extra":{"list":[1,null]},`, 1)
	c.listedBy(c.Post(body))
})
