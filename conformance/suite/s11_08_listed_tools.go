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
	a := c.advertised()
	var others []Listed
	var own string
	for _, t := range c.documentedTools(a) {
		if t.Name == discoveryTool {
			own = t.Description
			continue
		}
		others = append(others, t)
	}
	if len(others) < 2 {
		c.notListed(a, "two tools beside "+discoveryTool, "11.7-01")
	}
	end, differences := hint(others)
	c.noDifference("the ends of the descriptions", "one common end that names "+discoveryTool, differences, "")
	if strings.HasSuffix(own, end) {
		c.Fail("the end of the description of "+discoveryTool, "without the hint of the others", show(tail(own)))
	}
})

// hint is what the descriptions of some tools end with in common, and names
// those that keep it from naming the discovery tool.
func hint(tools []Listed) (end string, differences []string) {
	first, told := "", false
	differ := func(name, description string) {
		differences = append(differences, name+": ends "+show(tail(description)))
	}
	for _, t := range tools {
		switch common := commonEnd(end, t.Description); {
		case !strings.Contains(t.Description, discoveryTool):
			differ(t.Name, t.Description)
		case first == "":
			first, end = t.Name, t.Description
		case strings.Contains(common, discoveryTool):
			end = common
		default:
			if !told {
				differ(first, end)
				told = true
			}
			differ(t.Name, t.Description)
		}
	}
	return end, differences
}

// tail is the end of a text for a report line.
func tail(s string) string {
	if r := []rune(s); len(r) > headLength {
		return "..." + string(r[len(r)-headLength:])
	}
	return s
}

// commonEnd is the longest text that both texts end with.
func commonEnd(a, b string) string {
	for !strings.HasSuffix(b, a) {
		a = a[1:]
	}
	return strings.ToValidUTF8(a, "")
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
