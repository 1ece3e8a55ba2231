package spec_test

import (
	"encoding/json"
	"slices"
	"testing"

	"cruxconform/spec"
)

func toolNamed(t *testing.T, name string) spec.Tool {
	t.Helper()
	for _, tool := range spec.Tools() {
		if tool.Name == name {
			return tool
		}
	}
	t.Fatalf("the catalogue has no tool %s", name)
	return spec.Tool{}
}

// schemaOf is the part of an input schema that these tests read.
type schemaOf struct {
	Type       string                     `json:"type"`
	Required   []string                   `json:"required"`
	Properties map[string]json.RawMessage `json:"properties"`
}

func schema(t *testing.T, tool spec.Tool) schemaOf {
	t.Helper()
	var s schemaOf
	if err := json.Unmarshal(tool.InputSchema, &s); err != nil {
		t.Fatalf("%s: input schema: %v", tool.Name, err)
	}
	return s
}

func TestCatalogueCountsAreThoseOfSection11_7(t *testing.T) {
	var base, flagged []string
	seen := map[string]bool{}
	for _, tool := range spec.Tools() {
		if seen[tool.Name] {
			t.Errorf("%s stands twice in the catalogue", tool.Name)
		}
		seen[tool.Name] = true
		if tool.Base {
			base = append(base, tool.Name)
		} else {
			flagged = append(flagged, tool.Name)
		}
	}
	if len(base) != 118 {
		t.Errorf("the base catalogue has %d tools, want 118", len(base))
	}
	if want := []string{"request_passport_mint"}; !slices.Equal(flagged, want) {
		t.Errorf("a flag adds %q, want %q (together 119)", flagged, want)
	}
	if spec.MintTool != "request_passport_mint" {
		t.Errorf("MintTool is %q, want request_passport_mint", spec.MintTool)
	}
}

func TestFloorIsThatOfSection11_10(t *testing.T) {
	want := []string{
		"cuecrux_session",
		"query", "query_scan", "query_expand",
		"store_fact", "query_facts", "get_bootstrap", "memory_view",
		"save_session", "get_session",
		"get_agent_identity", "get_passport",
		"receipt_verify",
		"sync_status",
		"create_handoff", "accept_handoff",
	}
	if have := spec.Floor(); !slices.Equal(have, want) {
		t.Errorf("floor %q, want %q", have, want)
	}
}

// Three tools are marked [hosted] (section 11.8). sync_pull is named there as
// one; issue_passport in section 11.7.
func TestHostedToolsAreThree(t *testing.T) {
	want := []string{"issue_passport", "sync_pull", "sync_push"}
	var hosted []string
	for _, tool := range spec.Tools() {
		switch tool.Marker {
		case "[hosted]":
			hosted = append(hosted, tool.Name)
			if tool.Backend != "hosted.vaultcrux.com" {
				t.Errorf("%s has backend %q, want hosted.vaultcrux.com", tool.Name, tool.Backend)
			}
		case "[local]":
			if tool.Backend != "local" {
				t.Errorf("%s has backend %q, want local", tool.Name, tool.Backend)
			}
		default:
			t.Errorf("%s has marker %q, want [local] or [hosted]", tool.Name, tool.Marker)
		}
	}
	if !slices.Equal(hosted, want) {
		t.Errorf("hosted tools %q, want %q", hosted, want)
	}
}

func TestCapabilitiesFollowSection11_8(t *testing.T) {
	shared := []string{"query", "query_scan", "query_expand"}
	for _, tool := range spec.Tools() {
		want := "crux-mcp." + tool.Name
		if slices.Contains(shared, tool.Name) {
			want = "corecrux.query.local"
		}
		if tool.Capability != want {
			t.Errorf("%s has capability %q, want %q", tool.Name, tool.Capability, want)
		}
	}
}

func TestCRCKindsAreFour(t *testing.T) {
	want := map[string]string{"query": "search", "query_scan": "search", "query_expand": "addressed", "query_facts": "fact"}
	for _, tool := range spec.Tools() {
		if tool.CRCKind != want[tool.Name] {
			t.Errorf("%s has CRC-v1 kind %q, want %q", tool.Name, tool.CRCKind, want[tool.Name])
		}
	}
	for name := range want {
		toolNamed(t, name)
	}
}

func TestEveryToolHasWhatAListingShows(t *testing.T) {
	consequence := []string{
		"schema", "domain", "reversibility", "materiality", "idempotency_class", "blast_radius", "pro_enricher_available",
	}
	for _, tool := range spec.Tools() {
		if tool.Name == "" || tool.Description == "" || tool.Output == "" || tool.Group == "" {
			t.Errorf("%q: name, group, description or output is empty", tool.Name)
		}
		if s := schema(t, tool); s.Type != "object" {
			t.Errorf("%s: input schema has type %q, want object", tool.Name, s.Type)
		}
		var have map[string]any
		if err := json.Unmarshal(tool.Consequence, &have); err != nil {
			t.Errorf("%s: consequence metadata: %v", tool.Name, err)
		}
		for _, key := range consequence {
			if _, ok := have[key]; !ok {
				t.Errorf("%s: consequence metadata lacks %s", tool.Name, key)
			}
		}
	}
}
