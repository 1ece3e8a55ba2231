package deviant

const budget = "token_budget"

// Lies about query.
var _ = lie(Deviant{
	Name: "query-budget-defaults-to-500",
	Lie:  "gives query a token_budget of 500 where none is sent",
	MCP:  asking("query", absent(budget, 500)),
})

var _ = lie(Deviant{
	Name: "query-limit-defaults-to-5",
	Lie:  "gives query a limit of 5 where none is sent",
	MCP:  asking("query", absent("limit", 5)),
})

var _ = lie(Deviant{
	Name:  "query-limit-clamped-to-20",
	Lie:   "cuts the limit of query down to 20",
	Folds: []string{"11.11-01", "11.11-10"},
	MCP:   asking("query", given("limit", atMost(20))),
})

var _ = lie(Deviant{
	Name: "query-clamps-budget-to-2000",
	Lie:  "cuts the token_budget of query down to 2000",
	MCP:  asking("query", given(budget, atMost(2000))),
})

var _ = lie(Deviant{
	Name:  "query-ignores-budget",
	Lie:   "ignores the token_budget of query",
	Folds: []string{"11.11-14"},
	MCP:   asking("query", dropped(budget)),
})

var _ = lie(Deviant{
	Name: "query-budget-gives-one-extra-hit",
	Lie:  "gives query one hit more than the token_budget pays for",
	MCP: asking("query", given(budget, func(v int64) int64 {
		return (max(1, v/40) + 1) * 40
	})),
})

// Lies about query_scan.
var _ = lie(Deviant{
	Name: "query-scan-budget-defaults-to-500",
	Lie:  "gives query_scan a token_budget of 500 where none is sent",
	MCP:  asking("query_scan", absent(budget, 500)),
})

var _ = lie(Deviant{
	Name: "query-scan-limit-defaults-to-10",
	Lie:  "gives query_scan a limit of 10 where none is sent",
	MCP:  asking("query_scan", absent("limit", 10)),
})

var _ = lie(Deviant{
	Name:  "query-scan-limit-clamped-to-20",
	Lie:   "cuts the limit of query_scan down to 20",
	Folds: []string{"11.11-02", "11.11-11"},
	MCP:   asking("query_scan", given("limit", atMost(20))),
})

var _ = lie(Deviant{
	Name: "query-scan-clamps-budget-to-1000",
	Lie:  "cuts the token_budget of query_scan down to 1000",
	MCP:  asking("query_scan", given(budget, atMost(1000))),
})

var _ = lie(Deviant{
	Name:  "query-scan-ignores-budget",
	Lie:   "ignores the token_budget of query_scan",
	Folds: []string{"11.11-16", "11.11-30"},
	MCP:   asking("query_scan", dropped(budget)),
})

var _ = lie(Deviant{
	Name: "query-scan-budget-counts-forty-extra",
	Lie:  "lets query_scan return 40 tokens more than the token_budget",
	MCP:  asking("query_scan", given(budget, func(v int64) int64 { return v + 40 })),
})

// Lies about query_facts.
var _ = lie(Deviant{
	Name: "facts-budget-defaults-to-500",
	Lie:  "gives query_facts a token_budget of 500 where none is sent",
	MCP:  asking("query_facts", absent(budget, 500)),
})

var _ = lie(Deviant{
	Name: "facts-top-k-defaults-to-20",
	Lie:  "gives query_facts a top_k of 20 where none is sent",
	MCP:  asking("query_facts", absent("top_k", 20)),
})

var _ = lie(Deviant{
	Name: "facts-top-k-clamped-to-10",
	Lie:  "cuts the top_k of query_facts down to 10",
	MCP:  asking("query_facts", given("top_k", atMost(10))),
})

var _ = lie(Deviant{
	Name: "facts-clamps-budget-to-128000",
	Lie:  "cuts the token_budget of query_facts down to 128000",
	MCP:  asking("query_facts", given(budget, atMost(128_000))),
})

var _ = lie(Deviant{
	Name:  "facts-ignore-budget",
	Lie:   "ignores the token_budget of query_facts",
	Folds: []string{"11.11-18", "11.11-33"},
	MCP:   asking("query_facts", dropped(budget)),
})

var _ = lie(Deviant{
	Name: "facts-budget-counts-a-thousand-extra",
	Lie:  "lets query_facts return 1000 tokens more than the token_budget",
	MCP:  asking("query_facts", given(budget, func(v int64) int64 { return v + 1000 })),
})
