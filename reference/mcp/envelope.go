package mcp

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/go-json-experiment/json/jsontext"
)

// envelope is a JSON-RPC request. Members keep their raw bytes, so that an id is
// echoed digit for digit.
type envelope struct {
	// id is nil for a notification; an id of null makes one too (ruling R11).
	id     json.RawMessage
	method string
	// params is nil where there are none.
	params json.RawMessage
	// response is true for the answer of a client to a message of the server,
	// which is taken without a word (ruling R22).
	response bool
}

// notification reports whether the sender waits for no response.
func (e *envelope) notification() bool { return e.id == nil }

var decoders = sync.Pool{New: func() any { return new(jsontext.Decoder) }}

// parse reads a body as one request. It accepts exactly one object whose
// jsonrpc and method are strings and whose known members stand once; unknown
// members are ignored. Text that is not UTF-8 and nesting deeper than 10,000
// levels do not parse.
func parse(body []byte) (*envelope, error) {
	dec := decoders.Get().(*jsontext.Decoder)
	defer decoders.Put(dec)
	dec.Reset(bytes.NewBuffer(body), jsontext.AllowDuplicateNames(true))
	m, err := members(dec)
	if err != nil {
		return nil, err
	}
	if _, err := dec.ReadToken(); !errors.Is(err, io.EOF) {
		return nil, errors.New("trailing characters after the request object")
	}
	return m.envelope()
}

// The known members of a request.
const (
	memberVersion = iota
	memberID
	memberMethod
	memberParams
	memberResult
	memberError
	knownMembers
)

var memberNames = map[string]int{
	"jsonrpc": memberVersion, "id": memberID, "method": memberMethod, "params": memberParams,
	"result": memberResult, "error": memberError,
}

// found holds the known members as they were sent, nil where absent.
type found [knownMembers]json.RawMessage

func members(dec *jsontext.Decoder) (*found, error) {
	open, err := dec.ReadToken()
	if err != nil {
		return nil, syntax(err)
	}
	if open.Kind() != '{' {
		return nil, errors.New("expected one request object")
	}
	m := new(found)
	for dec.PeekKind() != '}' {
		name, err := dec.ReadToken()
		if err != nil {
			return nil, syntax(err)
		}
		at, known := memberNames[name.String()]
		value, err := dec.ReadValue()
		if err != nil {
			return nil, syntax(err)
		}
		if !known {
			continue
		}
		if m[at] != nil {
			return nil, fmt.Errorf("duplicate member of the request object at byte %d", dec.InputOffset())
		}
		m[at] = append(json.RawMessage{}, value...)
	}
	_, err = dec.ReadToken()
	return m, syntax(err)
}

// syntax names the place of a syntax error and leaves the text of the body out.
func syntax(err error) error {
	var s *jsontext.SyntacticError
	switch {
	case err == nil:
		return nil
	case errors.Is(err, io.EOF):
		return errors.New("empty body")
	case errors.As(err, &s):
		return fmt.Errorf("%w at byte %d", s.Err, s.ByteOffset)
	}
	return err
}

func (m *found) envelope() (*envelope, error) {
	if m[memberMethod] == nil && given(m[memberID]) && (m[memberResult] != nil || m[memberError] != nil) {
		return &envelope{response: true}, nil
	}
	if _, ok := text(m[memberVersion]); !ok {
		return nil, errors.New("member jsonrpc is missing or no string")
	}
	method, ok := text(m[memberMethod])
	if !ok {
		return nil, errors.New("member method is missing or no string")
	}
	e := &envelope{method: method}
	if given(m[memberID]) {
		e.id = m[memberID]
	}
	if given(m[memberParams]) {
		e.params = m[memberParams]
	}
	return e, nil
}

func given(raw json.RawMessage) bool { return raw != nil && raw[0] != 'n' }

func text(raw json.RawMessage) (string, bool) {
	if raw == nil || raw[0] != '"' {
		return "", false
	}
	s, err := jsontext.AppendUnquote(nil, raw)
	return string(s), err == nil
}
