package spec_test

import (
	"slices"
	"sort"
	"testing"
	"time"

	"cruxconform/spec"
)

func TestShapingNumbersAreThoseOfSection11_10(t *testing.T) {
	if spec.DynamicTopN != 12 {
		t.Errorf("dynamic mode lists %d scored tools, want 12", spec.DynamicTopN)
	}
	if spec.IntentTTL != 3600*time.Second {
		t.Errorf("an intent holds %s, want 3600 s", spec.IntentTTL)
	}
	if spec.TraceBoostCap != 12 {
		t.Errorf("a trace boost is at most %d, want 12", spec.TraceBoostCap)
	}
	modes := []string{spec.SurfaceFull, spec.SurfaceMinimal, spec.SurfaceDynamic}
	if want := []string{"full", "minimal", "dynamic"}; !slices.Equal(modes, want) {
		t.Errorf("modes %q, want %q", modes, want)
	}
	if spec.SurfaceEnv != "CORECRUXD_TOOL_SURFACE" {
		t.Errorf("the mode is read from %q, want CORECRUXD_TOOL_SURFACE", spec.SurfaceEnv)
	}
	if spec.AnonymousKey != "__anon__" {
		t.Errorf("anonymous callers share the slot %q, want __anon__ (section 11.8)", spec.AnonymousKey)
	}
}

func TestIntentBiasesAreThoseOfSection11_10(t *testing.T) {
	want := []struct {
		name   string
		biases []spec.Bias
	}{
		{"audit_review", []spec.Bias{{"audit", 30}, {"proof", 20}, {"retrieval", 10}}},
		{"compliance_export", []spec.Bias{{"audit", 30}, {"proof", 25}, {"economy", 10}}},
		{"document_ingest", []spec.Bias{{"memory", 30}, {"journal", 20}, {"retrieval", 10}}},
		{"session_review", []spec.Bias{{"session", 30}, {"memory", 20}, {"journal", 10}}},
		{"knowledge_query", []spec.Bias{{"retrieval", 30}, {"memory", 20}, {"session", 5}}},
	}
	intents := spec.Intents()
	if len(intents) != len(want) {
		t.Fatalf("%d intents, want %d", len(intents), len(want))
	}
	for i, row := range want {
		if intents[i].Name != row.name || !slices.Equal(intents[i].Biases, row.biases) {
			t.Errorf("intent %d is %s %v, want %s %v", i, intents[i].Name, intents[i].Biases, row.name, row.biases)
		}
		found, ok := spec.FindIntent(row.name)
		if !ok || found.Name != row.name {
			t.Errorf("FindIntent(%q) = %q, %v", row.name, found.Name, ok)
		}
	}
	for _, name := range []string{"", "Audit_Review", "audit", "none"} {
		if i, ok := spec.FindIntent(name); ok {
			t.Errorf("FindIntent(%q) found %s, want nothing", name, i.Name)
		}
	}
	review := intents[0]
	for affinity, want := range map[string]int{"audit": 30, "proof": 20, "retrieval": 10, "memory": 0, "": 0} {
		if have := review.Points(affinity); have != want {
			t.Errorf("audit_review gives %q %d points, want %d", affinity, have, want)
		}
	}
}

func TestBeyondFloorListsAreThoseOfSection11_10(t *testing.T) {
	audit := []string{
		"list_observations", "get_observation", "verify_observation", "record_decision", "declare_constraint",
		"get_constraints", "check_constraints", "audit_config", "check_config_audit", "audit_export_bundle",
		"tool_trace_recent", "learn",
	}
	memory := []string{
		"delete_fact", "list_entities", "fact_history", "memory_acknowledge_use", "memory_forget",
		"memory_forget_dry_run", "memory_edit", "memory_pin", "memory_history", "memory_freshness",
		"memory_sweep_candidates", "memory_set_horizon",
	}
	session := []string{
		"list_sessions", "delete_session", "archive_session", "unarchive_session", "get_workspace_storyline",
		"register_repo", "list_repos",
	}
	want := map[string][]string{
		"audit_review":      audit,
		"compliance_export": audit,
		"document_ingest":   memory,
		"session_review":    append(session, memory[:5]...),
		"knowledge_query":   append([]string{"get_gaps"}, memory[:11]...),
	}
	for _, i := range spec.Intents() {
		if !slices.Equal(i.BeyondFloor, want[i.Name]) {
			t.Errorf("%s shows %q beyond the floor, want %q", i.Name, i.BeyondFloor, want[i.Name])
		}
	}
}

// The affinities of the catalogue, the biases and the rule of section 11.10
// (positive scores only, highest first, ties in catalogue order, twelve at
// most, nothing of the floor) must give the lists that the section prints.
func TestCatalogueAffinitiesRankAsSection11_10Lists(t *testing.T) {
	for _, intent := range spec.Intents() {
		type scored struct {
			name   string
			points int
		}
		var ranked []scored
		for _, tool := range spec.Tools() {
			if p := intent.Points(tool.Affinity); p > 0 && tool.FloorIndex < 0 {
				ranked = append(ranked, scored{tool.Name, p})
			}
		}
		sort.SliceStable(ranked, func(i, j int) bool { return ranked[i].points > ranked[j].points })
		var names []string
		for _, s := range ranked[:min(len(ranked), 12)] {
			names = append(names, s.name)
		}
		if !slices.Equal(names, intent.BeyondFloor) {
			t.Errorf("%s ranks %q, want %q", intent.Name, names, intent.BeyondFloor)
		}
	}
}

// Section 11.10 names planes that no intent can surface, and affinities that
// no tool has.
func TestAffinitiesThatSection11_10Excludes(t *testing.T) {
	without := map[string]int{
		"coordination": 0, "orchestrators": 0, "punchcards": 0, "substrate": 0,
		"features": 0, "github": 0, "approvals": 0, "passport": 0,
	}
	for _, tool := range spec.Tools() {
		if _, listed := without[tool.Group]; listed {
			without[tool.Group]++
			if tool.Affinity != "" {
				t.Errorf("%s of plane %s has affinity %q, want none", tool.Name, tool.Group, tool.Affinity)
			}
		}
		if tool.Affinity == "journal" || tool.Affinity == "economy" {
			t.Errorf("%s has affinity %s, which no tool maps to", tool.Name, tool.Affinity)
		}
		if tool.Name == "proof_verify" {
			t.Error("proof_verify is in the catalogue, but is no tool")
		}
	}
	for plane, n := range without {
		if n == 0 {
			t.Errorf("the catalogue has no tool in plane %s", plane)
		}
	}
}
