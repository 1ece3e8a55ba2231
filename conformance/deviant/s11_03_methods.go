package deviant

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
)

// isPlain: the lies about the envelope are told on these, so that
// tool calls still tell the truth about everything else.
func isPlain(r *Request) bool {
	return r.Is("initialize", "tools/list", "notifications/initialized") && r.RPC.ID != nil
}

// enveloping changes the envelope of the answers of plain methods.
func enveloping(change func(r *Request, a *Answer)) func() Lie {
	return onAnswer(func(r *Request, a *Answer) {
		if isPlain(r) && a.Status == http.StatusOK && !isParseError(a) {
			change(r, a)
		}
	})
}

var _ = lie(Deviant{
	Name: "answers-in-an-array", Lie: "wraps each response in an array of one",
	Folds: underObject,
	MCP: enveloping(func(_ *Request, a *Answer) {
		a.Body = append(append([]byte("["), a.Body...), ']')
	}),
})

var _ = lie(Deviant{
	Name: "answers-with-jsonrpc-1", Lie: "names JSON-RPC 1.0 in its responses",
	Folds: underVersion,
	MCP:   enveloping(func(_ *Request, a *Answer) { a.Edit(func(body map[string]any) { body["jsonrpc"] = "1.0" }) }),
})

var _ = lie(Deviant{
	Name: "answers-with-id-as-text", Lie: "gives an integer id back as text",
	Folds: underID,
	MCP: enveloping(func(r *Request, a *Answer) {
		if n, err := strconv.ParseInt(string(r.RPC.ID), 10, 64); err == nil && n > 0 && n < 1<<53 {
			a.Edit(func(body map[string]any) { body["id"] = string(r.RPC.ID) })
		}
	}),
})

// listing changes the result of tools/list.
func listing(change func(result map[string]any)) func() Lie {
	return onAnswer(func(r *Request, a *Answer) {
		if r.Is("tools/list") {
			a.EditResult(change)
		}
	})
}

var _ = lie(Deviant{
	Name: "tools-list-under-items", Lie: "lists the tools under items",
	Folds: underList,
	MCP: listing(func(result map[string]any) {
		result["items"] = result["tools"]
		delete(result, "tools")
	}),
})

var _ = lie(Deviant{
	Name: "tools-list-as-map", Lie: "lists the tools as an object by name",
	Folds: underList,
	MCP: listing(func(result map[string]any) {
		byName := map[string]any{}
		tools, _ := result["tools"].([]any)
		for _, t := range tools {
			if tool, ok := t.(map[string]any); ok {
				byName[fmt.Sprint(tool["name"])] = tool
			}
		}
		result["tools"] = byName
	}),
})

var _ = lie(Deviant{
	Name: "initialized-answers-empty-object", Lie: "answers notifications/initialized with an empty object",
	MCP: onAnswer(func(r *Request, a *Answer) {
		if r.Is("notifications/initialized") && r.RPC.ID != nil {
			a.Edit(func(body map[string]any) { body["result"] = map[string]any{} })
		}
	}),
})

// notifying changes the 202 of a message without an id.
func notifying(change func(r *Request, a *Answer)) func() Lie {
	return onAnswer(func(r *Request, a *Answer) {
		if a.Status == http.StatusAccepted && r.RPC != nil && r.RPC.Members["id"] == nil {
			change(r, a)
		}
	})
}

var _ = lie(Deviant{
	Name: "notification-answers-200-null", Lie: "answers a notification with HTTP 200 and a result of null",
	Folds: underNotified,
	MCP: notifying(func(_ *Request, a *Answer) {
		a.Status, a.Body = http.StatusOK, []byte(`{"jsonrpc":"2.0","id":null,"result":null}`)
		a.Header.Set("Content-Type", "application/json")
	}),
})

var _ = lie(Deviant{
	Name: "notification-answers-204", Lie: "answers a notification with HTTP 204",
	Folds: underNotified,
	MCP: notifying(func(_ *Request, a *Answer) {
		a.Status = http.StatusNoContent
		a.Header.Del("Content-Length")
	}),
})

var _ = lie(Deviant{
	Name: "notification-202-with-body", Lie: "puts a body on the 202",
	MCP: notifying(func(_ *Request, a *Answer) {
		a.Body = []byte(`{"accepted":true}`)
		a.Header.Set("Content-Type", "application/json")
	}),
})

var _ = lie(Deviant{
	Name: "notification-is-run", Lie: "runs a tools/call that carries no id",
	MCP: func() Lie {
		return Lie{
			Ask: func(r *Request) *Answer {
				if r.Is("tools/call") && r.RPC.Members["id"] == nil {
					r.Silent = true
					r.SetMember("id", 0)
				}
				return nil
			},
			Tell: func(r *Request, a *Answer) {
				if r.Silent {
					a.Status, a.Body = http.StatusAccepted, nil
					a.Header.Del("Content-Type")
				}
			},
		}
	},
})

var _ = lie(Deviant{
	Name: "null-id-is-answered", Lie: "answers a request whose id is null",
	MCP: onRequest(func(r *Request) *Answer {
		if r.RPC != nil && string(r.RPC.Members["id"]) == "null" {
			return JSON(http.StatusOK, map[string]any{"jsonrpc": "2.0", "id": nil, "result": map[string]any{}})
		}
		return nil
	}),
})

// reidentifying changes the id of a response where the id of the request says
// so: change returns nil to leave it alone.
func reidentifying(change func(id string) any) func() Lie {
	return onAnswer(func(r *Request, a *Answer) {
		if r.RPC == nil || r.RPC.ID == nil {
			return
		}
		if id := change(string(r.RPC.ID)); id != nil {
			a.Edit(func(body map[string]any) { body["id"] = id })
		}
	})
}

var _ = lie(Deviant{
	Name: "digit-text-id-as-number", Lie: "gives a text id of digits back as a number",
	MCP: reidentifying(func(id string) any {
		if text, err := strconv.Unquote(id); err == nil {
			if n, err := strconv.Atoi(text); err == nil {
				return n
			}
		}
		return nil
	}),
})

// taking answers a request as a notification.
func taking(condition func(id string) bool) func() Lie {
	return onRequest(func(r *Request) *Answer {
		if r.RPC != nil && r.RPC.ID != nil && condition(string(r.RPC.ID)) {
			return &Answer{Status: http.StatusAccepted, Header: http.Header{}}
		}
		return nil
	})
}

var _ = lie(Deviant{
	Name: "id-zero-is-a-notification", Lie: "takes a request with id 0 for a notification",
	MCP: taking(func(id string) bool { return id == "0" }),
})

var _ = lie(Deviant{
	Name: "empty-id-is-a-notification", Lie: "takes a request with an empty text as id for a notification",
	MCP: taking(func(id string) bool { return id == `""` }),
})

var _ = lie(Deviant{
	Name: "negative-id-loses-sign", Lie: "gives a negative id back without its sign",
	MCP: reidentifying(func(id string) any {
		if n, negative := strings.CutPrefix(id, "-"); negative {
			return json.Number(n)
		}
		return nil
	}),
})

var _ = lie(Deviant{
	Name: "large-id-through-a-double", Lie: "gives a large integer id back as the nearest double",
	MCP: reidentifying(func(id string) any {
		if n, err := strconv.ParseUint(id, 10, 64); err == nil && n > 1<<53 {
			return json.Number(strconv.FormatFloat(float64(n), 'f', -1, 64))
		}
		return nil
	}),
})

var _ = lie(Deviant{
	Name: "fractional-id-truncated", Lie: "cuts the fraction off an id",
	MCP: reidentifying(func(id string) any {
		if whole, _, fraction := strings.Cut(id, "."); fraction && id[0] != '"' && id[0] != '{' && id[0] != '[' {
			return json.Number(whole)
		}
		return nil
	}),
})

var _ = lie(Deviant{
	Name: "structured-id-refused", Lie: "takes a request whose id is no text and no number for unparseable",
	MCP: onRequest(func(r *Request) *Answer {
		if r.RPC != nil && len(r.RPC.ID) > 0 && strings.ContainsRune("tf[{", rune(r.RPC.ID[0])) {
			a := ErrorTo(r, -32700, "invalid JSON: the id is no text and no number")
			a.Edit(func(body map[string]any) { body["id"] = nil })
			return a
		}
		return nil
	}),
})

// renaming turns a method name into the one that the true server knows.
func renaming(rename func(method string) string) func() Lie {
	return onRequest(func(r *Request) *Answer {
		if r.RPC == nil {
			return nil
		}
		if to := rename(r.RPC.Method); to != r.RPC.Method {
			r.SetMember("method", to)
		}
		return nil
	})
}

var _ = lie(Deviant{
	Name: "methods-match-in-any-case", Lie: "matches method names in any case",
	MCP: renaming(func(method string) string {
		for _, known := range []string{"initialize", "notifications/initialized", "tools/list", "tools/call"} {
			if strings.EqualFold(method, known) {
				return known
			}
		}
		return method
	}),
})

var _ = lie(Deviant{
	Name: "methods-match-trimmed", Lie: "ignores blanks around method names",
	MCP: renaming(strings.TrimSpace),
})

var _ = lie(Deviant{
	Name: "tools-list-refuses-cursor", Lie: "refuses params of tools/list",
	MCP: onRequest(func(r *Request) *Answer {
		if r.Is("tools/list") && r.RPC.ID != nil && !bare(r) {
			return ErrorTo(r, -32602, "invalid cursor")
		}
		return nil
	}),
})

var _ = lie(Deviant{
	Name: "tools-list-has-next-cursor", Lie: "says that the list goes on",
	MCP: listing(func(result map[string]any) { result["nextCursor"] = "MTE4" }),
})

var _ = lie(Deviant{
	Name: "responses-as-text-plain", Lie: "sends JSON-RPC responses as text/plain",
	MCP: onAnswer(func(r *Request, a *Answer) {
		if r.RPC != nil && r.RPC.ID != nil && a.Status == http.StatusOK {
			a.Header.Set("Content-Type", "text/plain; charset=utf-8")
		}
	}),
})

// pickyAbout refuses POSTs whose headers do not fit.
func pickyAbout(status int, condition func(h http.Header) bool) func() Lie {
	return onRequest(func(r *Request) *Answer {
		if r.Method == http.MethodPost && condition(r.Header) {
			return JSON(status, map[string]any{"error": "refused", "hint": "see the transport"})
		}
		return nil
	})
}

var _ = lie(Deviant{
	Name: "content-type-must-be-json", Lie: "answers 415 to a POST that is not sent as JSON",
	MCP: pickyAbout(http.StatusUnsupportedMediaType, func(h http.Header) bool {
		return !strings.HasPrefix(h.Get("Content-Type"), "application/json")
	}),
})

var _ = lie(Deviant{
	Name: "accept-must-name-event-stream", Lie: "answers 406 to a POST that does not accept an event stream",
	MCP: pickyAbout(http.StatusNotAcceptable, func(h http.Header) bool {
		accept := h.Get("Accept")
		return accept != "" && !strings.Contains(accept, "text/event-stream")
	}),
})

var _ = lie(Deviant{
	Name: "post-answers-with-event-stream", Lie: "answers a POST that accepts an event stream alone with one",
	MCP: onAnswer(func(r *Request, a *Answer) {
		if r.Method == http.MethodPost && r.Header.Get("Accept") == "text/event-stream" && a.Status == http.StatusOK {
			a.Body = append(append([]byte("data: "), a.Body...), "\n\n"...)
			a.Header.Set("Content-Type", "text/event-stream")
		}
	}),
})

var _ = lie(Deviant{
	Name: "foreign-origin-403", Lie: "answers 403 to a POST with a foreign Origin",
	MCP: pickyAbout(http.StatusForbidden, func(h http.Header) bool {
		origin := h.Get("Origin")
		return origin != "" && !strings.Contains(origin, "127.0.0.1") && !strings.Contains(origin, "localhost")
	}),
})

var _ = lie(Deviant{
	Name: "unknown-member-refused", Lie: "refuses a request with a member that JSON-RPC does not have",
	MCP: onRequest(func(r *Request) *Answer {
		if r.RPC == nil || r.RPC.ID == nil {
			return nil
		}
		for name := range r.RPC.Members {
			switch name {
			case "jsonrpc", "id", "method", "params", "result", "error":
			default:
				return ErrorTo(r, -32600, "unknown member "+name)
			}
		}
		return nil
	}),
})
