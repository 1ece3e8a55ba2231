package dispatch_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"strings"
	"testing"

	"cruxconform/reference/dispatch"
	"cruxconform/reference/tools"
	"cruxconform/spec"
)

// probe is a tool that keeps what it was called with.
type probe struct {
	calls  int
	caller tools.Caller
	args   tools.Args
	result string
	err    error
}

func (p *probe) handle(_ context.Context, caller tools.Caller, args tools.Args) (json.RawMessage, error) {
	p.calls++
	p.caller, p.args = caller, args
	return json.RawMessage(p.result), p.err
}

func (p *probe) dispatcher() *dispatch.Dispatcher {
	return dispatch.New(map[string]tools.Handler{"query_facts": p.handle}, false)
}

const plain = `{"content":[{"type":"text","text":"done"}]}`

// TestRefusals: what the pipeline answers before a tool is asked (section 11.6).
func TestRefusals(t *testing.T) {
	missing := tools.Error{Code: -32602, Message: `tools/call requires a "name" parameter`}
	for name, c := range map[string]struct {
		params string
		want   tools.Error
	}{
		"no params":                {"", missing},
		"params of an array":       {`["query_facts"]`, missing},
		"params of a text":         {`"query_facts"`, missing},
		"an empty object":          {`{}`, missing},
		"a name of null":           {`{"name":null}`, missing},
		"a name as a number":       {`{"name":7}`, missing},
		"a name as an array":       {`{"name":["query_facts"]}`, missing},
		"the name in arguments":    {`{"arguments":{"name":"query_facts"}}`, missing},
		"an unknown tool":          {`{"name":"no_such_tool"}`, tools.Error{Code: -32601, Message: "unknown tool: no_such_tool"}},
		"an empty name":            {`{"name":""}`, tools.Error{Code: -32601, Message: "unknown tool: "}},
		"another case":             {`{"name":"Query_Facts"}`, tools.Error{Code: -32601, Message: "unknown tool: Query_Facts"}},
		"blanks around the name":   {`{"name":" query_facts "}`, tools.Error{Code: -32601, Message: "unknown tool:  query_facts "}},
		"mint requests are off":    {`{"name":"request_passport_mint"}`, tools.Error{Code: -32601, Message: "unknown tool: request_passport_mint (feature disabled)"}},
		"a tool of later releases": {`{"name":"memory_view"}`, tools.Error{Code: -32603, Message: "tool not served by this release: memory_view"}},
	} {
		t.Run(name, func(t *testing.T) {
			p := &probe{result: plain}
			result, err := p.dispatcher().Call(t.Context(), tools.Caller{}, json.RawMessage(c.params))
			if err == nil {
				t.Fatalf("%s was answered: %s", c.params, result)
			}
			if *err != c.want {
				t.Errorf("%s:\n     got %v\nexpected %v", c.params, *err, c.want)
			}
			if p.calls != 0 {
				t.Errorf("a tool was run %d times", p.calls)
			}
		})
	}
}

func TestMintRequestsSwitchTheirToolOn(t *testing.T) {
	p := &probe{result: plain}
	d := dispatch.New(map[string]tools.Handler{spec.MintTool: p.handle}, true)
	if _, err := d.Call(t.Context(), tools.Caller{}, json.RawMessage(`{"name":"request_passport_mint"}`)); err != nil {
		t.Errorf("got %v, expected a result", err)
	}
	_, err := dispatch.New(nil, true).Call(t.Context(), tools.Caller{}, json.RawMessage(`{"name":"request_passport_mint"}`))
	if want := (tools.Error{Code: -32603, Message: "tool not served by this release: request_passport_mint"}); err == nil || *err != want {
		t.Errorf("got %v, expected %v", err, want)
	}
}

// TestEveryToolOfTheCatalogueIsKnown: none of the 119 is answered as unknown.
func TestEveryToolOfTheCatalogueIsKnown(t *testing.T) {
	d := dispatch.New(nil, true)
	for _, tool := range spec.Tools() {
		_, err := d.Call(t.Context(), tools.Caller{}, tools.Compact(map[string]string{"name": tool.Name}))
		if want := "tool not served by this release: " + tool.Name; err == nil || err.Code != -32603 || err.Message != want {
			t.Errorf("%s: got %v, expected -32603 %s", tool.Name, err, want)
		}
	}
}

// TestArguments: whatever is no object acts as one without members.
func TestArguments(t *testing.T) {
	for params, want := range map[string]string{
		`{"name":"query_facts","arguments":{"query":"q","unknown":[1]}}`: "q",
		`{"arguments":{"query":"q"},"name":"query_facts"}`:               "q",
		`{"name":"query_facts"}`:                                         "",
		`{"name":"query_facts","arguments":null}`:                        "",
		`{"name":"query_facts","arguments":[{"query":"q"}]}`:             "",
		`{"name":"query_facts","arguments":"{\"query\":\"q\"}"}`:         "",
		`{"name":"query_facts","arguments":7,"query":"q"}`:               "",
		`{"name":"query_facts","_meta":{"progressToken":1},"task":{}}`:   "",
	} {
		p := &probe{result: plain}
		result, err := p.dispatcher().Call(t.Context(), tools.Caller{Agent: "amy"}, json.RawMessage(params))
		if err != nil || string(result) != plain {
			t.Errorf("%s: got %s, %v; expected %s", params, result, err, plain)
		}
		if got, _ := p.args.String("query"); got != want || p.calls != 1 {
			t.Errorf("%s: query %q in %d calls, expected %q in 1", params, got, p.calls, want)
		}
		if p.caller.Agent != "amy" {
			t.Errorf("%s: caller %q, expected amy", params, p.caller.Agent)
		}
	}
}

// TestFailures: a tool error is the answer as it is; any other fault is an
// internal error that says nothing of its cause.
func TestFailures(t *testing.T) {
	internal := tools.Error{Code: -32603, Message: "internal error in tool query_facts"}
	for name, c := range map[string]struct {
		err  error
		want tools.Error
	}{
		"a tool error":         {tools.MissingParam("entity"), tools.Error{Code: -32602, Message: "missing required param: entity"}},
		"a wrapped tool error": {fmt.Errorf("store: %w", &tools.Error{Code: -32030, Message: "no"}), tools.Error{Code: -32030, Message: "no"}},
		"another error":        {errors.New("open /data/crux.db: token s3cr3t"), internal},
		"an ended context":     {context.Canceled, internal},
	} {
		t.Run(name, func(t *testing.T) {
			quiet(t)
			p := &probe{err: c.err}
			result, err := p.dispatcher().Call(t.Context(), tools.Caller{}, json.RawMessage(`{"name":"query_facts"}`))
			if err == nil || *err != c.want {
				t.Errorf("got %s, %v; expected %v", result, err, c.want)
			}
		})
	}
}

func TestPanicsEndTheCallAlone(t *testing.T) {
	written := quiet(t)
	d := dispatch.New(map[string]tools.Handler{
		"query_facts": func(context.Context, tools.Caller, tools.Args) (json.RawMessage, error) {
			panic("a tool's own fault")
		},
	}, false)
	for range 2 {
		_, err := d.Call(t.Context(), tools.Caller{}, json.RawMessage(`{"name":"query_facts"}`))
		if want := (tools.Error{Code: -32603, Message: "internal error in tool query_facts"}); err == nil || *err != want {
			t.Fatalf("got %v, expected %v", err, want)
		}
	}
	if log := written.String(); !strings.Contains(log, "query_facts panicked") || !strings.Contains(log, "dispatch_test.go") {
		t.Errorf("the log does not say what panicked where: %q", log)
	}
}

// TestNormalise: every result has a content array, and keeps what it had.
func TestNormalise(t *testing.T) {
	for result, want := range map[string]string{
		plain:            plain,
		`{"content":[]}`: `{"content":[]}`,
		`{"structuredContent":{"a":1},"content":[{"type":"text","text":"x"}]}`: `{"structuredContent":{"a":1},"content":[{"type":"text","text":"x"}]}`,
		`{ "content" : [ ] }`: `{ "content" : [ ] }`,
		`{"rows":[1]}`:        `{"content":[{"text":"{\"rows\":[1]}","type":"text"}],"rows":[1]}`,
		`{"content":null}`:    `{"content":[{"text":"{\"content\":null}","type":"text"}]}`,
		`{"content":"x"}`:     `{"content":[{"text":"{\"content\":\"x\"}","type":"text"}]}`,
		`{"contents":[]}`:     `{"content":[{"text":"{\"contents\":[]}","type":"text"}],"contents":[]}`,
		`[1]`:                 `{"content":[{"type":"text","text":"[1]"}]}`,
		`null`:                `{"content":[{"type":"text","text":"null"}]}`,
		`"x"`:                 `{"content":[{"type":"text","text":"\"x\""}]}`,
	} {
		p := &probe{result: result}
		got, err := p.dispatcher().Call(t.Context(), tools.Caller{}, json.RawMessage(`{"name":"query_facts"}`))
		if err != nil {
			t.Errorf("%s: %v", result, err)
			continue
		}
		if string(got) != want {
			t.Errorf("%s:\n     got %s\nexpected %s", result, got, want)
		}
	}
}

func TestResultThatIsNoJSONIsAnInternalError(t *testing.T) {
	for _, result := range []string{"", "done", `{"rows":`} {
		quiet(t)
		p := &probe{result: result}
		got, err := p.dispatcher().Call(t.Context(), tools.Caller{}, json.RawMessage(`{"name":"query_facts"}`))
		if err == nil || err.Code != -32603 {
			t.Errorf("%q: got %s, %v; expected -32603", result, got, err)
		}
	}
}

// quiet keeps what the dispatcher logs of a fault out of the test's output.
func quiet(t *testing.T) *bytes.Buffer {
	t.Helper()
	var written bytes.Buffer
	before := log.Writer()
	log.SetOutput(&written)
	t.Cleanup(func() { log.SetOutput(before) })
	return &written
}
