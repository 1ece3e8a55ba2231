package suite

import (
	"fmt"

	"github.com/onsi/gomega"
)

// The searches of this file. Limits and budgets are chosen with the fixture in
// mind and hold for any corpus: a corpus with fewer hits expects fewer.
const (
	// aboveDefaults is a number of hits that no default limit admits.
	aboveDefaults = 21
	raisedLimit   = 40
	// ampleBudget pays for raisedLimit hits of any chunk size in use.
	ampleBudget = 100_000
	hugeLimit   = 4_000
	// hugeBudget is the budget that section 11.11 says is honoured verbatim.
	hugeBudget = 4_000_000_000
)

var _ = check("11.11-01", "query without token_budget returns all that limit admits", func(c *C) {
	allOfLimit(c, "query", "11.11-05")
})

var _ = check("11.11-02", "query_scan without token_budget returns all that limit admits", func(c *C) {
	allOfLimit(c, "query_scan", "11.11-06")
})

// allOfLimit asks with a raised limit and no budget, after the same question
// with an ample budget has shown that the limit itself is honoured.
func allOfLimit(c *C, tool, raised string) {
	k := c.Searchable(aboveDefaults)
	for _, contract := range contracts {
		c.Row(contract, func() {
			c.Given(raised, func() { raisedLimitHonoured(c, tool, contract, k) })
			found, _ := c.search(tool, contract, k, argv{"limit": raisedLimit})
			c.allHits(found, k, raisedLimit)
		})
	}
}

func raisedLimitHonoured(c *C, tool, contract string, k Corpus) {
	found, _ := c.search(tool, contract, k, argv{"limit": raisedLimit, "token_budget": ampleBudget})
	c.allHits(found, k, raisedLimit)
}

var _ = check("11.11-04", "query without limit returns at most 10 hits", func(c *C) {
	defaultLimit(c, "query", 10)
})

var _ = check("11.11-07", "query_scan without limit returns at most 20 rows", func(c *C) {
	defaultLimit(c, "query_scan", 20)
})

func defaultLimit(c *C, tool string, limit int) {
	k := c.Searchable(limit + 1)
	found, _ := c.search(tool, contractV1, k, nil)
	c.Equal("the number of hits", len(found), limit)
}

var _ = check("11.11-05", "query honours a raised limit", func(c *C) {
	raisedLimitHonoured(c, "query", contractV1, c.Searchable(aboveDefaults))
})

var _ = check("11.11-06", "query_scan honours a raised limit", func(c *C) {
	raisedLimitHonoured(c, "query_scan", contractV1, c.Searchable(aboveDefaults))
})

var _ = check("11.11-10", "query honours a token_budget of 4000000000 verbatim", func(c *C) {
	hugeBudgetHonoured(c, "query", "11.11-05")
})

var _ = check("11.11-11", "query_scan honours a token_budget of 4000000000 verbatim", func(c *C) {
	hugeBudgetHonoured(c, "query_scan", "11.11-06")
})

func hugeBudgetHonoured(c *C, tool, raised string) {
	k := c.Searchable(51)
	c.Given(raised, func() { raisedLimitHonoured(c, tool, contractV1, k) })
	found, _ := c.search(tool, contractV1, k, argv{"limit": hugeLimit, "token_budget": hugeBudget})
	c.allHits(found, k, hugeLimit)
}

var _ = check("11.11-13", "a token_budget shortens the answer of query", func(c *C) {
	shortened(c, "query", c.Searchable(3), argv{"limit": 10}, 80)
})

var _ = check("11.11-15", "query_scan reads a token_budget that its schema does not declare", func(c *C) {
	shortened(c, "query_scan", c.Searchable(2), argv{"limit": 20}, 1)
})

// shortened demands that a budget leaves out some hits of a search, not all.
func shortened(c *C, tool string, k Corpus, search argv, budget int) {
	all, _ := c.search(tool, contractV1, k, search)
	c.Several(all, 2)
	some, _ := c.search(tool, contractV1, k, withBudget(search, budget))
	c.That(fmt.Sprintf("the number of hits with token_budget %d", budget), len(some), gomega.And(
		gomega.BeNumerically(">=", 1), gomega.BeNumerically("<", len(all))),
		fmt.Sprintf("at least 1 and fewer than the %d without a budget", len(all)))
}

func withBudget(call argv, budget int) argv {
	out := argv{"token_budget": budget}
	for name, v := range call {
		out[name] = v
	}
	return out
}

var _ = check("11.11-14", "query prices a hit at 40 tokens and always gives one", func(c *C) {
	k := c.Searchable(13)
	c.Given("11.11-13", func() { shortened(c, "query", k, argv{"limit": 10}, 80) })
	for _, t := range []struct{ budget, hits int }{{0, 1}, {39, 1}, {80, 2}, {500, 12}} {
		c.Row(fmt.Sprintf("token_budget %d", t.budget), func() {
			found, _ := c.search("query", contractV1, k, argv{"limit": 20, "token_budget": t.budget})
			c.Equal("the number of hits", len(found), t.hits)
		})
	}
})

var _ = check("11.11-16", "query_scan takes rows while their lengths fit the budget, and the first one always", func(c *C) {
	k := c.Searchable(3)
	c.Given("11.11-15", func() { shortened(c, "query_scan", k, argv{"limit": 20}, 1) })
	rows, _ := c.search("query_scan", contractLegacy, k, argv{"limit": 3})
	c.Several(rows, 3)
	two := c.tokens(rows[:2])
	for _, t := range []struct {
		name         string
		budget, rows int
	}{
		{"nothing", 0, 1},
		{"the length of two rows", two, 2},
		{"one token less than two rows", two - 1, 1},
	} {
		c.Row(t.name, func() {
			found, _ := c.search("query_scan", contractLegacy, k, argv{"limit": 20, "token_budget": t.budget})
			c.Equal(fmt.Sprintf("the number of rows with token_budget %d", t.budget), len(found), t.rows)
		})
	}
})
