package suite

import (
	"encoding/json"
	"strings"

	"cruxconform/spec"

	"github.com/onsi/gomega"
)

// Codes of section 11.5 that these checks expect.
// noSuchFact has the documented form of a fact id and names no fact.
const noSuchFact = "f_00000000000000000000000000000000"

// fact is one fact of this check; its secret stands in the value only.
func (c *C) fact() twin {
	return twin{c.Name("entity"), c.Name("key"), c.Name("word"), c.Name("secret")}
}

// recall demands that query_facts finds the value under the entity.
func (c *C) recall(t twin) {
	c.Given("tool.store_fact-01", func() {
		c.Holds(c.called("query_facts", argv{"entity": t.entity, "contract": contractV1}), t.secret)
	})
}

// keep stores a fact that query_facts then finds, and returns its id.
func (c *C) keep(t twin, more argv) string {
	a := t.fact()
	for name, v := range more {
		a[name] = v
	}
	id := c.Store(a)
	c.recall(t)
	return id
}

// tryStore stores a fact that a correct server may refuse, and undoes it where
// it did not.
func (c *C) tryStore(fact argv) Answer {
	a := c.CallTool("store_fact", fact)
	if a.Error == nil {
		c.forget(c.factID(c.Envelope(a.Members["result"])))
	}
	return a
}

var _ = check("tool.store_fact-01", "a stored fact is found by query_facts under its entity", func(c *C) {
	t := c.fact()
	c.forget(c.factID(c.Tool("store_fact", t.fact())))
	c.Holds(c.Tool("query_facts", argv{"entity": t.entity, "contract": contractV1}), t.secret)
})

var _ = check("tool.store_fact-02", "the value of a fact is kept as it was sent", func(c *C) {
	t := c.fact()
	t.word = "  blanks,\ta line\nbreak, caf\u00e9 \u6f22\u5b57 and \U0001f600"
	t.secret += "  "
	c.Store(t.fact())
	r := c.Tool("query_facts", argv{"entity": t.entity, "contract": contractV1})
	c.Given("tool.store_fact-01", func() { c.Holds(r, strings.TrimSpace(t.secret)) })
	c.That("the strings of the answer", r.strings(), gomega.ContainElement(t.fact()["value"]),
		"one that is "+show(t.fact()["value"]))
})

var _ = check("tool.store_fact-03", "store_fact requires entity, key and value", func(c *C) {
	t := c.fact()
	c.Store(t.fact())
	for _, name := range []string{"entity", "key", "value"} {
		c.Row("without "+name, func() {
			c.Refusal(c.tryStore(without(t.fact(), name)), spec.CodeInvalidParams)
		})
	}
})

func without(a argv, name string) argv {
	out := argv{}
	for k, v := range a {
		if k != name {
			out[k] = v
		}
	}
	return out
}

var _ = check("tool.store_fact-04", "storing under the same entity and key adds a version", func(c *C) {
	t := c.fact()
	var versions []any
	store := func(word string) {
		t.word = word
		versions = append(versions, c.version(c.Success(c.tryStore(t.fact()))))
	}
	c.Given("tool.store_fact-01", func() {
		store("first")
		c.recall(t)
	})
	store("second")
	store("second")
	c.Equal("structuredContent.version of the three", versions, []any{1.0, 2.0, 3.0})
})

// version is the version that store_fact reports, nil where it reports none.
func (c *C) version(result json.RawMessage) any {
	var structured struct {
		Version any `json:"version"`
	}
	if raw := c.Envelope(result).Structured; raw != nil {
		c.Decode("structuredContent", raw, &structured)
	}
	return structured.Version
}

var _ = check("tool.store_fact-05", "a private fact needs an identity", func(c *C) {
	t := c.fact()
	c.Store(t.fact())
	private := t.fact()
	private["private"] = true
	c.Refusal(c.tryStore(private), spec.CodeInvalidParams)
})

var _ = check("tool.store_fact-06", "every fact named in supersedes is retired", func(c *C) {
	c.Given("tool.query_facts-01", func() { c.versionsLeftOut() })
	a, b := c.fact(), c.fact()
	id := c.keep(a, nil)
	c.keep(b, argv{"supersedes": []string{id}})
	r := c.Tool("query_facts", argv{"entity": a.entity, "contract": contractV1})
	c.Hides(r, a.secret)
})

var _ = check("tool.store_fact-07", "an unknown id in supersedes fails the whole call", func(c *C) {
	t := c.fact()
	c.Store(t.fact())
	bad := t.fact()
	bad["supersedes"] = []string{noSuchFact}
	c.Refusal(c.tryStore(bad), spec.CodeInvalidParams)
})

var _ = check("tool.query_facts-01", "superseded versions are left out", func(c *C) {
	c.versionsLeftOut()
})

// versionsLeftOut stores two versions of a fact and demands that only the
// second one comes back.
func (c *C) versionsLeftOut() {
	first := c.fact()
	second := first
	second.secret = c.Name("second")
	c.keep(first, nil)
	c.keep(second, nil)
	c.Hides(c.Tool("query_facts", argv{"entity": first.entity, "contract": contractV1}), first.secret)
}

var _ = check("tool.query_facts-04", "query matches any of its terms in value, key or entity", func(c *C) {
	t := c.fact()
	c.keep(t, nil)
	for _, row := range []struct{ name, query string }{
		{"a word of the value", t.word},
		{"the key", t.key},
		{"the entity", t.entity},
		{"a part of a word", t.word[1:]},
		{"another case", strings.ToUpper(t.word)},
		{"one of two terms", c.Name("nowhere") + " " + t.word},
	} {
		c.Row(row.name, func() {
			r := c.Tool("query_facts", argv{"query": row.query, "contract": contractV1})
			c.Holds(r, t.secret)
		})
	}
})

var _ = check("tool.delete_fact-01", "a deleted fact is no longer found", func(c *C) {
	c.deleteFact()
})

// deleteFact stores a fact, deletes it and demands that it is gone.
func (c *C) deleteFact() (deleted twin, id string) {
	t := c.fact()
	id = c.keep(t, nil)
	c.Tool("delete_fact", argv{"fact_id": id})
	c.Hides(c.Tool("query_facts", argv{"entity": t.entity, "contract": contractV1}), t.secret)
	return t, id
}

var _ = check("tool.delete_fact-02", "deleting what is not there is no error", func(c *C) {
	id := c.Store(c.fact().fact())
	c.Given("tool.delete_fact-01", func() { c.called("delete_fact", argv{"fact_id": id}) })
	for _, t := range []struct{ name, id string }{
		{"a fact that was deleted before", id},
		{"an id that no fact has", noSuchFact},
	} {
		c.Row(t.name, func() { c.Tool("delete_fact", argv{"fact_id": t.id}) })
	}
})

var _ = check("tool.delete_fact-03", "delete_fact requires fact_id", func(c *C) {
	c.Given("tool.delete_fact-02", func() { c.called("delete_fact", argv{"fact_id": noSuchFact}) })
	c.Refusal(c.CallTool("delete_fact", argv{"id": noSuchFact}), spec.CodeInvalidParams)
})

var _ = check("tool.list_entities-01", "the entity of a stored fact is listed", func(c *C) {
	t := c.fact()
	c.keep(t, nil)
	r := c.Tool("list_entities", argv{})
	c.That("the lines of the text", strings.Split(r.Text, "\n"), gomega.ContainElement(t.entity), "one that is "+t.entity)
})

var _ = check("tool.fact_history-01", "all versions of an entity and key are shown", func(c *C) {
	t := c.fact()
	var secrets []string
	for range 3 {
		t.secret = c.Name("version")
		c.keep(t, nil)
		secrets = append(secrets, t.secret)
	}
	r := c.Tool("fact_history", argv{"entity": t.entity, "key": t.key})
	for _, secret := range secrets {
		c.Holds(r, secret)
	}
})

var _ = check("tool.fact_history-02", "a deleted version stays in the history", func(c *C) {
	var t twin
	c.Given("tool.delete_fact-01", func() { t, _ = c.deleteFact() })
	r := c.Tool("fact_history", argv{"entity": t.entity, "key": t.key})
	c.Holds(r, t.secret)
})

var _ = check("tool.fact_history-03", "fact_history requires entity and key", func(c *C) {
	t := c.fact()
	c.keep(t, nil)
	both := argv{"entity": t.entity, "key": t.key}
	c.Given("tool.fact_history-01", func() { c.called("fact_history", both) })
	for _, name := range []string{"entity", "key"} {
		c.Row("without "+name, func() {
			c.Refusal(c.CallTool("fact_history", without(both, name)), spec.CodeInvalidParams)
		})
	}
})
