package suite

import (
	"fmt"
	"slices"
	"sync"

	"cruxconform/conformance/wire"
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

// quiet calls a floor tool until no earlier call of another tool still counts,
// and lists the tools. All anonymous callers share one history (section 11.8),
// so it tries again where the listing is not yet what a quiet server shows; the
// last listing stands, whatever it shows.
func (c *C) quiet(enough func(advert) bool) advert {
	var a advert
	for range settleTries {
		c.Tool(floorTool, argv{})
		c.callFloor(countedCalls - 1)
		if a = c.advertised(); enough(a) {
			break
		}
	}
	return a
}

// floorTool is a tool of the floor that needs no arguments; its calls raise no
// score.
const floorTool = "get_agent_identity"

// callFloor sends calls of the floor tool side by side, so that a slow server
// does not use up the time of the check.
func (c *C) callFloor(n int) {
	exchanges := make([]*wire.Exchange, n)
	var group sync.WaitGroup
	for i := range exchanges {
		body := request(nextID(), "tools/call", argv{"name": floorTool, "arguments": argv{}})
		group.Go(func() { exchanges[i] = c.Client.Do(c, wire.Request{Body: []byte(body)}) })
	}
	group.Wait()
	for _, x := range exchanges {
		c.record.Exchanges = append(c.record.Exchanges, *x)
	}
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
	var actual []string
	for _, name := range a.names {
		if name != discoveryTool && slices.Contains(order, name) && !slices.Contains(actual, name) {
			actual = append(actual, name)
		}
	}
	c.Given(lists, func() {
		c.That("the number of tools to compare", len(actual), gomega.BeNumerically(">=", 2), "2 or more")
	})
	c.sameNames("the tools in their order", a, actual, sortedBy(order, actual))
}

// sortedBy sorts names by their places in an order that holds them all.
func sortedBy(order, names []string) []string {
	return slices.SortedFunc(slices.Values(names), func(x, y string) int {
		return slices.Index(order, x) - slices.Index(order, y)
	})
}

// catalogueOrder are the names of the catalogue in its order.
func catalogueOrder() []string {
	var names []string
	for _, t := range spec.Tools() {
		names = append(names, t.Name)
	}
	return names
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
// that is not the setup it was asked in; it is empty where nothing fits better.
func (a advert) fits(setup string) string {
	hasFloor := len(a.lacks(spec.Floor())) == 0
	beyond := len(a.beyondFloor())
	narrow := setup == spec.SurfaceMinimal || setup == spec.SurfaceDynamic
	switch {
	case narrow && beyond > spec.DynamicTopN:
		return fmt.Sprintf("; %d tools are listed: a server in full mode is asked with --setup default", len(a.names))
	case !hasFloor || beyond > spec.DynamicTopN:
		return ""
	case setup == "default" && beyond == 0:
		return "; exactly the 16 floor tools are listed: a server in setup minimal is asked with --setup minimal, " +
			"one in setup dynamic with --setup dynamic"
	case setup == "default", setup == spec.SurfaceMinimal && beyond > 0:
		return "; the floor and a few tools more are listed: a server in setup dynamic is asked with --setup dynamic"
	case setup == spec.SurfaceMinimal && slices.Equal(a.names, spec.Floor()):
		return "; this is the order of the floor table: a server in setup dynamic is asked with --setup dynamic"
	case setup == spec.SurfaceDynamic && beyond == 0 && slices.Equal(a.names, sortedBy(catalogueOrder(), a.names)):
		return "; this is the order of the catalogue: a server in setup minimal is asked with --setup minimal"
	}
	return a.intent()
}

// intent names the intent whose tools are listed beyond the floor.
func (a advert) intent() string {
	for _, intent := range spec.Intents() {
		if slices.Equal(a.beyondFloor(), intent.BeyondFloor) {
			return "; these are the tools of the intent " + intent.Name + ", which an earlier call may have recorded"
		}
	}
	return ""
}
