package suite

import (
	"strings"

	"github.com/onsi/gomega"
)

// bootstrapPrefix is the reserved entity prefix of section 11.12.
const bootstrapPrefix = "__bootstrap__::"

var _ = check("11.12-01", "store_fact writes under a __bootstrap__:: entity", func(c *C) {
	c.storeBootstrap()
})

// twin is a fact under a bootstrap entity or an ordinary one. Its secret stands
// in the value only, so that an answer that repeats the question cannot hold it.
type twin struct {
	entity, key, word, secret string
}

func (t twin) fact() argv {
	return argv{"entity": t.entity, "key": t.key, "value": t.word + " " + t.secret}
}

// storeBootstrap stores a fact that the surface cannot remove again, with a
// confidence below every seeded one so that it sorts behind them.
func (c *C) storeBootstrap() twin {
	t := twin{bootstrapPrefix + "doc:" + c.Name("doc"), "title", c.Name("word"), c.Name("secret")}
	fact := t.fact()
	fact["confidence"] = 0.01
	c.called("store_fact", fact)
	return t
}

// twins stores a bootstrap fact and an ordinary one.
func (c *C) twins() (bootstrap, ordinary twin) {
	c.Given("11.12-01", func() { bootstrap = c.storeBootstrap() })
	ordinary = twin{c.Name("entity"), "title", c.Name("word"), c.Name("secret")}
	c.Store(ordinary.fact())
	return bootstrap, ordinary
}

var _ = check("11.12-02", "a bootstrap fact does not show in query_facts", func(c *C) {
	bootstrap, ordinary := c.twins()
	for _, t := range []struct {
		name, owner string
		by          func(t twin) argv
	}{
		{"by entity", "tool.store_fact-01", func(t twin) argv { return argv{"entity": t.entity} }},
		{"by a word of the value", "tool.query_facts-04", func(t twin) argv { return argv{"query": t.word} }},
	} {
		c.Row(t.name, func() {
			c.Given(t.owner, func() {
				c.Holds(c.called("query_facts", t.by(ordinary)), ordinary.secret)
			})
			c.Hides(c.Tool("query_facts", t.by(bootstrap)), bootstrap.secret)
		})
	}
})

var _ = check("11.12-03", "a bootstrap entity does not show in list_entities", func(c *C) {
	_, ordinary := c.twins()
	var lines []string
	c.Given("tool.list_entities-01", func() {
		lines = strings.Split(c.called("list_entities", argv{}).Text, "\n")
		c.That("the lines of list_entities", lines, gomega.ContainElement(ordinary.entity), "one that is "+ordinary.entity)
	})
	for _, line := range lines {
		if strings.HasPrefix(line, bootstrapPrefix) {
			c.Fail("the lines of list_entities", "none that begins with "+bootstrapPrefix, line)
		}
	}
})

var _ = check("11.12-04", "a bootstrap fact does not show in fact_history", func(c *C) {
	bootstrap, ordinary := c.twins()
	c.Given("tool.fact_history-01", func() {
		c.Holds(c.called("fact_history", argv{"entity": ordinary.entity, "key": ordinary.key}), ordinary.secret)
	})
	c.Hides(c.Tool("fact_history", argv{"entity": bootstrap.entity, "key": bootstrap.key}), bootstrap.secret)
})
