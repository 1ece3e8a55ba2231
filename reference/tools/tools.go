// Package tools defines what a tool handler is: a small function from a caller
// and decoded arguments to a result or a tool error. Handlers see neither HTTP
// nor the database.
package tools

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"
	"unicode/utf8"

	json2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"cruxconform/spec"
)

// JSON-RPC codes that tools and the dispatcher use (section 11.5).
const (
	CodeParse          = spec.CodeParse
	CodeMethodNotFound = spec.CodeMethodNotFound
	CodeInvalidParams  = spec.CodeInvalidParams
	CodeInternal       = spec.CodeInternal
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
	members []member
}

type member struct {
	name  string
	value json.RawMessage
}

// argsOptions let through what the pipeline lets through: a repeated name, and
// bytes that are not UTF-8 inside a string.
var argsOptions = json2.JoinOptions(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))

var argsDecoders = sync.Pool{New: func() any { return jsontext.NewDecoder(&bytes.Buffer{}, argsOptions) }}

// ParseArgs decodes raw arguments. Anything but an object acts as an object
// without members, as the pipeline requires (section 11.6). The result refers to
// raw, which must not change as long as it is used.
func ParseArgs(raw json.RawMessage) Args {
	d := argsDecoders.Get().(*jsontext.Decoder)
	defer argsDecoders.Put(d)
	d.Reset(bytes.NewBuffer(raw), argsOptions)
	members, ok := readMembers(d, raw)
	if !ok {
		return Args{}
	}
	return Args{members}
}

// readMembers reads one object and reports false where raw is anything else.
func readMembers(d *jsontext.Decoder, raw json.RawMessage) ([]member, bool) {
	if start, err := d.ReadToken(); err != nil || start.Kind() != '{' {
		return nil, false
	}
	members := make([]member, 0, 8)
	for {
		token, err := d.ReadToken()
		if err != nil {
			return nil, false
		}
		if token.Kind() == '}' {
			_, err := d.ReadToken()
			return members, errors.Is(err, io.EOF)
		}
		name := token.String()
		value, err := d.ReadValue()
		if err != nil {
			return nil, false
		}
		end := d.InputOffset()
		// The decoder's own slice holds only until its next read.
		members = append(members, member{name, raw[end-int64(len(value)) : end]})
	}
}

// Raw returns the member as it was sent. A JSON null is present.
func (a Args) Raw(name string) (json.RawMessage, bool) {
	for _, m := range slices.Backward(a.members) {
		if m.name == name {
			return m.value, true
		}
	}
	return nil, false
}

// String returns a string member.
func (a Args) String(name string) (string, bool) {
	raw, _ := a.Raw(name)
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
	raw, ok := a.Raw(name)
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
