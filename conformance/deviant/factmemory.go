package deviant

import (
	"fmt"
	"strings"
	"sync"
)

// storedFact is a fact that the true server acknowledged.
type storedFact struct {
	id, entity, key, value string
}

// factMemory is what a proxy remembers of the facts that passed through it.
type factMemory struct {
	mu    sync.Mutex
	facts []storedFact
}

// note keeps the fact of an acknowledged store_fact and returns it.
func (m *factMemory) note(r *Request, a *Answer) {
	if r.Tool() != "store_fact" {
		return
	}
	a.EditResult(func(result map[string]any) {
		structured, _ := result["structuredContent"].(map[string]any)
		f := storedFact{}
		f.id, _ = text(structured, "fact_id")
		args := r.Args()
		f.entity, _ = text(args, "entity")
		f.key, _ = text(args, "key")
		f.value, _ = text(args, "value")
		if f.id != "" {
			m.mu.Lock()
			defer m.mu.Unlock()
			m.facts = append(m.facts, f)
		}
	})
}

// find lists the remembered facts that a filter accepts.
func (m *factMemory) find(accepts func(storedFact) bool) []storedFact {
	m.mu.Lock()
	defer m.mu.Unlock()
	var out []storedFact
	for _, f := range m.facts {
		if accepts(f) {
			out = append(out, f)
		}
	}
	return out
}

// knows reports whether a fact with the id passed through.
func (m *factMemory) knows(id string) bool {
	return len(m.find(func(f storedFact) bool { return f.id == id })) > 0
}

// matches reports whether a tool that is asked for an entity, or query_facts
// with a query, would find the fact if it were an ordinary one.
func (f storedFact) matches(args map[string]any) bool {
	entity, byEntity := text(args, "entity")
	if byEntity && entity != f.entity {
		return false
	}
	query, byWords := text(args, "query")
	if !byWords {
		return byEntity
	}
	held := strings.ToLower(f.value + "\n" + f.key + "\n" + f.entity)
	for _, term := range strings.Fields(strings.ToLower(query)) {
		if strings.Contains(held, term) {
			return true
		}
	}
	return false
}

// factsResult is a legal answer of query_facts that holds the facts.
func factsResult(facts []storedFact, args map[string]any) map[string]any {
	var rows, pointers, content []any
	var lines []string
	full := 0
	for _, f := range facts {
		rows = append(rows, map[string]any{
			"fact_id": f.id, "entity": f.entity, "key": f.key, "value": f.value, "confidence": 1, "effective_confidence": 1,
			"horizon_class": "none", "freshness": "fresh", "age_hours": 0, "superseded_by": nil, "actor": nil,
		})
		epitome := fmt.Sprintf("%s %s = %s", f.entity, f.key, f.value)
		pointers = append(pointers, map[string]any{
			"id": f.id, "score": 1, "epitome": epitome[:min(80, len(epitome))], "reason": "Exact",
		})
		content = append(content, map[string]any{"id": f.id, "text": f.value})
		lines = append(lines, fmt.Sprintf("[%s] %s = %s (confidence=1.00, effective_confidence=1.00, freshness=fresh, age_hours=0)",
			f.entity, f.key, f.value))
		full += len(f.value) / 4
	}
	structured := map[string]any{"rows": rows, "filtered_below_threshold": 0}
	shown := strings.Join(lines, "\n")
	if !legacy(args) {
		object := map[string]any{
			"contract": "crc-v1", "kind": "fact", "hydrate_tier": "full", "pointers": pointers, "content": content,
			"cost_estimate":  map[string]any{"pointer": 40 * len(facts), "summary": 150 * len(facts), "full": full},
			"agent_decision": nil,
			"meta":           map[string]any{"total_candidates": len(facts)},
		}
		structured["crc_v1"] = object
		shown = string(marshal(object))
	}
	return map[string]any{"content": []any{textItem(shown)}, "structuredContent": structured}
}

func textItem(s string) map[string]any { return map[string]any{"type": "text", "text": s} }
