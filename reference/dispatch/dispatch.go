// Package dispatch runs a tools/call through the documented pipeline (section
// 11.6): a list of steps in their order, each of which may end the call.
package dispatch

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"log"
	"runtime/debug"

	"cruxconform/reference/tools"
	"cruxconform/spec"
)

// Dispatcher holds the tools that can be called.
type Dispatcher struct {
	handlers map[string]tools.Handler
	known    map[string]bool
	mint     bool
}

// New returns a dispatcher over the handlers. Without mint requests the one
// tool that they add fails closed.
func New(handlers map[string]tools.Handler, mint bool) *Dispatcher {
	d := &Dispatcher{handlers: handlers, known: map[string]bool{}, mint: mint}
	for _, t := range spec.Tools() {
		d.known[t.Name] = true
	}
	return d
}

// call is one tools/call on its way through the pipeline.
type call struct {
	*Dispatcher
	caller  tools.Caller
	params  tools.Args
	name    string
	args    tools.Args
	handler tools.Handler
	result  json.RawMessage
}

// steps is the pipeline, in the documented order.
var steps = []func(context.Context, *call) *tools.Error{
	readName,
	readArguments,
	findHandler,
	execute,
	normalise,
}

// Call runs a tools/call with the params of the request, nil where there are
// none. It returns the result, or the error that the call is answered with.
func (d *Dispatcher) Call(ctx context.Context, caller tools.Caller, params json.RawMessage) (json.RawMessage, *tools.Error) {
	c := &call{Dispatcher: d, caller: caller, params: tools.ParseArgs(params)}
	for _, step := range steps {
		if err := step(ctx, c); err != nil {
			return nil, err
		}
	}
	return c.result, nil
}

func readName(_ context.Context, c *call) *tools.Error {
	name, ok := c.params.String("name")
	if !ok {
		return tools.InvalidParams("%s", spec.MessageMissingName)
	}
	c.name = name
	return nil
}

func readArguments(_ context.Context, c *call) *tools.Error {
	raw, _ := c.params.Raw("arguments")
	c.args = tools.ParseArgs(raw)
	return nil
}

func findHandler(_ context.Context, c *call) *tools.Error {
	switch {
	case c.name == spec.MintTool && !c.mint:
		return &tools.Error{Code: tools.CodeMethodNotFound, Message: spec.MessageUnknownTool + c.name + " (feature disabled)"}
	case !c.known[c.name]:
		return &tools.Error{Code: tools.CodeMethodNotFound, Message: spec.MessageUnknownTool + c.name}
	}
	if c.handler = c.handlers[c.name]; c.handler == nil {
		return &tools.Error{Code: tools.CodeInternal, Message: "tool not served by this release: " + c.name}
	}
	return nil
}

func execute(ctx context.Context, c *call) (failed *tools.Error) {
	defer func() {
		// One tool's fault must not end the daemon, nor become a 5xx.
		if p := recover(); p != nil {
			log.Printf("tool %s panicked: %v\n%s", c.name, p, debug.Stack())
			failed = internal(c.name)
		}
	}()
	result, err := c.handler(ctx, c.caller, c.args)
	if err == nil {
		c.result = result
		return nil
	}
	var refused *tools.Error
	if errors.As(err, &refused) {
		return refused
	}
	log.Printf("tool %s failed: %v", c.name, err)
	return internal(c.name)
}

// normalise guarantees a top-level content member.
func normalise(_ context.Context, c *call) *tools.Error {
	if bytes.HasPrefix(c.result, []byte(`{"content":[`)) {
		return nil // what every handler builds, so the common case costs no parse
	}
	if !json.Valid(c.result) {
		log.Printf("tool %s answered what is no JSON", c.name)
		return internal(c.name)
	}
	var members map[string]json.RawMessage
	if json.Unmarshal(c.result, &members) != nil || members == nil {
		c.result = tools.Text(string(c.result)) // no object, so it has no members to keep
		return nil
	}
	if !isArray(members["content"]) {
		members["content"] = tools.Compact([]map[string]string{{"type": "text", "text": string(c.result)}})
		c.result = tools.Compact(members)
	}
	return nil
}

func isArray(raw json.RawMessage) bool { return len(raw) > 0 && raw[0] == '[' }

// internal is the error for a fault of the daemon. What went wrong stands in
// the log, since it may hold what no caller should see.
func internal(tool string) *tools.Error {
	return &tools.Error{Code: tools.CodeInternal, Message: "internal error in tool " + tool}
}
