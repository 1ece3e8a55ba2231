package suite

import (
	"encoding/json"
	"net/http"

	"cruxconform/conformance/wire"
	"cruxconform/spec"
)

// absentMethod is a method of the protocol that the surface leaves out, with
// params as a client would send them, and the entry that says so.
type absentMethod struct {
	name   string
	params any
	entry  string
}

// inventedMethod is a method that no server implements.
const inventedMethod = "cruxconform/no-such-method"

var (
	resourceMethods = []absentMethod{
		{"resources/list", nil, "11.4-03"},
		{"resources/read", map[string]any{"uri": "file:///notes.txt"}, "11.4-03"},
		{"resources/templates/list", nil, "11.4-03"},
	}
	promptMethods = []absentMethod{
		{"prompts/list", nil, "11.4-04"},
		{"prompts/get", map[string]any{"name": "greeting"}, "11.4-04"},
	}
	completionMethods = []absentMethod{{"completion/complete", map[string]any{
		"ref":      map[string]any{"type": "ref/prompt", "name": "greeting"},
		"argument": map[string]any{"name": "who", "value": "w"},
	}, "11.4-05"}}
	loggingMethods = []absentMethod{{"logging/setLevel", map[string]any{"level": "info"}, "11.4-06"}}
	rootMethods    = []absentMethod{{"roots/list", nil, "11.4-07"}, {"roots/other", nil, "11.4-07"}}
	pingMethods    = []absentMethod{{"ping", nil, "11.4-08"}}
	// strangeMethods are named nowhere in section 11.4.
	strangeMethods = []absentMethod{
		{"sampling/createMessage", map[string]any{"messages": []any{}, "maxTokens": 1}, "11.4-02"},
		{"tasks/list", nil, "11.4-02"},
		{inventedMethod, nil, "11.4-02"},
	}
)

// unimplemented are all of them.
func unimplemented() []absentMethod {
	var all []absentMethod
	for _, some := range [][]absentMethod{
		resourceMethods, promptMethods, completionMethods, loggingMethods, rootMethods, pingMethods, strangeMethods,
	} {
		all = append(all, some...)
	}
	return all
}

// answerIn demands that an exchange carried one JSON-RPC response, whatever its
// status and its id.
func (c *C) answerIn(x *wire.Exchange) Answer {
	m, err := wire.ParseMessage(x.Body)
	if err != nil {
		c.Fail("the answer", "one JSON-RPC response", err.Error())
	}
	return Answer{m, x}
}

// refused demands that an exchange carried one error with the code, whatever
// its status and its id.
func (c *C) refused(x *wire.Exchange, code int) *wire.RPCError {
	return c.Refusal(c.answerIn(x), code)
}

// inside200By sends a method that is not implemented and demands HTTP 200,
// which 11.4-01 owns.
func (c *C) inside200By(method string, params any, opts ...Option) *wire.Exchange {
	x := c.Post(request(nextID(), method, params), opts...)
	c.Given("11.4-01", func() { c.Equal("HTTP status", x.Status, http.StatusOK) })
	return x
}

// refusable demands that a method nobody knows is refused as documented, which
// the checks of particular names build on.
func (c *C) refusable() {
	x := c.inside200By(inventedMethod, nil)
	c.Given("11.4-02", func() { c.refused(x, spec.CodeMethodNotFound) })
}

var _ = check("11.4-01", "a method that is not implemented is answered inside HTTP 200", func(c *C) {
	c.settled(c.hello())
	for _, m := range unimplemented() {
		c.Row(m.name, func() {
			c.Equal("HTTP status", c.Post(request(nextID(), m.name, m.params)).Status, http.StatusOK)
		})
	}
})

var _ = check("11.4-02", "an unknown method is refused with code -32601", func(c *C) {
	c.settled(c.hello())
	for _, m := range strangeMethods {
		c.Row(m.name, func() { c.refused(c.inside200By(m.name, m.params), spec.CodeMethodNotFound) })
	}
})

// lacks is a check that methods are refused like every unknown one.
func lacks(methods []absentMethod) func(c *C) {
	return func(c *C) {
		c.refusable()
		for _, m := range methods {
			c.Row(m.name, func() { c.refused(c.inside200By(m.name, m.params), spec.CodeMethodNotFound) })
		}
	}
}

var (
	_ = check("11.4-03", "there are no resources", lacks(resourceMethods))
	_ = check("11.4-04", "there are no prompts", lacks(promptMethods))
	_ = check("11.4-05", "there is no completion", lacks(completionMethods))
	_ = check("11.4-06", "there is no log level to set", lacks(loggingMethods))
	_ = check("11.4-07", "there are no roots", lacks(rootMethods))
	_ = check("11.4-08", "there is no ping", lacks(pingMethods))
)

// eachRefusal looks at the error of every method that is not implemented.
func (c *C) eachRefusal(look func(m absentMethod, e *wire.RPCError)) {
	c.settled(c.hello())
	for _, m := range unimplemented() {
		c.Row(m.name, func() {
			var e *wire.RPCError
			x := c.inside200By(m.name, m.params)
			c.Given(m.entry, func() { e = c.refused(x, spec.CodeMethodNotFound) })
			look(m, e)
		})
	}
}

var _ = check("11.4-09", "the refusal names the method", func(c *C) {
	c.eachRefusal(func(m absentMethod, e *wire.RPCError) {
		want, _ := json.Marshal(spec.MessageMethodNotFound + m.name)
		c.Equal("the error message", sameForm(e.Message), string(want))
	})
})

var _ = check("11.4-10", "the refusal has no data", func(c *C) {
	c.eachRefusal(func(_ absentMethod, e *wire.RPCError) {
		c.Equal("member data of the error", sameForm(e.Members["data"]), none)
	})
})

var _ = check("11.4-11", "notifications/cancelled that carries an id is an unknown method", func(c *C) {
	c.refusable()
	c.unknown("notifications/cancelled", map[string]any{"requestId": 1})
})

var _ = check("11.4-12", "an empty method name is an unknown method", func(c *C) {
	c.refusable()
	c.unknown("", nil)
})

var _ = check("11.4-13", "server/discover without a session is an unknown method", func(c *C) {
	c.refusable()
	c.unknown("server/discover", nil)
})

// unknown demands that a method is refused inside HTTP 200 with -32601.
func (c *C) unknown(method string, params any) {
	x := c.Post(request(nextID(), method, params))
	c.Equal("HTTP status", x.Status, http.StatusOK)
	c.refused(x, spec.CodeMethodNotFound)
}

var _ = check("11.4-14", "the params of an unknown method are not examined", func(c *C) {
	c.refusable()
	for _, r := range []struct {
		name   string
		params any
	}{{"an array", []any{"a", 1}}, {"a text", "a"}, {"a number", 7}} {
		c.Row(r.name, func() { c.unknown(inventedMethod, r.params) })
	}
})

var _ = check("11.4-15", "after a refused method the session goes on", func(c *C) {
	c.Given("11.1-80", func() { c.listedBy(c.listed(withSession(c.sessionID()))) })
	id := withSession(c.sessionID())
	x := c.inside200By(inventedMethod, nil, id)
	c.Given("11.4-02", func() { c.refused(x, spec.CodeMethodNotFound) })
	c.listedBy(c.listed(id))
})
