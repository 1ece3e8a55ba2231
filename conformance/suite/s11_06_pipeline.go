package suite

import (
	"encoding/json"
	"net/http"
	"strconv"
	"strings"

	"cruxconform/spec"

	"github.com/onsi/gomega"
)

var _ = check("11.6-01", "a tool answers a content array whose first item is text", func(c *C) {
	search := argv{"tenant_id": c.Name("tenant"), "query": "anything"}
	for _, t := range []struct {
		tool string
		args argv
	}{
		{"get_agent_identity", argv{}},
		{"list_entities", argv{}},
		{"query_facts", argv{}},
		{"fact_history", argv{"entity": c.Name("entity"), "key": "none"}},
		{"query", search},
		{"query_scan", search},
		{"query_expand", argv{"tenant_id": c.Name("tenant"), "result_ids": []string{}}},
	} {
		c.Row(t.tool, func() { c.Tool(t.tool, t.args) })
	}
})

// nameless are calls that name no tool.
var nameless = []struct {
	row    string
	params any
}{
	{"without params", nil},
	{"params are an empty object", argv{}},
	{"params hold arguments only", argv{"arguments": argv{}}},
}

var _ = check("11.6-02", "a call that names no tool is refused with -32602", func(c *C) {
	c.Tool("get_agent_identity", argv{})
	for _, t := range nameless {
		c.Row(t.row, func() { c.Refusal(c.Call("tools/call", t.params), spec.CodeInvalidParams) })
	}
})

// namelessRefused sends a call that names no tool and demands the refusal that
// belongs to 11.6-02.
func (c *C) namelessRefused(params any) Answer {
	a := c.Call("tools/call", params)
	c.Given("11.6-02", func() { c.Refusal(a, spec.CodeInvalidParams) })
	return a
}

var _ = check("11.6-03", "the message for a missing tool name is the documented one", func(c *C) {
	for _, t := range nameless {
		c.Row(t.row, func() {
			c.Equal("error.message", c.namelessRefused(t.params).Error.Text(), spec.MessageMissingName)
		})
	}
})

var _ = check("11.6-04", "a tool name that is no text counts as missing", func(c *C) {
	c.namelessRefused(argv{})
	for _, name := range []string{"7", "null", "true", `["get_agent_identity"]`, `{"name":"get_agent_identity"}`} {
		c.Row("name "+name, func() {
			c.Refusal(c.Call("tools/call", argv{"name": json.RawMessage(name)}), spec.CodeInvalidParams)
		})
	}
})

var _ = check("11.6-05", "params that are no object hold no tool name", func(c *C) {
	c.namelessRefused(argv{})
	for _, params := range []string{`["get_agent_identity"]`, `"get_agent_identity"`, "7", "null"} {
		c.Row("params "+params, func() {
			c.Refusal(c.Call("tools/call", json.RawMessage(params)), spec.CodeInvalidParams)
		})
	}
})

// inventedTool is a name that no tool has.
type inventedTool struct{ row, name string }

func (c *C) invented() []inventedTool {
	return []inventedTool{{"a plain word", "no_such_tool"}, {"a name of this run", c.Name("tool")}}
}

// inside200 sends a call of an unknown tool and demands HTTP 200.
func (c *C) inside200(tool string) {
	x := c.Post(request(nextID(), "tools/call", argv{"name": tool, "arguments": argv{}}))
	c.Equal("HTTP status", x.Status, http.StatusOK)
}

var _ = check("11.6-06", "a call of an unknown tool is answered inside HTTP 200", func(c *C) {
	for _, t := range c.invented() {
		c.Row(t.row, func() { c.inside200(t.name) })
	}
})

var _ = check("11.6-07", "a call of an unknown tool is refused with -32601", func(c *C) {
	c.Tool("get_agent_identity", argv{})
	for _, t := range c.invented() {
		c.Given("11.6-06", func() { c.inside200(t.name) })
		c.Row(t.row+", with arguments", func() {
			c.Refusal(c.CallTool(t.name, argv{"entity": "none"}), spec.CodeMethodNotFound)
		})
		c.Row(t.row+", without arguments", func() {
			c.Refusal(c.CallTool(t.name, nil), spec.CodeMethodNotFound)
		})
	}
})

// unknownRefused sends a call of an unknown tool and demands the refusal that
// belongs to 11.6-06 and 11.6-07.
func (c *C) unknownRefused(tool string) Answer {
	c.Given("11.6-06", func() { c.inside200(tool) })
	a := c.CallTool(tool, argv{})
	c.Given("11.6-07", func() { c.Refusal(a, spec.CodeMethodNotFound) })
	return a
}

var _ = check("11.6-08", "the message for an unknown tool ends with its name", func(c *C) {
	for _, t := range c.invented() {
		c.Row(t.row, func() {
			c.Equal("error.message", c.unknownRefused(t.name).Error.Text(), spec.MessageUnknownTool+t.name)
		})
	}
})

var _ = check("11.6-09", "an empty tool name is an unknown tool", func(c *C) {
	c.unknownRefused(c.Name("tool"))
	c.Refusal(c.CallTool("", argv{}), spec.CodeMethodNotFound)
})

var _ = check("11.6-10", "a tool name is taken as it stands", func(c *C) {
	const tool = "get_agent_identity"
	c.Tool(tool, argv{})
	c.unknownRefused(c.Name("tool"))
	for _, t := range []struct{ row, name string }{
		{"upper case", strings.ToUpper(tool)},
		{"a blank before it", " " + tool},
		{"a blank behind it", tool + " "},
	} {
		c.Row(t.row, func() { c.Refusal(c.CallTool(t.name, argv{}), spec.CodeMethodNotFound) })
	}
})

var _ = check("11.6-11", "a tool that refuses its arguments answers a JSON-RPC error", func(c *C) {
	c.Row("query_scan", func() {
		c.Tool("query_scan", argv{"tenant_id": c.Name("tenant"), "query": "anything"})
		c.argumentsRefused("query_scan")
	})
	c.Row("query_expand", func() {
		c.Tool("query_expand", argv{"tenant_id": c.Name("tenant"), "result_ids": []string{}})
		c.argumentsRefused("query_expand")
	})
})

// argumentsRefused calls a tool without the arguments that it requires and
// demands a whole error object.
func (c *C) argumentsRefused(tool string) Answer {
	a := c.CallTool(tool, argv{})
	if a.Error == nil {
		c.Fail("the answer of "+tool+" without arguments", "an error object", "result "+clip(a.Members["result"]))
	}
	c.errorCode(a)
	var message string
	c.Decode("error.message", a.Error.Message, &message)
	c.That("error.message", message, gomega.Not(gomega.BeEmpty()), "a text that is not empty")
	return a
}

// errorCode demands that the code of an error is an integer and returns it.
func (c *C) errorCode(a Answer) int {
	code, err := strconv.Atoi(number(a.Error.Code))
	if err != nil {
		c.Fail("error.code", "an integer", compact(a.Error.Code))
	}
	return code
}

var _ = check("11.6-12", "the error of a call carries no data", func(c *C) {
	noData := func(a Answer) { c.Equal("error.data", compact(a.Error.Members["data"]), "(absent)") }
	c.Row("without a name", func() { noData(c.namelessRefused(argv{})) })
	c.Row("an unknown tool", func() { noData(c.unknownRefused(c.Name("tool"))) })
	c.Row("query_scan without arguments", func() {
		var a Answer
		c.Given("11.6-11", func() { a = c.argumentsRefused("query_scan") })
		noData(a)
	})
})

var _ = check("11.6-13", "a call without arguments is a call with an empty object", func(c *C) {
	c.Row("list_entities", func() {
		c.Tool("list_entities", argv{})
		c.Success(c.CallTool("list_entities", nil))
	})
	c.Row("query_expand", func() {
		var twin Answer
		c.Given("11.6-11", func() { twin = c.argumentsRefused("query_expand") })
		code := c.errorCode(twin)
		c.Refusal(c.CallTool("query_expand", nil), code)
	})
})

var _ = check("11.6-14", "arguments that are no object act as an object without keys", func(c *C) {
	c.Tool("list_entities", argv{})
	for _, args := range []string{"null", "[]", `"entity"`, "7"} {
		c.Row("arguments "+args, func() { c.called("list_entities", json.RawMessage(args)) })
	}
})

var _ = check("11.6-15", "arguments that a tool does not know are ignored", func(c *C) {
	unknown := argv{c.Name("argument"): "anything"}
	c.Row("get_agent_identity", func() {
		twin := c.Tool("get_agent_identity", argv{})
		c.Equal("the text", c.called("get_agent_identity", unknown).Text, twin.Text)
	})
	c.Row("list_entities", func() {
		c.Tool("list_entities", argv{})
		c.called("list_entities", unknown)
	})
})

var _ = check("11.6-16", "params._meta of a call is accepted", func(c *C) {
	twin := c.Tool("get_agent_identity", argv{})
	raw := c.Success(c.Call("tools/call", argv{
		"name": "get_agent_identity", "arguments": argv{}, "_meta": argv{"progressToken": 7},
	}))
	var r ToolResult
	c.Given(RootCall, func() { r = c.Envelope(raw) })
	c.Equal("the text", r.Text, twin.Text)
})

var _ = check("11.6-17", "no audit envelope is wrapped around a result while its flag is off", func(c *C) {
	r := c.Tool("query_facts", argv{})
	for _, place := range []string{"_meta", "structuredContent"} {
		c.Row(place, func() {
			var members map[string]json.RawMessage
			if raw := r.Members[place]; raw != nil {
				c.Decode("member "+place, raw, &members)
			}
			c.Equal("member envelope of "+place, compact(members["envelope"]), "(absent)")
		})
	}
})
