package suite

import (
	"fmt"
	"slices"

	"cruxconform/spec"

	"github.com/onsi/gomega"
)

// advert is what tools/list advertises, looked at as section 11.10 does.
type advert struct {
	tools []Listed
	// names are those of the tools, in their order.
	names []string
}

func (c *C) advertised() advert {
	a := advert{tools: c.Listing()}
	for _, t := range a.tools {
		a.names = append(a.names, t.Name)
	}
	return a
}

const (
	// countedCalls is how many of the newest calls may raise the score of a tool
	// in dynamic mode.
	countedCalls = 20
	// settleTries is how often a listing is asked for where another client calls
	// tools at the same time.
	settleTries = 5
)

// quiet calls a floor tool until no earlier call of another tool still
// counts, and lists the tools. All anonymous callers share one history (section
// 11.8), so it tries again where the listing is not yet what a quiet server
// shows; the last listing stands, whatever it shows.
func (c *C) quiet(enough func(advert) bool) advert {
	var a advert
	for range settleTries {
		for range countedCalls {
			c.Tool("get_agent_identity", argv{})
		}
		if a = c.advertised(); enough(a) {
			break
		}
	}
	return a
}

// beyondFloor lists the names outside the floor, never nil.
func (a advert) beyondFloor() []string {
	out := []string{}
	for _, name := range a.names {
		if !slices.Contains(spec.Floor(), name) {
			out = append(out, name)
		}
	}
	return out
}

// lacks lists what is not advertised of some names, never nil.
func (a advert) lacks(names []string) []string {
	out := []string{}
	for _, name := range names {
		if !slices.Contains(a.names, name) {
			out = append(out, name)
		}
	}
	return out
}

func (c *C) nothingBeyondFloor(a advert) {
	c.sameNames("the names outside the floor", a, a.beyondFloor(), []string{})
}

func (c *C) lacksNone(a advert, names []string) {
	c.sameNames(fmt.Sprintf("what is missing of %d tools", len(names)), a, a.lacks(names), []string{})
}

func (c *C) discoveryFirst(a advert) {
	c.sameNames("the first tool", a, a.names[:1], []string{discoveryTool})
}

// listsEach runs a row for each tool that must be advertised.
func (c *C) listsEach(tools ...string) {
	a := c.advertised()
	for _, tool := range tools {
		c.Row(tool, func() {
			if !slices.Contains(a.names, tool) {
				c.Fail("the tools/list result", "a tool "+tool, a.shown())
			}
		})
	}
}

// inOrder demands that those tools which are listed stand in the given order.
// The place of the discovery tool belongs to other entries. That there are
// tools to compare belongs to the entry lists.
func (c *C) inOrder(a advert, order []string, lists string) {
	rank := func(name string) int { return slices.Index(order, name) }
	var actual []string
	for _, name := range a.names {
		if name != discoveryTool && rank(name) >= 0 && !slices.Contains(actual, name) {
			actual = append(actual, name)
		}
	}
	c.Given(lists, func() {
		c.That("the number of tools to compare", len(actual), gomega.BeNumerically(">=", 2), "2 or more")
	})
	expected := slices.SortedFunc(slices.Values(actual), func(x, y string) int { return rank(x) - rank(y) })
	c.Equal("the tools in their order", actual, expected)
}

// sameNames compares names and says, where they differ, what the whole listing
// looks like.
func (c *C) sameNames(what string, a advert, actual, expected []string) {
	if !slices.Equal(actual, expected) {
		c.Fail(what, show(expected), show(actual)+a.fits(c.Setup))
	}
}

// shown is the listing for a report line.
func (a advert) shown() string { return show(a.names) }

// fits names the setup, or the recorded intent, that a listing looks like where
// that is not the setup it was asked in.
func (a advert) fits(setup string) string {
	beyond := a.beyondFloor()
	hasFloor := len(a.lacks(spec.Floor())) == 0
	few := len(beyond) <= spec.DynamicTopN
	switch {
	case setup == "default" && hasFloor && few && len(beyond) == 0:
		return "; exactly the 16 floor tools are listed: a server in setup minimal is asked with --setup minimal, " +
			"one in setup dynamic with --setup dynamic"
	case setup == "default" && hasFloor && few, setup == spec.SurfaceMinimal && hasFloor && few && len(beyond) > 0:
		return "; the floor and a few tools more are listed: a server in setup dynamic is asked with --setup dynamic"
	case (setup == spec.SurfaceMinimal || setup == spec.SurfaceDynamic) && !few:
		return fmt.Sprintf("; %d tools are listed: a server in full mode is asked with --setup default", len(a.names))
	}
	for _, intent := range spec.Intents() {
		if slices.Equal(beyond, intent.BeyondFloor) {
			return "; these are the tools of the intent " + intent.Name + ", which an earlier call may have recorded"
		}
	}
	return ""
}
