package retrieval

import (
	"encoding/json"
	"fmt"
	"maps"

	"cruxconform/reference/tools"
	"cruxconform/reference/tools/crc"
)

const (
	sourceLabel = "local_tenant_index"
	scoreSpace  = "bm25_lexical"
	// No hits of other spaces are ever merged in: the daemon has no vectors.
	mergeRule = "bm25_only"
)

// row is one hit in the legacy shape. The profiles are null: they belong to
// daemons with an embedder.
type row struct {
	ResultID               string  `json:"result_id"`
	Rank                   int     `json:"rank"`
	Score                  float64 `json:"score"`
	SourceLabel            string  `json:"source_label"`
	ScoreSpace             string  `json:"score_space"`
	SemanticProfileID      *string `json:"semantic_profile_id"`
	LocalSemanticProfileID *string `json:"local_semantic_profile_id"`
	SegmentIndex           int     `json:"segment_index"`
	DocID                  int     `json:"doc_id"`
	DocLengthTokens        int     `json:"doc_length_tokens"`
}

func newRow(rank int, score float64, d document) row {
	return row{
		ResultID: fmt.Sprintf("%d:%d", d.segment, d.number), Rank: rank, Score: score,
		SourceLabel: sourceLabel, ScoreSpace: scoreSpace,
		SegmentIndex: d.segment, DocID: d.number, DocLengthTokens: d.length,
	}
}

type coverage struct {
	Score         float64  `json:"score"`
	MissingTokens []string `json:"missing_tokens"`
	BelowFloor    int      `json:"below_floor"`
}

func (s *search) coverage() coverage {
	c := coverage{MissingTokens: s.missing, BelowFloor: s.belowFloor}
	if len(s.tokens) > 0 {
		c.Score = float64(len(s.tokens)-len(s.missing)) / float64(len(s.tokens))
	}
	return c
}

func meta() map[string]any {
	return map[string]any{
		"source_label":              sourceLabel,
		"score_space":               scoreSpace,
		"score_merge_rule":          mergeRule,
		"mixed_profile_merge_rule":  nil,
		"semantic_profile_id":       nil,
		"local_semantic_profile_id": nil,
		"local_semantic_profile":    nil,
		"embedding_fingerprint":     nil,
	}
}

// answer puts the rows and the other members of a search into the shape asked for.
func (s *search) answer(rowsKey string, extra map[string]any) json.RawMessage {
	rows := s.rows
	if rows == nil {
		rows = []row{}
	}
	if s.legacy {
		return legacyAnswer(rowsKey, rows, extra)
	}
	pointers := make([]crc.Pointer, len(rows))
	for i, r := range rows {
		pointers[i] = crc.Pointer{ID: r.ResultID, Score: r.Score}
	}
	object := addressed(pointers, tokensOf(rows), extra)
	object.Kind = "search"
	object.AgentDecision = crc.BM25Decision()
	// The placeholder is the documented literal, not filled in with ids.
	expand := `query_expand {result_ids:["<seg>:<doc>"...]}`
	object.Next = next{Expand: &expand}
	return text(object)
}

// next tells an agent how to go on from pointers.
type next struct {
	Expand            *string `json:"expand"`
	ResolutionPointer *string `json:"resolution_pointer"`
}

// addressed is the CRC-v1 object for rows that the caller named himself.
func addressed(pointers []crc.Pointer, fullTokens uint64, extra map[string]any) *crc.Object {
	m := meta()
	maps.Copy(m, extra)
	return &crc.Object{
		Contract:     "crc-v1",
		Kind:         "addressed",
		HydrateTier:  "pointer",
		Pointers:     pointers,
		CostEstimate: crc.CostOf(len(pointers), fullTokens),
		Envelope:     crc.NewEnvelope("retrieve:read"),
		Next:         next{},
		Meta:         m,
	}
}

func legacyAnswer(rowsKey string, rows any, extra map[string]any) json.RawMessage {
	object := map[string]any{rowsKey: rows, "meta": meta()}
	maps.Copy(object, extra)
	return text(object)
}

func text(object any) json.RawMessage {
	return tools.Text(string(tools.Compact(object)))
}
