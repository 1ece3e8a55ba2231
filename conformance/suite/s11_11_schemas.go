package suite

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/onsi/gomega"
)

// The tools whose schemas section 11.11 speaks of.
var (
	groupA = []string{"session_checkpoint", "execplan_gate", "audit_export_bundle", "passport_split",
		"passport_merge", "passport_link_device", "approval_request"}
	artefactTools = []string{"artefact_put", "artefact_get", "artefact_list"}
)

// inputSchema is the part of a listed schema that these checks read.
type inputSchema struct {
	Properties map[string]json.RawMessage `json:"properties"`
	Required   []string                   `json:"required"`
}

// listedSchemas reads the input schemas of a listing by tool.
func (c *C) listedSchemas() map[string]inputSchema {
	out := map[string]inputSchema{}
	for _, t := range c.Listing() {
		var s inputSchema
		c.Decode("inputSchema of "+t.Name, t.InputSchema, &s)
		out[t.Name] = s
	}
	return out
}

// schemaOf is the schema of a tool that the listing must hold.
func (c *C) schemaOf(all map[string]inputSchema, tool string) inputSchema {
	s, ok := all[tool]
	if !ok {
		c.Given("11.7-01", func() {
			c.Fail("the tools/list result", "a tool "+tool, fmt.Sprintf("%d tools, none of this name", len(all)))
		})
	}
	return s
}

const budgetArg = "token_budget"

// declared is the property token_budget of a schema, nil where there is none.
func (s inputSchema) declared() json.RawMessage { return s.Properties[budgetArg] }

// eachSchema runs one row per tool over the listing.
func eachSchema(c *C, tools []string, row func(tool string, s inputSchema)) {
	all := c.listedSchemas()
	for _, tool := range tools {
		c.Row(tool, func() { row(tool, c.schemaOf(all, tool)) })
	}
}

var _ = check("11.11-59", "query and query_facts declare an integer token_budget", func(c *C) {
	eachSchema(c, []string{"query", "query_facts"}, func(_ string, s inputSchema) {
		if s.declared() == nil {
			c.Fail("properties.token_budget", "a property of type integer", "(absent)")
		}
		var p struct{ Type any }
		c.Decode("properties.token_budget", s.declared(), &p)
		c.Equal("its type", p.Type, any("integer"))
	})
})

var _ = check("11.11-60", "query_scan declares no token_budget", func(c *C) {
	undeclared(c, "query_scan")
})

var _ = check("11.11-67", "get_bootstrap declares no token_budget", func(c *C) {
	undeclared(c, "get_bootstrap")
})

func undeclared(c *C, tool string) {
	s := c.schemaOf(c.listedSchemas(), tool)
	c.Equal("properties.token_budget of "+tool, compact(s.declared()), "(absent)")
}

var _ = check("11.11-61", "each tool of group A requires token_budget in its schema", func(c *C) {
	eachSchema(c, groupA, func(_ string, s inputSchema) {
		c.That("required", s.Required, gomega.ContainElement(budgetArg), "a list that holds token_budget")
	})
})

var _ = check("11.11-62", "the tools with a declared default name it in their schemas", func(c *C) {
	defaults := map[string]float64{"memory_freshness": 500, "memory_sweep_candidates": 500,
		"memory_contradictions": 500, "tool_trace_recent": 2000}
	eachSchema(c, []string{"memory_freshness", "memory_sweep_candidates", "memory_contradictions", "tool_trace_recent"},
		func(tool string, s inputSchema) {
			var value any
			if raw := c.budgetProperty(s)["default"]; raw != nil {
				c.Decode("the default of token_budget", raw, &value)
			}
			c.Equal("the default of token_budget", value, any(defaults[tool]))
		})
})

var _ = check("11.11-63", "memory_view declares token_budget without a default key", func(c *C) {
	s := c.schemaOf(c.listedSchemas(), "memory_view")
	c.Equal("the default of token_budget", compact(c.budgetProperty(s)["default"]), "(absent)")
})

// budgetProperty is the declared token_budget, which must be there.
func (c *C) budgetProperty(s inputSchema) map[string]json.RawMessage {
	if s.declared() == nil {
		c.Fail("properties.token_budget", "a property", "(absent)")
	}
	var p map[string]json.RawMessage
	c.Decode("properties.token_budget", s.declared(), &p)
	return p
}

var _ = check("11.11-64", "activity_recent does not require token_budget in its schema", func(c *C) {
	optional(c, "activity_recent")
})

var _ = check("11.11-65", "the artefact tools do not require token_budget in their schemas", func(c *C) {
	optional(c, artefactTools...)
})

var _ = check("11.11-66", "the other tools of group C do not require token_budget in their schemas", func(c *C) {
	optional(c, "query", "query_facts", "memory_forget", "memory_forget_dry_run", "output_attest",
		"autonomy_contract", "context_custody_audit", "session_token_usage")
})

func optional(c *C, tools ...string) {
	eachSchema(c, tools, func(_ string, s inputSchema) {
		c.That("required", s.Required, gomega.Not(gomega.ContainElement(budgetArg)), "a list without token_budget")
	})
}

var _ = check("11.11-68", "the tools of group A and the rest of group C declare token_budget", func(c *C) {
	tools := slices.Concat(groupA, artefactTools, []string{"memory_forget", "memory_forget_dry_run",
		"output_attest", "autonomy_contract", "context_custody_audit", "session_token_usage"})
	eachSchema(c, tools, func(_ string, s inputSchema) {
		if s.declared() == nil {
			c.Fail("properties.token_budget", "a property", "(absent)")
		}
	})
})
