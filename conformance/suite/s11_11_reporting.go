package suite

import (
	"fmt"

	"github.com/onsi/gomega"
)

var _ = check("11.11-24", "query reports total_candidates under both contracts", func(c *C) {
	k := c.Searchable(1)
	for _, contract := range contracts {
		c.Row(contract, func() {
			_, r := c.search("query", contract, k, nil)
			c.Reports(r, "total_candidates", isInteger, "an integer")
		})
	}
})

var _ = check("11.11-25", "query reports cost_estimate under CRC-v1", func(c *C) {
	_, r := c.search("query", contractV1, c.Searchable(1), nil)
	c.Reports(r, "cost_estimate", isObject, "an object")
})

var _ = check("11.11-26", "query reports no cost_estimate under the legacy contract", func(c *C) {
	found, r := c.search("query", contractLegacy, c.Searchable(1), nil)
	c.Several(found, 1)
	c.Silent(r, "cost_estimate")
})

var _ = check("11.11-27", "query reports neither tokens used nor a truncation flag", func(c *C) {
	k := c.Searchable(3)
	for _, contract := range contracts {
		c.Row(contract, func() {
			found, r := c.search("query", contract, k, argv{"token_budget": 80})
			c.Several(found, 1)
			c.Silent(r, "tokens_used", "budget_truncated", "truncated")
		})
	}
})

var _ = check("11.11-28", "query_scan reports tokens_returned under both contracts", func(c *C) {
	k := c.Searchable(1)
	for _, contract := range contracts {
		c.Row(contract, func() {
			_, r := c.search("query_scan", contract, k, nil)
			c.Reports(r, "tokens_returned", isInteger, "an integer")
		})
	}
})

var _ = check("11.11-29", "query_scan reports budget_truncated under both contracts", func(c *C) {
	k := c.Searchable(1)
	for _, contract := range contracts {
		c.Row(contract, func() {
			_, r := c.search("query_scan", contract, k, nil)
			c.Reports(r, "budget_truncated", isBool, "true or false")
		})
	}
})

var _ = check("11.11-30", "budget_truncated is true exactly when the budget left rows out", func(c *C) {
	k := c.Searchable(2)
	c.Given("11.11-15", func() { shortened(c, "query_scan", k, argv{"limit": 3}, 1) })
	for _, t := range []struct {
		name   string
		search argv
		flag   bool
	}{
		{"without token_budget", argv{"limit": 3}, false},
		{"token_budget 1", argv{"limit": 3, "token_budget": 1}, true},
	} {
		c.Row(t.name, func() {
			_, r := c.search("query_scan", contractV1, k, t.search)
			var flags []any
			c.Given("11.11-29", func() { flags = c.Reports(r, "budget_truncated", isBool, "true or false") })
			for _, flag := range flags {
				c.Equal("budget_truncated", flag, t.flag)
			}
		})
	}
})

var _ = check("11.11-31", "tokens_returned is the sum of the lengths of the rows", func(c *C) {
	rows, r := c.search("query_scan", contractLegacy, c.Searchable(1), nil)
	c.Several(rows, 1)
	var reported []any
	c.Given("11.11-28", func() { reported = c.Reports(r, "tokens_returned", isInteger, "an integer") })
	for _, n := range reported {
		c.Equal("tokens_returned", n, float64(c.tokens(rows)))
	}
})

var _ = check("11.11-32", "query_facts reports cost_estimate under CRC-v1", func(c *C) {
	r := c.facts(c.storeFacts(3, 12), contractV1, nil)
	c.Reports(r, "cost_estimate", isObject, "an object")
})

var _ = check("11.11-33", "query_facts reports total_candidates where the budget shortened the answer", func(c *C) {
	set := c.storeFacts(8, 4000)
	c.Given("11.11-17", func() { factsShortened(c, set, contractV1) })
	totalIs(c, c.facts(set, contractV1, argv{"token_budget": 1500}), 8)
})

var _ = check("11.11-34", "query_facts reports total_candidates where nothing was left out", func(c *C) {
	totalIs(c, c.facts(c.storeFacts(3, 12), contractV1, nil), 3)
})

func totalIs(c *C, r ToolResult, want int) {
	for _, n := range c.Reports(r, "total_candidates", isInteger, fmt.Sprint(want)) {
		c.Equal("total_candidates", n, float64(want))
	}
}

var _ = check("11.11-35", "query_facts reports nothing about the budget under the legacy contract", func(c *C) {
	set := c.storeFacts(3, 12)
	for _, t := range budgets(1) {
		c.Row(t.name, func() {
			r := c.facts(set, contractLegacy, t.args)
			c.That("the values found", r.count(set.values), gomega.BeNumerically(">=", 1), "at least one")
			c.Silent(r, "total_candidates", "cost_estimate", "tokens_returned", "tokens_used", "total_tokens",
				"budget_truncated", "truncated")
		})
	}
})

type budgetRow struct {
	name string
	args argv
}

// budgets is a call without a budget and one with it.
func budgets(budget int) []budgetRow {
	return []budgetRow{
		{"without token_budget", argv{}},
		{fmt.Sprintf("token_budget %d", budget), argv{"token_budget": budget}},
	}
}

var _ = check("11.11-36", "query_facts never emits budget_remaining", func(c *C) {
	set := c.storeFacts(3, 12)
	for _, contract := range contracts {
		for _, t := range budgets(1000) {
			c.Row(contract+", "+t.name, func() {
				r := c.facts(set, contract, t.args)
				c.That("the values found", r.count(set.values), gomega.BeNumerically(">=", 1), "at least one")
				c.Silent(r, "budget_remaining")
			})
		}
	}
})

var _ = check("11.11-37", "query and query_scan never emit budget_remaining", func(c *C) {
	k := c.Searchable(1)
	for _, tool := range []string{"query", "query_scan"} {
		for _, contract := range contracts {
			for _, t := range budgets(1000) {
				c.Row(tool+", "+contract+", "+t.name, func() {
					found, r := c.search(tool, contract, k, t.args)
					c.Several(found, 1)
					c.Silent(r, "budget_remaining")
				})
			}
		}
	}
})
