package suite

import (
	"encoding/json"
	"fmt"
	"strings"

	"cruxconform/spec"
)

// The key of _meta.crux that holds consequence metadata, and the key in it that
// may be null.
const (
	consequenceKey  = "consequence_metadata"
	compensatingKey = "compensating_tool"
)

// consequence is the consequence metadata of a listed tool, nil where that is no
// object.
func (t Listed) consequence() map[string]any {
	var m map[string]any
	if json.Unmarshal(t.crux()[consequenceKey], &m) != nil {
		return nil
	}
	return m
}

// documentedConsequence is the consequence metadata of a tool as the catalogue
// has it.
func documentedConsequence(tool string) map[string]any {
	var m map[string]any
	if err := json.Unmarshal(catalogue()[tool].Consequence, &m); err != nil {
		panic(fmt.Sprintf("suite: consequence metadata of %s in the catalogue: %v", tool, err))
	}
	return m
}

var _ = check("11.8-17", "every tool carries consequence metadata", func(c *C) {
	c.noDifference("_meta.crux."+consequenceKey, "an object in every tool", c.advertised().eachTool(func(t Listed) string {
		if t.consequence() != nil {
			return ""
		}
		return compact(t.crux()[consequenceKey])
	}), "")
})

// withConsequence leaves the tools that carry consequence metadata. That every
// tool does belongs to 11.8-17.
func (c *C) withConsequence(tools []Listed) []Listed {
	var out []Listed
	for _, t := range tools {
		if t.consequence() != nil {
			out = append(out, t)
		}
	}
	if len(out) == 0 {
		c.Given("11.8-17", func() { c.Fail("_meta.crux."+consequenceKey, "an object in every tool", "in none") })
	}
	return out
}

// consequenceKinds are the kinds of the seven keys that are never null.
var consequenceKinds = []struct{ key, kind string }{
	{"schema", "a text"}, {"domain", "a text"}, {"reversibility", "a text"}, {"materiality", "an array"},
	{"idempotency_class", "a text"}, {"blast_radius", "a text"}, {"pro_enricher_available", "a truth value"},
}

// kindOf names the kind of a JSON value.
func kindOf(v any) string {
	switch v.(type) {
	case string:
		return "a text"
	case []any:
		return "an array"
	case bool:
		return "a truth value"
	}
	return "another value"
}

var _ = check("11.8-18", "consequence metadata has seven keys of the documented types", func(c *C) {
	tools := c.withConsequence(c.advertised().tools)
	for _, k := range consequenceKinds {
		c.Row(k.key, func() {
			c.noDifference(k.key+" of the consequence metadata", k.kind+" in every tool", advert{tools: tools}.eachTool(func(t Listed) string {
				if m := t.consequence(); kindOf(m[k.key]) != k.kind {
					return keyword(m, k.key)
				}
				return ""
			}), "")
		})
	}
})

// compensated reports whether the catalogue gives a tool a compensating one.
func compensated(tool string) bool { return documentedConsequence(tool)[compensatingKey] != nil }

var _ = check("11.8-19", "a tool without a compensating tool says so with null", func(c *C) {
	asked := 0
	var differences []string
	listing := c.advertised()
	for _, t := range c.withConsequence(c.documentedTools(listing)) {
		if compensated(t.Name) {
			continue
		}
		asked++
		if actual := keyword(t.consequence(), compensatingKey); actual != "null" {
			differences = append(differences, t.Name+": "+actual)
		}
	}
	if asked == 0 {
		c.notListed(listing, "a tool without a compensating tool", "11.7-01")
	}
	c.noDifference(compensatingKey, "null in every tool but the six that have one", differences, "")
})

var _ = check("11.8-20", "six tools name their compensating tool", func(c *C) {
	a := c.advertised()
	for _, tool := range spec.Tools() {
		if !compensated(tool.Name) {
			continue
		}
		c.Row(tool.Name, func() {
			t := c.listedTool(a, tool.Name, "11.7-01")
			c.withConsequence([]Listed{t})
			c.Equal(compensatingKey, t.consequence()[compensatingKey], documentedConsequence(tool.Name)[compensatingKey])
		})
	}
})

// documentedValue demands the documented value of a key of the consequence
// metadata from every tool. That the key has its kind belongs to 11.8-18.
func (c *C) documentedValue(key string) {
	asked := 0
	var differences []string
	for _, t := range c.withConsequence(c.documentedTools(c.advertised())) {
		actual, expected := t.consequence(), documentedConsequence(t.Name)
		if kindOf(actual[key]) != kindOf(expected[key]) {
			continue
		}
		asked++
		if a, e := anyOrder(actual[key]), anyOrder(expected[key]); a != e {
			differences = append(differences, fmt.Sprintf("%s: %s, expected %s", t.Name, a, e))
		}
	}
	if asked == 0 {
		c.Given("11.8-18", func() { c.Fail(key+" of the consequence metadata", "a value of the documented type", "none") })
	}
	c.noDifference(key+" of the consequence metadata", "the documented value in every tool", differences, "")
}

// anyOrder is a value for a comparison; the order of an array does not count.
func anyOrder(v any) string {
	if _, isArray := v.([]any); isArray {
		return "[" + strings.Join(texts(v), ", ") + "]"
	}
	return show(v)
}

var _ = check("11.8-21", "the schema of consequence metadata is crux.tool_consequence_metadata.v1", func(c *C) {
	c.documentedValue("schema")
})

var _ = check("11.8-22", "the domain of a tool is the one derived from its name", func(c *C) {
	c.documentedValue("domain")
})

var _ = check("11.8-23", "the reversibility of a tool is the one derived from its name", func(c *C) {
	c.documentedValue("reversibility")
})

var _ = check("11.8-24", "the materiality of a tool is the one derived from its name", func(c *C) {
	c.documentedValue("materiality")
})

var _ = check("11.8-25", "the idempotency class of a tool is the one derived from its name", func(c *C) {
	c.documentedValue("idempotency_class")
})

var _ = check("11.8-26", "the blast radius of a tool is the one derived from its name", func(c *C) {
	c.documentedValue("blast_radius")
})

var _ = check("11.8-27", "the pro enricher is available for code and file tools only", func(c *C) {
	c.documentedValue("pro_enricher_available")
})
