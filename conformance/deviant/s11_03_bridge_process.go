package deviant

import (
	"errors"
	"strings"

	"cruxconform/spec"
)

var _ = lie(Deviant{
	Name: "bridge-defaults-to-14800", Lie: "posts to port 14800 where CRUX_MCP_URL is not set",
	Bridge: around(BridgeLie{Env: func(vars map[string]string) error {
		if _, set := vars["CRUX_MCP_URL"]; !set {
			vars["CRUX_MCP_URL"] = "http://127.0.0.1:14800/mcp"
		}
		return nil
	}}),
})

var _ = lie(Deviant{
	Name: "bridge-relays-blank-lines", Lie: "relays a whitespace-only line as null",
	Bridge: around(BridgeLie{In: func(line string, _ func(string)) []string {
		if strings.TrimSpace(line) == "" {
			return []string{"null"}
		}
		return []string{line}
	}}),
})

var _ = lie(Deviant{
	Name: "bridge-relays-carriage-returns", Lie: "takes the CR of a line end for a part of the message",
	Bridge: around(BridgeLie{In: func(line string, _ func(string)) []string {
		if text, ok := strings.CutSuffix(line, "\r"); ok && strings.TrimSpace(text) != "" {
			return []string{text + `\r`}
		}
		return []string{line}
	}}),
})

var _ = lie(Deviant{
	Name: "bridge-swallows-empty-lines", Lie: "writes nothing for a notification",
	Bridge: around(BridgeLie{Out: func(line string) ([]string, bool) {
		if strings.TrimSpace(line) == "" {
			return nil, false
		}
		return []string{line}, false
	}}),
})

var _ = lie(Deviant{
	Name: "bridge-answers-notifications", Lie: "writes a result with id null for a notification",
	Bridge: around(BridgeLie{Out: func(line string) ([]string, bool) {
		if strings.TrimSpace(line) == "" {
			line = `{"jsonrpc":"2.0","id":null,"result":{}}`
		}
		return []string{line}, false
	}}),
})

var _ = lie(Deviant{
	Name: "bridge-refuses-broken-lines", Lie: "answers -32700 itself for a line that is no JSON",
	Folds: []string{"11.3-42"},
	Bridge: around(BridgeLie{In: func(line string, say func(string)) []string {
		var any any
		if strings.TrimSpace(line) == "" || unmarshal([]byte(line), &any) == nil {
			return []string{line}
		}
		say(`{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"parse error"}}`)
		return nil
	}}),
})

var _ = lie(Deviant{
	Name: "bridge-keeps-session", Lie: "sends the session id of an answer with the requests that follow",
	Bridge: func() BridgeLie {
		var session string // a bridge relays one line after the other
		return BridgeLie{Upstream: Lie{
			Ask: func(r *Request) *Answer {
				if session != "" {
					r.Header.Set(spec.SessionHeader, session)
				}
				return nil
			},
			Tell: func(_ *Request, a *Answer) {
				if s := a.Header.Get(spec.SessionHeader); s != "" {
					session = s
				}
			},
		}}
	},
})

var _ = lie(Deviant{
	Name: "bridge-mints-session", Lie: "sends a session id of its own",
	Bridge: around(BridgeLie{Upstream: upstreamAsks(func(r *Request) { r.Header.Set(spec.SessionHeader, "stdio-bridge") })}),
})

var _ = lie(Deviant{
	Name: "bridge-ends-with-status-1", Lie: "ends with status 1 when stdin ends",
	Bridge: around(BridgeLie{Exit: func(int) int { return 1 }}),
})

var _ = lie(Deviant{
	Name: "bridge-banner-on-stdout", Lie: "says on stdout what it starts with",
	Bridge: around(BridgeLie{Merged: true}),
})

var _ = lie(Deviant{
	Name: "bridge-says-farewell", Lie: "takes its leave on stdout",
	Bridge: around(BridgeLie{Farewell: "bye"}),
})

// demanding makes a bridge that does not start without a variable.
func demanding(name string) func() BridgeLie {
	return around(BridgeLie{Env: func(vars map[string]string) error {
		if vars[name] == "" {
			return errors.New(name + " is not set; the bridge needs it as the daemon does")
		}
		return nil
	}})
}

var _ = lie(Deviant{
	Name: "bridge-demands-data-directory", Lie: "does not start without CORECRUXD_DATA_DIR",
	Bridge: demanding("CORECRUXD_DATA_DIR"),
})

var _ = lie(Deviant{
	Name: "bridge-demands-auth-mode", Lie: "does not start without CORECRUXD_AUTH_MODE",
	Bridge: demanding("CORECRUXD_AUTH_MODE"),
})

var _ = lie(Deviant{
	Name: "bridge-ends-with-stdin", Lie: "ends as soon as stdin does, with answers under way",
	Bridge: around(BridgeLie{Hasty: true, Exit: func(int) int { return 0 }}),
})

var _ = vary(Variant{
	Name: "bridge-chatty", About: "a bridge that says much on stderr and answers with blanks between the tokens",
	Bridge: around(BridgeLie{
		Chatter: strings.Repeat("bridge: still here\n", 200),
		Out: func(line string) ([]string, bool) {
			return []string{strings.Replace(line, `{"jsonrpc":`, `{ "jsonrpc" : `, 1)}, false
		},
	}),
})
