package deviant

import (
	"fmt"
	"slices"
	"strings"
)

const bootstrapPrefix = "__bootstrap__::"

var _ = lie(Deviant{
	Name:  "bootstrap-store-refused",
	Lie:   "refuses store_fact under a __bootstrap__:: entity",
	Folds: []string{"11.12-02", "11.12-03", "11.12-04"},
	MCP: func() Lie {
		return Lie{Ask: func(r *Request) *Answer {
			entity, _ := text(r.Args(), "entity")
			if r.Tool() != "store_fact" || !strings.HasPrefix(entity, bootstrapPrefix) {
				return nil
			}
			return ErrorTo(r, -32602, "entity uses create-reserved prefix `"+bootstrapPrefix+"`")
		}}
	},
})

// leaking makes a lie that remembers bootstrap facts and shows those that match
// the arguments of a tool whose true answer holds none of them.
func leaking(tool string, show func(facts []storedFact, args map[string]any) map[string]any) func() Lie {
	return func() Lie {
		memory := new(factMemory)
		return Lie{Tell: func(r *Request, a *Answer) {
			memory.note(r, a)
			if r.Tool() != tool {
				return
			}
			args := r.Args()
			facts := memory.find(func(f storedFact) bool {
				return strings.HasPrefix(f.entity, bootstrapPrefix) && f.matches(args)
			})
			key, byKey := text(args, "key")
			if byKey {
				facts = slices.DeleteFunc(facts, func(f storedFact) bool { return f.key != key })
			}
			if len(facts) > 0 {
				a.Body = ResultTo(r, show(facts, args)).Body
			}
		}}
	}
}

var _ = lie(Deviant{
	Name: "bootstrap-leaks-into-query-facts",
	Lie:  "shows bootstrap facts in query_facts",
	MCP:  leaking("query_facts", factsResult),
})

var _ = lie(Deviant{
	Name: "bootstrap-leaks-into-fact-history",
	Lie:  "shows bootstrap facts in fact_history",
	MCP: leaking("fact_history", func(facts []storedFact, _ map[string]any) map[string]any {
		var lines []string
		for i, f := range facts {
			lines = append(lines, fmt.Sprintf("v%d: [%s] %s = %s (confidence=0.01, stored_at=2026-01-02 03:04:05.0 UTC, supersedes=-, actor=-)",
				i+1, f.entity, f.id, f.value))
		}
		return map[string]any{"content": []any{textItem(strings.Join(lines, "\n"))}}
	}),
})

var _ = lie(Deviant{
	Name: "bootstrap-leaks-into-list-entities",
	Lie:  "lists the entity of the seeded bootstrap marker in list_entities",
	MCP: telling(func(_ *Request, a *Answer) {
		a.EditText(func(listed string) string {
			lines := append(strings.Split(listed, "\n"), bootstrapPrefix+"_meta")
			slices.Sort(lines)
			return strings.Join(lines, "\n")
		})
	}, "list_entities"),
})
