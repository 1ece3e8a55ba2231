package deviant

import (
	"net/http"

	"cruxconform/spec"
)

// greeting changes the result of initialize.
func greeting(change func(r *Request, result map[string]any)) func() Lie {
	return onAnswer(func(r *Request, a *Answer) {
		if r.Is("initialize") {
			a.EditResult(func(result map[string]any) { change(r, result) })
		}
	})
}

// within changes one object of the result of initialize.
func within(name string, change func(object map[string]any)) func() Lie {
	return greeting(func(_ *Request, result map[string]any) {
		if object, ok := result[name].(map[string]any); ok {
			change(object)
		}
	})
}

var _ = lie(Deviant{
	Name: "initialize-advertises-2025-06-18", Lie: "answers initialize with protocol version 2025-06-18 when asked for 2024-11-05",
	Folds: []string{"11.2-02"},
	MCP: greeting(func(r *Request, result map[string]any) {
		if askedVersion(r) == spec.ProtocolVersion {
			result["protocolVersion"] = "2025-06-18"
		}
	}),
})

// askedVersion is the protocol version that an initialize asks for.
func askedVersion(r *Request) string {
	var p struct {
		ProtocolVersion string `json:"protocolVersion"`
	}
	_ = unmarshal(r.RPC.Params, &p)
	return p.ProtocolVersion
}

var _ = lie(Deviant{
	Name: "initialize-echoes-asked-version", Lie: "answers initialize with whatever protocol version it asks for",
	MCP: greeting(func(r *Request, result map[string]any) {
		if v := askedVersion(r); v != "" {
			result["protocolVersion"] = v
		}
	}),
})

var _ = lie(Deviant{
	Name: "initialize-requires-params", Lie: "refuses an initialize whose params name no protocol version",
	MCP: onRequest(func(r *Request) *Answer {
		if r.Is("initialize") && r.RPC.ID != nil && bare(r) {
			return ErrorTo(r, -32602, "missing required param: protocolVersion")
		}
		return nil
	}),
})

// bare reports whether a request has no params, null or an empty object.
func bare(r *Request) bool {
	var p map[string]any
	return r.RPC.Params == nil || unmarshal(r.RPC.Params, &p) == nil && len(p) == 0
}

var _ = lie(Deviant{
	Name: "server-named-otherwise", Lie: "names itself cruxd",
	Folds: []string{"11.1-39"},
	MCP:   within("serverInfo", func(info map[string]any) { info["name"] = "cruxd" }),
})

var _ = lie(Deviant{
	Name: "server-version-missing", Lie: "leaves its version out",
	Folds: []string{"11.1-39", "11.2-06"},
	MCP:   within("serverInfo", func(info map[string]any) { delete(info, "version") }),
})

var _ = lie(Deviant{
	Name: "server-version-latest", Lie: "calls its version latest",
	Folds: []string{"11.1-39"},
	MCP:   within("serverInfo", func(info map[string]any) { info["version"] = "latest" }),
})

var _ = lie(Deviant{
	Name: "list-changed-false", Lie: "says that its list of tools never changes",
	MCP: within("capabilities", func(c map[string]any) { c["tools"] = map[string]any{"listChanged": false} }),
})

var _ = lie(Deviant{
	Name: "tools-capability-empty", Lie: "says nothing about changes of its list of tools",
	MCP: within("capabilities", func(c map[string]any) { c["tools"] = map[string]any{} }),
})

var _ = lie(Deviant{
	Name: "advertises-resources", Lie: "advertises resources",
	MCP: within("capabilities", func(c map[string]any) { c["resources"] = map[string]any{} }),
})

var _ = lie(Deviant{
	Name: "advertises-prompts", Lie: "advertises prompts",
	MCP: within("capabilities", func(c map[string]any) { c["prompts"] = map[string]any{"listChanged": false} }),
})

var _ = lie(Deviant{
	Name: "advertises-logging", Lie: "advertises logging",
	MCP: within("capabilities", func(c map[string]any) { c["logging"] = map[string]any{} }),
})

var _ = lie(Deviant{
	Name: "welcome-without-hint", Lie: "leaves the hint out of the welcome",
	MCP: within("_welcome", func(w map[string]any) { delete(w, "hint") }),
})

var _ = lie(Deviant{
	Name: "welcome-quickstart-as-text", Lie: "gives the quickstart as one text",
	Folds: []string{"11.2-11"},
	MCP:   within("_welcome", func(w map[string]any) { w["quickstart"] = "call get_bootstrap first" }),
})

var _ = lie(Deviant{
	Name: "welcome-quickstart-of-three", Lie: "gives a quickstart of three steps",
	MCP: within("_welcome", func(w map[string]any) {
		if steps, ok := w["quickstart"].([]any); ok {
			w["quickstart"] = steps[:min(3, len(steps))]
		}
	}),
})

var _ = lie(Deviant{
	Name: "welcome-docs-elsewhere", Lie: "points at other documentation",
	MCP: within("_welcome", func(w map[string]any) { w["docs"] = "https://example.com/agent-guide.md" }),
})

var _ = lie(Deviant{
	Name: "initialize-adds-instructions", Lie: "adds instructions to the handshake",
	MCP: greeting(func(_ *Request, result map[string]any) { result["instructions"] = "store what you learn" }),
})

var _ = lie(Deviant{
	Name: "second-initialize-refused", Lie: "refuses the second initialize on a session",
	MCP: func() Lie {
		known := newMemory()
		return Lie{Ask: func(r *Request) *Answer {
			id := sessionOf(r)
			if !r.Is("initialize") || r.RPC.ID == nil || !validSession(id) {
				return nil
			}
			if !known.has(id) {
				known.add(id)
				return nil
			}
			a := ErrorTo(r, -32602, "the session is already initialized")
			a.Header.Set(spec.SessionHeader, id)
			return a
		}}
	},
})

var _ = lie(Deviant{
	Name: "unknown-protocol-version-header-400", Lie: "answers 400 to an MCP-Protocol-Version header that it does not know",
	MCP: onRequest(func(r *Request) *Answer {
		if v := r.Header.Get("Mcp-Protocol-Version"); v != "" && v != spec.ProtocolVersion {
			return JSON(http.StatusBadRequest, map[string]any{"error": "unsupported protocol version"})
		}
		return nil
	}),
})
