package suite

import (
	"fmt"

	"github.com/onsi/gomega"
)

var _ = check("11.11-03", "query_facts without token_budget returns the whole top_k in full", func(c *C) {
	set := c.storeFacts(8, 2000)
	for _, contract := range contracts {
		c.Row(contract, func() {
			r := c.facts(set, contract, nil)
			c.Equal("the values in full", r.count(set.values), len(set.values))
		})
	}
})

var _ = check("11.11-08", "query_facts without top_k returns at most 10 rows", func(c *C) {
	set := c.storeFacts(12, 4)
	r := c.facts(set, contractV1, nil)
	c.Equal("the number of facts", r.count(set.values), 10)
})

var _ = check("11.11-09", "query_facts honours a raised top_k", func(c *C) {
	set := c.storeFacts(25, 4)
	r := c.facts(set, contractV1, argv{"top_k": 30})
	c.Equal("the number of facts", r.count(set.values), 25)
})

var _ = check("11.11-12", "query_facts honours a token_budget of 4000000000 verbatim", func(c *C) {
	set := c.storeFacts(2, 300_000)
	r := c.facts(set, contractV1, argv{"token_budget": hugeBudget})
	c.Equal("the values in full", r.count(set.values), 2)
})

var _ = check("11.11-17", "a token_budget shortens the answer of query_facts", func(c *C) {
	set := c.storeFacts(8, 4000)
	for _, contract := range contracts {
		c.Row(contract, func() { factsShortened(c, set, contract) })
	}
})

// factsShortened demands that a budget that pays for one fact of 4,000 bytes
// keeps some of the facts in full, not all.
func factsShortened(c *C, set factSet, contract string) {
	r := c.facts(set, contract, argv{"token_budget": 1500})
	c.That("the values in full", r.count(set.values), gomega.And(
		gomega.BeNumerically(">=", 1), gomega.BeNumerically("<", len(set.values))),
		fmt.Sprintf("at least 1 and fewer than %d", len(set.values)))
}

var _ = check("11.11-18", "query_facts keeps the leading facts that fit the budget and buys pointers with the rest", func(c *C) {
	large := c.storeFacts(3, 4000)
	c.Given("11.11-17", func() { factsShortened(c, large, contractV1) })
	set := c.storeFacts(8, 400)
	for _, t := range []struct {
		contract               string
		budget, full, pointers int
	}{
		{contractV1, 0, 1, 1},
		{contractV1, 250, 2, 3},
		{contractLegacy, 250, 2, 0},
	} {
		c.Row(fmt.Sprintf("%s, token_budget %d", t.contract, t.budget), func() {
			r := c.facts(set, t.contract, argv{"token_budget": t.budget})
			c.Equal("the values in full", r.count(set.values), t.full)
			if t.contract == contractV1 {
				c.Equal("pointers, the demoted ones included", len(c.pointers(r)), t.pointers)
			}
		})
	}
})
