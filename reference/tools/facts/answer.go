package facts

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/cespare/xxhash/v2"

	"cruxconform/reference/tools"
	"cruxconform/reference/tools/crc"
)

// epitomeBytes bounds the one-line summary of a row.
const epitomeBytes = 80

// row is one fact as query_facts answers it.
type row struct {
	FactID              string  `json:"fact_id"`
	Entity              string  `json:"entity"`
	Key                 string  `json:"key"`
	Value               string  `json:"value"`
	Confidence          float32 `json:"confidence"`
	EffectiveConfidence float32 `json:"effective_confidence"`
	HorizonClass        string  `json:"horizon_class"`
	Freshness           string  `json:"freshness"`
	AgeHours            int64   `json:"age_hours"`
	SupersededBy        *string `json:"superseded_by"`
	Actor               *string `json:"actor"`
}

// answer is the structuredContent of query_facts.
type answer struct {
	Rows                   []row       `json:"rows"`
	CRC                    *crc.Object `json:"crc_v1,omitempty"`
	FilteredBelowThreshold uint64      `json:"filtered_below_threshold"`
}

func (f findings) emptyAnswer() json.RawMessage {
	text := "no facts found"
	if f.belowFloor > 0 && f.belowFloor == f.matched {
		text = fmt.Sprintf("no facts above confidence floor (%d below threshold)", f.belowFloor)
	}
	return tools.TextWith(text, answer{Rows: []row{}, FilteredBelowThreshold: f.belowFloor})
}

func (p *plane) legacyAnswer(ctx context.Context, q question, found findings) json.RawMessage {
	kept := found.ranked
	if q.bounded {
		n, _ := fitting(kept, q.budget)
		if n < len(kept) {
			tools.NoteTruncated(ctx)
		}
		kept = kept[:n]
	}
	rows := p.rows(q, kept)
	lines := make([]string, len(rows))
	for i, r := range rows {
		lines[i] = fmt.Sprintf("[%s] %s = %s (confidence=%.2f, effective_confidence=%.2f, freshness=%s, age_hours=%d)",
			r.Entity, r.Key, r.Value, r.Confidence, r.EffectiveConfidence, r.Freshness, r.AgeHours)
	}
	return tools.TextWith(strings.Join(lines, "\n"), answer{Rows: rows, FilteredBelowThreshold: found.belowFloor})
}

func (p *plane) rows(q question, matches []match) []row {
	rows := make([]row, len(matches))
	for i, m := range matches {
		rows[i] = row{
			FactID: m.fact.ID, Entity: m.entity, Key: m.fact.Key, Value: m.fact.Value,
			Confidence: m.fact.Confidence, EffectiveConfidence: m.effective,
			HorizonClass: m.fact.Horizon, Freshness: p.decay.freshness(m.fact, q.now),
			AgeHours: ageHours(m.fact, q.now), SupersededBy: orNull(m.fact.SupersededBy),
			Actor: orNull(m.fact.Actor),
		}
	}
	return rows
}

func orNull(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// fitting returns how many leading matches a budget keeps in full, at least
// one, and the tokens that they take.
func fitting(matches []match, budget uint64) (n int, tokens uint64) {
	for n < len(matches) {
		next := matches[n].fact.Tokens()
		if n > 0 && tokens+next > budget {
			break
		}
		n++
		tokens += next
		if tokens >= budget {
			break
		}
	}
	return n, tokens
}

// portions says how a budget divides the ranked rows: given in full, demoted to
// pointers, left out.
type portions struct{ full, demoted, capped int }

func divide(matches []match, q question) portions {
	if !q.bounded {
		return portions{full: len(matches)}
	}
	full, tokens := fitting(matches, q.budget)
	rest := len(matches) - full
	demoted := 0
	if q.budget > tokens {
		demoted = int(min(uint64(rest), (q.budget-tokens)/crc.PointerTokens))
	}
	return portions{full, demoted, rest - demoted}
}

func (p *plane) crcAnswer(ctx context.Context, q question, found findings) json.RawMessage {
	parts := divide(found.ranked, q)
	if parts.demoted > 0 || parts.capped > 0 {
		tools.NoteTruncated(ctx)
	}
	rows := p.rows(q, found.ranked)
	object := crcObject(q, rows, parts)
	return tools.TextWith(string(tools.Compact(object)),
		answer{Rows: rows, CRC: object, FilteredBelowThreshold: found.belowFloor})
}

func crcObject(q question, rows []row, parts portions) *crc.Object {
	emitted := rows[:parts.full+parts.demoted]
	object := &crc.Object{
		Contract:    "crc-v1",
		Kind:        "fact",
		HydrateTier: "full",
		Envelope:    crcEnvelope(emitted),
		Next:        next{CanonicalSlug: rows[0].Entity},
		Meta:        crcMeta(q, len(rows), parts),
	}
	if q.byEntity {
		object.Next = next{CanonicalSlug: q.entity}
	}
	if parts.demoted > 0 {
		object.HydrateTier = "mixed"
	}
	var full uint64
	for i, r := range emitted {
		full += uint64(len(r.Value)) / 4
		object.Pointers = append(object.Pointers, pointer(r, i < parts.full))
		if i < parts.full {
			object.Content = append(object.Content, crc.Content{ID: r.FactID, Text: r.Value})
		}
	}
	object.CostEstimate = crc.CostOf(len(emitted), full)
	return object
}

func pointer(r row, full bool) crc.Pointer {
	out := crc.Pointer{
		ID: r.FactID, Score: r.EffectiveConfidence, Reason: "Exact",
		Epitome: cut(fmt.Sprintf("%s %s = %s", r.Entity, r.Key, r.Value), epitomeBytes),
	}
	if !full {
		out.Reason = "Demoted"
		out.ContentHash = fmt.Sprintf("%016x", xxhash.Sum64String(r.Value))
	}
	return out
}

// next tells an agent where to go on.
type next struct {
	CanonicalSlug     string  `json:"canonical_slug"`
	ResolutionPointer *string `json:"resolution_pointer"`
	Expand            *string `json:"expand"`
}

// freshness describes the first row in the envelope.
type freshness struct {
	EffectiveConfidence float32 `json:"effective_confidence"`
	AgeHours            int64   `json:"age_hours"`
	HorizonClass        string  `json:"horizon_class"`
	SupersededBy        *string `json:"superseded_by"`
}

func crcEnvelope(emitted []row) crc.Envelope {
	first := emitted[0]
	envelope := crc.NewEnvelope("facts:read")
	envelope.Freshness = freshness{first.EffectiveConfidence, first.AgeHours, first.HorizonClass, first.SupersededBy}
	envelope.Links["open_in_console"] = "https://crux.cuecrux.com/console#/facts"
	for _, r := range emitted {
		envelope.MemoriesUsed = append(envelope.MemoriesUsed, crc.Memory{FactID: r.FactID, Topic: r.Entity, Freshness: r.Freshness})
	}
	return envelope
}

// crcMeta always reports total_candidates, as section 11.11 has it.
func crcMeta(q question, ranked int, parts portions) map[string]any {
	meta := map[string]any{
		"resolved_by":      "query",
		"ranked":           q.byText && !q.byEntity,
		"total_candidates": ranked,
	}
	if q.byEntity {
		meta["resolved_by"] = "entity+key"
	}
	if parts.demoted > 0 || parts.capped > 0 {
		meta["demoted"] = parts.demoted
		meta["emitted_full"] = parts.full
	}
	if parts.capped > 0 {
		meta["capped"] = parts.capped
	}
	return meta
}

// cut shortens s to at most n bytes without splitting a letter.
func cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}
