package suite

import (
	"encoding/json"
	"slices"

	"cruxconform/spec"
)

// The upgrade block of a hosted tool, and its keys.
const (
	upgradeKey   = "upgrade"
	platformDocs = "https://crux.cuecrux.com/docs/platform/"
)

var upgradeKeys = []string{"platform_available", "requires", "docs"}

// upgrade is the upgrade block of a tool, nil where that is no object.
func (t Listed) upgrade() map[string]any {
	var m map[string]any
	if json.Unmarshal(t.crux()[upgradeKey], &m) != nil {
		return nil
	}
	return m
}

// upgradeOf is the upgrade block of a tool that must have a whole one.
func (c *C) upgradeOf(t Listed) map[string]any {
	u := t.upgrade()
	if u == nil {
		c.Fail("_meta.crux."+upgradeKey+" of "+t.Name, "an object", compact(t.crux()[upgradeKey])+postureOf(t.Name))
	}
	for _, key := range upgradeKeys {
		if _, stands := u[key]; !stands {
			c.Fail(key+" in the upgrade block of "+t.Name, "a value", "(absent) in "+show(u))
		}
	}
	return u
}

var _ = check("11.8-28", "each hosted tool carries an upgrade block", func(c *C) {
	a := c.advertised()
	for _, tool := range hostedTools() {
		c.Row(tool, func() { c.upgradeOf(c.listedTool(a, tool, "11.8-01")) })
	}
})

var _ = check("11.8-29", "the upgrade block says what a hosted tool takes", func(c *C) {
	a := c.advertised()
	for _, tool := range hostedTools() {
		c.Row(tool, func() {
			t := c.listedTool(a, tool, "11.8-01")
			var u map[string]any
			c.Given("11.8-28", func() { u = c.upgradeOf(t) })
			actual := map[string]any{}
			for _, key := range upgradeKeys {
				actual[key] = u[key]
			}
			c.Equal("the upgrade block", actual, map[string]any{
				"platform_available": true, "requires": "rcx_capability_token", "docs": platformDocs + tool,
			})
		})
	}
})

var _ = check("11.8-30", "no other tool carries an upgrade block", func(c *C) {
	c.noDifference("_meta.crux."+upgradeKey, "absent from every tool that is not hosted", c.advertised().eachTool(func(t Listed) string {
		if isHosted(t.Name) {
			return ""
		}
		return presence(t.crux()[upgradeKey])
	}), "")
})

var _ = check("11.8-31", "with agent passports issue_passport carries no upgrade block", func(c *C) {
	t := c.listedTool(c.advertised(), issueTool, "11.7-12")
	c.Given("11.7-11", func() { c.marked(t, localMarker, "") })
	c.Equal("_meta.crux."+upgradeKey+" of "+issueTool, compact(t.crux()[upgradeKey]), "(absent)")
})

// The output advert of a tool, and what it refers to.
const (
	outputKey   = "x-crux-output-schema"
	crcContract = "crc-v1"
	crcSchema   = "https://cuecrux.com/contracts/crc-v1.schema.json"
)

// outputAdvert is the raw advert of the CRC-v1 output of a tool, nil where there
// is none.
func (c *C) outputAdvert(t Listed) json.RawMessage {
	var members map[string]json.RawMessage
	c.Decode("the tool "+t.Name, t.Raw, &members)
	return members[outputKey]
}

// outputObject is the advert of a tool that must have one.
func (c *C) outputObject(t Listed) map[string]any {
	raw := c.outputAdvert(t)
	var m map[string]any
	if json.Unmarshal(raw, &m) != nil || m == nil {
		c.Fail(outputKey+" of "+t.Name, "an object", clip(compact(raw)))
	}
	return m
}

// crcTools are the tools with a CRC-v1 kind.
func crcTools() []string {
	return baseNames(func(t spec.Tool) bool { return t.CRCKind != "" })
}

var _ = check("11.8-32", "four tools advertise their CRC-v1 output beside the input schema", func(c *C) {
	a := c.advertised()
	for _, tool := range crcTools() {
		c.Row(tool, func() {
			m := c.outputObject(c.listedTool(a, tool, "11.7-01"))
			c.Equal("contract", m["contract"], any(crcContract))
		})
	}
})

var _ = check("11.8-33", "the output advert has $ref, kind and when as texts", func(c *C) {
	adverts := c.outputObjects()
	for _, key := range []string{"$ref", "kind", "when"} {
		c.Row(key, func() {
			var differences []string
			for _, tool := range crcTools() {
				if s, _ := adverts[tool][key].(string); s == "" {
					differences = append(differences, tool+": "+keyword(adverts[tool], key))
				}
			}
			c.noDifference(key+" of the output adverts", "a text that is not empty", differences, "")
		})
	}
})

// outputObjects are the adverts by tool; that they are there belongs to 11.8-32.
func (c *C) outputObjects() map[string]map[string]any {
	a := c.advertised()
	out := map[string]map[string]any{}
	for _, tool := range crcTools() {
		t := c.listedTool(a, tool, "11.7-01")
		c.Given("11.8-32", func() { out[tool] = c.outputObject(t) })
	}
	return out
}

// outputText is a text of an advert; that it is one belongs to 11.8-33.
func (c *C) outputText(tool string, output map[string]any, key string) string {
	s, _ := output[key].(string)
	if s == "" {
		c.Given("11.8-33", func() {
			c.Fail(key+" of the output advert of "+tool, "a text that is not empty", keyword(output, key))
		})
	}
	return s
}

var _ = check("11.8-34", "the output advert names the kind of each tool", func(c *C) {
	adverts := c.outputObjects()
	for _, tool := range crcTools() {
		c.Row(tool, func() {
			c.Equal("kind", c.outputText(tool, adverts[tool], "kind"), catalogue()[tool].CRCKind)
		})
	}
})

var _ = check("11.8-35", "the output advert refers to the CRC-v1 contract", func(c *C) {
	var differences []string
	for tool, output := range c.outputObjects() {
		if ref := c.outputText(tool, output, "$ref"); ref != crcSchema {
			differences = append(differences, tool+": "+ref)
		}
	}
	slices.Sort(differences)
	c.noDifference("$ref of the output adverts", crcSchema, differences, "")
})

var _ = check("11.8-36", "no other tool advertises a CRC-v1 output", func(c *C) {
	c.noDifference(outputKey, "absent from every tool without a CRC-v1 kind", c.advertised().eachTool(func(t Listed) string {
		if catalogue()[t.Name].CRCKind != "" {
			return ""
		}
		return presence(c.outputAdvert(t))
	}), "")
})
