package deviant

import (
	"maps"
	"slices"
	"strings"

	"cruxconform/spec"
)

const (
	localMarker  = "[local]"
	hostedMarker = "[hosted]"
	issueTool    = "issue_passport"
)

// invented is a tool that nobody documents, in all else as a listed tool is.
func invented(name string) map[string]any {
	return map[string]any{
		"name":        name,
		"description": localMarker + " Summarises what changed since yesterday." + spec.CommonHint,
		"inputSchema": map[string]any{"type": "object", "properties": map[string]any{}},
		"_meta": map[string]any{"crux": map[string]any{"consequence_metadata": map[string]any{
			"schema": "crux.tool_consequence_metadata.v1", "domain": "general", "reversibility": "unknown",
			"materiality": []any{}, "idempotency_class": "unknown", "blast_radius": "self_only",
			"compensating_tool": nil, "pro_enricher_available": false,
		}}},
	}
}

// inventing lists a tool that nobody documents behind all others.
func inventing(name string) func() Lie {
	return readvertising(func(tools []any) []any { return append(tools, invented(name)) })
}

var _ = lie(Deviant{
	Name: "catalogue-lacks-comment-on-work", Lie: "leaves comment_on_work out of the list",
	MCP: hiding("comment_on_work"),
})

var _ = lie(Deviant{
	Name: "catalogue-lacks-the-last-tool", Lie: "leaves check_punchcard, the last tool, out of the list",
	MCP: hiding("check_punchcard"),
})

var _ = lie(Deviant{
	Name: "catalogue-has-an-invented-tool", Lie: "lists a tool that nobody documents",
	MCP: inventing("daily_summary"),
})

var _ = lie(Deviant{
	Name: "learn-listed-twice", Lie: "lists learn a second time, behind all tools",
	MCP: readvertising(func(tools []any) []any {
		if i := slices.IndexFunc(tools, func(t any) bool { return nameOf(t) == "learn" }); i >= 0 {
			tools = append(tools, maps.Clone(tools[i].(map[string]any)))
		}
		return tools
	}),
})

var _ = lie(Deviant{
	Name: "catalogue-sorted-by-name", Lie: "lists the tools in the order of their names",
	MCP: readvertising(func(tools []any) []any {
		slices.SortStableFunc(tools, func(a, b any) int { return strings.Compare(nameOf(a), nameOf(b)) })
		return tools
	}),
})

var _ = lie(Deviant{
	Name: "mint-tool-listed-while-off", Lie: "lists request_passport_mint although its flag is unset",
	MCP: readvertising(showing(spec.MintTool)),
})

var _ = lie(Deviant{
	Name: "mint-call-while-off-answers", Lie: "answers a call of request_passport_mint with a result although its flag is off",
	MCP: onRequest(func(r *Request) *Answer {
		if r.Tool() != spec.MintTool || r.RPC.ID == nil {
			return nil
		}
		return ResultTo(r, map[string]any{"content": []any{textItem("the request waits for approval")}})
	}),
})

var _ = lie(Deviant{
	Name: "mint-flag-changes-nothing", Lie: "does not honour CORECRUXD_FEATURE_PASSPORT_MINT_REQUESTS",
	Folds: []string{"11.7-09", "11.7-10"},
	Env:   map[string]string{"CORECRUXD_FEATURE_PASSPORT_MINT_REQUESTS": "0"},
})

var _ = lie(Deviant{
	Name: "mint-flag-drops-learn", Lie: "leaves learn out of the list while the mint flag is on",
	MCP: hiding("learn"),
})

var _ = lie(Deviant{
	Name: "mint-flag-adds-a-second-tool", Lie: "lists a second tool for mint requests while the mint flag is on",
	MCP: inventing("approve_passport_mint"),
})

var _ = lie(Deviant{
	Name: "mint-tool-listed-last", Lie: "lists request_passport_mint behind all other tools",
	MCP: readvertising(func(tools []any) []any {
		slices.SortStableFunc(tools, func(a, b any) int { return isMint(a) - isMint(b) })
		return tools
	}),
})

// isMint is 1 for the mint tool and 0 for any other.
func isMint(tool any) int {
	if nameOf(tool) == spec.MintTool {
		return 1
	}
	return 0
}

// remarking replaces the marker in the descriptions of some tools.
func remarking(marker string, chosen func(name string) bool) func() Lie {
	return rewriting(func(tool map[string]any) {
		if chosen(nameOf(tool)) {
			d, _ := tool["description"].(string)
			_, text := cutMarker(d)
			tool["description"] = marker + text
		}
	})
}

// among accepts the given names.
func among(names ...string) func(string) bool {
	return func(name string) bool { return slices.Contains(names, name) }
}

var _ = lie(Deviant{
	Name: "mint-tool-marked-hosted", Lie: "marks request_passport_mint as hosted",
	MCP: remarking(hostedMarker+" ", among(spec.MintTool)),
})

var _ = lie(Deviant{
	Name: "agent-passports-keep-hosted-marker", Lie: "marks issue_passport as hosted although agent passports are on",
	Folds: []string{"11.8-31"},
	MCP:   remarking(hostedMarker+" ", among(issueTool)),
})

var _ = lie(Deviant{
	Name: "agent-passports-drop-learn", Lie: "leaves learn out of the list while agent passports are on",
	MCP: hiding("learn"),
})

var _ = lie(Deviant{
	Name: "agent-passports-list-mint-tool", Lie: "lists request_passport_mint while agent passports are on, although its own flag is unset",
	MCP: readvertising(showing(spec.MintTool)),
})

var _ = lie(Deviant{
	Name: "agent-passports-make-sync-local", Lie: "marks sync_pull and sync_push as local while agent passports are on",
	MCP: remarking(localMarker+" ", among("sync_pull", "sync_push")),
})
