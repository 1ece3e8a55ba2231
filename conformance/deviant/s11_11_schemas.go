package deviant

import "slices"

// relisting makes a lie that changes the input schemas of tools in tools/list.
func relisting(change func(schema, properties map[string]any), tools ...string) func() Lie {
	return func() Lie {
		return Lie{Tell: func(r *Request, a *Answer) {
			if !r.Is("tools/list") {
				return
			}
			a.EditTools(func(tool map[string]any) bool {
				name, _ := tool["name"].(string)
				schema, isObject := tool["inputSchema"].(map[string]any)
				if isObject && slices.Contains(tools, name) {
					properties, ok := schema["properties"].(map[string]any)
					if !ok {
						properties = map[string]any{}
						schema["properties"] = properties
					}
					change(schema, properties)
				}
				return true
			})
		}}
	}
}

// undeclareBudget takes token_budget out of the properties.
func undeclareBudget(_, properties map[string]any) { delete(properties, budget) }

// declareBudget adds token_budget to the properties.
func declareBudget(_, properties map[string]any) {
	properties[budget] = map[string]any{"type": "integer"}
}

// requireBudget adds token_budget to required.
func requireBudget(schema, _ map[string]any) {
	required, _ := schema["required"].([]any)
	if !slices.Contains(required, any(budget)) {
		schema["required"] = append(required, budget)
	}
}

// freeBudget takes token_budget out of required.
func freeBudget(schema, _ map[string]any) {
	required, _ := schema["required"].([]any)
	schema["required"] = slices.DeleteFunc(required, func(v any) bool { return v == budget })
}

// budgetDefault sets the default key of token_budget, or removes it where the
// value is nil.
func budgetDefault(value any) func(schema, properties map[string]any) {
	return func(_, properties map[string]any) {
		p, ok := properties[budget].(map[string]any)
		if ok && value == nil {
			delete(p, "default")
		} else if ok {
			p["default"] = value
		}
	}
}

var budgetRequired = []string{"session_checkpoint", "execplan_gate", "audit_export_bundle", "passport_split",
	"passport_merge", "passport_link_device", "approval_request"}

var _ = lie(Deviant{
	Name: "query-budget-undeclared",
	Lie:  "leaves token_budget out of the schemas of query and query_facts",
	MCP:  relisting(undeclareBudget, "query", "query_facts"),
})

var _ = lie(Deviant{
	Name: "query-scan-declares-budget",
	Lie:  "declares token_budget in the schema of query_scan",
	MCP:  relisting(declareBudget, "query_scan"),
})

var _ = lie(Deviant{
	Name: "group-a-budget-optional-in-schema",
	Lie:  "leaves token_budget out of required in the schemas of group A",
	MCP:  relisting(freeBudget, budgetRequired...),
})

var _ = lie(Deviant{
	Name: "group-b-defaults-undeclared",
	Lie:  "leaves the default of token_budget out of the schemas that have one",
	MCP: relisting(budgetDefault(nil), "memory_freshness", "memory_sweep_candidates", "memory_contradictions",
		"tool_trace_recent"),
})

var _ = lie(Deviant{
	Name: "memory-view-declares-default",
	Lie:  "declares the default of token_budget in the schema of memory_view",
	MCP:  relisting(budgetDefault(2000), "memory_view"),
})

var _ = lie(Deviant{
	Name: "activity-budget-required-in-schema",
	Lie:  "requires token_budget in the schema of activity_recent",
	MCP:  relisting(requireBudget, "activity_recent"),
})

var _ = lie(Deviant{
	Name: "artefact-budget-required-in-schema",
	Lie:  "requires token_budget in the schemas of the artefact tools",
	MCP:  relisting(requireBudget, "artefact_put", "artefact_get", "artefact_list"),
})

var _ = lie(Deviant{
	Name: "group-c-budget-required-in-schema",
	Lie:  "requires token_budget in the schemas of the other tools of group C",
	MCP: relisting(requireBudget, "query", "query_facts", "memory_forget", "memory_forget_dry_run", "output_attest",
		"autonomy_contract", "context_custody_audit", "session_token_usage"),
})

var _ = lie(Deviant{
	Name: "bootstrap-declares-budget",
	Lie:  "declares token_budget in the schema of get_bootstrap",
	MCP:  relisting(declareBudget, "get_bootstrap"),
})

var _ = lie(Deviant{
	Name: "budget-undeclared",
	Lie:  "leaves token_budget out of the properties of group A and of the rest of group C",
	MCP: relisting(undeclareBudget, append([]string{"memory_forget", "memory_forget_dry_run", "artefact_put",
		"artefact_get", "artefact_list", "output_attest", "autonomy_contract", "context_custody_audit",
		"session_token_usage"}, budgetRequired...)...),
})
