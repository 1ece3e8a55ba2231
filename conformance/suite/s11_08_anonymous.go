package suite

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// extensionPrefix begins the names of extension tools (section 11.9).
const extensionPrefix = "ext."

var _ = check("11.8-01", "an anonymous caller is listed the three hosted tools too", func(c *C) {
	a := c.advertised()
	for _, tool := range hostedTools() {
		c.Row(tool, func() {
			if !slices.Contains(a.names, tool) {
				remedy := a.fits(c.Setup)
				if remedy == "" {
					remedy = remedyToken
				}
				c.Fail("the tools/list result", "a tool "+tool, fmt.Sprintf("%d tools are listed, without it%s", len(a.names), remedy))
			}
		})
	}
})

var _ = check("11.8-02", "no tool of an anonymous caller says filtered_by", func(c *C) {
	c.noStamp(c.advertised(), "filtered_by")
})

var _ = check("11.8-03", "no tool of an anonymous caller carries a token_ref", func(c *C) {
	c.noStamp(c.advertised(), "token_ref")
})

var _ = check("11.8-04", "no tool of an anonymous caller carries receipt_class or tier", func(c *C) {
	a := c.advertised()
	for _, key := range []string{"receipt_class", "tier"} {
		c.Row(key, func() { c.noStamp(a, key) })
	}
})

// noStamp demands that a key of _meta.crux is absent from every tool.
func (c *C) noStamp(a advert, key string) {
	c.noDifference("_meta.crux."+key, "absent from every tool", a.eachTool(func(t Listed) string {
		return presence(t.crux()[key])
	}), remedyToken)
}

// presence is a value that should not be there, empty where it is not.
func presence(v json.RawMessage) string {
	if v == nil {
		return ""
	}
	return clip(compact(v))
}

var _ = check("11.8-05", "no input schema of an anonymous caller carries a token stamp", func(c *C) {
	a := c.advertised()
	for _, key := range []string{"x-crux-token-ref", "x-crux-receipt-class", "x-crux-tier"} {
		c.Row(key, func() {
			c.noDifference("inputSchema."+key, "absent from every tool", a.eachTool(func(t Listed) string {
				s := c.schemaMembers(t)
				if _, stands := s[key]; stands {
					return keyword(s, key)
				}
				return ""
			}), remedyToken)
		})
	}
})

var _ = check("11.8-06", "the list of an anonymous caller has no _meta at its top", func(c *C) {
	var members map[string]json.RawMessage
	c.Given(RootList, func() { c.Decode("the tools/list result", c.Result("tools/list", nil), &members) })
	if v := presence(members["_meta"]); v != "" {
		c.Fail("member _meta of the result", "(absent)", v+remedyToken)
	}
})

var _ = check("11.8-07", "an anonymous caller is listed no extension tool", func(c *C) {
	var extensions []string
	for _, name := range c.advertised().names {
		if strings.HasPrefix(name, extensionPrefix) {
			extensions = append(extensions, name)
		}
	}
	c.noDifference("the names of the list", "none that begins with "+extensionPrefix, extensions, "")
})
