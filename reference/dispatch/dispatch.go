// Package dispatch runs a tools/call through the documented pipeline (section
// 11.6): a list of steps in their order, each of which may end the call.
package dispatch

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
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
	params  json.RawMessage
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

// Call runs a tools/call. The name is what the call asked for, empty where it
// asked for none.
func (d *Dispatcher) Call(ctx context.Context, caller tools.Caller, params json.RawMessage) (json.RawMessage, *tools.Error) {
	c := &call{Dispatcher: d, caller: caller, params: params}
	for _, step := range steps {
		if err := step(ctx, c); err != nil {
			return nil, err
		}
	}
	return c.result, nil
}

func readName(_ context.Context, c *call) *tools.Error {
	name, ok := tools.ParseArgs(c.params).String("name")
	if !ok {
		return tools.InvalidParams("%s", spec.MessageMissingName)
	}
	c.name = name
	return nil
}

func readArguments(_ context.Context, c *call) *tools.Error {
	raw, _ := tools.ParseArgs(c.params).Raw("arguments")
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
			failed = &tools.Error{Code: tools.CodeInternal, Message: "internal error in tool " + c.name}
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
	return &tools.Error{Code: tools.CodeInternal, Message: "internal error in tool " + c.name}
}

// normalise guarantees a top-level content member.
func normalise(_ context.Context, c *call) *tools.Error {
	if bytes.HasPrefix(c.result, []byte(`{"content":`)) {
		return nil // what every handler builds, so the common case costs no parse
	}
	var members map[string]json.RawMessage
	if json.Unmarshal(c.result, &members) == nil && members["content"] != nil {
		return nil
	}
	if !json.Valid(c.result) {
		return &tools.Error{Code: tools.CodeInternal, Message: fmt.Sprintf("internal error in tool %s", c.name)}
	}
	c.result = tools.TextWith(string(c.result), nil)
	return nil
}
