package suite

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"

	"cruxconform/conformance/wire"
	"cruxconform/spec"

	"github.com/onsi/gomega"
)

const (
	handshake = `{"jsonrpc":"2.0","id":"listener-1","method":"initialize","params":` +
		`{"protocolVersion":"2024-11-05","capabilities":{},"clientInfo":{"name":"cruxconform","version":"1"}}}`
	asJSON = "application/json"
)

var _ = check("11.1-01", "the HTTP API port does not serve MCP", func(c *C) {
	c.Given(RootAnswer, func() { c.Success(c.CallRaw(handshake, `"listener-1"`)) })
	absent := gomega.BeElementOf(http.StatusNotFound, http.StatusMethodNotAllowed)
	c.Row("POST /mcp", func() {
		x := c.Exchange(wire.Request{URL: c.API + "/mcp", Body: []byte(handshake), NoToken: true})
		c.That("HTTP status on the HTTP API port", x.Status, absent, "404 or 405")
	})
	c.Row("GET /mcp", func() {
		x := c.Exchange(wire.Request{Method: http.MethodGet, URL: c.API + "/mcp", NoToken: true})
		c.That("HTTP status on the HTTP API port", x.Status, absent, "404 or 405")
	})
})

// blob asks for the discovery blob, which builds on the entry that it is there.
func (c *C) blob(opts ...Option) *wire.Exchange {
	var x *wire.Exchange
	c.Given("11.1-37", func() {
		x = c.Get("", append([]Option{WithHeader("Accept", asJSON)}, opts...)...)
		c.Equal("HTTP status", x.Status, http.StatusOK)
	})
	return x
}

// discovery is the blob as a client reads it.
type discovery struct {
	ProtocolVersion *string         `json:"protocolVersion"`
	ServerInfo      json.RawMessage `json:"serverInfo"`
}

var _ = check("11.1-37", "GET /mcp that asks for no stream answers HTTP 200", func(c *C) {
	c.Row("without Accept", func() {
		c.Equal("HTTP status", c.Get("").Status, http.StatusOK)
	})
	for _, accept := range []string{asJSON, "*/*"} {
		c.Row("Accept: "+accept, func() {
			c.Equal("HTTP status", c.Get("", WithHeader("Accept", accept)).Status, http.StatusOK)
		})
	}
})

var _ = check("11.1-38", "the discovery blob names the protocol version and the server", func(c *C) {
	var b discovery
	c.Decode("the discovery blob", c.blob().Body, &b)
	if b.ProtocolVersion == nil {
		c.Fail("member protocolVersion", "a string", "(absent)")
	}
	var info struct{ Name, Version *string }
	if b.ServerInfo == nil {
		c.Fail("member serverInfo", "an object with name and version", "(absent)")
	}
	c.Decode("member serverInfo", b.ServerInfo, &info)
	if info.Name == nil || info.Version == nil {
		c.Fail("member serverInfo", "an object with the strings name and version", clip(b.ServerInfo))
	}
})

// introduced demands that the handshake names the server as documented, and returns
// what it says.
func (c *C) introduced() json.RawMessage {
	var hello discovery
	c.Decode("the initialize result", c.Result("initialize", asked(spec.ProtocolVersion)), &hello)
	var info struct{ Name, Version json.RawMessage }
	c.Given("11.2-04", func() {
		if hello.ServerInfo == nil {
			c.Fail("member serverInfo of the handshake", "an object", "(absent)")
		}
		c.Decode("member serverInfo of the handshake", hello.ServerInfo, &info)
		c.Equal("serverInfo.name of the handshake", sameForm(info.Name), `"crux"`)
	})
	c.Given("11.2-05", func() {
		c.That("serverInfo.version of the handshake", sameForm(info.Version), gomega.MatchRegexp(isText), "a string that is not empty")
	})
	c.Given("11.2-06", func() {
		c.That("serverInfo.version of the handshake", sameForm(info.Version), gomega.MatchRegexp(packageVersion), "three numbers joined by dots, then any suffix")
	})
	return hello.ServerInfo
}

var _ = check("11.1-39", "the discovery blob says the same as the handshake", func(c *C) {
	hello := c.introduced()
	for _, time := range []string{"first", "second"} {
		var b discovery
		raw := c.blob().Body
		c.Given("11.1-38", func() {
			c.Decode("the discovery blob", raw, &b)
			if b.ProtocolVersion == nil || b.ServerInfo == nil {
				c.Fail("the discovery blob", "protocolVersion and serverInfo", clip(raw))
			}
		})
		c.Equal("protocolVersion of the "+time+" blob", *b.ProtocolVersion, spec.ProtocolVersion)
		c.That("serverInfo of the "+time+" blob", string(b.ServerInfo), gomega.MatchJSON(hello), "as in the handshake: "+clip(hello))
	}
})

var _ = check("11.1-40", "the discovery blob advertises nothing else", func(c *C) {
	members := map[string]json.RawMessage{}
	raw := c.blob().Body
	c.Given("11.1-38", func() { c.Decode("the discovery blob", raw, &members) })
	for _, name := range []string{"capabilities", "tools", "instructions"} {
		c.Equal("member "+name, compact(members[name]), "(absent)")
	}
})

var _ = check("11.1-41", "the discovery blob is sent as JSON", func(c *C) {
	media, _, _ := strings.Cut(c.blob().Header.Get("Content-Type"), ";")
	c.Equal("media type", strings.ToLower(strings.TrimSpace(media)), asJSON)
})

var _ = check("11.1-42", "the discovery blob carries no session header", func(c *C) {
	c.Row("without a session header", func() {
		c.Equal("Mcp-Session-Id", sessionOf(c.blob()), none)
	})
	c.Row("with a session header", func() {
		c.Equal("Mcp-Session-Id", sessionOf(c.blob(WithHeader(spec.SessionHeader, c.sessionID()))), none)
	})
})

var _ = check("11.1-43", "the discovery blob does not examine the session header", func(c *C) {
	c.blob()
	x := c.Get("", WithHeader("Accept", asJSON), WithHeader(spec.SessionHeader, "not/valid"))
	c.Equal("HTTP status", x.Status, http.StatusOK)
})

var _ = check("11.1-45", "other HTTP methods on the endpoint answer 405", func(c *C) {
	for _, method := range []string{http.MethodDelete, http.MethodPut, http.MethodPatch, http.MethodOptions} {
		c.Row(method, func() {
			c.Equal("HTTP status", c.Exchange(wire.Request{Method: method}).Status, http.StatusMethodNotAllowed)
		})
	}
})

var _ = check("11.1-46", "the 405 names the methods that are allowed", func(c *C) {
	x := c.Exchange(wire.Request{Method: http.MethodDelete})
	c.Given("11.1-45", func() { c.Equal("HTTP status", x.Status, http.StatusMethodNotAllowed) })
	allow := strings.Join(x.Header.Values("Allow"), ", ")
	for _, method := range []string{http.MethodGet, http.MethodPost} {
		c.That("the Allow header", allow, gomega.ContainSubstring(method), "names "+method)
	}
})

var _ = check("11.1-47", "the MCP port has no other routes", func(c *C) {
	origin, err := url.Parse(c.Client.MCP())
	if err != nil {
		panic(err) // the URL was checked before the run
	}
	endpoint := origin.Path
	if endpoint == "" {
		endpoint = "/" // what a request for a URL without a path asks for
	}
	for _, path := range []string{
		"/", strings.TrimSuffix(endpoint, "/") + "/", "/healthz", "/metrics", "/v1/version", "/.well-known/agent-card.json",
	} {
		if path == endpoint {
			continue // a target whose endpoint is the root itself
		}
		at := (&url.URL{Scheme: origin.Scheme, Host: origin.Host, Path: path}).String()
		c.Row("GET "+path, func() { c.Equal("HTTP status", c.Get(at).Status, http.StatusNotFound) })
		c.Row("POST "+path, func() {
			x := c.Exchange(wire.Request{URL: at, Body: []byte(handshake)})
			c.Equal("HTTP status", x.Status, http.StatusNotFound)
		})
	}
})

var _ = check("11.1-48", "a query string changes nothing", func(c *C) {
	c.Given(RootAnswer, func() { c.Success(c.CallRaw(handshake, `"listener-1"`)) })
	at := c.Client.MCP()
	if strings.Contains(at, "?") {
		at += "&x=1"
	} else {
		at += "?x=1"
	}
	x := c.Exchange(wire.Request{URL: at, Body: []byte(handshake)})
	c.Equal("HTTP status", x.Status, http.StatusOK)
	m, err := wire.ParseMessage(x.Body)
	if err != nil {
		c.Fail("the answer", "a result", err.Error())
	}
	c.Success(Answer{m, x})
})
