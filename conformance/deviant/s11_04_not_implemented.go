package deviant

import (
	"net/http"
	"slices"
	"strings"

	"cruxconform/spec"
)

// isUnknownMethod reports whether a request asks for a method that the surface
// does not have and waits for an answer.
func isUnknownMethod(r *Request) bool {
	return r.RPC != nil && r.RPC.Members["method"] != nil && r.RPC.ID != nil && string(r.RPC.ID) != "null" &&
		!slices.Contains(spec.Methods, r.RPC.Method)
}

// isNamedAbsent reports whether section 11.4 names the method as not there.
func isNamedAbsent(method string) bool {
	return slices.Contains(spec.AbsentMethods, method) || strings.HasPrefix(method, "roots/")
}

// onUnknownMethod changes the refusal of an unknown method.
func onUnknownMethod(change func(r *Request, a *Answer)) func() Lie {
	return onAnswer(func(r *Request, a *Answer) {
		if isUnknownMethod(r) && a.Status == http.StatusOK && !isParseError(a) {
			change(r, a)
		}
	})
}

// grant turns a refusal into a result.
func grant(a *Answer, result any) {
	a.Edit(func(body map[string]any) {
		delete(body, "error")
		body["result"] = result
	})
}

// granting answers methods that are not there with results of their own.
func granting(results map[string]any) func() Lie {
	return onUnknownMethod(func(r *Request, a *Answer) {
		if result, has := results[r.RPC.Method]; has {
			grant(a, result)
		}
	})
}

// refusals are the entries that look closer at the refusals of all methods.
var refusals = []string{"11.4-09", "11.4-10"}

var _ = lie(Deviant{
	Name: "unknown-method-404", Lie: "answers an unknown method with HTTP 404",
	Folds: underRefusal200,
	MCP:   onUnknownMethod(func(_ *Request, a *Answer) { a.Status = http.StatusNotFound }),
})

var _ = lie(Deviant{
	Name: "unknown-method-501", Lie: "answers an unknown method with HTTP 501",
	Folds: underRefusal200,
	MCP:   onUnknownMethod(func(_ *Request, a *Answer) { a.Status = http.StatusNotImplemented }),
})

// onStrangeMethod changes the refusal of a method that nobody names.
func onStrangeMethod(change func(a *Answer)) func() Lie {
	return onUnknownMethod(func(r *Request, a *Answer) {
		if !isNamedAbsent(r.RPC.Method) {
			change(a)
		}
	})
}

var _ = lie(Deviant{
	Name: "unknown-method-empty-result", Lie: "answers a method that it never heard of with an empty result",
	Folds: underRefusal,
	MCP:   onStrangeMethod(func(a *Answer) { grant(a, map[string]any{}) }),
})

var _ = lie(Deviant{
	Name: "unknown-method-code-32600", Lie: "refuses a method that it never heard of with -32600",
	Folds: underRefusal,
	MCP: onStrangeMethod(func(a *Answer) {
		a.EditError(func(e map[string]any) { e["code"] = spec.CodeInvalidRequest })
	}),
})

var _ = lie(Deviant{
	Name: "resources-answer-empty-lists", Lie: "answers the resources methods as a server without resources does",
	Folds: refusals,
	MCP: granting(map[string]any{
		"resources/list":           map[string]any{"resources": []any{}},
		"resources/read":           map[string]any{"contents": []any{}},
		"resources/templates/list": map[string]any{"resourceTemplates": []any{}},
	}),
})

var _ = lie(Deviant{
	Name: "prompts-answer-empty-lists", Lie: "answers the prompts methods as a server without prompts does",
	Folds: refusals,
	MCP: granting(map[string]any{
		"prompts/list": map[string]any{"prompts": []any{}},
		"prompts/get":  map[string]any{"messages": []any{}},
	}),
})

var _ = lie(Deviant{
	Name: "completion-answers-no-values", Lie: "answers completion/complete without a value",
	Folds: refusals,
	MCP: granting(map[string]any{
		"completion/complete": map[string]any{"completion": map[string]any{"values": []any{}, "total": 0, "hasMore": false}},
	}),
})

var _ = lie(Deviant{
	Name: "logging-set-level-accepted", Lie: "accepts logging/setLevel",
	Folds: refusals,
	MCP:   granting(map[string]any{"logging/setLevel": map[string]any{}}),
})

var _ = lie(Deviant{
	Name: "roots-answer-an-empty-list", Lie: "answers the roots methods with an empty list",
	Folds: refusals,
	MCP: onUnknownMethod(func(r *Request, a *Answer) {
		if strings.HasPrefix(r.RPC.Method, "roots/") {
			grant(a, map[string]any{"roots": []any{}})
		}
	}),
})

var _ = lie(Deviant{
	Name: "ping-answers-empty-object", Lie: "answers ping",
	Folds: refusals,
	MCP:   granting(map[string]any{"ping": map[string]any{}}),
})

// rewording changes the message of the refusal.
func rewording(message func(method string) string) func() Lie {
	return onUnknownMethod(func(r *Request, a *Answer) {
		a.EditError(func(e map[string]any) { e["message"] = message(r.RPC.Method) })
	})
}

var _ = lie(Deviant{
	Name: "unknown-method-message-without-name", Lie: "does not name the method that it refuses",
	MCP: rewording(func(string) string { return strings.TrimSuffix(spec.MessageMethodNotFound, ": ") }),
})

var _ = lie(Deviant{
	Name: "unknown-method-message-in-other-words", Lie: "refuses a method in other words than the documented ones",
	MCP: rewording(func(method string) string { return "no such method: " + method }),
})

var _ = lie(Deviant{
	Name: "unknown-method-error-with-data", Lie: "adds data to the refusal of a method",
	MCP: onUnknownMethod(func(r *Request, a *Answer) {
		a.EditError(func(e map[string]any) { e["data"] = map[string]any{"method": r.RPC.Method} })
	}),
})

var _ = lie(Deviant{
	Name: "cancelled-with-id-202", Lie: "takes notifications/cancelled for a notification although it carries an id",
	MCP: onUnknownMethod(func(r *Request, a *Answer) {
		if r.RPC.Method == "notifications/cancelled" {
			a.Status, a.Body = http.StatusAccepted, nil
			a.Header.Del("Content-Type")
		}
	}),
})

var _ = lie(Deviant{
	Name: "empty-method-is-a-parse-error", Lie: "takes a request with an empty method for unparseable",
	MCP: onUnknownMethod(func(r *Request, a *Answer) {
		if r.RPC.Method == "" {
			a.Edit(func(body map[string]any) { body["id"] = nil })
			a.EditError(func(e map[string]any) {
				e["code"], e["message"] = spec.CodeParse, spec.MessageParse+"the method is empty"
			})
			a.Header.Del(spec.SessionHeader)
		}
	}),
})

var _ = lie(Deviant{
	Name: "server-discover-400", Lie: "answers 400 to a server/discover without a session",
	MCP: onRequest(func(r *Request) *Answer {
		if isUnknownMethod(r) && r.RPC.Method == "server/discover" && len(r.Header.Values(spec.SessionHeader)) == 0 {
			return JSON(http.StatusBadRequest, map[string]any{"error": "session_required", "hint": "send initialize first"})
		}
		return nil
	}),
})

var _ = lie(Deviant{
	Name: "unknown-method-validates-params", Lie: "refuses params of an unknown method that are no object with -32602",
	MCP: onUnknownMethod(func(r *Request, a *Answer) {
		if r.RPC.Params != nil && !strings.HasPrefix(string(r.RPC.Params), "{") {
			a.EditError(func(e map[string]any) { e["code"], e["message"] = spec.CodeInvalidParams, "params must be an object" })
		}
	}),
})

var _ = lie(Deviant{
	Name: "unknown-method-ends-session", Lie: "knows a session no more after it refused a method in it",
	MCP: func() Lie {
		ended := newMemory()
		return Lie{
			Ask: func(r *Request) *Answer {
				if id := sessionOf(r); r.Method == http.MethodPost && id != "" && ended.has(id) {
					return JSON(http.StatusNotFound, map[string]any{"error": "session_not_found"})
				}
				return nil
			},
			Tell: func(r *Request, a *Answer) {
				if isUnknownMethod(r) && a.Status == http.StatusOK {
					ended.add(sessionOf(r))
				}
			},
		}
	},
})
