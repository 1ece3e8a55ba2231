package suite

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"cruxconform/conformance/host"
	"cruxconform/conformance/wire"
	"cruxconform/spec"
)

var upstreamError = fmt.Sprint(spec.CodeUpstream)

var _ = check(rootRelay, "mcp-stdio relays a line as one POST and writes its answer as one line", func(c *C) {
	line := `{"jsonrpc":"2.0","id":"call-7","method":"tools/call","params":{"name":"get_agent_identity","arguments":{}}}`
	told := `{"jsonrpc":"2.0","id":"call-7","result":{"content":[{"type":"text","text":"two\nlines"}]}}`
	up := c.upstream(func(host.Received) host.Reply { return answering(told) })
	b := c.bridge(c.bridgeEnv(up.URL()))
	b.send(line)
	answer := b.line()
	for {
		if m, err := wire.ParseMessage([]byte(answer)); err == nil && m != nil {
			break
		}
		if strings.HasPrefix(strings.TrimSpace(answer), "{") {
			c.Fail("the line on stdout", "the whole answer", clip(answer))
		}
		answer = b.line()
	}
	c.Equal("the line on stdout", sameForm([]byte(answer)), sameForm([]byte(told)))
	got := up.Received()
	c.Equal("requests to the endpoint", len(got), 1)
	c.Equal("HTTP method", got[0].Method, http.MethodPost)
	c.Equal("the body posted", sameForm(got[0].Body), sameForm([]byte(line)))
})

var _ = check("11.3-35", "CRUX_MCP_URL names the endpoint that mcp-stdio posts to", func(c *C) {
	up := c.upstream(echo)
	c.bridge(c.bridgeEnv(up.URL())).works("1")
	env := c.bridgeEnv(up.URL())
	env["CRUX_MCP_URL"] = up.URL() + "/elsewhere/endpoint"
	c.bridge(env).works("2")
	c.Equal("the path posted to", c.lastOf(up).URI, "/elsewhere/endpoint")
})

var _ = check("11.3-37", "mcp-stdio sends CRUX_AGENT_TOKEN as a bearer", func(c *C) {
	up := c.upstream(echo)
	env := c.bridgeEnv(up.URL())
	env["CRUX_AGENT_TOKEN"] = "a-token-for-the-bridge-to-send"
	c.bridge(env).works("1")
	scheme, token, _ := strings.Cut(c.lastOf(up).Header.Get("Authorization"), " ")
	c.Equal("the scheme of Authorization", strings.ToLower(scheme), "bearer")
	c.Equal("the credentials of Authorization", token, env["CRUX_AGENT_TOKEN"])
})

var _ = check("11.3-38", "without CRUX_AGENT_TOKEN mcp-stdio sends no Authorization", func(c *C) {
	up := c.upstream(echo)
	c.bridge(c.bridgeEnv(up.URL())).works("1")
	c.Equal("Authorization headers", len(c.lastOf(up).Header.Values("Authorization")), 0)
})

var _ = check("11.3-39", "an endpoint that cannot be reached is answered with -32000", func(c *C) {
	c.bridge(c.bridgeEnv(c.upstream(echo).URL())).works("1")
	down, err := host.NewRefusing()
	if err != nil {
		c.CannotRun("no loopback port can be bound (%v)", err)
	}
	c.Cleanup(func(*C) { down.Stop() })
	_, code := c.bridge(c.bridgeEnv(down.URL())).ask(listing("1"))
	c.Equal("the error code", code, upstreamError)
})

var _ = check("11.3-40", "an HTTP status of 400 and above is answered with -32000", func(c *C) {
	for _, status := range []int{http.StatusBadRequest, http.StatusUnauthorized, http.StatusTooManyRequests, http.StatusInternalServerError, http.StatusServiceUnavailable} {
		c.Row(fmt.Sprint(status), func() {
			up := c.upstream(echo)
			b := c.bridge(c.bridgeEnv(up.URL()))
			b.works("1")
			// A body that would pass for an answer, and carries another code.
			up.Script(func(host.Received) host.Reply {
				return failing(status, `{"jsonrpc":"2.0","id":2,"error":{"code":-32600,"message":"refused"}}`)
			})
			_, code := b.ask(listing("2"))
			c.Equal("the error code", code, upstreamError)
		})
	}
})

var _ = check("11.3-41", "the -32000 of the bridge carries the id of its line", func(c *C) {
	for _, row := range []struct{ name, id string }{
		{"a string", `"request-1"`}, {"a number", `41`}, {"a number above 2^53", `9007199254740993`},
	} {
		c.Row(row.name, func() {
			b, _ := c.failingBridge(row.id)
			m, code := b.ask(listing(row.id))
			c.Given("11.3-40", func() { c.Equal("the error code", code, upstreamError) })
			c.Equal("the id of the error", sameForm(m.Members["id"]), row.id)
		})
	}
})

// failingBridge is a bridge that has relayed one request with the id and whose
// endpoint answers HTTP 503 from then on.
func (c *C) failingBridge(id string) (*bridge, *host.Upstream) {
	up := c.upstream(echo)
	b := c.bridge(c.bridgeEnv(up.URL()))
	b.works(id)
	up.Script(func(host.Received) host.Reply { return failing(http.StatusServiceUnavailable, "busy") })
	return b, up
}

var _ = check("11.3-42", "the -32000 for a line without a readable id carries id null", func(c *C) {
	for _, row := range []struct{ name, line string }{
		{"no JSON", `{"jsonrpc":"2.0","id":5,`},
		{"no id", `{"jsonrpc":"2.0","method":"tools/list"}`},
	} {
		c.Row(row.name, func() {
			b, up := c.failingBridge(`5`)
			m, code := b.ask(row.line)
			c.Given("11.3-47", func() { c.Equal("requests to the endpoint", len(up.Received()), 2) })
			c.Given("11.3-40", func() { c.Equal("the error code", code, upstreamError) })
			c.Equal("the id of the error", sameForm(m.Members["id"]), "null")
		})
	}
})

var _ = check("11.3-43", "the bridge goes on with the next line after a failure", func(c *C) {
	for _, row := range []struct {
		name    string
		failure host.Reply
	}{
		{"HTTP 503", failing(http.StatusServiceUnavailable, "busy")},
		{"a connection cut before the answer", host.Reply{Cut: true}},
	} {
		c.Row(row.name, func() {
			up := c.upstream(echo)
			b := c.bridge(c.bridgeEnv(up.URL()))
			b.works("1")
			up.Script(func(host.Received) host.Reply { return row.failure })
			b.send(listing("2"))
			b.answer() // what the failure looks like, other entries say
			up.Script(echo)
			m, _ := b.ask(listing("3"))
			c.Equal("the id of the next answer", sameForm(m.Members["id"]), "3")
			c.Equal("the result of the next answer", sameForm(m.Members["result"]), "{}")
		})
	}
})

var _ = check("11.3-44", "answers come in the order of the lines", func(c *C) {
	up := c.upstream(func(r host.Received) host.Reply {
		reply := echo(r)
		if m, err := wire.ParseMessage(r.Body); err == nil && sameForm(m.Members["id"]) == "1" {
			reply.Delay = 150 * time.Millisecond // time for the others to overtake it
		}
		return reply
	})
	b := c.bridge(c.bridgeEnv(up.URL()))
	b.works("0")
	b.send(listing("1"), listing("2"), listing("3"), listing("4"))
	var ids []string
	for range 4 {
		ids = append(ids, sameForm(b.answer().Members["id"]))
	}
	c.Equal("the ids of the answers", ids, []string{"1", "2", "3", "4"})
})

var _ = check("11.3-45", "whitespace-only lines are skipped, and lines may end with CRLF", func(c *C) {
	up := c.upstream(echo)
	b := c.bridge(c.bridgeEnv(up.URL()))
	b.works("1")
	b.send("", " \t", "\r", listing("2")+"\r", listing("3"))
	var ids []string
	for range 2 {
		m, err := wire.ParseMessage([]byte(b.line()))
		if err != nil {
			c.Fail("a line on stdout", "the answer to a request", err.Error())
		}
		ids = append(ids, sameForm(m.Members["id"]))
	}
	slices.Sort(ids) // their order is an entry of its own
	c.Equal("the ids of the answers", ids, []string{"2", "3"})
	c.Equal("the bodies posted", bodies(up.Received()),
		bodies([]host.Received{{Body: []byte(listing("1"))}, {Body: []byte(listing("2"))}, {Body: []byte(listing("3"))}}))
})

var _ = check("11.3-46", "a notification yields an empty line", func(c *C) {
	up := c.upstream(echo)
	b := c.bridge(c.bridgeEnv(up.URL()))
	b.works("1")
	b.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`, listing("2"))
	c.Equal("the line for the notification", strings.TrimSpace(b.line()), "")
	c.Equal("the id of the answer behind it", sameForm(b.answer().Members["id"]), "2")
})

var _ = check("11.3-47", "a broken line brings the -32700 of the endpoint", func(c *C) {
	up := c.upstream(echo)
	b := c.bridge(c.bridgeEnv(up.URL()))
	b.works("1")
	broken := `{"jsonrpc":"2.0","id":2,"method":`
	_, code := b.ask(broken)
	got := up.Received()
	c.Equal("requests to the endpoint", len(got), 2)
	c.Equal("the body posted", strings.TrimSpace(string(got[1].Body)), broken)
	c.Equal("the error code", code, "-32700")
})
