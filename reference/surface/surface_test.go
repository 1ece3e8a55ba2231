package surface_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"cruxconform/reference/surface"
	"cruxconform/spec"
)

func TestParseMode(t *testing.T) {
	for v, want := range map[string]surface.Mode{
		"minimal": surface.Minimal, "MINIMAL": surface.Minimal, " \tMinimal\n": surface.Minimal,
		"dynamic": surface.Dynamic, " DyNaMiC ": surface.Dynamic,
		"full": surface.Full, "": surface.Full, "minimall": surface.Full, "min": surface.Full, "1": surface.Full,
	} {
		if got := surface.ParseMode(v); got != want {
			t.Errorf("%q: got %s, expected %s", v, got, want)
		}
	}
}

// floor is the core floor in the order of section 11.10; catalogueFloor is the
// same in the order in which the catalogue lists them.
var (
	floor = []string{
		"cuecrux_session", "query", "query_scan", "query_expand", "store_fact", "query_facts", "get_bootstrap", "memory_view",
		"save_session", "get_session", "get_agent_identity", "get_passport", "receipt_verify", "sync_status", "create_handoff", "accept_handoff",
	}
	catalogueFloor = []string{
		"cuecrux_session", "query", "query_scan", "query_expand", "store_fact", "query_facts", "get_bootstrap", "memory_view",
		"get_session", "save_session", "receipt_verify", "get_agent_identity", "create_handoff", "accept_handoff", "get_passport", "sync_status",
	}
)

func names(tools []spec.Tool) []string {
	var out []string
	for _, t := range tools {
		out = append(out, t.Name)
	}
	return out
}

// TestShape: full is the identity, the other modes keep the floor alone while
// nobody recorded an intent.
func TestShape(t *testing.T) {
	all := surface.Catalogue{}.Tools()
	for mode, want := range map[surface.Mode][]string{
		surface.Full: names(all), surface.Minimal: catalogueFloor, surface.Dynamic: floor,
	} {
		if got := names(surface.Shape(mode, all)); !slices.Equal(got, want) {
			t.Errorf("%s:\n     got %q\nexpected %q", mode, got, want)
		}
	}
}

func TestShapeOnlyRemoves(t *testing.T) {
	all := surface.Catalogue{}.Tools()
	without := slices.DeleteFunc(slices.Clone(all), func(t spec.Tool) bool { return t.Name == "query" })
	before := names(without)
	for _, mode := range []surface.Mode{surface.Minimal, surface.Dynamic} {
		got := names(surface.Shape(mode, without))
		if len(got) != 15 || slices.Contains(got, "query") {
			t.Errorf("%s brings a floor tool back that was filtered out, or loses another: %q", mode, got)
		}
	}
	if !slices.Equal(names(without), before) {
		t.Error("Shape changed the list that it was given")
	}
	for _, mode := range []surface.Mode{surface.Full, surface.Minimal, surface.Dynamic} {
		if got := surface.Shape(mode, nil); len(got) != 0 {
			t.Errorf("%s makes tools from nothing: %q", mode, names(got))
		}
	}
}

// TestCatalogue: 118 tools, 119 with mint requests; agent passports change one
// marker (section 11.7).
func TestCatalogue(t *testing.T) {
	for _, c := range []struct {
		catalogue surface.Catalogue
		tools     int
		mint      bool
		hosted    []string
	}{
		{surface.Catalogue{}, 118, false, []string{"issue_passport", "sync_pull", "sync_push"}},
		{surface.Catalogue{MintRequests: true}, 119, true, []string{"issue_passport", "sync_pull", "sync_push"}},
		{surface.Catalogue{AgentPassports: true}, 118, false, []string{"sync_pull", "sync_push"}},
		{surface.Catalogue{MintRequests: true, AgentPassports: true}, 119, true, []string{"sync_pull", "sync_push"}},
	} {
		tools := c.catalogue.Tools()
		if len(tools) != c.tools {
			t.Errorf("%+v: %d tools, expected %d", c.catalogue, len(tools), c.tools)
		}
		if got := slices.Contains(names(tools), "request_passport_mint"); got != c.mint {
			t.Errorf("%+v: request_passport_mint listed %t, expected %t", c.catalogue, got, c.mint)
		}
		var hosted []string
		for _, tool := range tools {
			if tool.Marker == "[hosted]" {
				hosted = append(hosted, tool.Name)
			}
		}
		if !slices.Equal(hosted, c.hosted) {
			t.Errorf("%+v: hosted %q, expected %q", c.catalogue, hosted, c.hosted)
		}
	}
	if got := (surface.Catalogue{}).Tools(); !slices.ContainsFunc(got, func(t spec.Tool) bool { return t.Name == "issue_passport" && t.Marker == "[hosted]" }) {
		t.Error("agent passports of one catalogue changed another one")
	}
}

// entry is a listed tool as a client reads it.
type entry struct {
	Name        string
	Description string
	InputSchema struct{ Type string }
	Meta        struct {
		Crux map[string]json.RawMessage
	} `json:"_meta"`
	Output map[string]string `json:"x-crux-output-schema"`
}

func listing(t *testing.T, mode surface.Mode, c surface.Catalogue) []entry {
	t.Helper()
	raw := surface.Result(mode, c)
	var members map[string]json.RawMessage
	if err := json.Unmarshal(raw, &members); err != nil {
		t.Fatal(err)
	}
	if len(members) != 1 {
		t.Errorf("the result has %d members, expected tools alone", len(members))
	}
	var tools []entry
	if err := json.Unmarshal(members["tools"], &tools); err != nil {
		t.Fatal(err)
	}
	return tools
}

func TestResultListsEveryToolInFull(t *testing.T) {
	tools := listing(t, surface.Full, surface.Catalogue{})
	if len(tools) != 118 {
		t.Fatalf("%d tools, expected 118", len(tools))
	}
	crc := map[string]string{"query": "search", "query_scan": "search", "query_expand": "addressed", "query_facts": "fact"}
	for _, e := range tools {
		if !strings.HasPrefix(e.Description, "[local] ") && !strings.HasPrefix(e.Description, "[hosted] ") {
			t.Errorf("%s: the description has no marker: %.40q", e.Name, e.Description)
		}
		if e.InputSchema.Type != "object" {
			t.Errorf("%s: the input schema has type %q, expected object", e.Name, e.InputSchema.Type)
		}
		if len(e.Meta.Crux["consequence_metadata"]) == 0 {
			t.Errorf("%s carries no consequence metadata", e.Name)
		}
		_, upgrade := e.Meta.Crux["upgrade"]
		if hosted := strings.HasPrefix(e.Description, "[hosted]"); upgrade != hosted {
			t.Errorf("%s: upgrade block %t, expected %t", e.Name, upgrade, hosted)
		}
		if got, want := e.Output["kind"], crc[e.Name]; got != want {
			t.Errorf("%s: output kind %q, expected %q", e.Name, got, want)
		}
		hint, first := strings.Contains(e.Description, "\n\nTip: `cuecrux_session`"), e.Name == "cuecrux_session"
		if hint == first {
			t.Errorf("%s: common hint %t, expected %t", e.Name, hint, !first)
		}
	}
}

func TestUpgradeBlockFollowsTheMarker(t *testing.T) {
	for _, c := range []struct {
		catalogue surface.Catalogue
		upgrade   string
	}{
		{surface.Catalogue{}, `{"platform_available":true,"requires":"rcx_capability_token","docs":"https://crux.cuecrux.com/docs/platform/issue_passport"}`},
		{surface.Catalogue{AgentPassports: true}, ""},
	} {
		tools := listing(t, surface.Full, c.catalogue)
		at := slices.IndexFunc(tools, func(e entry) bool { return e.Name == "issue_passport" })
		if at < 0 {
			t.Fatal("issue_passport is not listed")
		}
		if got := string(tools[at].Meta.Crux["upgrade"]); got != c.upgrade {
			t.Errorf("%+v: upgrade block %s, expected %s", c.catalogue, got, c.upgrade)
		}
	}
}

// TestFullListingStaysInItsSize: the whole surface is what most clients load at
// their start.
func TestFullListingStaysInItsSize(t *testing.T) {
	if n := len(surface.Result(surface.Full, surface.Catalogue{})); n < 90_000 || n > 130_000 {
		t.Errorf("the full list has %d bytes, expected 90,000 to 130,000", n)
	}
}
