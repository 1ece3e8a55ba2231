// Package crc holds the CRC-v1 answer object that the retrieval and fact tools
// share, and the choice between it and the legacy shape.
package crc

import (
	"strings"

	"cruxconform/reference/tools"
)

// Prices of an answer's tiers in tokens per row.
const (
	PointerTokens = 40
	SummaryTokens = 150
)

// Legacy reports whether the argument "contract" asks for the legacy shape.
// Anything that is not one of its four names, a value of another type included,
// means CRC-v1.
func Legacy(args tools.Args) bool {
	contract, _ := args.String("contract")
	switch strings.ToLower(strings.TrimSpace(contract)) {
	case "legacy", "v0", "none", "off":
		return true
	}
	return false
}

// Object is the CRC-v1 answer.
type Object struct {
	Contract      string         `json:"contract"`
	Kind          string         `json:"kind"`
	HydrateTier   string         `json:"hydrate_tier"`
	Pointers      []Pointer      `json:"pointers"`
	Content       []Content      `json:"content,omitempty"`
	CostEstimate  Cost           `json:"cost_estimate"`
	AgentDecision *Decision      `json:"agent_decision"`
	Envelope      Envelope       `json:"envelope"`
	Next          any            `json:"next"`
	Meta          map[string]any `json:"meta"`
}

// Pointer names one row. Score is a number, or nil for null.
type Pointer struct {
	ID          string `json:"id"`
	Score       any    `json:"score"`
	Epitome     string `json:"epitome,omitempty"`
	Reason      string `json:"reason,omitempty"`
	ContentHash string `json:"content_hash,omitempty"`
}

// Content is the text of a row that is given in full.
type Content struct {
	ID   string `json:"id"`
	Text string `json:"text"`
}

// Cost estimates the tokens of the emitted rows at each tier.
type Cost struct {
	Pointer uint64 `json:"pointer"`
	Summary uint64 `json:"summary"`
	Full    uint64 `json:"full"`
}

// CostOf prices rows pointers whose texts have full tokens together.
func CostOf(rows int, full uint64) Cost {
	n := uint64(rows)
	return Cost{Pointer: PointerTokens * n, Summary: SummaryTokens * n, Full: full}
}

// Decision tells an agent which lane carried a search.
type Decision struct {
	LoadBearingLane   string          `json:"load_bearing_lane"`
	FusedConfidence   *float64        `json:"fused_confidence"`
	SuggestedNextLane string          `json:"suggested_next_lane"`
	LaneAttribution   map[string]Lane `json:"lane_attribution"`
	ReadPointers      []string        `json:"read_pointers"`
}

// Lane is one lane's part in a search.
type Lane struct {
	Share      float64  `json:"share"`
	Confidence *float64 `json:"confidence"`
}

// BM25Decision is the decision of a search that only the lexical lane served.
func BM25Decision() *Decision {
	return &Decision{
		LoadBearingLane:   "Bm25",
		SuggestedNextLane: "None",
		LaneAttribution:   map[string]Lane{"bm25": {Share: 1}},
		ReadPointers:      []string{},
	}
}

// Envelope accounts for what an answer rests on. Freshness is nil for null.
type Envelope struct {
	Freshness        any               `json:"freshness"`
	ReceiptsUsed     []string          `json:"receipts_used"`
	MemoriesUsed     []Memory          `json:"memories_used"`
	AutonomyConsumed Autonomy          `json:"autonomy_consumed"`
	Links            map[string]string `json:"links"`
}

// Memory is a fact that an answer rests on.
type Memory struct {
	FactID    string `json:"fact_id"`
	Topic     string `json:"topic"`
	Freshness string `json:"freshness"`
}

// Autonomy is what an answer cost.
type Autonomy struct {
	Capability  string `json:"capability"`
	CostCredits int    `json:"cost_credits"`
	Scope       string `json:"scope"`
}

// NewEnvelope is an envelope without memories and links, for a call that needs
// the capability.
func NewEnvelope(capability string) Envelope {
	return Envelope{
		ReceiptsUsed:     []string{},
		MemoriesUsed:     []Memory{},
		AutonomyConsumed: Autonomy{Capability: capability, Scope: "agent"},
		Links:            map[string]string{},
	}
}
