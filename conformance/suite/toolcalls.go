package suite

import (
	"encoding/json"
	"strings"
)

// ToolResult is the result of a tools/call.
type ToolResult struct {
	Raw json.RawMessage
	// Text is the text of the first content item.
	Text string
	// IsError is true where the result says isError.
	IsError bool
	// Structured is the structuredContent member, nil where there is none.
	Structured json.RawMessage
	// Members are all top-level members of the result.
	Members map[string]json.RawMessage
}

// Tool calls a tool that must succeed and builds on the root RootCall.
func (c *C) Tool(name string, args any, opts ...Option) ToolResult {
	var r ToolResult
	c.Given(RootCall, func() {
		r = c.Envelope(c.Success(c.CallTool(name, args, opts...)))
		if r.IsError {
			c.Fail("the result of "+name, "a result without isError", clip(r.Raw))
		}
	})
	return r
}

// CallTool calls a tool and returns whatever JSON-RPC response came back. Args
// that are nil are left out of the call.
func (c *C) CallTool(name string, args any, opts ...Option) Answer {
	params := map[string]any{"name": name}
	if args != nil {
		params["arguments"] = args
	}
	return c.Call("tools/call", params, opts...)
}

// Envelope reads the MCP content envelope of a result.
func (c *C) Envelope(raw json.RawMessage) ToolResult {
	r := ToolResult{Raw: raw}
	c.Decode("the result", raw, &r.Members)
	var content []map[string]json.RawMessage
	if r.Members["content"] == nil {
		c.Fail("member content of the result", "an array", "(absent) in "+clip(raw))
	}
	c.Decode("member content of the result", r.Members["content"], &content)
	var text *string
	if len(content) > 0 && sameForm(content[0]["type"]) == `"text"` {
		// What is no text stays nil.
		_ = json.Unmarshal(content[0]["text"], &text)
	}
	if text == nil {
		c.Fail("the first content item", `{"type":"text","text":...}`, clip(r.Members["content"]))
	}
	r.Text = *text
	r.Structured = r.Members["structuredContent"]
	r.IsError = string(r.Members["isError"]) == "true"
	return r
}

// JSON reads the text of a tool result as JSON.
func (c *C) JSON(r ToolResult, into any) {
	c.Decode("the text of the result", json.RawMessage(r.Text), into)
}

// Store stores a fact, undoes it after the check, and returns its id. That the
// fact is stored belongs to tool.store_fact-01.
func (c *C) Store(args map[string]any, opts ...Option) string {
	var id string
	c.Given("tool.store_fact-01", func() {
		id = c.factID(c.called("store_fact", args, opts...))
		c.forget(id, opts...)
	})
	return id
}

// called is a tool call that must succeed, where a refusal is judged by
// whatever Given stands around it and not by the root RootCall.
func (c *C) called(name string, args any, opts ...Option) ToolResult {
	raw := c.Success(c.CallTool(name, args, opts...))
	var r ToolResult
	c.Given(RootCall, func() {
		r = c.Envelope(raw)
		if r.IsError {
			c.Fail("the result of "+name, "a result without isError", clip(r.Raw))
		}
	})
	return r
}

// factID reads the id of a stored fact from the answer of store_fact: the member
// fact_id, or where there is none the third word of the text. How the text is
// worded is up to the server.
func (c *C) factID(r ToolResult) string {
	var structured struct {
		ID string `json:"fact_id"`
	}
	if json.Unmarshal(r.Structured, &structured) == nil && structured.ID != "" {
		return structured.ID
	}
	words := strings.Fields(r.Text)
	if len(words) < 3 {
		c.Fail("the answer of store_fact", "structuredContent.fact_id, or the text stored fact <fact_id> ...", clip(r.Raw))
	}
	return words[2]
}

// forget deletes a fact after the check.
func (c *C) forget(id string, opts ...Option) {
	c.Cleanup(func(c *C) {
		a := c.CallTool("delete_fact", map[string]any{"fact_id": id}, opts...)
		if a.Error != nil {
			c.LeftBehind("fact %s: %s", id, a.Error.Text())
		}
	})
}
