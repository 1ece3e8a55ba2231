package suite

import (
	"encoding/json"
	"net/http"

	"cruxconform/conformance/wire"
	"cruxconform/spec"

	"github.com/onsi/gomega"
)

// asked are the params of an initialize that asks for a version.
func asked(version string) map[string]any {
	return map[string]any{
		"protocolVersion": version, "capabilities": map[string]any{},
		"clientInfo": map[string]any{"name": "cruxconform", "version": "1"},
	}
}

// greeting is the result of initialize as a client reads it.
type greeting struct {
	ProtocolVersion json.RawMessage
	Capabilities    map[string]json.RawMessage
	ServerInfo      struct{ Name, Version json.RawMessage }
	Welcome         struct{ Hint, Quickstart, Docs json.RawMessage }
}

// greeted sends initialize and returns its result. Members are taken by their
// exact names: a decoder of structs would take those in another case as well.
func (c *C) greeted(opts ...Option) greeting {
	const result = "the initialize result"
	whole := c.object(result, c.Result("initialize", asked(spec.ProtocolVersion), opts...))
	g := greeting{ProtocolVersion: whole["protocolVersion"], Capabilities: c.object(result, whole["capabilities"])}
	info, welcome := c.object(result, whole["serverInfo"]), c.object(result, whole["_welcome"])
	g.ServerInfo.Name, g.ServerInfo.Version = info["name"], info["version"]
	g.Welcome.Hint, g.Welcome.Quickstart, g.Welcome.Docs = welcome["hint"], welcome["quickstart"], welcome["docs"]
	return g
}

// object is the members of an object by their exact names, nil for one that is
// absent or null.
func (c *C) object(what string, raw json.RawMessage) map[string]json.RawMessage {
	var members map[string]json.RawMessage
	if raw != nil {
		c.Decode(what, raw, &members)
	}
	return members
}

const (
	isText         = `^".+"$`
	packageVersion = `^"\d+\.\d+\.\d+([-+.].*)?"$`
)

var _ = check("11.2-01", "the handshake names protocol version 2024-11-05", func(c *C) {
	c.Equal("protocolVersion", sameForm(c.greeted().ProtocolVersion), `"2024-11-05"`)
})

var _ = check("11.2-02", "no other version is negotiated", func(c *C) {
	c.Given("11.2-01", func() { c.Equal("protocolVersion", sameForm(c.greeted().ProtocolVersion), `"2024-11-05"`) })
	for _, version := range []string{"2025-06-18", "2025-03-26", "2024-10-07", "latest"} {
		c.Row("asked for "+version, func() {
			var g greeting
			c.Decode("the initialize result", c.Result("initialize", asked(version)), &g)
			c.Equal("protocolVersion", sameForm(g.ProtocolVersion), `"2024-11-05"`)
		})
	}
})

var _ = check("11.2-03", "initialize needs no params", func(c *C) {
	c.Given(RootAnswer, func() { c.greeted() })
	for _, r := range []named{
		{"params null", `{"jsonrpc":"2.0","id":"hello","method":"initialize","params":null}`},
		{"params an empty object", `{"jsonrpc":"2.0","id":"hello","method":"initialize","params":{}}`},
		{"no params", `{"jsonrpc":"2.0","id":"hello","method":"initialize"}`},
	} {
		c.Row(r.name, func() { c.Success(c.CallRaw(r.body, `"hello"`)) })
	}
})

var _ = check("11.2-04", "the server is named crux", func(c *C) {
	c.Equal("serverInfo.name", sameForm(c.greeted().ServerInfo.Name), `"crux"`)
})

var _ = check("11.2-05", "the server has a version", func(c *C) {
	c.That("serverInfo.version", sameForm(c.greeted().ServerInfo.Version), gomega.MatchRegexp(isText), "a string that is not empty")
})

var _ = check("11.2-06", "the version has three numbers with dots", func(c *C) {
	v := sameForm(c.greeted().ServerInfo.Version)
	c.Given("11.2-05", func() { c.That("serverInfo.version", v, gomega.MatchRegexp(isText), "a string that is not empty") })
	c.That("serverInfo.version", v, gomega.MatchRegexp(packageVersion), "three numbers joined by dots, then any suffix")
})

var _ = check("11.2-07", "the tools capability says that the list may change", func(c *C) {
	var tools struct {
		ListChanged json.RawMessage `json:"listChanged"`
	}
	raw := c.greeted().Capabilities["tools"]
	if raw == nil {
		c.Fail("capabilities.tools", `{"listChanged":true}`, "(absent)")
	}
	c.Decode("capabilities.tools", raw, &tools)
	c.Equal("capabilities.tools.listChanged", sameForm(tools.ListChanged), "true")
})

var _ = check("11.2-08", "no capability beside tools is advertised", func(c *C) {
	for name, value := range c.greeted().Capabilities {
		if name != "tools" {
			c.Fail("capabilities", "tools alone", name+": "+clip(value))
		}
	}
})

var _ = check("11.2-09", "the welcome has a hint", func(c *C) {
	c.That("_welcome.hint", sameForm(c.greeted().Welcome.Hint), gomega.MatchRegexp(isText), "a string that is not empty")
})

// quickstart demands an array of texts and returns it.
func (c *C) quickstart() []string {
	raw := c.greeted().Welcome.Quickstart
	var steps []string
	if raw == nil {
		c.Fail("_welcome.quickstart", "an array of strings", "(absent)")
	}
	c.Decode("_welcome.quickstart", raw, &steps)
	c.That("_welcome.quickstart", steps, gomega.And(gomega.Not(gomega.BeEmpty()), gomega.Not(gomega.ContainElement(""))),
		"at least one string, and none that is empty")
	return steps
}

var _ = check("11.2-10", "the welcome has a quickstart of texts", func(c *C) { c.quickstart() })

var _ = check("11.2-11", "the quickstart has five steps", func(c *C) {
	var steps []string
	c.Given("11.2-10", func() { steps = c.quickstart() })
	c.Equal("how many steps _welcome.quickstart has", len(steps), 5)
})

var _ = check("11.2-12", "the welcome points at the agent guide", func(c *C) {
	c.Equal("_welcome.docs", sameForm(c.greeted().Welcome.Docs), `"https://github.com/CueCrux/Crux/blob/main/docs/agent-guide.md"`)
})

var _ = check("11.2-13", "the handshake carries no instructions", func(c *C) {
	members := map[string]json.RawMessage{}
	c.Decode("the initialize result", c.Result("initialize", asked(spec.ProtocolVersion)), &members)
	c.Equal("member instructions", sameForm(members["instructions"]), "(absent)")
})

var _ = check("11.2-14", "initialize may be repeated on one session", func(c *C) {
	id := withSession(c.sessionID())
	var first, second map[string]json.RawMessage
	c.Given("11.2-01", func() {
		c.Decode("the first result", c.Result("initialize", asked(spec.ProtocolVersion), id), &first)
	})
	c.Decode("the second result", c.Result("initialize", asked(spec.ProtocolVersion), id), &second)
	for _, name := range []string{"protocolVersion", "capabilities", "serverInfo"} {
		c.Equal(name+" of the second result", sameForm(second[name]), sameForm(first[name]))
	}
})

var _ = check("11.2-15", "the MCP-Protocol-Version header is not examined", func(c *C) {
	c.Given(RootList, func() { c.Result("tools/list", nil) })
	for _, version := range []string{"1999-01-01", "2099-01-01", "latest"} {
		c.Row(version, func() { c.listedBy(c.listed(WithHeader("Mcp-Protocol-Version", version))) })
	}
})

// listed posts a plain tools/list and returns the bare exchange.
func (c *C) listed(opts ...Option) *wire.Exchange {
	return c.Post(request(nextID(), "tools/list", nil), opts...)
}

// listedBy demands that an exchange carried a result inside HTTP 200.
func (c *C) listedBy(x *wire.Exchange) json.RawMessage {
	c.Equal("HTTP status", x.Status, http.StatusOK)
	m, err := wire.ParseMessage(x.Body)
	if err != nil {
		c.Fail("the answer", "one JSON-RPC response with a result", err.Error())
	}
	return c.Success(Answer{m, x})
}
