package deviant

import (
	"encoding/json"
	"slices"
)

// reschooling makes a lie that changes the input schemas of all listed tools.
func reschooling(change func(schema map[string]any)) func() Lie {
	return rewriting(func(tool map[string]any) {
		if schema, ok := tool["inputSchema"].(map[string]any); ok {
			change(schema)
		}
	})
}

// eachProperty changes the properties of a name in all input schemas, nested
// ones included. A property for which change returns false goes away.
func eachProperty(accepts func(name string) bool, change func(schema, property map[string]any) bool) func() Lie {
	var walk func(schema map[string]any)
	walk = func(schema map[string]any) {
		properties, _ := schema["properties"].(map[string]any)
		for _, name := range sortedKeys(properties) {
			property, ok := properties[name].(map[string]any)
			if !ok {
				continue
			}
			walk(property)
			if items, ok := property["items"].(map[string]any); ok {
				walk(items)
			}
			if accepts(name) && !change(schema, property) {
				delete(properties, name)
			}
		}
	}
	return reschooling(walk)
}

// requires reports whether a schema requires a property.
func requires(schema map[string]any, name string) bool {
	required, _ := schema["required"].([]any)
	return slices.Contains(required, any(name))
}

func anyName(string) bool { return true }

var _ = lie(Deviant{
	Name: "tenant-id-left-out-of-schemas", Lie: "does not declare tenant_id where it is optional",
	MCP: eachProperty(among("tenant_id"), func(schema, _ map[string]any) bool { return requires(schema, "tenant_id") }),
})

var _ = lie(Deviant{
	Name: "schemas-grow-a-verbose-property", Lie: "declares a property verbose in every input schema",
	MCP: reschooling(func(schema map[string]any) {
		if properties, ok := schema["properties"].(map[string]any); ok {
			properties["verbose"] = map[string]any{"type": "boolean", "description": "Say more."}
		}
	}),
})

var _ = lie(Deviant{
	Name: "limit-declared-as-string", Lie: "declares every limit without a default as a string",
	MCP: eachProperty(among("limit"), func(_, property map[string]any) bool {
		if property["default"] == nil {
			property["type"] = "string"
		}
		return true
	}),
})

var _ = lie(Deviant{
	Name: "tenant-id-not-required", Lie: "requires tenant_id in no input schema",
	MCP: reschooling(func(schema map[string]any) {
		required, ok := schema["required"].([]any)
		if !ok {
			return
		}
		schema["required"] = slices.DeleteFunc(required, func(v any) bool { return v == "tenant_id" })
	}),
})

var _ = lie(Deviant{
	Name: "enumerations-dropped", Lie: "names the values of no property",
	MCP: eachProperty(anyName, func(_, property map[string]any) bool {
		delete(property, "enum")
		return true
	}),
})

var _ = lie(Deviant{
	Name: "limit-defaults-raised", Lie: "declares a default of 100 for every limit that has one",
	MCP: eachProperty(among("limit"), func(_, property map[string]any) bool {
		if _, isNumber := property["default"].(json.Number); isNumber {
			property["default"] = 100
		}
		return true
	}),
})

var _ = lie(Deviant{
	Name: "schema-bounds-dropped", Lie: "declares min_repeats and max_capabilities without a minimum",
	MCP: eachProperty(among("min_repeats", "max_capabilities"), func(_, property map[string]any) bool {
		delete(property, "minimum")
		return true
	}),
})

var _ = lie(Deviant{
	Name: "every-schema-closed", Lie: "closes every input schema against further properties",
	MCP: reschooling(func(schema map[string]any) { schema["additionalProperties"] = false }),
})

var _ = lie(Deviant{
	Name: "no-schema-closed", Lie: "closes no input schema against further properties",
	MCP: reschooling(func(schema map[string]any) {
		delete(schema, "additionalProperties")
		properties, _ := schema["properties"].(map[string]any)
		if hints, ok := properties["hints"].(map[string]any); ok {
			delete(hints, "additionalProperties")
		}
	}),
})
