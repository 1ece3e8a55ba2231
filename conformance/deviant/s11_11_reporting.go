package deviant

import "encoding/json"

var _ = lie(Deviant{
	Name: "query-omits-total-candidates",
	Lie:  "leaves total_candidates out of the answer of query",
	MCP:  telling(omit("total_candidates"), "query"),
})

var _ = lie(Deviant{
	Name: "query-omits-cost-estimate",
	Lie:  "leaves cost_estimate out of the CRC-v1 answer of query",
	MCP:  telling(omit("cost_estimate"), "query"),
})

var _ = lie(Deviant{
	Name: "query-legacy-carries-cost-estimate",
	Lie:  "adds cost_estimate to the legacy answer of query",
	MCP: telling(func(r *Request, a *Answer) {
		if legacy(r.Args()) {
			a.EditTextJSON(func(o map[string]any) {
				rows, _ := o["results"].([]any)
				o["cost_estimate"] = map[string]any{"pointer": 40 * len(rows), "summary": 150 * len(rows)}
			})
		}
	}, "query"),
})

var _ = lie(Deviant{
	Name: "query-reports-tokens-used",
	Lie:  "adds tokens_used to an answer of query that was asked with a token_budget",
	MCP: telling(func(r *Request, a *Answer) {
		if v, given := whole(r.Args(), budget); given {
			addReport("tokens_used", v)(r, a)
		}
	}, "query"),
})

var _ = lie(Deviant{
	Name:  "query-scan-omits-tokens-returned",
	Lie:   "leaves tokens_returned out of the answer of query_scan",
	Folds: []string{"11.11-31"},
	MCP:   telling(omit("tokens_returned"), "query_scan"),
})

var _ = lie(Deviant{
	Name:  "query-scan-omits-budget-truncated",
	Lie:   "leaves budget_truncated out of the answer of query_scan",
	Folds: []string{"11.11-30"},
	MCP:   telling(omit("budget_truncated"), "query_scan"),
})

var _ = lie(Deviant{
	Name: "query-scan-denies-truncation",
	Lie:  "says the opposite in budget_truncated of query_scan",
	MCP: telling(replace("budget_truncated", func(v any) any {
		return v == false
	}), "query_scan"),
})

var _ = lie(Deviant{
	Name: "query-scan-doubles-tokens-returned",
	Lie:  "reports twice the tokens that query_scan returned",
	MCP: telling(replace("tokens_returned", func(v any) any {
		n, _ := v.(json.Number)
		tokens, _ := n.Int64()
		return 2 * tokens
	}), "query_scan"),
})

var _ = lie(Deviant{
	Name: "facts-omit-cost-estimate",
	Lie:  "leaves cost_estimate out of the CRC-v1 answer of query_facts",
	MCP:  telling(omit("cost_estimate"), "query_facts"),
})

var _ = lie(Deviant{
	Name: "facts-omit-total-when-trimmed",
	Lie:  "leaves total_candidates out where the budget shortened the answer of query_facts",
	MCP:  telling(omitTotal(true), "query_facts"),
})

var _ = lie(Deviant{
	Name: "facts-omit-total-when-untrimmed",
	Lie:  "leaves total_candidates out where query_facts left nothing out",
	MCP:  telling(omitTotal(false), "query_facts"),
})

// omitTotal removes total_candidates from CRC-v1 answers that hold fewer full
// facts than there are candidates, or from all others.
func omitTotal(trimmed bool) func(*Request, *Answer) {
	return func(_ *Request, a *Answer) {
		a.EditTextJSON(func(o map[string]any) {
			meta, _ := o["meta"].(map[string]any)
			total, _ := meta["total_candidates"].(json.Number)
			n, err := total.Int64()
			content, _ := o["content"].([]any)
			if err == nil && (int64(len(content)) < n) == trimmed {
				delete(meta, "total_candidates")
			}
		})
	}
}

var _ = lie(Deviant{
	Name: "facts-legacy-reports-total",
	Lie:  "adds total_candidates to the legacy answer of query_facts",
	MCP: telling(func(r *Request, a *Answer) {
		if legacy(r.Args()) {
			a.EditStructured(func(s map[string]any) {
				rows, _ := s["rows"].([]any)
				s["total_candidates"] = len(rows)
			})
		}
	}, "query_facts"),
})

var _ = lie(Deviant{
	Name: "facts-report-budget-remaining",
	Lie:  "adds budget_remaining to the answer of query_facts",
	MCP: telling(func(_ *Request, a *Answer) {
		a.EditStructured(func(s map[string]any) { s["budget_remaining"] = 0 })
	}, "query_facts"),
})

var _ = lie(Deviant{
	Name: "retrieval-reports-budget-remaining",
	Lie:  "adds budget_remaining to the answers of query and query_scan",
	MCP:  telling(addReport("budget_remaining", 0), "query", "query_scan"),
})

// EditStructured rewrites the structuredContent of a tool result, which it
// makes where there is none.
func (a *Answer) EditStructured(change func(structured map[string]any)) {
	a.EditResult(func(result map[string]any) {
		structured, ok := result["structuredContent"].(map[string]any)
		if !ok {
			structured = map[string]any{}
			result["structuredContent"] = structured
		}
		change(structured)
	})
}
