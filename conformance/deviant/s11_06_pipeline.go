package deviant

import (
	"bytes"
	"net/http"
	"slices"
	"strings"

	"cruxconform/spec"
)

// refuse puts an error in the place of a dispatched answer and leaves its
// headers alone.
func refuse(r *Request, a *Answer, code int, message string) {
	if a.Status == http.StatusOK {
		a.Body = ErrorTo(r, code, message).Body
	}
}

// onCall is a lie about the answers to calls that carry an id.
func onCall(change func(r *Request, a *Answer)) func() Lie {
	return onAnswer(func(r *Request, a *Answer) {
		if r.Is("tools/call") && r.RPC.ID != nil {
			change(r, a)
		}
	})
}

// param is a member of the params of a call, nil where the params are no object
// or lack it.
func param(r *Request, name string) (value any, sent bool) {
	var params map[string]any
	if unmarshal(r.RPC.Params, &params) != nil {
		return nil, false
	}
	value, sent = params[name]
	return value, sent
}

// isNameless reports whether a call names no tool: it has no params, or params
// that are an object without a name.
func isNameless(r *Request) bool {
	raw := bytes.TrimSpace(r.RPC.Members["params"])
	_, named := param(r, "name")
	return len(raw) == 0 || raw[0] == '{' && !named
}

// inCatalogue reports whether a call names a tool of the catalogue.
func inCatalogue(r *Request) bool { return slices.Contains(catalogueNames(), r.Tool()) }

// isUnknown reports whether a call names a tool that there is not.
func isUnknown(r *Request) bool {
	return r.Tool() != "" && !inCatalogue(r) && !strings.HasPrefix(r.Tool(), "ext.")
}

var _ = lie(Deviant{
	Name:  "result-without-content",
	Lie:   "leaves content out of the results of tools",
	Folds: toolCalls,
	MCP: onCall(func(_ *Request, a *Answer) {
		a.EditResult(func(result map[string]any) { delete(result, "content") })
	}),
})

var _ = lie(Deviant{
	Name:  "content-item-without-type",
	Lie:   "leaves type out of the content items of tools",
	Folds: toolCalls,
	MCP: onCall(func(_ *Request, a *Answer) {
		a.EditResult(func(result map[string]any) {
			content, _ := result["content"].([]any)
			for _, item := range content {
				if object, ok := item.(map[string]any); ok {
					delete(object, "type")
				}
			}
		})
	}),
})

var _ = lie(Deviant{
	Name:  "success-marked-is-error",
	Lie:   "marks the results of tools that succeeded with isError",
	Folds: toolCalls,
	MCP: onCall(func(_ *Request, a *Answer) {
		a.EditResult(func(result map[string]any) { result["isError"] = true })
	}),
})

var _ = lie(Deviant{
	Name:  "missing-name-is-unknown-tool",
	Lie:   "takes a call that names no tool for a call of an unknown one",
	Folds: []string{"11.6-03", "11.6-04", "11.6-05", "11.6-12"},
	MCP: onCall(func(r *Request, a *Answer) {
		if isNameless(r) {
			refuse(r, a, spec.CodeMethodNotFound, spec.MessageUnknownTool)
		}
	}),
})

var _ = lie(Deviant{
	Name:  "missing-name-code-32600",
	Lie:   "refuses a call that names no tool with -32600",
	Folds: []string{"11.6-03", "11.6-04", "11.6-05", "11.6-12"},
	MCP: onCall(func(r *Request, a *Answer) {
		if isNameless(r) {
			refuse(r, a, spec.CodeInvalidRequest, spec.MessageMissingName)
		}
	}),
})

var _ = lie(Deviant{
	Name: "missing-name-message-in-other-words",
	Lie:  "refuses a call that names no tool in other words",
	MCP: onCall(func(r *Request, a *Answer) {
		if isNameless(r) {
			a.EditError(func(e map[string]any) { e["message"] = "name is required" })
		}
	}),
})

var _ = lie(Deviant{
	Name: "odd-name-is-unknown-tool",
	Lie:  "takes a tool name that is no text for an unknown tool",
	MCP: onCall(func(r *Request, a *Answer) {
		name, sent := param(r, "name")
		if _, isText := name.(string); sent && !isText {
			refuse(r, a, spec.CodeMethodNotFound, spec.MessageUnknownTool+string(marshal(name)))
		}
	}),
})

var _ = lie(Deviant{
	Name: "odd-params-code-32600",
	Lie:  "refuses a call whose params are no object with -32600",
	MCP: onCall(func(r *Request, a *Answer) {
		if raw := bytes.TrimSpace(r.RPC.Members["params"]); len(raw) > 0 && raw[0] != '{' {
			refuse(r, a, spec.CodeInvalidRequest, "params must be an object")
		}
	}),
})

var _ = lie(Deviant{
	Name:  "unknown-tool-404",
	Lie:   "answers a call of an unknown tool with HTTP 404",
	Folds: append([]string{"11.6-07"}, unknownTools...),
	MCP: onCall(func(r *Request, a *Answer) {
		if isUnknown(r) {
			a.Status = http.StatusNotFound
		}
	}),
})

// unknownTools lists the entries that build on how an unknown tool is refused.
var unknownTools = []string{"11.6-08", "11.6-09", "11.6-10", "11.6-12", "11.10-21"}

var _ = lie(Deviant{
	Name:  "unknown-tool-code-32602",
	Lie:   "refuses a call of an unknown tool with -32602",
	Folds: unknownTools,
	MCP: onCall(func(r *Request, a *Answer) {
		if isUnknown(r) {
			refuse(r, a, spec.CodeInvalidParams, spec.MessageUnknownTool+r.Tool())
		}
	}),
})

// failed is a result that says in its text why a tool failed.
func failed(message string) map[string]any {
	return map[string]any{
		"content": []any{map[string]any{"type": "text", "text": message}}, "isError": true,
	}
}

var _ = lie(Deviant{
	Name:  "unknown-tool-is-error-result",
	Lie:   "answers a call of an unknown tool with a result marked isError",
	Folds: unknownTools,
	MCP: onCall(func(r *Request, a *Answer) {
		if isUnknown(r) {
			a.Body = ResultTo(r, failed(spec.MessageUnknownTool+r.Tool())).Body
		}
	}),
})

var _ = lie(Deviant{
	Name: "unknown-tool-message-without-name",
	Lie:  "does not say in the message which tool is unknown",
	MCP: onCall(func(r *Request, a *Answer) {
		if isUnknown(r) {
			a.EditError(func(e map[string]any) { e["message"] = strings.TrimRight(spec.MessageUnknownTool, ": ") })
		}
	}),
})

var _ = lie(Deviant{
	Name: "empty-name-counts-as-missing",
	Lie:  "takes an empty tool name for a missing one",
	MCP: onCall(func(r *Request, a *Answer) {
		if name, _ := param(r, "name"); name == any("") {
			refuse(r, a, spec.CodeInvalidParams, spec.MessageMissingName)
		}
	}),
})

var _ = lie(Deviant{
	Name: "tool-name-case-and-blanks-ignored",
	Lie:  "finds a tool whatever the case of its name and the blanks around it",
	MCP: onRequest(func(r *Request) *Answer {
		name := strings.ToLower(strings.TrimSpace(r.Tool()))
		if slices.Contains(catalogueNames(), name) && name != r.Tool() {
			var params map[string]any
			_ = unmarshal(r.RPC.Params, &params)
			params["name"] = name
			r.SetMember("params", params)
		}
		return nil
	}),
})

// searchTools require arguments.
var searchTools = []string{"query", "query_scan", "query_expand"}

var _ = lie(Deviant{
	Name:  "tool-error-as-is-error-result",
	Lie:   "answers a call of query, query_scan or query_expand without any argument with a result marked isError",
	Folds: []string{"11.6-12", "11.6-13"},
	MCP: onCall(func(r *Request, a *Answer) {
		message := ""
		a.EditError(func(e map[string]any) { message, _ = e["message"].(string) })
		if slices.Contains(searchTools, r.Tool()) && len(r.Args()) == 0 && message != "" {
			a.Body = ResultTo(r, failed(message)).Body
		}
	}),
})

var _ = lie(Deviant{
	Name: "tool-error-with-data",
	Lie:  "adds data to the errors of calls",
	MCP: onCall(func(r *Request, a *Answer) {
		a.EditError(func(e map[string]any) { e["data"] = map[string]any{"tool": r.Tool()} })
	}),
})

var _ = lie(Deviant{
	Name: "absent-arguments-refused",
	Lie:  "refuses a call without the member arguments",
	MCP: onCall(func(r *Request, a *Answer) {
		if _, sent := param(r, "arguments"); !sent && inCatalogue(r) {
			refuse(r, a, spec.CodeInvalidRequest, "arguments are required")
		}
	}),
})

var _ = lie(Deviant{
	Name: "odd-arguments-refused",
	Lie:  "refuses a call whose arguments are no object",
	MCP: onCall(func(r *Request, a *Answer) {
		args, sent := param(r, "arguments")
		if _, isObject := args.(map[string]any); sent && !isObject && inCatalogue(r) {
			refuse(r, a, spec.CodeInvalidParams, "arguments must be an object")
		}
	}),
})

var _ = lie(Deviant{
	Name: "unknown-argument-refused",
	Lie:  "refuses any argument of a tool that takes none",
	MCP: onCall(func(r *Request, a *Answer) {
		for _, t := range spec.Tools() {
			var schema struct {
				Properties map[string]any `json:"properties"`
			}
			_ = unmarshal(t.InputSchema, &schema)
			if t.Name == r.Tool() && len(schema.Properties) == 0 && len(t.UndeclaredArgs) == 0 && len(r.Args()) > 0 {
				refuse(r, a, spec.CodeInvalidParams, "unknown argument")
			}
		}
	}),
})

var _ = lie(Deviant{
	Name: "params-meta-refused",
	Lie:  "refuses a call whose params hold _meta",
	MCP: onCall(func(r *Request, a *Answer) {
		if _, sent := param(r, "_meta"); sent {
			refuse(r, a, spec.CodeInvalidParams, "unknown member _meta")
		}
	}),
})

var _ = lie(Deviant{
	Name: "audit-envelope-while-off",
	Lie:  "wraps the audit envelope around query_facts although its flag is off",
	MCP: telling(func(_ *Request, a *Answer) {
		a.EditResult(func(result map[string]any) {
			for _, place := range []string{"_meta", "structuredContent"} {
				members, ok := result[place].(map[string]any)
				if !ok {
					members = map[string]any{}
					result[place] = members
				}
				members["envelope"] = map[string]any{
					"receipts_used": []any{}, "memories_used": []any{}, "predicted_effects": []any{},
					"autonomy_consumed": map[string]any{"capability": "facts:read", "cost_credits": 0, "scope": "node:local"},
				}
			}
		})
	}, "query_facts"),
})
