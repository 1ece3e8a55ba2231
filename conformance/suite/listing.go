package suite

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"

	"cruxconform/spec"
)

// catalogue is the documented catalogue by name.
var catalogue = sync.OnceValue(func() map[string]spec.Tool {
	m := map[string]spec.Tool{}
	for _, t := range spec.Tools() {
		m[t.Name] = t
	}
	return m
})

// baseNames are the names of the base catalogue that the condition accepts, in
// its order.
func baseNames(accepts func(spec.Tool) bool) []string {
	var names []string
	for _, t := range spec.Tools() {
		if t.Base && accepts(t) {
			names = append(names, t.Name)
		}
	}
	return names
}

func anyTool(spec.Tool) bool { return true }

const (
	localMarker  = "[local]"
	hostedMarker = "[hosted]"
)

// hostedTools are the tools that the catalogue marks as hosted.
func hostedTools() []string {
	return baseNames(func(t spec.Tool) bool { return t.Marker == hostedMarker })
}

// isHosted reports whether the catalogue marks the tool of this name as hosted.
func isHosted(name string) bool { return catalogue()[name].Marker == hostedMarker }

// find is the first listed tool of a name.
func (a advert) find(name string) (Listed, bool) {
	if i := slices.Index(a.names, name); i >= 0 {
		return a.tools[i], true
	}
	return Listed{}, false
}

// listedTool is a tool that the listing must hold; that it does belongs to the
// entry lists.
func (c *C) listedTool(a advert, name, lists string) Listed {
	t, ok := a.find(name)
	if !ok {
		c.notListed(a, "a tool "+name, lists)
	}
	return t
}

// notListed ends a check, or its row, for want of tools in the listing. That
// they are listed belongs to the entry lists, unless the listing says itself
// that a capability token has narrowed it: then nothing can be said of them.
func (c *C) notListed(a advert, expected, lists string) {
	if a.stamped() {
		c.CannotRun("the list, which says that a capability token filtered it, does not hold %s; with a token that grants it "+
			"this can be asked", expected)
	}
	c.Given(lists, func() { c.Fail("the tools/list result", expected, a.summary(c.Setup)) })
}

// summary is the listing in a few words, with the setup that it fits better.
func (a advert) summary(setup string) string {
	return fmt.Sprintf("%d tools are listed, without it%s", len(a.names), a.fits(setup))
}

// stamped reports whether a tool of the listing says that a capability token
// filtered it.
func (a advert) stamped() bool {
	return slices.ContainsFunc(a.tools, func(t Listed) bool { return t.crux()["filtered_by"] != nil })
}

// eachTool collects what differs over all listed tools.
func (a advert) eachTool(differs func(t Listed) string) []string {
	var out []string
	for _, t := range a.tools {
		if d := differs(t); d != "" {
			out = append(out, t.Name+": "+d)
		}
	}
	return out
}

// documentedTools are the listed tools that the catalogue knows. That there are
// any belongs to 11.7-01.
func (c *C) documentedTools(a advert) []Listed {
	var known []Listed
	for _, t := range a.tools {
		if _, ok := catalogue()[t.Name]; ok {
			known = append(known, t)
		}
	}
	if len(known) == 0 {
		c.notListed(a, "a tool of the catalogue", "11.7-01")
	}
	return known
}

// differencesShown is how many differences a report line lists.
const differencesShown = 12

// noDifference fails where there are differences, and lists them with the
// remedy, if one is known.
func (c *C) noDifference(what, expected string, differences []string, remedy string) {
	n := len(differences)
	if n == 0 {
		return
	}
	actual := strings.Join(differences[:min(n, differencesShown)], "; ")
	if n > differencesShown {
		actual += fmt.Sprintf("; and %d more", n-differencesShown)
	}
	c.Fail(what, expected, actual+remedy)
}

// crux holds the members of _meta.crux of a listed tool, nil where that is no
// object.
func (t Listed) crux() map[string]json.RawMessage {
	var meta struct {
		Crux map[string]json.RawMessage `json:"crux"`
	}
	if json.Unmarshal(t.Meta, &meta) != nil {
		return nil
	}
	return meta.Crux
}

// schemaMembers holds the members of the input schema of a listed tool. That it
// is an object belongs to the root RootList.
func (c *C) schemaMembers(t Listed) map[string]any {
	var m map[string]any
	if json.Unmarshal(t.InputSchema, &m) != nil || m == nil {
		c.Given(RootList, func() { c.Fail("inputSchema of "+t.Name, "an object", clip(compact(t.InputSchema))) })
	}
	return m
}

// Remedies for a server whose operator set it up in another way than it is
// asked in.
const (
	remedyToken = "; an operator who attaches a capability token to the server declares it in the target file " +
		"(capability_token: attached)"
	remedyMint = "; a server with CORECRUXD_FEATURE_PASSPORT_MINT_REQUESTS=1 is asked with --setup mint"
	remedyPass = "; a server with CORECRUXD_AGENT_PASSPORTS=1 is asked with --setup agent-passports"
)

// remedy names what the operator of a server with such a list may have left
// unsaid.
func (a advert) remedy(setup string) string {
	if a.stamped() {
		return remedyToken
	}
	if fits := a.fits(setup); fits != "" {
		return fits
	}
	if setup == "default" && slices.Contains(a.names, spec.MintTool) {
		return remedyMint
	}
	return ""
}
