package suite

import (
	"strings"
)

var _ = check("11.8-13", "the three hosted tools are marked [hosted]", func(c *C) {
	a := c.advertised()
	for _, tool := range hostedTools() {
		c.Row(tool, func() { c.marked(c.listedTool(a, tool, "11.8-01"), hostedMarker, postureOf(tool)) })
	}
})

// postureOf is the setup that a different marker or upgrade block of a hosted
// tool fits.
func postureOf(tool string) string {
	if tool == issueTool {
		return remedyPass
	}
	return ""
}

var _ = check("11.8-14", "every other tool is marked [local]", func(c *C) {
	c.noDifference("the descriptions", "texts that start with "+localMarker+" and a blank", c.advertised().eachTool(func(t Listed) string {
		if isHosted(t.Name) || strings.HasPrefix(t.Description, localMarker+" ") {
			return ""
		}
		return show(head(t.Description))
	}), "")
})

// headLength is how many characters of a description a report line shows.
const headLength = 40

func head(s string) string {
	if r := []rune(s); len(r) > headLength {
		return string(r[:headLength]) + "..."
	}
	return s
}

var _ = check("11.8-15", "every description but that of cuecrux_session ends with one hint at it", func(c *C) {
	var descriptions, without []string
	var own string
	for _, t := range c.documentedTools(c.advertised()) {
		switch {
		case t.Name == discoveryTool:
			own = t.Description
			continue
		case !strings.Contains(t.Description, discoveryTool):
			without = append(without, t.Name+": ends "+show(tail(t.Description)))
		}
		descriptions = append(descriptions, t.Description)
	}
	if len(descriptions) < 2 {
		c.Given("11.7-01", func() { c.Fail("the tools/list result", "descriptions to compare", show(descriptions)) })
	}
	const hint = "one common end that names " + discoveryTool
	c.noDifference("the ends of the descriptions", hint, without, "")
	end := commonEnd(descriptions)
	if !strings.Contains(end, discoveryTool) {
		c.Fail("the ends of the descriptions", hint, "in common they have "+show(tail(end)))
	}
	if strings.HasSuffix(own, end) {
		c.Fail("the end of the description of "+discoveryTool, "without the hint of the others", show(tail(own)))
	}
})

// tail is the end of a text for a report line.
func tail(s string) string {
	if r := []rune(s); len(r) > headLength {
		return "..." + string(r[len(r)-headLength:])
	}
	return s
}

// commonEnd is the longest text that all of the texts end with.
func commonEnd(all []string) string {
	end := all[0]
	for _, s := range all[1:] {
		for !strings.HasSuffix(s, end) {
			end = end[1:]
		}
	}
	return strings.ToValidUTF8(end, "")
}

var _ = check("11.8-16", "every input schema is of type object and has a properties object", func(c *C) {
	c.noDifference("the input schemas", "type object and an object of properties", c.advertised().eachTool(func(t Listed) string {
		s := c.schemaMembers(t)
		_, isObject := s["properties"].(schemaObject)
		switch {
		case s["type"] != any("object"):
			return "type " + keyword(s, "type")
		case !isObject:
			return "properties " + keyword(s, "properties")
		}
		return ""
	}), "")
})
