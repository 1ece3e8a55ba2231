package deviant

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"cruxconform/spec"
)

const discoveryTool = "cuecrux_session"

// readvertising makes a lie about which tools a list holds and in what order.
func readvertising(change func(tools []any) []any) func() Lie {
	return onAnswer(func(r *Request, a *Answer) {
		if !r.Is("tools/list") {
			return
		}
		a.EditResult(func(result map[string]any) {
			if tools, ok := result["tools"].([]any); ok {
				result["tools"] = change(tools)
			}
		})
	})
}

// rewriting makes a lie about what each listed tool holds.
func rewriting(change func(tool map[string]any)) func() Lie {
	return onAnswer(func(r *Request, a *Answer) {
		if r.Is("tools/list") {
			a.EditTools(func(tool map[string]any) bool {
				change(tool)
				return true
			})
		}
	})
}

func nameOf(tool any) string {
	t, _ := tool.(map[string]any)
	name, _ := t["name"].(string)
	return name
}

// hiding leaves tools out of a list.
func hiding(names ...string) func() Lie {
	return readvertising(func(tools []any) []any {
		return slices.DeleteFunc(tools, func(t any) bool { return slices.Contains(names, nameOf(t)) })
	})
}

// discoveryLast puts the discovery tool behind all others.
func discoveryLast(tools []any) []any {
	i := slices.IndexFunc(tools, func(t any) bool { return nameOf(t) == discoveryTool })
	if i < 0 {
		return tools
	}
	last := tools[i]
	return append(slices.Delete(tools, i, i+1), last)
}

// ordered sorts a list by the place of its tools in a given order; what is not
// in it comes last.
func ordered(order []string) func(tools []any) []any {
	place := func(t any) int {
		if i := slices.Index(order, nameOf(t)); i >= 0 {
			return i
		}
		return len(order)
	}
	return func(tools []any) []any {
		slices.SortStableFunc(tools, func(a, b any) int { return place(a) - place(b) })
		return tools
	}
}

// catalogueNames are the names of the catalogue in its order.
func catalogueNames() []string {
	var names []string
	for _, t := range spec.Tools() {
		names = append(names, t.Name)
	}
	return names
}

// listed is a tool of the catalogue as a full list shows it.
func listed(name string) map[string]any {
	for _, t := range spec.Tools() {
		if t.Name == name {
			return map[string]any{
				"name": t.Name, "description": t.ListedDescription(t.Marker), "inputSchema": t.InputSchema,
				"_meta": map[string]any{"crux": map[string]any{"consequence_metadata": t.Consequence}},
			}
		}
	}
	panic(fmt.Sprintf("deviant: the catalogue has no tool %s", name))
}

// showing adds tools of the catalogue that a list does not hold, in catalogue
// order.
func showing(names ...string) func(tools []any) []any {
	return func(tools []any) []any {
		for _, name := range names {
			if !slices.ContainsFunc(tools, func(t any) bool { return nameOf(t) == name }) {
				tools = append(tools, listed(name))
			}
		}
		return ordered(catalogueNames())(tools)
	}
}

// counting remembers how often each tool was called.
type counting struct {
	mu    sync.Mutex
	calls map[string]int
}

func (n *counting) ask(r *Request) *Answer {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.calls[r.Tool()]++
	return nil
}

func (n *counting) tell(r *Request, a *Answer) {
	if !r.Is("tools/list") {
		return
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	a.EditTools(func(tool map[string]any) bool {
		if calls := n.calls[nameOf(tool)]; calls > 0 {
			d, _ := tool["description"].(string)
			marker, text := cutMarker(d)
			tool["description"] = fmt.Sprintf("%sCalled %d times so far. %s", marker, calls, text)
		}
		return true
	})
}

// cutMarker parts a description behind its marker.
func cutMarker(description string) (marker, text string) {
	if i := strings.Index(description, "] "); strings.HasPrefix(description, "[") && i > 0 {
		return description[:i+2], description[i+2:]
	}
	return "", description
}

var _ = lie(Deviant{
	Name: "full-counts-calls-in-descriptions",
	Lie:  "says in the description of a listed tool how often it was called",
	MCP: func() Lie {
		n := counting{calls: map[string]int{}}
		return Lie{Ask: n.ask, Tell: n.tell}
	},
})

var _ = lie(Deviant{
	Name: "typo-means-minimal",
	Lie:  "takes a CORECRUXD_TOOL_SURFACE value that names no mode for minimal",
	MCP: readvertising(func(tools []any) []any {
		return slices.DeleteFunc(tools, func(t any) bool { return !slices.Contains(spec.Floor(), nameOf(t)) })
	}),
})

var _ = lie(Deviant{
	Name: "spaced-value-means-full",
	Lie:  "does not know a CORECRUXD_TOOL_SURFACE value with blanks around it, and so lists the full catalogue",
	Env:  map[string]string{spec.SurfaceEnv: spec.SurfaceFull},
})

var _ = lie(Deviant{
	Name: "minimal-keeps-learn",
	Lie:  "lists learn in minimal mode, which is not in the floor",
	MCP:  readvertising(showing("learn")),
})

// Lies about the groups of the floor in minimal mode.
var (
	_ = lie(Deviant{
		Name: "minimal-lacks-discovery", Lie: "leaves cuecrux_session out of the minimal list",
		MCP: hiding(discoveryTool),
	})
	_ = lie(Deviant{
		Name: "minimal-pins-discovery-last", Lie: "puts cuecrux_session at the end of the minimal list",
		MCP: readvertising(discoveryLast),
	})
	_ = lie(Deviant{
		Name: "minimal-lacks-retrieve", Lie: "leaves the retrieve group out of the minimal list",
		MCP: hiding("query", "query_scan", "query_expand"),
	})
	_ = lie(Deviant{
		Name: "minimal-lacks-remember", Lie: "leaves the remember group out of the minimal list",
		MCP: hiding("store_fact", "query_facts", "get_bootstrap", "memory_view"),
	})
	_ = lie(Deviant{
		Name: "minimal-lacks-session-continuity", Lie: "leaves the session continuity group out of the minimal list",
		MCP: hiding("save_session", "get_session"),
	})
	_ = lie(Deviant{
		Name: "minimal-lacks-self-identify", Lie: "leaves the self identify group out of the minimal list",
		MCP: hiding("get_agent_identity", "get_passport"),
	})
	_ = lie(Deviant{
		Name: "minimal-lacks-verify", Lie: "leaves the verify group out of the minimal list",
		MCP: hiding("receipt_verify"),
	})
	_ = lie(Deviant{
		Name: "minimal-lacks-ops-posture", Lie: "leaves the ops posture group out of the minimal list",
		MCP: hiding("sync_status"),
	})
	_ = lie(Deviant{
		Name: "minimal-lacks-coordination", Lie: "leaves the coordination group out of the minimal list",
		MCP: hiding("create_handoff", "accept_handoff"),
	})
)

var _ = lie(Deviant{
	Name: "minimal-in-floor-order",
	Lie:  "lists the floor in the order of the floor table in minimal mode",
	MCP:  readvertising(ordered(spec.Floor())),
})

var _ = lie(Deviant{
	Name: "minimal-strips-schemas",
	Lie:  "replaces the input schemas of the minimal list by empty object schemas",
	MCP:  rewriting(func(tool map[string]any) { tool["inputSchema"] = map[string]any{"type": "object"} }),
})

var _ = lie(Deviant{
	Name: "minimal-strips-consequences",
	Lie:  "leaves _meta out of the tools of the minimal list",
	MCP:  rewriting(func(tool map[string]any) { delete(tool, "_meta") }),
})

var _ = lie(Deviant{
	Name: "dynamic-pads-the-floor",
	Lie:  "fills the dynamic list up with tools that have no score",
	MCP: readvertising(func(tools []any) []any {
		for _, t := range spec.Tools() {
			if len(tools) < len(spec.Floor())+spec.DynamicTopN && t.Base && t.Affinity == "" && t.FloorIndex < 0 {
				tools = append(tools, listed(t.Name))
			}
		}
		return tools
	}),
})

var _ = lie(Deviant{
	Name: "dynamic-lacks-sync-status",
	Lie:  "leaves sync_status, which has no affinity, out of the dynamic list",
	MCP:  hiding("sync_status"),
})

var _ = lie(Deviant{
	Name: "dynamic-pins-discovery-last",
	Lie:  "puts cuecrux_session at the end of the dynamic list",
	MCP:  readvertising(discoveryLast),
})

var _ = lie(Deviant{
	Name: "dynamic-in-catalogue-order",
	Lie:  "lists the tools in the order of the catalogue in dynamic mode",
	MCP:  readvertising(ordered(catalogueNames())),
})

// refusingHidden takes a tool outside the floor for an unknown one.
func refusingHidden(r *Request) *Answer {
	tool := r.Tool()
	if tool == "" || r.RPC.ID == nil || slices.Contains(spec.Floor(), tool) {
		return nil
	}
	return ErrorTo(r, spec.CodeMethodNotFound, spec.MessageUnknownTool+tool)
}

var _ = lie(Deviant{
	Name: "shaping-refuses-calls",
	Lie:  "refuses calls of the tools that minimal mode does not list",
	MCP:  onRequest(refusingHidden),
})

var _ = lie(Deviant{
	Name: "dynamic-refuses-hidden-calls",
	Lie:  "refuses calls of the tools that dynamic mode does not list",
	MCP:  onRequest(refusingHidden),
})

var _ = lie(Deviant{
	Name: "proof-verify-answers",
	Lie:  "serves proof_verify as a tool",
	MCP: onRequest(func(r *Request) *Answer {
		if r.Tool() != "proof_verify" || r.RPC.ID == nil {
			return nil
		}
		return ResultTo(r, map[string]any{"content": []any{map[string]any{"type": "text", "text": "verified"}}})
	}),
})

var _ = lie(Deviant{
	Name: "list-repeats-descriptions",
	Lie:  "says everything three times in the descriptions of the list",
	MCP: rewriting(func(tool map[string]any) {
		d, _ := tool["description"].(string)
		marker, text := cutMarker(d)
		tool["description"] = marker + strings.Repeat(strings.TrimSuffix(text, spec.CommonHint)+" ", 2) + text
	}),
})
