package suite

import (
	"fmt"
	"net/http"
	"strings"

	"cruxconform/conformance/wire"
	"cruxconform/spec"

	"github.com/onsi/gomega"
)

// none stands for a header that an answer does not carry.
const none = "(absent)"

// sessionOf is the session header of an answer.
func sessionOf(x *wire.Exchange) string {
	values := x.Header.Values(spec.SessionHeader)
	if len(values) == 0 {
		return none
	}
	return strings.Join(values, " and ")
}

// sessionID returns a valid id of letters, digits and hyphens that no other
// check uses.
func (c *C) sessionID() string {
	return strings.ReplaceAll(c.Name("session"), ".", "-")
}

// withSession sets the session header.
func withSession(values ...string) Option { return WithHeader(spec.SessionHeader, values...) }

// hello sends initialize and returns the bare exchange.
func (c *C) hello(opts ...Option) *wire.Exchange { return c.Post(handshake, opts...) }

// opened sends initialize with an id and demands that it is accepted.
func (c *C) opened(id string) {
	c.Given("11.1-72", func() { c.Equal("HTTP status", c.hello(withSession(id)).Status, http.StatusOK) })
}

var everyCharacter = func() string {
	var b strings.Builder
	for _, span := range []string{"AZ", "az", "09"} {
		for r := span[0]; r <= span[1]; r++ {
			b.WriteByte(r)
		}
	}
	return b.String() + "._:-"
}()

func accepted(id string) func(c *C) {
	return func(c *C) {
		c.Given(RootAnswer, func() { c.Equal("HTTP status without the header", c.hello().Status, http.StatusOK) })
		c.Equal("HTTP status", c.hello(withSession(id)).Status, http.StatusOK)
	}
}

var _ = check("11.1-72", "every permitted character may stand in a session id", accepted(everyCharacter))

var _ = check("11.1-73", "a session id of one character is accepted", accepted("s"))

var _ = check("11.1-74", "a session id of 128 characters is accepted", accepted(strings.Repeat("s", spec.SessionIDMax)))

var _ = check("11.1-75", "a session id of 129 characters answers HTTP 400", func(c *C) {
	c.Given("11.1-74", func() {
		c.Equal("HTTP status for 128", c.hello(withSession(strings.Repeat("s", spec.SessionIDMax))).Status, http.StatusOK)
	})
	c.Equal("HTTP status for 129", c.hello(withSession(strings.Repeat("s", spec.SessionIDMax+1))).Status, http.StatusBadRequest)
})

var _ = check("11.1-76", "a session id with an ASCII character outside the charset answers HTTP 400", func(c *C) {
	id := c.sessionID()
	c.opened(id)
	for _, r := range `/+=@~,;%{ ` {
		c.Row(fmt.Sprintf("%q", r), func() {
			c.Equal("HTTP status", c.hello(withSession(id+string(r)+"x")).Status, http.StatusBadRequest)
		})
	}
})

var _ = check("11.1-77", "a session id with a letter beyond ASCII answers HTTP 400", func(c *C) {
	id := c.sessionID()
	c.opened(id)
	c.Equal("HTTP status", c.hello(withSession(id+"é")).Status, http.StatusBadRequest)
})

var _ = check("11.1-78", "an empty session id answers HTTP 400", func(c *C) {
	c.Given(RootAnswer, func() { c.Equal("HTTP status without the header", c.hello().Status, http.StatusOK) })
	c.Equal("HTTP status", c.hello(withSession("")).Status, http.StatusBadRequest)
})

var _ = check("11.1-79", "a repeated session id answers HTTP 400", func(c *C) {
	id := c.sessionID()
	c.opened(id)
	for name, second := range map[string]string{"equal ids": id, "different ids": c.sessionID()} {
		c.Row(name, func() {
			c.Equal("HTTP status", c.hello(withSession(id, second)).Status, http.StatusBadRequest)
		})
	}
})

var _ = check("11.1-80", "a session id that the server never issued is accepted by every method", func(c *C) {
	for _, r := range c.dispatched() {
		c.Row(r.name, func() {
			x := c.Post(r.body, withSession(c.sessionID()))
			c.Equal("HTTP status", x.Status, http.StatusOK)
			c.Given(RootAnswer, func() {
				m, err := wire.ParseMessage(x.Body)
				if err != nil {
					c.Fail("the answer", "a JSON-RPC response", err.Error())
				}
				c.Success(Answer{m, x})
			})
		})
	}
})

// named is a request body with a name.
type named struct{ name, body string }

// dispatched are requests that get as far as a result, one for each method
// beside initialize.
func (c *C) dispatched() []named {
	return []named{
		{"tools/list", request(nextID(), "tools/list", nil)},
		{"tools/call", request(nextID(), "tools/call", map[string]any{"name": "get_agent_identity", "arguments": map[string]any{}})},
		{"notifications/initialized with an id", request(nextID(), "notifications/initialized", nil)},
	}
}

// answered are dispatched requests, a refused one among them.
func (c *C) answered() []named {
	return append(c.dispatched(), named{unknownMethod, request(nextID(), "resources/list", nil)})
}

const unknownMethod = "an unknown method"

// settledBy demands HTTP 200 of the answer to one of them.
func (c *C) settledBy(r named, opts ...Option) *wire.Exchange {
	x := c.Post(r.body, opts...)
	if r.name != unknownMethod {
		return c.settled(x)
	}
	c.Given("11.4-01", func() { c.Equal("HTTP status", x.Status, http.StatusOK) })
	return x
}

// minted sends initialize without a session header and returns the id that the
// server minted.
func (c *C) minted() string {
	var id string
	c.Given("11.1-81", func() { id = c.mint() })
	return id
}

func (c *C) mint() string {
	x := c.hello()
	values := x.Header.Values(spec.SessionHeader)
	c.That("Mcp-Session-Id of initialize", values, gomega.HaveLen(1), "exactly one header line")
	return values[0]
}

const simpleUUID = "^[0-9a-f]{32}$"

var _ = check("11.1-81", "initialize without a session header mints a session id", func(c *C) { c.mint() })

var _ = check("11.1-82", "a minted session id is a UUID in simple form", func(c *C) {
	c.That("the minted id", c.minted(), gomega.MatchRegexp(simpleUUID), "32 lower-case hexadecimal digits")
})

var _ = check("11.1-83", "a minted session id is a UUID of version 4", func(c *C) {
	id := c.minted()
	c.Given("11.1-82", func() {
		c.That("the minted id", id, gomega.MatchRegexp(simpleUUID), "32 lower-case hexadecimal digits")
	})
	c.That("the minted id", id, gomega.MatchRegexp("^.{12}4.{3}[89ab]"), "digit 13 is 4, and digit 17 is 8, 9, a or b")
})

var _ = check("11.1-84", "each initialize mints an id of its own", func(c *C) {
	const times = 5
	ids := map[string]bool{}
	for range times {
		ids[c.minted()] = true
	}
	c.Equal("how many different ids five handshakes minted", len(ids), times)
})

var _ = check("11.1-85", "a minted session id is accepted when it is sent back", func(c *C) {
	id := c.minted()
	c.Given(RootAnswer, func() { c.Equal("HTTP status without the header", c.hello().Status, http.StatusOK) })
	c.Equal("HTTP status", c.hello(withSession(id)).Status, http.StatusOK)
})

var _ = check("11.1-86", "initialize that carries an id gets the same id back", func(c *C) {
	id := c.sessionID()
	x := c.hello(withSession(id))
	c.Given("11.1-72", func() { c.Equal("HTTP status", x.Status, http.StatusOK) })
	c.Equal("Mcp-Session-Id", sessionOf(x), id)
})

// session opens a session under an id of the check's own, which initialize
// carries first, so that a server that keeps a list of ids knows it.
func (c *C) session() string {
	id := c.sessionID()
	c.opened(id)
	c.Given("11.1-86", func() { c.Equal("Mcp-Session-Id of initialize", sessionOf(c.hello(withSession(id))), id) })
	return id
}

// settled demands HTTP 200 of an answer that the check builds on.
func (c *C) settled(x *wire.Exchange) *wire.Exchange {
	c.Given(RootAnswer, func() { c.Equal("HTTP status", x.Status, http.StatusOK) })
	return x
}

var _ = check("11.1-87", "an answer carries the session id of its request", func(c *C) {
	for _, r := range c.answered() {
		c.Row(r.name, func() {
			id := c.session()
			c.Equal("Mcp-Session-Id", sessionOf(c.settledBy(r, withSession(id))), id)
		})
	}
})

var _ = check("11.1-88", "a request without a session id gets none", func(c *C) {
	for _, r := range c.answered() {
		c.Row(r.name, func() {
			c.Equal("Mcp-Session-Id", sessionOf(c.settledBy(r)), none)
		})
	}
})

// notified posts a message without an id, which is answered with 202.
func (c *C) notified(method string, opts ...Option) *wire.Exchange {
	x := c.Post(fmt.Sprintf(`{"jsonrpc":"2.0","method":%q}`, method), opts...)
	c.Given("11.3-04", func() { c.Equal("HTTP status", x.Status, http.StatusAccepted) })
	return x
}

var _ = check("11.1-89", "the 202 of a notification carries the session id that was sent", func(c *C) {
	id := c.session()
	c.Equal("Mcp-Session-Id", sessionOf(c.notified("notifications/initialized", withSession(id))), id)
})

var _ = check("11.1-90", "the 202 of a notification never mints an id", func(c *C) {
	for _, method := range []string{"notifications/initialized", "initialize"} {
		c.Row(method, func() { c.Equal("Mcp-Session-Id", sessionOf(c.notified(method)), none) })
	}
})

var _ = check("11.1-91", "the answer to a body that does not parse carries no session id", func(c *C) {
	id := c.sessionID()
	c.opened(id)
	x := c.Post(`{"jsonrpc":"2.0","id":1,`, withSession(id))
	c.Given("11.5-01", func() { c.Equal("HTTP status", x.Status, http.StatusOK) })
	c.Equal("Mcp-Session-Id", sessionOf(x), none)
})

var _ = check("11.1-92", "the refusal of a session id carries no session id", func(c *C) {
	x := c.hello(withSession("not/valid"))
	c.Given("11.1-76", func() { c.Equal("HTTP status", x.Status, http.StatusBadRequest) })
	c.Equal("Mcp-Session-Id", sessionOf(x), none)
})
