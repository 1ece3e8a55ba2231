package suite

import (
	"fmt"
	"net/http"

	"cruxconform/conformance/wire"
	"cruxconform/fixtures"

	"github.com/onsi/gomega"
)

// RootCorpus is the entry that every search of the suite's own corpus builds
// on: what the HTTP API took in is found by query.
const RootCorpus = "tool.query-16"

// fixture is the corpus that the suite brings along.
var fixture = Corpus{Tenant: fixtures.CorpusTenant, Query: fixtures.CorpusQuery, Hits: fixtures.CorpusHits}

// Searchable returns a corpus with at least so many hits. A corpus that the
// operator declares is taken as declared; otherwise the fixture is ingested
// through the HTTP API, once per worker.
func (c *C) Searchable(hits int) Corpus {
	if c.Corpus != nil {
		if c.Corpus.Hits < hits {
			c.CannotRun("the declared corpus has %d hits, this entry needs %d; declare a query with more (declares: {corpus: {hits: N}})",
				c.Corpus.Hits, hits)
		}
		return *c.Corpus
	}
	if c.API == "" {
		c.CannotRun("no retrieval corpus is known; give --api URL, or declares: {corpus: ...} in a target file")
	}
	if !c.fixtureLoaded {
		c.Given(RootCorpus, func() { c.ingest(fixture) })
		c.fixtureLoaded = true
	}
	return fixture
}

// ingest sends the fixture and looks it up. Sent again it changes nothing.
func (c *C) ingest(own Corpus) {
	x := c.Exchange(wire.Request{URL: c.API + "/v1/local/ingest", Body: fixtures.Corpus()})
	c.That("HTTP status of the ingest", x.Status, gomega.And(
		gomega.BeNumerically(">=", http.StatusOK), gomega.BeNumerically("<", http.StatusMultipleChoices)), "2xx")
	found := c.hits("query", contractV1, c.called("query", own.search(contractV1, argv{"limit": 1})))
	c.That("hits of the ingested word", len(found), gomega.BeNumerically(">", 0), "at least one")
}

// argv are the arguments of a tool call.
type argv = map[string]any

// search is the arguments of a search of the corpus, with more beside them.
func (k Corpus) search(contract string, more argv) argv {
	a := argv{"tenant_id": k.Tenant, "query": k.Query, "contract": contract}
	for name, v := range more {
		a[name] = v
	}
	return a
}

// allHits demands every hit of the corpus that a limit admits. Where the count
// rests on the operator's word, the finding says so.
func (c *C) allHits(found []hit, k Corpus, limit int) {
	want := min(limit, k.Hits)
	expected := fmt.Sprint(want)
	if c.Corpus != nil && k.Hits < limit {
		expected += " (declares: {corpus: {hits}}, which must be exact)"
	}
	c.That("the number of hits", len(found), gomega.Equal(want), expected)
}
