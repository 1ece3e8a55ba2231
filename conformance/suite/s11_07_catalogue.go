package suite

import (
	"fmt"
	"slices"
	"strings"

	"cruxconform/spec"
)

var _ = check("11.7-01", "tools/list names each of the 115 local tools", func(c *C) {
	a := c.advertised()
	local := baseNames(func(t spec.Tool) bool { return t.Marker == localMarker })
	c.noDifference("the names of the list", fmt.Sprintf("each of the %d local tools of the base catalogue", len(local)),
		missing(a, local), a.remedy(c.Setup))
})

var _ = check("11.7-02", "tools/list names nothing beyond the 118 tools of the base catalogue", func(c *C) {
	var beyond []string
	for _, name := range undocumented(c.advertised()) {
		if name != spec.MintTool+isUnknown && !strings.HasPrefix(name, extensionPrefix) {
			beyond = append(beyond, name)
		}
	}
	c.noDifference("the names of the list", "names of the base catalogue only", beyond, "")
})

// Endings of a difference about a name.
const (
	isMissing = " is missing"
	isUnknown = " is not in the base catalogue"
)

// missing lists those of some names that are not advertised.
func missing(a advert, names []string) []string {
	var out []string
	for _, name := range a.lacks(names) {
		out = append(out, name+isMissing)
	}
	return out
}

// undocumented lists the advertised names that the base catalogue lacks.
func undocumented(a advert) []string {
	var out []string
	for _, name := range a.names {
		if !catalogue()[name].Base {
			out = append(out, name+isUnknown)
		}
	}
	return out
}

// repeated lists the advertised names of the catalogue that stand more than
// once.
func repeated(a advert) []string {
	count := map[string]int{}
	var out []string
	for _, name := range a.names {
		count[name]++
		if _, documented := catalogue()[name]; documented && count[name] == 2 {
			out = append(out, name+" is listed more than once")
		}
	}
	return out
}

var _ = check("11.7-03", "no tool is listed twice", func(c *C) {
	a := c.advertised()
	c.documentedTools(a)
	c.noDifference("the names of the list", "each name of the catalogue once", repeated(a), "")
})

var _ = check("11.7-04", "the tools stand in the order of the catalogue", func(c *C) {
	c.noDifference("the order of the list", "the order of the catalogue", disorder(c.documentedTools(c.advertised())), "")
})

// disorder names the places of listed tools that differ from the order of the
// catalogue. Only first occurrences count, and the place of the mint tool is
// left to 11.7-09.
func disorder(tools []Listed) []string {
	var actual []string
	for _, t := range tools {
		if catalogue()[t.Name].Base && !slices.Contains(actual, t.Name) {
			actual = append(actual, t.Name)
		}
	}
	expected := baseNames(func(t spec.Tool) bool { return slices.Contains(actual, t.Name) })
	var out []string
	for i, name := range actual {
		if name != expected[i] {
			out = append(out, fmt.Sprintf("tool %d: %s, expected %s", i+1, name, expected[i]))
		}
	}
	return out
}

var _ = check("11.7-05", "request_passport_mint is not listed while its flag is unset", func(c *C) {
	a := c.advertised()
	if slices.Contains(a.names, spec.MintTool) {
		c.Fail("the tools/list result", "no tool "+spec.MintTool,
			fmt.Sprintf("it is one of %d tools%s", len(a.names), a.remedy(c.Setup)))
	}
})

var _ = check("11.7-06", "request_passport_mint is refused as unknown while its flag is off", func(c *C) {
	// The same call of a tool that takes no arguments either is served.
	c.Tool("get_agent_identity", map[string]any{})
	a := c.CallTool(spec.MintTool, map[string]any{})
	if a.Error == nil {
		c.Fail("the answer", fmt.Sprintf("an error with code %d", spec.CodeMethodNotFound),
			"result "+clip(a.Members["result"])+remedyMint)
	}
	c.Refusal(a, spec.CodeMethodNotFound)
})

var _ = check("11.7-07", "the mint flag puts request_passport_mint into the list", func(c *C) {
	a := c.advertised()
	if !slices.Contains(a.names, spec.MintTool) {
		c.Fail("the tools/list result", "a tool "+spec.MintTool, fmt.Sprintf("%d tools, none of this name", len(a.names)))
	}
})

var _ = check("11.7-08", "the mint flag changes nothing else in the list", func(c *C) {
	a := c.advertised()
	differences := slices.DeleteFunc(changed(a), func(d string) bool { return d == spec.MintTool+isUnknown })
	c.noDifference("the names of the list other than "+spec.MintTool, "the 118 names of the base catalogue", differences, a.remedy(c.Setup))
})

// changed lists how the advertised names differ from the base catalogue.
func changed(a advert) []string {
	return slices.Concat(missing(a, baseNames(anyTool)), undocumented(a), repeated(a))
}

var _ = check("11.7-09", "request_passport_mint stands right behind issue_passport", func(c *C) {
	a := c.advertised()
	c.listedTool(a, spec.MintTool, "11.7-07")
	c.listedTool(a, issueTool, "11.7-08")
	i := slices.Index(a.names, spec.MintTool)
	before := "(nothing)"
	if i > 0 {
		before = a.names[i-1]
	}
	c.Equal("the tool before "+spec.MintTool, before, issueTool)
})

// issueTool is the tool whose marker follows CORECRUXD_AGENT_PASSPORTS.
const issueTool = "issue_passport"

var _ = check("11.7-10", "request_passport_mint is marked [local]", func(c *C) {
	t := c.listedTool(c.advertised(), spec.MintTool, "11.7-07")
	c.marked(t, localMarker, "")
})

// marked demands the marker of a description.
func (c *C) marked(t Listed, marker, remedy string) {
	if !strings.HasPrefix(t.Description, marker+" ") {
		c.Fail("the description of "+t.Name, "a text that starts with "+marker+" and a blank", show(t.Description)+remedy)
	}
}

var _ = check("11.7-11", "with agent passports issue_passport is marked [local]", func(c *C) {
	t := c.listedTool(c.advertised(), issueTool, "11.7-12")
	c.marked(t, localMarker, "")
})

var _ = check("11.7-12", "agent passports add no tool and take none away", func(c *C) {
	a := c.advertised()
	c.noDifference("the names of the list", "the 118 names of the base catalogue", changed(a), a.remedy(c.Setup))
})

var _ = check("11.7-13", "agent passports leave the markers of the other hosted tools alone", func(c *C) {
	a := c.advertised()
	for _, name := range hostedTools() {
		if name == issueTool {
			continue
		}
		c.Row(name, func() { c.marked(c.listedTool(a, name, "11.7-12"), hostedMarker, "") })
	}
})
