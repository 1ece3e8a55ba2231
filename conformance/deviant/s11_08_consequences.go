package deviant

const consequenceKey = "consequence_metadata"

// consequences changes the consequence metadata of every listed tool.
func consequences(change func(tool, metadata map[string]any)) func() Lie {
	return rewriting(func(tool map[string]any) {
		if metadata, ok := cruxOf(tool)[consequenceKey].(map[string]any); ok {
			change(tool, metadata)
		}
	})
}

// always gives a key of the consequence metadata one value in every tool.
func always(key string, value any) func() Lie {
	return consequences(func(_, metadata map[string]any) { metadata[key] = value })
}

// swapped exchanges texts in a key of the consequence metadata.
func swapped(key string, texts map[string]string) func() Lie {
	return consequences(func(_, metadata map[string]any) {
		if value, ok := metadata[key].(string); ok && texts[value] != "" {
			metadata[key] = texts[value]
		}
	})
}

// The entries that speak of single values of consequence metadata.
var consequenceValues = []string{"11.8-21", "11.8-22", "11.8-23", "11.8-24", "11.8-25", "11.8-26", "11.8-27"}

var _ = lie(Deviant{
	Name: "consequence-metadata-missing-from-learn", Lie: "gives learn no consequence metadata",
	MCP: consequences(func(tool, _ map[string]any) {
		if nameOf(tool) == "learn" {
			delete(cruxOf(tool), consequenceKey)
		}
	}),
})

var _ = lie(Deviant{
	Name: "consequence-metadata-outside-crux", Lie: "puts consequence metadata into _meta beside crux",
	Folds: append([]string{"11.8-18", "11.8-19", "11.8-20"}, consequenceValues...),
	MCP: consequences(func(tool, metadata map[string]any) {
		member(tool, "_meta")[consequenceKey] = metadata
		delete(cruxOf(tool), consequenceKey)
	}),
})

var _ = lie(Deviant{
	Name: "consequence-fields-null", Lie: "has null for everything in consequence metadata but the compensating tool",
	Folds: consequenceValues,
	MCP: consequences(func(_, metadata map[string]any) {
		for key := range metadata {
			if key != "compensating_tool" {
				metadata[key] = nil
			}
		}
	}),
})

var _ = lie(Deviant{
	Name: "compensating-tool-left-out", Lie: "leaves compensating_tool out where it is null",
	MCP: consequences(func(_, metadata map[string]any) {
		if metadata["compensating_tool"] == nil {
			delete(metadata, "compensating_tool")
		}
	}),
})

var _ = lie(Deviant{
	Name: "compensating-tool-null", Lie: "names no compensating tool",
	MCP: always("compensating_tool", nil),
})

var _ = lie(Deviant{
	Name: "consequence-schema-v2", Lie: "names another version of the consequence schema",
	MCP: always("schema", "crux.tool_consequence_metadata.v2"),
})

var _ = lie(Deviant{
	Name: "every-domain-crm-customer", Lie: "puts every tool into the domain crm_customer",
	MCP: always("domain", "crm_customer"),
})

var _ = lie(Deviant{
	Name: "reversibility-swapped", Lie: "takes reversible tools for irreversible ones and the other way round",
	MCP: swapped("reversibility", map[string]string{"reversible": "irreversible", "irreversible": "reversible"}),
})

var _ = lie(Deviant{
	Name: "every-tool-touches-money", Lie: "says of every tool that it touches money",
	MCP: always("materiality", []any{"touches_money"}),
})

var _ = lie(Deviant{
	Name: "idempotency-class-swapped", Lie: "takes safe tools for ones that must not be retried and the other way round",
	MCP: swapped("idempotency_class", map[string]string{"safe": "must_not_retry", "must_not_retry": "safe"}),
})

var _ = lie(Deviant{
	Name: "every-blast-radius-cross-tenant", Lie: "says of every tool that it reaches across tenants",
	MCP: always("blast_radius", "cross_tenant"),
})

var _ = lie(Deviant{
	Name: "pro-enricher-inverted", Lie: "says the opposite of where the pro enricher is available",
	MCP: consequences(func(_, metadata map[string]any) {
		available, _ := metadata["pro_enricher_available"].(bool)
		metadata["pro_enricher_available"] = !available
	}),
})
