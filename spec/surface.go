package spec

import "time"

// The numbers of surface shaping (section 11.10).
const (
	// DynamicTopN is how many scored tools dynamic mode lists beyond the floor.
	DynamicTopN = 12
	// IntentTTL is how long a recorded intent holds.
	IntentTTL = 3600 * time.Second
	// TraceBoostCap is the greatest boost that recent calls give a tool; it
	// stays below the greatest bias of an intent.
	TraceBoostCap = 12
	// AnonymousKey is the one intent slot that all anonymous callers share
	// (section 11.8).
	AnonymousKey = "__anon__"
)

// The surface modes and the variable that chooses one (section 11.10). A value
// that names no mode means full.
const (
	SurfaceEnv     = "CORECRUXD_TOOL_SURFACE"
	SurfaceFull    = "full"
	SurfaceMinimal = "minimal"
	SurfaceDynamic = "dynamic"
)

// Bias is what an intent adds to the score of the tools of one affinity.
type Bias struct {
	Affinity string
	Points   int
}

// Intent is one of the five that dynamic mode knows; any other string biases
// nothing.
type Intent struct {
	Name string
	// Biases stand in the order of section 11.10. No tool has the affinity
	// journal or economy.
	Biases []Bias
	// BeyondFloor lists what dynamic mode shows after the floor, in this order,
	// to a caller without recent calls.
	BeyondFloor []string
}

// Points returns the bias of the intent for an affinity, 0 where it has none.
func (i Intent) Points(affinity string) int {
	for _, b := range i.Biases {
		if b.Affinity == affinity {
			return b.Points
		}
	}
	return 0
}

// Intents returns the five intents in the order of section 11.10.
func Intents() []Intent {
	audit := []string{
		"list_observations", "get_observation", "verify_observation", "record_decision",
		"declare_constraint", "get_constraints", "check_constraints", "audit_config",
		"check_config_audit", "audit_export_bundle", "tool_trace_recent", "learn",
	}
	return []Intent{
		{
			Name:        "audit_review",
			Biases:      []Bias{{"audit", 30}, {"proof", 20}, {"retrieval", 10}},
			BeyondFloor: audit,
		},
		{
			Name:        "compliance_export",
			Biases:      []Bias{{"audit", 30}, {"proof", 25}, {"economy", 10}},
			BeyondFloor: audit,
		},
		{
			Name:   "document_ingest",
			Biases: []Bias{{"memory", 30}, {"journal", 20}, {"retrieval", 10}},
			BeyondFloor: []string{
				"delete_fact", "list_entities", "fact_history", "memory_acknowledge_use",
				"memory_forget", "memory_forget_dry_run", "memory_edit", "memory_pin",
				"memory_history", "memory_freshness", "memory_sweep_candidates", "memory_set_horizon",
			},
		},
		{
			Name:   "session_review",
			Biases: []Bias{{"session", 30}, {"memory", 20}, {"journal", 10}},
			BeyondFloor: []string{
				"list_sessions", "delete_session", "archive_session", "unarchive_session",
				"get_workspace_storyline", "register_repo", "list_repos", "delete_fact",
				"list_entities", "fact_history", "memory_acknowledge_use", "memory_forget",
			},
		},
		{
			Name:   "knowledge_query",
			Biases: []Bias{{"retrieval", 30}, {"memory", 20}, {"session", 5}},
			BeyondFloor: []string{
				"get_gaps", "delete_fact", "list_entities", "fact_history",
				"memory_acknowledge_use", "memory_forget", "memory_forget_dry_run", "memory_edit",
				"memory_pin", "memory_history", "memory_freshness", "memory_sweep_candidates",
			},
		},
	}
}

// FindIntent returns the intent with the given name. Names are case-sensitive.
func FindIntent(name string) (Intent, bool) {
	for _, i := range Intents() {
		if i.Name == name {
			return i, true
		}
	}
	return Intent{}, false
}
