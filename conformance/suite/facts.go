package suite

import (
	"fmt"
	"strings"

	"github.com/onsi/gomega"
)

// factSet is a number of facts under one entity that this check stored.
type factSet struct {
	entity string
	values []string
}

// storeFacts stores n facts with values of the given size in bytes, 4 or more,
// under an entity of its own. No value is a part of another.
func (c *C) storeFacts(n, size int) factSet {
	set := factSet{entity: c.Name("facts")}
	for i := range n {
		set.values = append(set.values, factValue(i, size))
		c.Store(argv{"entity": set.entity, "key": fmt.Sprintf("key%02d", i), "value": set.values[i]})
	}
	c.Given("tool.store_fact-01", func() {
		r := c.called("query_facts", argv{"entity": set.entity, "contract": contractV1})
		c.That("the stored values found", r.count(set.values), gomega.BeNumerically(">=", 1), "at least one")
	})
	return set
}

// factValue fills size bytes with a mark of the number, in letters that need no
// escaping and that no generated name holds.
func factValue(i, size int) string {
	return strings.Repeat(fmt.Sprintf("v%02d!", i), (size+3)/4)[:size]
}

// facts asks query_facts for the entity of the set.
func (c *C) facts(set factSet, contract string, more argv) ToolResult {
	a := argv{"entity": set.entity, "contract": contract}
	for name, v := range more {
		a[name] = v
	}
	return c.Tool("query_facts", a)
}

// pointer is one fact of a CRC-v1 answer.
type pointer struct {
	ID string `json:"id"`
}

// pointers reads the pointers of a CRC-v1 answer of query_facts: rows in full
// and demoted ones.
func (c *C) pointers(r ToolResult) []pointer {
	var object struct {
		Pointers *[]pointer `json:"pointers"`
	}
	c.JSON(r, &object)
	if object.Pointers == nil {
		c.Fail("the text of query_facts", "a JSON object with an array pointers", clip(r.Text))
	}
	return *object.Pointers
}
