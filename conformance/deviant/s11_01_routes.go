package deviant

import (
	"net/http"
	"strings"

	"cruxconform/spec"
)

// onAnswer is a lie that changes true answers and keeps no memory.
func onAnswer(change func(r *Request, a *Answer)) func() Lie {
	return func() Lie { return Lie{Tell: change} }
}

// asking is a lie that changes requests or answers them itself.
func onRequest(change func(r *Request) *Answer) func() Lie {
	return func() Lie { return Lie{Ask: change} }
}

// isDiscovery reports whether a request asks for the discovery blob.
func isDiscovery(r *Request) bool {
	return r.Method == http.MethodGet && r.Path == "/mcp" && !strings.Contains(r.Header.Get("Accept"), "text/event-stream")
}

// discoveryEdit changes the members of the discovery blob.
func discoveryEdit(change func(blob map[string]any)) func() Lie {
	return onAnswer(func(r *Request, a *Answer) {
		if isDiscovery(r) {
			a.Edit(change)
		}
	})
}

var _ = lie(Deviant{
	Name: "api-port-serves-mcp", Lie: "serves /mcp on the HTTP API port as well",
	API: onRequest(func(r *Request) *Answer {
		blob := map[string]any{"protocolVersion": spec.ProtocolVersion, "serverInfo": map[string]any{"name": spec.ServerName, "version": "1.0.0"}}
		switch {
		case r.Path != "/mcp":
			return nil
		case r.Method == http.MethodPost && r.RPC != nil && r.RPC.ID != nil:
			blob["capabilities"] = map[string]any{"tools": map[string]any{"listChanged": true}}
			return ResultTo(r, blob)
		}
		return JSON(http.StatusOK, blob)
	}),
})

var _ = lie(Deviant{
	Name: "discovery-405", Lie: "answers GET /mcp with 405 where no stream is asked for",
	Folds: []string{"11.1-38", "11.1-39", "11.1-40", "11.1-41", "11.1-42", "11.1-43"},
	MCP: onAnswer(func(r *Request, a *Answer) {
		if isDiscovery(r) {
			a.Status, a.Body = http.StatusMethodNotAllowed, nil
			a.Header = http.Header{"Allow": {"GET, POST"}}
		}
	}),
})

var _ = lie(Deviant{
	Name: "discovery-lacks-protocol-version", Lie: "leaves protocolVersion out of the discovery blob",
	Folds: []string{"11.1-39"},
	MCP:   discoveryEdit(func(blob map[string]any) { delete(blob, "protocolVersion") }),
})

var _ = lie(Deviant{
	Name: "discovery-lacks-server-info", Lie: "leaves serverInfo out of the discovery blob",
	Folds: []string{"11.1-39"},
	MCP:   discoveryEdit(func(blob map[string]any) { delete(blob, "serverInfo") }),
})

var _ = lie(Deviant{
	Name: "discovery-advertises-another-version", Lie: "names another protocol version in the discovery blob than in the handshake",
	MCP: discoveryEdit(func(blob map[string]any) { blob["protocolVersion"] = "2025-06-18" }),
})

var _ = lie(Deviant{
	Name: "discovery-names-another-server", Lie: "names another server in the discovery blob than in the handshake",
	MCP: discoveryEdit(func(blob map[string]any) {
		if info, ok := blob["serverInfo"].(map[string]any); ok {
			info["name"] = "cruxd"
		}
	}),
})

var _ = lie(Deviant{
	Name: "discovery-lists-capabilities", Lie: "advertises capabilities in the discovery blob",
	MCP: discoveryEdit(func(blob map[string]any) {
		blob["capabilities"] = map[string]any{"tools": map[string]any{"listChanged": true}}
	}),
})

var _ = lie(Deviant{
	Name: "discovery-as-text-plain", Lie: "sends the discovery blob as text/plain",
	MCP: onAnswer(func(r *Request, a *Answer) {
		if isDiscovery(r) {
			a.Header.Set("Content-Type", "text/plain; charset=utf-8")
		}
	}),
})

var _ = lie(Deviant{
	Name: "discovery-mints-session", Lie: "puts a session id on the discovery blob",
	MCP: onAnswer(func(r *Request, a *Answer) {
		if isDiscovery(r) {
			a.Header.Set(spec.SessionHeader, freshSession())
		}
	}),
})

var _ = lie(Deviant{
	Name: "discovery-checks-session-id", Lie: "refuses the discovery blob where the session header is malformed",
	MCP: onRequest(func(r *Request) *Answer {
		if isDiscovery(r) && len(r.Header.Values(spec.SessionHeader)) > 0 && !validSession(r.Header.Get(spec.SessionHeader)) {
			return badSession()
		}
		return nil
	}),
})

var _ = lie(Deviant{
	Name: "other-http-methods-answer-200", Lie: "answers HTTP methods that /mcp does not have with 200",
	Folds: []string{"11.1-46"},
	MCP: onRequest(func(r *Request) *Answer {
		switch r.Method {
		case http.MethodGet, http.MethodPost, http.MethodHead:
			return nil
		}
		return JSON(http.StatusOK, map[string]any{})
	}),
})

var _ = lie(Deviant{
	Name: "method-405-without-allow", Lie: "answers 405 without an Allow header",
	MCP: onAnswer(func(_ *Request, a *Answer) {
		if a.Status == http.StatusMethodNotAllowed {
			a.Header.Del("Allow")
		}
	}),
})

var _ = lie(Deviant{
	Name: "other-paths-serve-mcp", Lie: "serves the MCP endpoint on every path",
	MCP: onRequest(func(r *Request) *Answer {
		if r.Path != "/.well-known/agent-card" && r.Path != "/.well-known/oauth-protected-resource" {
			r.Path = "/mcp"
		}
		return nil
	}),
})

var _ = lie(Deviant{
	Name: "query-string-404", Lie: "answers 404 where the URL of the endpoint has a query string",
	MCP: onRequest(func(r *Request) *Answer {
		if r.Query != "" {
			return &Answer{Status: http.StatusNotFound, Header: http.Header{}}
		}
		return nil
	}),
})
