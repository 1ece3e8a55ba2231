// Package tools defines what a tool handler is: a small function from a caller
// and decoded arguments to a result or a tool error. Handlers see neither HTTP
// nor the database.
package tools

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"unicode/utf8"
)

// JSON-RPC codes that tools and the dispatcher use (section 11.5).
const (
	CodeParse            = -32700
	CodeInvalidRequest   = -32600
	CodeMethodNotFound   = -32601
	CodeInvalidParams    = -32602
	CodeInternal         = -32603
	CodeCapabilityDenied = -32030
)

// Caller is who makes a call.
type Caller struct {
	// Agent is the name bound to the bearer token, empty for an anonymous caller.
	Agent string
}

// Anonymous reports whether no identity is bound to the call.
func (c Caller) Anonymous() bool { return c.Agent == "" }

// Handler executes one tool. The returned bytes are the JSON object of the
// result, "content" included. A returned *Error becomes the JSON-RPC error of
// the call; any other error is an internal one.
type Handler func(ctx context.Context, caller Caller, args Args) (json.RawMessage, error)

// Error is a tool error as the wire shows it: data never reaches the caller
// (section 11.6).
type Error struct {
	Code    int
	Message string
}

func (e *Error) Error() string { return fmt.Sprintf("%d %s", e.Code, e.Message) }

// InvalidParams returns a -32602 error.
func InvalidParams(format string, a ...any) *Error {
	return &Error{CodeInvalidParams, fmt.Sprintf(format, a...)}
}

// MissingParam is the error for a required argument that is missing, null or of
// a wrong JSON type.
func MissingParam(name string) *Error {
	return InvalidParams("missing required param: %s", name)
}

// Args are the arguments of a call. Values of a wrong type count as absent;
// unknown names are ignored; of a repeated name the last one holds.
type Args struct {
	members map[string]json.RawMessage
}

// ParseArgs decodes raw arguments. Anything but an object acts as an object
// without members, as the pipeline requires (section 11.6).
func ParseArgs(raw json.RawMessage) Args {
	var a Args
	// The error is dropped on purpose: a value of another type has no members.
	_ = json.Unmarshal(raw, &a.members)
	return a
}

// Raw returns the member as it was sent. A JSON null is present.
func (a Args) Raw(name string) (json.RawMessage, bool) {
	v, ok := a.members[name]
	return v, ok
}

// String returns a string member.
func (a Args) String(name string) (string, bool) {
	raw := a.members[name]
	if len(raw) < 2 || raw[0] != '"' {
		return "", false
	}
	// Most strings hold nothing to decode, and decoding is most of what
	// reading the arguments of a call costs.
	if inner := raw[1 : len(raw)-1]; bytes.IndexByte(inner, '\\') < 0 && utf8.Valid(inner) {
		return string(inner), true
	}
	return decode[string](a, name)
}

// Bool returns a boolean member.
func (a Args) Bool(name string) (bool, bool) {
	return decode[bool](a, name)
}

// Float returns a number member.
func (a Args) Float(name string) (float64, bool) {
	return decode[float64](a, name)
}

// Uint returns a non-negative integer member. A negative number, a fraction,
// "1.0" and a string count as absent.
func (a Args) Uint(name string) (uint64, bool) {
	return decode[uint64](a, name)
}

func decode[T any](a Args, name string) (T, bool) {
	var v T
	raw, ok := a.members[name]
	if !ok || string(raw) == "null" {
		return v, false
	}
	if err := json.Unmarshal(raw, &v); err != nil {
		return v, false
	}
	return v, true
}

// Text is the plain result with one text item.
func Text(text string) json.RawMessage {
	return TextWith(text, nil)
}

// TextWith is a result with one text item and, where structured is not nil, a
// structuredContent member.
func TextWith(text string, structured any) json.RawMessage {
	type item struct {
		Type string `json:"type"`
		Text string `json:"text"`
	}
	out := struct {
		Content    []item `json:"content"`
		Structured any    `json:"structuredContent,omitempty"`
	}{[]item{{"text", text}}, structured}
	return Compact(out)
}

// Compact encodes plain data without insignificant whitespace and without the
// HTML escapes of encoding/json, which only make answers longer.
func Compact(v any) json.RawMessage {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		// Only a handler bug can get here: results are plain data.
		panic(fmt.Sprintf("tools: result does not encode: %v", err))
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}
