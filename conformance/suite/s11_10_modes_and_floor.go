package suite

import (
	"encoding/json"
	"fmt"
	"slices"

	"cruxconform/spec"

	"github.com/onsi/gomega"
)

// discoveryTool is the tool that both narrow modes put first.
const discoveryTool = "cuecrux_session"

var _ = check("11.10-01", "what the full list holds does not depend on earlier calls", func(c *C) {
	before := c.advertised()
	for range 3 {
		c.Tool("list_entities", argv{})
	}
	after := c.advertised()
	c.sameNames("the names, in order, after three calls of list_entities", after, after.names, before.names)
	for i, t := range before.tools {
		c.That("the tool "+t.Name+" after three calls of list_entities", string(after.tools[i].Raw),
			gomega.MatchJSON(t.Raw), "as before: "+clip(t.Raw))
	}
})

var _ = check("11.10-02", "a surface value that names no mode gives the full catalogue", func(c *C) {
	var base []string
	for _, t := range spec.Tools() {
		if t.Base {
			base = append(base, t.Name)
		}
	}
	c.lacksNone(c.advertised(), base)
})

var _ = check("11.10-03", "blanks around the surface value and the case of its letters do not matter", func(c *C) {
	c.nothingBeyondFloor(c.advertised())
})

var _ = check("11.10-04", "minimal advertises nothing beyond the floor", func(c *C) {
	c.nothingBeyondFloor(c.advertised())
})

var _ = check("11.10-05", "minimal puts the discovery tool first", func(c *C) {
	c.discoveryFirst(c.advertised())
})

var _ = check("11.10-06", "minimal lists the retrieve group of the floor", func(c *C) {
	c.listsEach("query", "query_scan", "query_expand")
})

var _ = check("11.10-07", "minimal lists the remember group of the floor", func(c *C) {
	c.listsEach("store_fact", "query_facts", "get_bootstrap", "memory_view")
})

var _ = check("11.10-08", "minimal lists the session continuity group of the floor", func(c *C) {
	c.listsEach("save_session", "get_session")
})

var _ = check("11.10-09", "minimal lists the self identify group of the floor", func(c *C) {
	c.listsEach("get_agent_identity", "get_passport")
})

var _ = check("11.10-10", "minimal lists the verify group of the floor", func(c *C) {
	c.listsEach("receipt_verify")
})

var _ = check("11.10-11", "minimal lists the ops posture group of the floor", func(c *C) {
	c.listsEach("sync_status")
})

var _ = check("11.10-12", "minimal lists the coordination group of the floor", func(c *C) {
	c.listsEach("create_handoff", "accept_handoff")
})

var _ = check("11.10-13", "minimal keeps the order of the catalogue", func(c *C) {
	c.inOrder(c.advertised(), catalogueOrder(), "11.10-07")
})

var _ = check("11.10-14", "minimal removes whole tools and alters none", func(c *C) {
	altered := []string{}
	for _, t := range c.advertised().tools {
		altered = append(altered, alterations(t)...)
	}
	c.Equal("what the listed tools lack", altered, []string{})
})

// alterations says what a listed tool lacks of what the catalogue gives it.
func alterations(t Listed) []string {
	var lacks []string
	lack := func(format string, a ...any) { lacks = append(lacks, t.Name+": "+fmt.Sprintf(format, a...)) }
	if t.Description == "" {
		lack("a description")
	}
	var meta struct {
		Crux struct {
			Consequence map[string]any `json:"consequence_metadata"`
		} `json:"crux"`
	}
	if json.Unmarshal(t.Meta, &meta) != nil || meta.Crux.Consequence == nil {
		lack("an object _meta.crux.consequence_metadata")
	}
	var schema struct {
		Type     any
		Required []string
	}
	if json.Unmarshal(t.InputSchema, &schema) != nil || schema.Type != any("object") {
		lack("an inputSchema of type object")
	}
	for _, name := range requiredBy(t.Name) {
		if !slices.Contains(schema.Required, name) {
			lack("%s in the required list of its inputSchema", name)
		}
	}
	return lacks
}

// requiredBy lists the arguments that the catalogue says a tool requires, none
// for a tool that is not in it.
func requiredBy(tool string) []string {
	i := slices.IndexFunc(spec.Tools(), func(t spec.Tool) bool { return t.Name == tool })
	if i < 0 {
		return nil
	}
	var schema inputSchema
	if err := json.Unmarshal(spec.Tools()[i].InputSchema, &schema); err != nil {
		panic(fmt.Sprintf("suite: input schema of %s in the catalogue: %v", tool, err))
	}
	return schema.Required
}

var _ = check("11.10-15", "dynamic without an intent and without recent calls advertises nothing beyond the floor", func(c *C) {
	c.nothingBeyondFloor(c.quiet(func(a advert) bool { return len(a.beyondFloor()) == 0 }))
})

var _ = check("11.10-16", "dynamic holds the whole floor", func(c *C) {
	c.lacksNone(c.advertised(), spec.Floor())
})

var _ = check("11.10-17", "dynamic puts the discovery tool first", func(c *C) {
	c.discoveryFirst(c.advertised())
})

var _ = check("11.10-18", "dynamic lists the floor in the order of the floor table", func(c *C) {
	c.inOrder(c.advertised(), spec.Floor(), "11.10-16")
})

var _ = check("11.10-19", "a tool that minimal hides is served when it is called by name", func(c *C) {
	c.Tool(floorTool, argv{})
	a := c.advertised()
	c.Row("list_entities", func() { c.hiddenAndServed(a, "11.10-04", "list_entities", argv{}) })
	c.Row("fact_history", func() {
		c.hiddenAndServed(a, "11.10-04", "fact_history", argv{"entity": c.Name("entity"), "key": "none"})
	})
})

var _ = check("11.10-20", "a tool that dynamic hides is served when it is called by name", func(c *C) {
	const hidden = "list_entities"
	a := c.quiet(func(a advert) bool { return !slices.Contains(a.names, hidden) })
	c.hiddenAndServed(a, "11.10-15", hidden, argv{})
})

// hiddenAndServed demands that a tool which the listing does not show answers a
// result. That it is not shown belongs to the entry hides.
func (c *C) hiddenAndServed(a advert, hides, tool string, args argv) {
	c.Given(hides, func() {
		if slices.Contains(a.names, tool) {
			c.Fail("the tools/list result", "no tool "+tool, a.shown())
		}
	})
	c.called(tool, args)
}

var _ = check("11.10-21", "proof_verify is no tool", func(c *C) {
	c.unknownRefused(c.Name("tool"))
	c.Refusal(c.CallTool("proof_verify", argv{}), spec.CodeMethodNotFound)
})

// The bounds of the full list, in bytes of its tools without insignificant
// whitespace and escapes: section 11.10 says roughly 27.8k tokens.
const (
	smallestList = 90_000
	largestList  = 130_000
)

var _ = check("11.10-22", "the full list is of the documented size", func(c *C) {
	a := c.advertised()
	size := 0
	for _, t := range a.tools {
		size += len(sameForm(t.Raw))
	}
	if size < smallestList || size > largestList {
		c.Fail("the bytes of all tools", fmt.Sprintf("%d to %d", smallestList, largestList),
			fmt.Sprintf("%d bytes in %d tools%s", size, len(a.tools), a.fits(c.Setup)))
	}
})
