package suite

import (
	"fmt"

	"cruxconform/conformance/wire"
	"cruxconform/spec"
)

// refusals are calls that an MCP endpoint has to refuse, each for another
// reason, and that change nothing.
var refusals = []struct {
	name, method string
	params       any
}{
	{"an invented method", "no/such_method", nil},
	{"a call without a tool", "tools/call", map[string]any{}},
	{"a tool without its arguments", "tools/call", map[string]any{"name": "delete_fact", "arguments": map[string]any{}}},
	// Anonymous callers get no passport, and nobody one with such a sponsor.
	{"a hosted tool", "tools/call", map[string]any{"name": "issue_passport", "arguments": map[string]any{"sponsor_id": 7}}},
}

var _ = check("11.3-52", "no answer on the MCP port carries -32000", func(c *C) {
	refused := 0
	for _, r := range refusals {
		var e *wire.RPCError
		if r.method == "tools/call" {
			e = c.Call(r.method, r.params).Error
		} else {
			x := c.inside200By(r.method, r.params)
			c.Given("11.4-02", func() { e = c.answerIn(x).Error })
		}
		if e == nil {
			continue // what must be refused, other entries say
		}
		refused++
		if code := number(e.Code); code == fmt.Sprint(spec.CodeUpstream) {
			c.Fail("the error code for "+r.name, "any but -32000, which is that of the stdio bridge", code)
		}
	}
	if refused == 0 {
		c.Fail("calls that are refused", "at least one", "none")
	}
})
