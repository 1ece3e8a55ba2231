package deviant

import (
	"slices"

	"cruxconform/spec"
)

// toAnonymous tells a lie to callers without an Authorization header only.
func toAnonymous(lie func() Lie) func() Lie {
	return func() Lie {
		l := lie()
		return Lie{Tell: func(r *Request, a *Answer) {
			if r.Header.Get("Authorization") == "" {
				l.Tell(r, a)
			}
		}}
	}
}

// cruxOf is _meta.crux of a listed tool, made where there is none.
func cruxOf(tool map[string]any) map[string]any {
	meta := member(tool, "_meta")
	return member(meta, "crux")
}

// member is a member that is an object, made where there is none.
func member(of map[string]any, name string) map[string]any {
	m, ok := of[name].(map[string]any)
	if !ok {
		m = map[string]any{}
		of[name] = m
	}
	return m
}

// stamping changes the tools of the core floor in the list of an anonymous
// caller; stamps in all tools would make the list longer than it may be.
func stamping(change func(tool map[string]any)) func() Lie {
	return toAnonymous(rewriting(func(tool map[string]any) {
		if slices.Contains(spec.Floor(), nameOf(tool)) {
			change(tool)
		}
	}))
}

// aTokenRef is what the list says of a token that nobody attached.
func aTokenRef() map[string]any {
	return map[string]any{
		"token_id":   "rcxct_free_0123456789abcdef_default",
		"token_hash": "5f1d7a84db00d2fce00b31a7fc73224f2f0a4d1b0e6a1c2b9d3e4f5061728394",
	}
}

var _ = lie(Deviant{
	Name: "anonymous-shrinks-list", Lie: "leaves the hosted tools out of the list of an anonymous caller",
	Folds: []string{"11.8-13", "11.8-28", "11.8-29"},
	MCP:   toAnonymous(hiding(issueTool, "sync_pull", "sync_push")),
})

var _ = lie(Deviant{
	Name: "anonymous-tools-say-filtered-by", Lie: "says filtered_by in the list of an anonymous caller",
	MCP: stamping(func(tool map[string]any) { cruxOf(tool)["filtered_by"] = "rcx-capability-token" }),
})

var _ = lie(Deviant{
	Name: "anonymous-tools-carry-token-ref", Lie: "gives a token_ref to tools in the list of an anonymous caller",
	MCP: stamping(func(tool map[string]any) { cruxOf(tool)["token_ref"] = aTokenRef() }),
})

var _ = lie(Deviant{
	Name: "anonymous-tools-carry-receipt-class-and-tier",
	Lie:  "gives receipt_class and tier to tools in the list of an anonymous caller",
	MCP: stamping(func(tool map[string]any) {
		crux := cruxOf(tool)
		crux["receipt_class"], crux["tier"] = "verified", "free"
	}),
})

var _ = lie(Deviant{
	Name: "anonymous-schemas-carry-stamps", Lie: "stamps input schemas in the list of an anonymous caller",
	MCP: stamping(func(tool map[string]any) {
		schema := member(tool, "inputSchema")
		schema["x-crux-token-ref"] = aTokenRef()
		schema["x-crux-receipt-class"], schema["x-crux-tier"] = "verified", "free"
	}),
})

var _ = lie(Deviant{
	Name: "anonymous-result-has-top-meta", Lie: "puts _meta at the top of the list of an anonymous caller",
	MCP: toAnonymous(onAnswer(func(r *Request, a *Answer) {
		if r.Is("tools/list") {
			a.EditResult(func(result map[string]any) {
				result["_meta"] = map[string]any{"crux": map[string]any{"anonymous": true}}
			})
		}
	})),
})

var _ = lie(Deviant{
	Name: "anonymous-lists-an-extension-tool", Lie: "lists an extension tool to an anonymous caller",
	MCP: toAnonymous(inventing("ext.weather.today")),
})
