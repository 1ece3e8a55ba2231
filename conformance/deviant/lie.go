package deviant

import (
	"encoding/json"
	"net/http"
)

// Lie is what a proxy does to the traffic of one port. Both hooks may be nil.
type Lie struct {
	// Ask sees a request before the true server does. It may change the request
	// (the true server then answers consistently, which makes the best lies), or
	// return an answer of its own and keep the true server out.
	Ask func(r *Request) *Answer
	// Tell sees the true answer before the caller does and may change it.
	Tell func(r *Request, a *Answer)
}

// Request is an HTTP request with what its body says where it is JSON-RPC.
type Request struct {
	Method string
	Path   string
	// Query is the raw query string.
	Query  string
	Header http.Header
	Body   []byte
	// RPC is nil where the body is not one JSON object.
	RPC *RPC
	// Silent carries word from Ask to Tell that the caller waits for no answer.
	Silent bool
}

// RPC is a JSON-RPC request; absent members are nil.
type RPC struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
	// Members are all members as they were sent.
	Members map[string]json.RawMessage `json:"-"`
}

// Answer is an HTTP answer.
type Answer struct {
	Status int
	Header http.Header
	Body   []byte
	// Write, where it is set, writes the answer to the caller in place of the
	// plain way: in pieces, slowly, or cut.
	Write func(w http.ResponseWriter, a *Answer)
}

// parseRPC reads a body as a JSON-RPC request, nil where it is none.
func parseRPC(body []byte) *RPC {
	r := new(RPC)
	if json.Unmarshal(body, &r.Members) != nil || r.Members == nil {
		return nil
	}
	if json.Unmarshal(body, r) != nil {
		return nil
	}
	return r
}

// Is reports whether the request is a call of one of the methods, notification
// or not.
func (r *Request) Is(methods ...string) bool {
	if r.RPC == nil {
		return false
	}
	for _, m := range methods {
		if r.RPC.Method == m {
			return true
		}
	}
	return false
}

// Tool is the name of the tool that a tools/call names, empty otherwise.
func (r *Request) Tool() string {
	if !r.Is("tools/call") {
		return ""
	}
	var p struct {
		Name string `json:"name"`
	}
	_ = json.Unmarshal(r.RPC.Params, &p)
	return p.Name
}

// Args are the arguments of a tools/call, empty where there are none.
func (r *Request) Args() map[string]any {
	var p struct {
		Arguments map[string]any `json:"arguments"`
	}
	if r.Is("tools/call") {
		_ = unmarshal(r.RPC.Params, &p)
	}
	if p.Arguments == nil {
		p.Arguments = map[string]any{}
	}
	return p.Arguments
}

// SetArgs replaces the arguments of a tools/call in the request.
func (r *Request) SetArgs(args map[string]any) {
	params := map[string]any{}
	_ = unmarshal(r.RPC.Params, &params)
	params["arguments"] = args
	r.SetMember("params", params)
}

// SetMember replaces a member of the request; a nil value removes it.
func (r *Request) SetMember(name string, value any) {
	if value == nil {
		delete(r.RPC.Members, name)
	} else {
		r.RPC.Members[name] = marshal(value)
	}
	r.Body = marshal(r.RPC.Members)
	r.RPC = parseRPC(r.Body)
}

// JSON is an answer with a JSON body.
func JSON(status int, body any) *Answer {
	return &Answer{Status: status, Header: http.Header{"Content-Type": {"application/json"}}, Body: marshal(body)}
}

// ResultTo answers a request with a result.
func ResultTo(r *Request, result any) *Answer {
	return JSON(http.StatusOK, map[string]any{"jsonrpc": "2.0", "id": r.RPC.ID, "result": result})
}

// ErrorTo answers a request with a JSON-RPC error.
func ErrorTo(r *Request, code int, message string) *Answer {
	return JSON(http.StatusOK, map[string]any{
		"jsonrpc": "2.0", "id": r.RPC.ID, "error": map[string]any{"code": code, "message": message},
	})
}

// Edit rewrites the body of an answer as a JSON object. A body that is none is
// left alone.
func (a *Answer) Edit(change func(body map[string]any)) {
	var body map[string]any
	if unmarshal(a.Body, &body) != nil || body == nil {
		return
	}
	change(body)
	a.Body = marshal(body)
}

// EditResult rewrites the result of a successful answer that is an object.
func (a *Answer) EditResult(change func(result map[string]any)) {
	a.Edit(func(body map[string]any) {
		if result, ok := body["result"].(map[string]any); ok {
			change(result)
		}
	})
}

// EditError rewrites the error of a refused answer.
func (a *Answer) EditError(change func(err map[string]any)) {
	a.Edit(func(body map[string]any) {
		if e, ok := body["error"].(map[string]any); ok {
			change(e)
		}
	})
}

// EditTools rewrites each tool of a listing; a tool for which change returns
// false is left out.
func (a *Answer) EditTools(change func(tool map[string]any) bool) {
	a.EditResult(func(result map[string]any) {
		tools, _ := result["tools"].([]any)
		kept := make([]any, 0, len(tools))
		for _, t := range tools {
			if tool, ok := t.(map[string]any); !ok || change(tool) {
				kept = append(kept, t)
			}
		}
		result["tools"] = kept
	})
}

// EditText rewrites the text of the first content item of a tool result.
func (a *Answer) EditText(change func(text string) string) {
	a.EditResult(func(result map[string]any) {
		content, _ := result["content"].([]any)
		if len(content) == 0 {
			return
		}
		if item, ok := content[0].(map[string]any); ok {
			text, _ := item["text"].(string)
			item["text"] = change(text)
		}
	})
}

// EditTextJSON rewrites the text of a tool result that is itself a JSON object,
// and structuredContent.crc_v1, which repeats it, in the same way.
func (a *Answer) EditTextJSON(change func(object map[string]any)) {
	a.EditText(func(text string) string {
		var object map[string]any
		if unmarshal([]byte(text), &object) != nil || object == nil {
			return text
		}
		change(object)
		return string(marshal(object))
	})
	a.EditResult(func(result map[string]any) {
		structured, _ := result["structuredContent"].(map[string]any)
		if object, ok := structured["crc_v1"].(map[string]any); ok {
			change(object)
		}
	})
}
