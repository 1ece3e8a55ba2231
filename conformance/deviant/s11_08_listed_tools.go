package deviant

import (
	"slices"
	"strings"

	"cruxconform/spec"
)

// hostedOnes are the tools that the catalogue marks as hosted.
var hostedOnes = []string{issueTool, "sync_pull", "sync_push"}

// crcKinds are the kinds of the tools with a CRC-v1 output.
var crcKinds = map[string]string{
	"query": "search", "query_scan": "search", "query_expand": "addressed", "query_facts": "fact",
}

const outputAdvert = "x-crux-output-schema"

// retold changes the descriptions of some listed tools.
func retold(chosen func(name string) bool, change func(name, description string) string) func() Lie {
	return rewriting(func(tool map[string]any) {
		if d, ok := tool["description"].(string); ok && chosen(nameOf(tool)) {
			tool["description"] = change(nameOf(tool), d)
		}
	})
}

// local accepts the names that are not marked as hosted.
func local(name string) bool { return !slices.Contains(hostedOnes, name) }

var _ = lie(Deviant{
	Name: "hosted-tools-marked-local", Lie: "marks the hosted tools as local",
	MCP: remarking(localMarker+" ", among(hostedOnes...)),
})

var _ = lie(Deviant{
	Name: "local-marker-dropped", Lie: "marks no local tool",
	MCP: remarking("", local),
})

var _ = lie(Deviant{
	Name: "local-tools-marked-hosted", Lie: "marks the local tools as hosted",
	MCP: remarking(hostedMarker+" ", local),
})

var _ = lie(Deviant{
	Name: "hint-differs-per-tool", Lie: "ends each description with a hint of its own",
	MCP: retold(func(name string) bool { return name != discoveryTool }, func(name, description string) string {
		return strings.TrimSuffix(description, spec.CommonHint) + "\n\nTip: `cuecrux_session` says when to use " + name + "."
	}),
})

var _ = lie(Deviant{
	Name: "hint-on-cuecrux-session", Lie: "ends the description of cuecrux_session with the hint at itself",
	MCP: retold(among(discoveryTool), func(_, description string) string { return description + spec.CommonHint }),
})

var _ = lie(Deviant{
	Name: "schemas-without-type", Lie: "gives the input schemas no type",
	MCP: reschooling(func(schema map[string]any) { delete(schema, "type") }),
})

var _ = lie(Deviant{
	Name: "empty-properties-left-out", Lie: "leaves properties out of an input schema that has none",
	MCP: reschooling(func(schema map[string]any) {
		if properties, ok := schema["properties"].(map[string]any); ok && len(properties) == 0 {
			delete(schema, "properties")
		}
	}),
})

// upgrading changes the upgrade blocks of the tools that have one.
func upgrading(change func(crux, upgrade map[string]any)) func() Lie {
	return rewriting(func(tool map[string]any) {
		crux := cruxOf(tool)
		if upgrade, ok := crux["upgrade"].(map[string]any); ok {
			change(crux, upgrade)
		}
	})
}

// upgradeOf is a true upgrade block.
func upgradeOf(tool string) map[string]any {
	return map[string]any{
		"platform_available": true, "requires": "rcx_capability_token",
		"docs": "https://crux.cuecrux.com/docs/platform/" + tool,
	}
}

// upgradeOn gives a tool an upgrade block.
func upgradeOn(name string) func() Lie {
	return rewriting(func(tool map[string]any) {
		if nameOf(tool) == name {
			cruxOf(tool)["upgrade"] = upgradeOf(name)
		}
	})
}

var _ = lie(Deviant{
	Name: "upgrade-block-left-out", Lie: "gives no hosted tool an upgrade block",
	Folds: []string{"11.8-29"},
	MCP:   upgrading(func(crux, _ map[string]any) { delete(crux, "upgrade") }),
})

var _ = lie(Deviant{
	Name: "upgrade-block-without-requires", Lie: "leaves requires out of the upgrade blocks",
	Folds: []string{"11.8-29"},
	MCP:   upgrading(func(_, upgrade map[string]any) { delete(upgrade, "requires") }),
})

var _ = lie(Deviant{
	Name: "upgrade-block-names-another-address", Lie: "names the front page as documentation in every upgrade block",
	MCP: upgrading(func(_, upgrade map[string]any) { upgrade["docs"] = "https://crux.cuecrux.com/" }),
})

var _ = lie(Deviant{
	Name: "upgrade-block-on-query", Lie: "gives query an upgrade block",
	MCP: upgradeOn("query"),
})

var _ = lie(Deviant{
	Name: "agent-passports-keep-upgrade-block", Lie: "leaves the upgrade block on issue_passport while agent passports are on",
	MCP: upgradeOn(issueTool),
})

// advertising changes the output adverts of the tools that have one.
func advertising(change func(tool, output map[string]any)) func() Lie {
	return rewriting(func(tool map[string]any) {
		if output, ok := tool[outputAdvert].(map[string]any); ok {
			change(tool, output)
		}
	})
}

var _ = lie(Deviant{
	Name: "output-schema-inside-input-schema", Lie: "puts the output adverts into the input schemas",
	Folds: []string{"11.8-33", "11.8-34", "11.8-35"},
	MCP: advertising(func(tool, output map[string]any) {
		member(tool, "inputSchema")[outputAdvert] = output
		delete(tool, outputAdvert)
	}),
})

var _ = lie(Deviant{
	Name: "output-schema-contract-v2", Lie: "names the contract crc-v2 in the output adverts",
	MCP: advertising(func(_, output map[string]any) { output["contract"] = "crc-v2" }),
})

var _ = lie(Deviant{
	Name: "output-schema-without-details", Lie: "says nothing but the contract in the output adverts",
	Folds: []string{"11.8-34", "11.8-35"},
	MCP: advertising(func(_, output map[string]any) {
		delete(output, "$ref")
		delete(output, "kind")
		delete(output, "when")
	}),
})

var _ = lie(Deviant{
	Name: "output-schema-kinds-swapped", Lie: "gives each output advert the kind of another tool",
	MCP: advertising(func(tool, output map[string]any) {
		output["kind"] = map[string]string{"search": "addressed", "addressed": "fact", "fact": "search"}[crcKinds[nameOf(tool)]]
	}),
})

var _ = lie(Deviant{
	Name: "output-schema-elsewhere", Lie: "refers to a contract at another address in the output adverts",
	MCP: advertising(func(_, output map[string]any) { output["$ref"] = "https://cuecrux.com/contracts/crc.schema.json" }),
})

var _ = lie(Deviant{
	Name: "output-schema-on-fact-history", Lie: "gives fact_history an output advert",
	MCP: rewriting(func(tool map[string]any) {
		if nameOf(tool) == "fact_history" {
			tool[outputAdvert] = map[string]any{
				"$ref": "https://cuecrux.com/contracts/crc-v1.schema.json", "contract": "crc-v1", "kind": "fact",
				"when": `negotiated via contract:"v1"; absent => legacy shape (byte-identical)`,
			}
		}
	}),
})
