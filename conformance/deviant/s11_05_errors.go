package deviant

import (
	"bytes"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"unicode/utf8"

	"cruxconform/spec"
)

// onParseError changes the answer to a body that does not parse.
func onParseError(change func(r *Request, a *Answer)) func() Lie {
	return onAnswer(func(r *Request, a *Answer) {
		if r.Method == http.MethodPost && isParseError(a) {
			change(r, a)
		}
	})
}

// recoding gives a parse error the code -32600.
func recoding(condition func(body []byte) bool) func() Lie {
	return onParseError(func(r *Request, a *Answer) {
		if condition(r.Body) {
			a.EditError(func(e map[string]any) { e["code"] = spec.CodeInvalidRequest })
		}
	})
}

// isJSON reports whether a body is one JSON value.
func isJSON(body []byte) bool { return json.Valid(body) && utf8.Valid(body) }

// membersOf are the members of a body that is one JSON object, nil otherwise.
func membersOf(body []byte) map[string]json.RawMessage {
	var members map[string]json.RawMessage
	if json.Unmarshal(body, &members) != nil {
		return nil
	}
	return members
}

// isText reports whether a raw member is there and a JSON string.
func isText(raw json.RawMessage) bool { return strings.HasPrefix(string(raw), `"`) }

var _ = lie(Deviant{
	Name: "parse-error-400", Lie: "answers a body that is no JSON with HTTP 400",
	Folds: underParse200,
	MCP: onParseError(func(r *Request, a *Answer) {
		if !isJSON(r.Body) {
			a.Status = http.StatusBadRequest
		}
	}),
})

var _ = lie(Deviant{
	Name: "parse-error-code-32600", Lie: "refuses a body that is no JSON with -32600",
	Folds: underParse,
	MCP:   recoding(func(body []byte) bool { return !isJSON(body) }),
})

var _ = lie(Deviant{
	Name: "parse-error-without-id", Lie: "leaves the id out of a parse error",
	Folds: []string{"11.5-12"},
	MCP:   onParseError(func(_ *Request, a *Answer) { a.Edit(func(body map[string]any) { delete(body, "id") }) }),
})

// retelling changes the error object of a parse error.
func retelling(change func(r *Request, e map[string]any)) func() Lie {
	return onParseError(func(r *Request, a *Answer) {
		a.EditError(func(e map[string]any) { change(r, e) })
	})
}

var _ = lie(Deviant{
	Name: "parse-error-message-in-other-words", Lie: "words a parse error otherwise than documented",
	MCP: retelling(func(_ *Request, e map[string]any) { e["message"] = "Parse error" }),
})

var _ = lie(Deviant{
	Name: "parse-error-with-data", Lie: "adds data to a parse error",
	MCP: retelling(func(_ *Request, e map[string]any) { e["data"] = map[string]any{"line": 1} }),
})

var _ = lie(Deviant{
	Name: "empty-body-202", Lie: "answers an empty body with HTTP 202",
	MCP: onParseError(func(r *Request, a *Answer) {
		if len(r.Body) == 0 {
			a.Status, a.Body = http.StatusAccepted, nil
			a.Header.Del("Content-Type")
		}
	}),
})

var _ = lie(Deviant{
	Name: "trailing-text-ignored", Lie: "reads the first object of a body and ignores what stands behind it",
	MCP: onRequest(func(r *Request) *Answer {
		var first json.RawMessage
		if r.Method == http.MethodPost && json.NewDecoder(bytes.NewReader(r.Body)).Decode(&first) == nil && first[0] == '{' {
			r.Body, r.RPC = first, parseRPC(first)
		}
		return nil
	}),
})

var _ = lie(Deviant{
	Name: "invalid-utf8-400", Lie: "answers a body that is not UTF-8 with HTTP 400",
	MCP: onParseError(func(r *Request, a *Answer) {
		if !utf8.Valid(r.Body) {
			a.Status, a.Body = http.StatusBadRequest, []byte("Request body didn't contain valid UTF-8")
			a.Header.Set("Content-Type", "text/plain; charset=utf-8")
		}
	}),
})

var _ = lie(Deviant{
	Name: "missing-method-code-32600", Lie: "refuses a request without a method with -32600",
	MCP: recoding(func(body []byte) bool {
		m := membersOf(body)
		return m != nil && !isText(m["method"]) && m["result"] == nil && m["error"] == nil
	}),
})

var _ = lie(Deviant{
	Name: "jsonrpc-member-not-needed", Lie: "serves a request without jsonrpc",
	MCP: onRequest(func(r *Request) *Answer {
		if m := membersOf(r.Body); m != nil && isText(m["method"]) && !isText(m["jsonrpc"]) {
			m["jsonrpc"] = json.RawMessage(`"2.0"`)
			r.Body = marshal(m)
			r.RPC = parseRPC(r.Body)
		}
		return nil
	}),
})

var _ = lie(Deviant{
	Name: "jsonrpc-1-refused", Lie: "refuses a request whose jsonrpc is another text than 2.0",
	MCP: onAnswer(func(r *Request, a *Answer) {
		if r.RPC == nil || r.RPC.ID == nil || !isText(r.RPC.Members["jsonrpc"]) || string(r.RPC.Members["jsonrpc"]) == `"2.0"` {
			return
		}
		a.Edit(func(body map[string]any) {
			delete(body, "result")
			body["error"] = map[string]any{"code": spec.CodeInvalidRequest, "message": "jsonrpc must be 2.0"}
		})
	}),
})

var _ = lie(Deviant{
	Name: "batches-are-answered", Lie: "answers a batch of equal requests",
	MCP: func() Lie {
		batches := newMarks[[]*RPC]()
		return Lie{
			Ask: func(r *Request) *Answer {
				if batch := batchOf(r); batch != nil {
					batches.put(r, batch)
					var first []json.RawMessage
					_ = json.Unmarshal(r.Body, &first)
					r.Body, r.RPC = first[0], batch[0]
				}
				return nil
			},
			Tell: func(r *Request, a *Answer) {
				batch, ok := batches.take(r)
				if !ok || a.Status != http.StatusOK {
					return
				}
				var answers []json.RawMessage
				for _, of := range batch {
					one := &Answer{Body: slices.Clone(a.Body)}
					one.Edit(func(body map[string]any) { body["id"] = of.ID })
					answers = append(answers, one.Body)
				}
				a.Body = marshal(answers)
			},
		}
	},
})

// batchOf reads a body as an array of requests that differ in their ids only,
// nil where it is none.
func batchOf(r *Request) []*RPC {
	var parts []json.RawMessage
	if r.Method != http.MethodPost || json.Unmarshal(r.Body, &parts) != nil || len(parts) == 0 {
		return nil
	}
	var batch []*RPC
	for _, part := range parts {
		of := parseRPC(part)
		if of == nil || of.ID == nil || !isText(of.Members["method"]) {
			return nil
		}
		if len(batch) > 0 && (of.Method != batch[0].Method || !bytes.Equal(of.Params, batch[0].Params)) {
			return nil
		}
		batch = append(batch, of)
	}
	return batch
}

var _ = lie(Deviant{
	Name: "scalar-body-code-32600", Lie: "refuses JSON that is no object with -32600",
	MCP: recoding(func(body []byte) bool {
		var elements []any
		isArray := json.Unmarshal(body, &elements) == nil
		return isJSON(body) && membersOf(body) == nil && len(elements) == 0 || isArray && len(elements) == 0
	}),
})

var _ = lie(Deviant{
	Name: "repeated-member-last-wins", Lie: "takes the last of a repeated member",
	MCP: onRequest(func(r *Request) *Answer {
		// The members as parsed hold each name once, with its last value.
		if r.RPC != nil && isText(r.RPC.Members["method"]) && r.RPC.Members["id"] != nil {
			r.Body = marshal(r.RPC.Members)
		}
		return nil
	}),
})

var _ = lie(Deviant{
	Name: "posted-response-400", Lie: "answers the response of a client with HTTP 400",
	MCP: onRequest(func(r *Request) *Answer {
		if r.RPC == nil || r.RPC.Members["method"] != nil || r.RPC.Members["id"] == nil {
			return nil
		}
		if r.RPC.Members["result"] == nil && r.RPC.Members["error"] == nil {
			return nil
		}
		return JSON(http.StatusBadRequest, map[string]any{"error": "unexpected_response"})
	}),
})

var _ = lie(Deviant{
	Name: "parse-error-ends-session", Lie: "knows a session no more after it got a body that is no JSON in it",
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
				if isParseError(a) {
					ended.add(sessionOf(r))
				}
			},
		}
	},
})

// echoing puts the beginning of a body, at most so many bytes, into the message
// of its parse error.
func echoing(most int) func() Lie {
	return retelling(func(r *Request, e map[string]any) {
		text := strings.ToValidUTF8(string(r.Body), "?")
		e["message"] = spec.MessageParse + "cannot read " + text[:min(len(text), most)]
	})
}

var _ = lie(Deviant{
	Name: "parse-error-echoes-secret", Lie: "gives the beginning of a body that does not parse back in the message",
	MCP: echoing(200),
})

var _ = lie(Deviant{
	Name: "redaction-on-echoes-secret", Lie: "gives the beginning of a body that does not parse back although redaction is on",
	MCP: echoing(200),
})

var _ = lie(Deviant{
	Name: "parse-error-echoes-long-body", Lie: "gives a body of more than 1,000 bytes that does not parse back as a whole",
	MCP: retelling(func(r *Request, e map[string]any) {
		if len(r.Body) > 1000 && utf8.Valid(r.Body) {
			e["message"] = spec.MessageParse + "cannot read " + string(r.Body)
		}
	}),
})

// gating changes the refusal of a session id.
func gating(change func(body map[string]any)) func() Lie {
	return onAnswer(func(r *Request, a *Answer) {
		if a.Status == http.StatusBadRequest && len(r.Header.Values(spec.SessionHeader)) > 0 {
			a.Edit(change)
		}
	})
}

var _ = lie(Deviant{
	Name: "bad-session-error-renamed", Lie: "calls the refusal of a session id invalid_session",
	MCP: gating(func(body map[string]any) { body["error"] = "invalid_session" }),
})

var _ = lie(Deviant{
	Name: "bad-session-without-hint", Lie: "gives no hint with the refusal of a session id",
	MCP: gating(func(body map[string]any) { delete(body, "hint") }),
})

// isBadSession reports whether a request carries a session id that the gate
// refuses.
func isBadSession(r *Request) bool {
	return r.Method == http.MethodPost && len(r.Header.Values(spec.SessionHeader)) > 0 && !validSession(sessionOf(r))
}

var _ = lie(Deviant{
	Name: "bad-session-call-is-run", Lie: "runs a call although it refuses its session id",
	MCP: func() Lie {
		refused := newMarks[bool]()
		return Lie{
			Ask: func(r *Request) *Answer {
				if isBadSession(r) && r.Is("tools/call") {
					refused.put(r, true)
					r.Header.Del(spec.SessionHeader)
				}
				return nil
			},
			Tell: func(r *Request, a *Answer) {
				if _, ok := refused.take(r); ok {
					*a = *badSession()
				}
			},
		}
	},
})

// gateSkipping lets requests with a bad session id pass as if they had none.
func gateSkipping(condition func(r *Request) bool) func() Lie {
	return onRequest(func(r *Request) *Answer {
		if isBadSession(r) && condition(r) {
			r.Header.Del(spec.SessionHeader)
		}
		return nil
	})
}

var _ = lie(Deviant{
	Name: "parser-before-session-gate", Lie: "reports a body that is no JSON before it looks at the session id",
	MCP: gateSkipping(func(r *Request) bool { return !isJSON(r.Body) }),
})

var _ = lie(Deviant{
	Name: "notification-before-session-gate", Lie: "accepts a notification before it looks at the session id",
	MCP: gateSkipping(func(r *Request) bool { return r.RPC != nil && r.RPC.Members["id"] == nil }),
})

// deep is how many levels of nesting the lie about it stands.
const deep = 1000

var _ = lie(Deviant{
	Name: "deep-nesting-500", Lie: "answers a body nested more than 1,000 levels deep with HTTP 500",
	MCP: onRequest(func(r *Request) *Answer {
		if r.Method == http.MethodPost && bytes.Count(r.Body, []byte("["))+bytes.Count(r.Body, []byte("{")) > deep && depth(r.Body) > deep {
			return JSON(http.StatusInternalServerError, map[string]any{"error": "internal"})
		}
		return nil
	}),
})

// depth is how many levels deep a JSON text is nested.
func depth(body []byte) int {
	level, most := 0, 0
	dec := json.NewDecoder(bytes.NewReader(body))
	for {
		t, err := dec.Token()
		if err != nil {
			return most
		}
		if d, ok := t.(json.Delim); ok && (d == '[' || d == '{') {
			level++
			most = max(most, level)
		} else if ok {
			level--
		}
	}
}
