package reference_test

import (
	"encoding/json"
	"strings"
	"testing"
)

const list = `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`

var (
	mint      = settings{"CORECRUXD_FEATURE_PASSPORT_MINT_REQUESTS": "1"}
	passports = settings{"CORECRUXD_AGENT_PASSPORTS": "1"}
	minimal   = settings{"CORECRUXD_TOOL_SURFACE": "minimal"}
	dynamic   = settings{"CORECRUXD_TOOL_SURFACE": "dynamic"}
	tokens    = settings{"CRUX_AGENT_TOKENS": "one:" + tokenOne + ",two:" + tokenTwo}
	challenge = settings{"CRUX_AGENT_TOKENS": tokens["CRUX_AGENT_TOKENS"], "CRUX_MCP_RESOURCE_URL": "https://crux.example/mcp"}
	perOwner  = settings{"CRUX_MCP_SSE_MAX_SESSIONS_PER_OWNER": "1"}
	inAll     = settings{"CRUX_MCP_SSE_MAX_SESSIONS": "1"}
)

const (
	tokenOne = "token-of-agent-one-token-of-agent-one"
	tokenTwo = "token-of-agent-two-token-of-agent-two"
)

// stored is a fact on its entity; storing it twice supersedes the first.
var stored = shape{body: call("store_fact", `{"entity":"alice","key":"city","value":"Lisbon"}`)}

// shapes are the handshake, one listed tool of each kind, every error and every
// gate (sections 11.1 to 11.8), and what the tools for facts answer.
var shapes = []shape{
	{name: "initialize", body: `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}`},
	{name: "initialize-in-a-session", session: "abc.1:2_3-4", body: `{"jsonrpc":"2.0","id":"a","method":"initialize"}`},
	{name: "initialized-with-an-id", body: `{"jsonrpc":"2.0","id":2,"method":"notifications/initialized"}`},
	{name: "discovery", method: "GET"},

	{name: "listed-floor", body: list, part: listed("cuecrux_session")},
	{name: "listed-local", body: list, part: listed("delete_fact")},
	{name: "listed-hosted", body: list, part: listed("sync_pull")},
	{name: "listed-crc", body: list, part: listed("query_facts")},
	{name: "listed-issue-passport", body: list, part: listed("issue_passport")},
	{name: "listed-issue-passport-local", setup: passports, body: list, part: listed("issue_passport")},
	{name: "listed-mint", setup: mint, body: list, part: listed("request_passport_mint")},
	{name: "list-full", body: list, part: names},
	{name: "list-mint", setup: mint, body: list, part: names},
	{name: "list-minimal", setup: minimal, body: list, part: names},
	{name: "list-dynamic", setup: dynamic, body: list, part: names},

	{name: "call", body: call("list_entities", `{}`)},
	{name: "call-in-a-session", session: "s1", body: call("query_facts", `{"query":"no such thing"}`)},
	{name: "store-fact", before: []shape{stored}, body: call("store_fact", `{"entity":"alice","key":"city","value":"Porto"}`)},
	{name: "query-facts-crc", before: []shape{stored}, body: call("query_facts", `{"query":"alice","contract":"v1"}`)},
	{name: "query-facts-legacy", before: []shape{stored}, body: call("query_facts", `{"query":"alice","contract":"legacy"}`)},
	{name: "error-parse", body: `{"jsonrpc":"2.0","id":1,"method":`},
	{name: "error-parse-in-a-session", session: "s1", body: `hello`},
	{name: "error-parse-empty", body: ``},
	{name: "error-parse-batch", body: `[{"jsonrpc":"2.0","id":1,"method":"ping"}]`},
	{name: "error-parse-duplicate", body: `{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}`},
	{name: "error-parse-utf8", body: "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xff\"}"},
	{name: "error-parse-no-method", body: `{"jsonrpc":"2.0","id":1}`},
	{name: "error-method", body: `{"jsonrpc":"2.0","id":1,"method":"resources/list"}`},
	{name: "error-method-in-a-session", session: "s1", body: `{"jsonrpc":"2.0","id":123456789012345678901234567890,"method":"server/discover"}`},
	{name: "error-missing-name", body: `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"arguments":{}}}`},
	{name: "error-unknown-tool", body: call("no_such_tool", `{}`)},
	{name: "error-mint-off", body: call("request_passport_mint", `{}`)},
	{name: "error-missing-param", body: call("store_fact", `{"entity":"e"}`)},
	{name: "error-not-served", body: call("punch_in", `{}`)},

	{name: "gate-session", session: "not valid", body: `{`},
	{name: "gate-too-long", body: `"` + strings.Repeat("x", 2<<20) + `"`},
	{name: "gate-notification", body: `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`},
	{name: "gate-notification-in-a-session", session: "s1", body: `{"jsonrpc":"2.0","method":"tools/call","params":{"name":"list_entities"}}`},
	{name: "gate-initialize-without-id", body: `{"jsonrpc":"2.0","method":"initialize"}`},
	{name: "gate-client-response", body: `{"jsonrpc":"2.0","id":1,"result":{}}`},
	{name: "gate-method-not-allowed", method: "DELETE"},
	{name: "gate-not-found", method: "GET", path: "/mcp/"},
	{name: "gate-token", setup: tokens, session: "not valid", body: `{`},
	{name: "gate-token-challenge", setup: challenge, token: "Bearer unknown", body: list},
	{name: "gate-token-passed", setup: tokens, token: "Bearer " + tokenOne, body: call("get_agent_identity", `{}`)},

	stream("stream", ""),
	stream("stream-in-a-session", "s1"),
	{name: "gate-stream-session", method: "GET", accept: events, session: "not valid"},
	{name: "gate-stream-owner-limit", setup: perOwner, method: "GET", accept: events, session: "s2", before: []shape{stream("", "s1")}},
	{name: "gate-stream-limit", setup: inAll, method: "GET", accept: events, session: "s2", before: []shape{stream("", "s1")}},
	{
		name: "gate-stream-owner", setup: tokens, method: "GET", accept: events, session: "s1", token: "Bearer " + tokenTwo,
		before: []shape{{method: "GET", accept: events, session: "s1", token: "Bearer " + tokenOne}},
	},
}

const events = "application/json, text/event-stream"

func stream(name, session string) shape {
	return shape{name: name, method: "GET", accept: events, session: session}
}

func call(tool, arguments string) string {
	return `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"` + tool + `","arguments":` + arguments + `}}`
}

// listed keeps the one entry of a listing.
func listed(tool string) func(*testing.T, []byte) any {
	return func(t *testing.T, body []byte) any {
		t.Helper()
		for _, entry := range entries(t, body) {
			if name(t, entry) == tool {
				return entry
			}
		}
		t.Fatalf("%s is not listed", tool)
		return nil
	}
}

// names keeps the names of a listing in their order.
func names(t *testing.T, body []byte) any {
	t.Helper()
	var out []string
	for _, entry := range entries(t, body) {
		out = append(out, name(t, entry))
	}
	return out
}

func entries(t *testing.T, body []byte) []json.RawMessage {
	t.Helper()
	var answer struct {
		Result struct{ Tools []json.RawMessage }
	}
	if err := json.Unmarshal(body, &answer); err != nil {
		t.Fatal(err)
	}
	return answer.Result.Tools
}

func name(t *testing.T, entry json.RawMessage) string {
	t.Helper()
	var tool struct{ Name string }
	if err := json.Unmarshal(entry, &tool); err != nil {
		t.Fatal(err)
	}
	return tool.Name
}
