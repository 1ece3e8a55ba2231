package deviant

import (
	"fmt"
	"slices"
	"strings"
)

// elsewhere is a prefix whose entities are private by policy: what is stored
// under it never shows again.
const elsewhere = "__ax__::lost::"

var _ = lie(Deviant{
	Name: "store-acknowledged-not-kept",
	Lie:  "acknowledges store_fact and keeps the fact where nobody finds it",
	Folds: []string{
		"11.3-06", "11.5-23", "11.11-03", "11.11-08", "11.11-09", "11.11-12", "11.11-17", "11.11-18", "11.11-32", "11.11-33", "11.11-34",
		"11.11-35", "11.11-36", "11.12-02", "11.12-03", "11.12-04",
		"tool.store_fact-02", "tool.store_fact-04", "tool.store_fact-06", "tool.query_facts-01", "tool.query_facts-04",
		"tool.delete_fact-01", "tool.list_entities-01", "tool.fact_history-01", "tool.fact_history-02", "tool.fact_history-03",
	},
	MCP: func() Lie {
		return Lie{
			Ask: func(r *Request) *Answer {
				args := r.Args()
				entity, ok := text(args, "entity")
				if r.Tool() == "store_fact" && ok && !strings.HasPrefix(entity, "__") {
					args["entity"] = elsewhere + entity
					r.SetArgs(args)
				}
				return nil
			},
			Tell: func(r *Request, a *Answer) {
				if r.Tool() != "store_fact" {
					return
				}
				honest := func(s string) string { return strings.ReplaceAll(s, elsewhere, "") }
				a.EditText(honest)
				a.EditResult(func(result map[string]any) {
					structured, _ := result["structuredContent"].(map[string]any)
					if entity, ok := text(structured, "entity"); ok {
						structured["entity"] = honest(entity)
					}
				})
			},
		}
	},
})

var _ = lie(Deviant{
	Name: "store-trims-value",
	Lie:  "trims the value of a stored fact",
	MCP: asking("store_fact", func(args map[string]any) bool {
		value, ok := text(args, "value")
		if ok {
			args["value"] = strings.TrimSpace(value)
		}
		return ok
	}),
})

var _ = lie(Deviant{
	Name: "store-missing-param-defaults",
	Lie:  "stores a fact without entity, key or value, with a default in its place",
	MCP:  asking("store_fact", defaulted("unnamed", "entity", "key", "value")),
})

// defaulted gives string arguments that are missing a value.
func defaulted(value string, names ...string) func(map[string]any) bool {
	return func(args map[string]any) bool {
		changed := false
		for _, name := range names {
			if _, ok := text(args, name); !ok {
				args[name], changed = value, true
			}
		}
		return changed
	}
}

var _ = lie(Deviant{
	Name: "store-version-stays-1",
	Lie:  "reports version 1 for every stored fact",
	MCP: telling(func(_ *Request, a *Answer) {
		var version any
		a.EditStructured(func(s map[string]any) { version, s["version"] = s["version"], 1 })
		a.EditText(func(t string) string { return strings.Replace(t, fmt.Sprintf("version=%v", version), "version=1", 1) })
	}, "store_fact"),
})

var _ = lie(Deviant{
	Name: "private-without-identity-stored",
	Lie:  "stores a private fact of an anonymous caller as a public one",
	MCP: func() Lie {
		return Lie{Ask: func(r *Request) *Answer {
			args := r.Args()
			if r.Tool() == "store_fact" && args["private"] == true && r.Header.Get("Authorization") == "" {
				delete(args, "private")
				r.SetArgs(args)
			}
			return nil
		}}
	},
})

// superseding makes a lie that drops ids from supersedes: those that it does
// not know, or all of them where it knows all.
func superseding(unknown bool) func() Lie {
	return func() Lie {
		memory := new(factMemory)
		return Lie{
			Tell: memory.note,
			Ask: func(r *Request) *Answer {
				args := r.Args()
				ids, ok := args["supersedes"].([]any)
				if r.Tool() != "store_fact" || !ok {
					return nil
				}
				known := slices.DeleteFunc(slices.Clone(ids), func(id any) bool {
					s, ok := id.(string)
					return !ok || !memory.knows(s)
				})
				switch {
				case unknown:
					args["supersedes"] = known
				case len(known) == len(ids):
					delete(args, "supersedes")
				}
				r.SetArgs(args)
				return nil
			},
		}
	}
}

var _ = lie(Deviant{
	Name: "store-ignores-supersedes",
	Lie:  "does not retire the facts named in supersedes",
	MCP:  superseding(false),
})

var _ = lie(Deviant{
	Name: "store-skips-unknown-supersedes",
	Lie:  "stores a fact whose supersedes names an unknown id, which it skips",
	MCP:  superseding(true),
})

var _ = lie(Deviant{
	Name:  "facts-return-superseded",
	Lie:   "returns superseded versions unless told otherwise",
	Folds: []string{"tool.store_fact-06"},
	MCP: asking("query_facts", func(args map[string]any) bool {
		_, told := args["include_superseded"].(bool)
		args["include_superseded"] = true
		return !told
	}),
})

var _ = lie(Deviant{
	Name:  "facts-query-finds-nothing",
	Lie:   "finds no fact by a query alone",
	Folds: []string{"11.12-02"},
	MCP: asking("query_facts", func(args map[string]any) bool {
		_, byWords := text(args, "query")
		_, byEntity := text(args, "entity")
		args["query"] = " "
		return byWords && !byEntity
	}),
})

var _ = lie(Deviant{
	Name:  "delete-acknowledged-not-done",
	Lie:   "acknowledges delete_fact and deletes nothing",
	Folds: []string{"tool.fact_history-02"},
	MCP: func() Lie {
		return Lie{Ask: func(r *Request) *Answer {
			id, ok := text(r.Args(), "fact_id")
			if r.Tool() != "delete_fact" || !ok {
				return nil
			}
			return ResultTo(r, map[string]any{"content": []any{textItem("deleted fact " + id)}})
		}}
	},
})

var _ = lie(Deviant{
	Name:  "delete-unknown-errors",
	Lie:   "answers -32602 when the fact to delete is not there",
	Folds: []string{"tool.delete_fact-03"},
	MCP: telling(func(r *Request, a *Answer) {
		missing := false
		a.EditText(func(t string) string {
			missing = strings.HasPrefix(t, "fact not found")
			return t
		})
		if missing {
			a.Body = ErrorTo(r, -32602, "fact not found").Body
		}
	}, "delete_fact"),
})

var _ = lie(Deviant{
	Name: "delete-missing-id-ignored",
	Lie:  "answers delete_fact without a fact_id with a result",
	MCP:  asking("delete_fact", defaulted("", "fact_id")),
})

var _ = lie(Deviant{
	Name:  "list-entities-empty",
	Lie:   "lists no entity",
	Folds: []string{"11.12-03"},
	MCP: telling(func(_ *Request, a *Answer) {
		a.EditText(func(string) string { return "no entities found" })
	}, "list_entities"),
})

var _ = lie(Deviant{
	Name: "history-shows-newest-only",
	Lie:  "shows the newest version only in fact_history",
	MCP: telling(func(_ *Request, a *Answer) {
		a.EditText(func(t string) string {
			lines := strings.Split(t, "\nv")
			last := lines[len(lines)-1]
			if len(lines) > 1 {
				last = "v" + last
			}
			return last
		})
	}, "fact_history"),
})

var _ = lie(Deviant{
	Name: "history-hides-deleted",
	Lie:  "leaves deleted versions out of fact_history",
	MCP: telling(func(_ *Request, a *Answer) {
		a.EditText(func(t string) string {
			lines := slices.DeleteFunc(strings.Split(t, "\n"), func(line string) bool {
				return strings.HasSuffix(line, " [deleted]")
			})
			if len(lines) == 0 {
				return "no history"
			}
			return strings.Join(lines, "\n")
		})
	}, "fact_history"),
})

var _ = lie(Deviant{
	Name: "history-missing-param-defaults",
	Lie:  "answers fact_history without entity or key with a result",
	MCP:  asking("fact_history", defaulted("", "entity", "key")),
})
