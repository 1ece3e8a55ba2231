package mcp

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"

	"github.com/go-json-experiment/json/jsontext"
)

// envelope is a JSON-RPC request. Members are the raw bytes of the body, so that
// an id is echoed digit for digit.
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

// duplicates lets repeated names pass the decoder: inside params and in unknown
// members they are nobody's business at this layer.
var duplicates = jsontext.AllowDuplicateNames(true)

var decoders = sync.Pool{New: func() any { return new(jsontext.Decoder) }}

// parse reads a body as one request. It accepts exactly one object whose
// jsonrpc and method are strings and whose members of a request stand once;
// unknown members are ignored. Text that is not UTF-8 and nesting deeper than
// 10,000 levels do not parse. The envelope keeps parts of the body. An error
// never quotes the body, which may hold secrets.
func parse(body []byte) (*envelope, error) {
	dec := decoders.Get().(*jsontext.Decoder)
	defer decoders.Put(dec)
	dec.Reset(bytes.NewBuffer(body), duplicates)
	var m found
	if err := m.read(dec, body); err != nil {
		return nil, err
	}
	if _, err := dec.ReadToken(); !errors.Is(err, io.EOF) {
		return nil, errors.New("trailing characters after the request object")
	}
	return m.envelope()
}

// The members that are looked at: the four of a request, and the two that tell
// the answer of a client from a request without method.
const (
	memberVersion = iota
	memberID
	memberMethod
	memberParams
	memberResult
	memberError
	lookedAt
)

// member finds the place of a member by its quoted name, -1 for one that is
// ignored. A name may be written with escapes.
func member(quoted []byte) int {
	if bytes.IndexByte(quoted, '\\') >= 0 {
		plain, err := jsontext.AppendUnquote(nil, quoted)
		if err != nil {
			return -1
		}
		quoted = append(append([]byte{'"'}, plain...), '"')
	}
	switch string(quoted) {
	case `"jsonrpc"`:
		return memberVersion
	case `"id"`:
		return memberID
	case `"method"`:
		return memberMethod
	case `"params"`:
		return memberParams
	case `"result"`:
		return memberResult
	case `"error"`:
		return memberError
	}
	return -1
}

// found holds the members as they were sent, nil where absent.
type found [lookedAt]json.RawMessage

func (m *found) read(dec *jsontext.Decoder, body []byte) error {
	open, err := dec.ReadToken()
	if err != nil {
		return syntax(err)
	}
	if open.Kind() != '{' {
		return errors.New("expected one request object")
	}
	for dec.PeekKind() != '}' {
		name, err := dec.ReadValue()
		if err != nil {
			return syntax(err)
		}
		at := member(name)
		value, err := dec.ReadValue()
		if err != nil {
			return syntax(err)
		}
		if at < 0 {
			continue
		}
		end := dec.InputOffset()
		if m[at] != nil && at <= memberParams {
			return fmt.Errorf("duplicate member of the request object at byte %d", end)
		}
		// What the decoder returns lives until it reads on, the body stays.
		m[at] = body[end-int64(len(value)) : end]
	}
	_, err = dec.ReadToken()
	return syntax(err)
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
		// What the parser quotes, such as a broken escape, may be the beginning
		// of a secret.
		what := s.Err.Error()
		if quoted := strings.IndexAny(what, "`'\""); quoted >= 0 {
			what = strings.TrimSpace(what[:quoted])
		}
		return fmt.Errorf("%s at byte %d", what, s.ByteOffset)
	}
	return err
}

func (m *found) envelope() (*envelope, error) {
	// The id of such an answer may be null: a client answers so to a message that
	// it could not read.
	if m[memberMethod] == nil && m[memberID] != nil && (m[memberResult] != nil || m[memberError] != nil) {
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
