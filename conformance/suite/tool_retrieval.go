package suite

import (
	"cruxconform/spec"

	"fmt"
)

var _ = check("tool.query-01", "query requires tenant_id and query", func(c *C) {
	both := argv{"tenant_id": c.Name("tenant"), "query": "anything"}
	c.Given(RootCall, func() { c.called("query", both) })
	for _, name := range []string{"tenant_id", "query"} {
		c.Row("without "+name, func() {
			c.Refusal(c.CallTool("query", without(both, name)), spec.CodeInvalidParams)
		})
	}
})

var _ = check("tool.query-02", "query demands one concrete tenant", func(c *C) {
	c.Given(RootCall, func() { c.called("query", argv{"tenant_id": c.Name("tenant"), "query": "anything"}) })
	for _, t := range []struct{ name, tenant string }{
		{"empty", ""}, {"blanks", "   "}, {"asterisk", "*"},
	} {
		c.Row(t.name, func() {
			c.Refusal(c.CallTool("query", argv{"tenant_id": t.tenant, "query": "anything"}), spec.CodeInvalidParams)
		})
	}
})

var _ = check("tool.query-03", "documents of one tenant are not found under another", func(c *C) {
	k := c.Searchable(1)
	own, _ := c.search("query", contractV1, k, nil)
	c.Several(own, 1)
	k.Tenant = c.Name("tenant")
	foreign, _ := c.search("query", contractV1, k, nil)
	c.Equal("the number of hits under a tenant without documents", len(foreign), 0)
})

var _ = check("tool.query-16", "query finds what the HTTP API took in", func(c *C) {
	c.ingest(fixture)
})

// expandError is the entry that query_expand gives for an id it cannot expand.
type expandError struct {
	ResultID string `json:"result_id"`
	Kind     string `json:"error_kind"`
}

// The bad ids of the query_expand checks, which no corpus holds.
const (
	malformedID = "no-pair"
	evictedID   = "4000000000:0"
)

// expand asks query_expand for ids and returns its errors by result id.
func (c *C) expand(contract string, ids ...string) map[string]expandError {
	r := c.called("query_expand", argv{"tenant_id": c.Name("tenant"), "result_ids": ids, "contract": contract})
	found := map[string]expandError{}
	for _, raw := range r.values("errors") {
		var list []expandError
		c.Decode("key errors", raw, &list)
		for _, e := range list {
			found[e.ResultID] = e
		}
	}
	return found
}

// errorFor demands that an id stands among the errors.
func (c *C) errorFor(found map[string]expandError, id string) expandError {
	e, ok := found[id]
	if !ok {
		c.Fail("key errors", "an entry with the result_id "+id, fmt.Sprintf("%d entries: %s", len(found), show(found)))
	}
	return e
}

var _ = check("tool.query_expand-01", "a bad id never fails query_expand", func(c *C) {
	for _, contract := range contracts {
		c.Row(contract, func() {
			found := c.expand(contract, malformedID, evictedID)
			c.errorFor(found, malformedID)
			c.errorFor(found, evictedID)
		})
	}
})

var _ = check("tool.query_expand-02", "the error_kind of a bad id says why", func(c *C) {
	for _, t := range []struct{ id, kind string }{
		{malformedID, "invalid_format"},
		{evictedID, "evicted"},
	} {
		c.Row(t.kind, func() {
			var e expandError
			c.Given("tool.query_expand-01", func() { e = c.errorFor(c.expand(contractV1, t.id), t.id) })
			c.Equal("error_kind of "+t.id, e.Kind, t.kind)
		})
	}
})
