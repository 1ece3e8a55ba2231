package deviant

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"

	"cruxconform/spec"
)

// around makes a bridge lie that keeps nothing between two runs.
func around(l BridgeLie) func() BridgeLie { return func() BridgeLie { return l } }

// upstreamAsks is the upstream side of a bridge that changes each request.
func upstreamAsks(change func(r *Request)) Lie {
	return Lie{Ask: func(r *Request) *Answer {
		change(r)
		return nil
	}}
}

// memberOf is a member of a line that is a JSON object, nil otherwise.
func memberOf(line, name string) json.RawMessage {
	var members map[string]json.RawMessage
	if unmarshal([]byte(line), &members) != nil {
		return nil
	}
	return members[name]
}

// ownError is the error of a line in which the bridge itself reports a failure.
func ownError(line string) (code int, message string, ok bool) {
	var e struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	}
	if unmarshal(memberOf(line, "error"), &e) != nil || e.Code != spec.CodeUpstream {
		return 0, "", false
	}
	return e.Code, e.Message, true
}

// failures makes a lie that rewrites the failures that the bridge reports.
func failures(of func(message string) bool, change func(line map[string]any)) func() BridgeLie {
	return around(BridgeLie{Out: func(line string) ([]string, bool) {
		_, message, ok := ownError(line)
		var told map[string]any
		if !ok || !of(message) || unmarshal([]byte(line), &told) != nil {
			return []string{line}, false
		}
		change(told)
		return []string{string(marshal(told))}, false
	}})
}

func everyFailure(string) bool { return true }

func byStatus(message string) bool { return strings.Contains(message, "answered HTTP") }

func setCode(code int) func(line map[string]any) {
	return func(line map[string]any) {
		if e, ok := line["error"].(map[string]any); ok {
			e["code"] = code
		}
	}
}

var _ = lie(Deviant{
	Name: "bridge-sends-put", Lie: "relays lines with PUT instead of POST",
	Bridge: around(BridgeLie{Upstream: upstreamAsks(func(r *Request) { r.Method = http.MethodPut })}),
})

var _ = lie(Deviant{
	Name: "bridge-indents-tool-results", Lie: "writes the result of a tool call over several lines",
	Bridge: around(BridgeLie{Out: func(line string) ([]string, bool) {
		if memberOf(string(memberOf(line, "result")), "content") == nil {
			return []string{line}, false
		}
		var indented map[string]any
		if unmarshal([]byte(line), &indented) != nil {
			return []string{line}, false
		}
		text, _ := json.MarshalIndent(indented, "", "  ") // it was JSON a moment ago
		return strings.Split(string(text), "\n"), false
	}}),
})

var _ = lie(Deviant{
	Name: "bridge-renames-a-tool", Lie: "relays a tool call with a prefix before the name of the tool",
	Bridge: around(BridgeLie{Upstream: upstreamAsks(func(r *Request) {
		var params map[string]any
		if name := r.Tool(); name != "" && unmarshal(r.RPC.Params, &params) == nil {
			params["name"] = "crux_" + name
			r.SetMember("params", params)
		}
	})}),
})

var _ = lie(Deviant{
	Name: "bridge-posts-to-slash-mcp", Lie: "posts to /mcp, whatever path CRUX_MCP_URL has",
	Bridge: around(BridgeLie{Env: func(vars map[string]string) error {
		u, err := url.Parse(vars["CRUX_MCP_URL"])
		if err != nil {
			return err
		}
		if u.Path != "" {
			u.Path = "/mcp"
			vars["CRUX_MCP_URL"] = u.String()
		}
		return nil
	}}),
})

var _ = lie(Deviant{
	Name: "bridge-drops-token", Lie: "does not forward CRUX_AGENT_TOKEN",
	Bridge: around(BridgeLie{Env: func(vars map[string]string) error {
		delete(vars, "CRUX_AGENT_TOKEN")
		return nil
	}}),
})

var _ = lie(Deviant{
	Name: "bridge-sends-token-as-basic", Lie: "sends CRUX_AGENT_TOKEN with the scheme Basic",
	Bridge: around(BridgeLie{Upstream: upstreamAsks(func(r *Request) {
		if token, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer "); ok {
			r.Header.Set("Authorization", "Basic "+token)
		}
	})}),
})

var _ = lie(Deviant{
	Name: "bridge-invents-token", Lie: "sends a bearer of its own where no token is configured",
	Bridge: around(BridgeLie{Upstream: upstreamAsks(func(r *Request) {
		if r.Header.Get("Authorization") == "" {
			r.Header.Set("Authorization", "Bearer anonymous")
		}
	})}),
})

var _ = lie(Deviant{
	Name: "bridge-unreachable-32603", Lie: "answers -32603 where the endpoint cannot be reached",
	Bridge: failures(func(m string) bool { return !byStatus(m) }, setCode(-32603)),
})

var _ = lie(Deviant{
	Name: "bridge-status-32603", Lie: "answers -32603 where the endpoint answers with an HTTP error",
	Folds:  []string{"11.3-41", "11.3-42"},
	Bridge: failures(byStatus, setCode(-32603)),
})

var _ = lie(Deviant{
	Name: "bridge-passes-error-bodies", Lie: "writes the JSON body of an HTTP error as the answer",
	Bridge: around(BridgeLie{Upstream: Lie{Tell: func(_ *Request, a *Answer) {
		if a.Status >= 400 && json.Valid(a.Body) {
			a.Status = http.StatusOK
		}
	}}}),
})

var _ = lie(Deviant{
	Name: "bridge-error-id-null", Lie: "reports a failure without the id of its line",
	Bridge: failures(everyFailure, func(line map[string]any) { line["id"] = nil }),
})

var _ = lie(Deviant{
	Name: "bridge-error-id-made-up", Lie: "reports the failure of a line without id under the id 0",
	Bridge: failures(everyFailure, func(line map[string]any) {
		if line["id"] == nil {
			line["id"] = 0
		}
	}),
})

var _ = lie(Deviant{
	Name: "bridge-ends-after-failure", Lie: "ends behind the first failure that it reports",
	Bridge: around(BridgeLie{Out: func(line string) ([]string, bool) {
		_, _, failed := ownError(line)
		return []string{line}, failed
	}}),
})

var _ = lie(Deviant{
	Name: "bridge-answers-out-of-order", Lie: "lets the answer to a later line overtake an earlier one",
	Bridge: func() BridgeLie {
		var asked, answered atomic.Int64
		var held []string
		return BridgeLie{
			In: func(line string, _ func(string)) []string {
				if strings.TrimSpace(line) != "" {
					asked.Add(1)
				}
				return []string{line}
			},
			Out: func(line string) ([]string, bool) {
				if answered.Add(1) < asked.Load() && held == nil && memberOf(line, "result") != nil {
					held = []string{line}
					return nil, false
				}
				say := append([]string{line}, held...)
				held = nil
				return say, false
			},
		}
	},
})
