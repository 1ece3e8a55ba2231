package wire

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
)

// Message is a JSON-RPC response as it stood in a body. Members keep their raw
// bytes, so that an id can be compared digit for digit and a null member told
// from an absent one.
type Message struct {
	Members map[string]json.RawMessage
	// Error is nil where the response has no error member.
	Error *RPCError
}

// RPCError is the error member of a response.
type RPCError struct {
	Code    json.RawMessage
	Message json.RawMessage
	// Members are all members of the error object by name.
	Members map[string]json.RawMessage
}

// ParseMessage reads one JSON object from a whole body. The error says what the
// body is instead.
func ParseMessage(body []byte) (*Message, error) {
	m := new(Message)
	dec := json.NewDecoder(bytes.NewReader(body))
	if err := dec.Decode(&m.Members); err != nil {
		return nil, fmt.Errorf("body is not a JSON object (%v): %s", err, excerpt(body))
	}
	// More would take a closing bracket too many for the end of the body.
	if _, err := dec.Token(); m.Members == nil || err != io.EOF {
		return nil, fmt.Errorf("body is not exactly one JSON object: %s", excerpt(body))
	}
	if raw, ok := m.Members["error"]; ok {
		e := new(RPCError)
		if err := json.Unmarshal(raw, &e.Members); err != nil || e.Members == nil {
			return nil, fmt.Errorf("error member is not an object: %s", excerpt(raw))
		}
		e.Code, e.Message = e.Members["code"], e.Members["message"]
		m.Error = e
	}
	return m, nil
}

// Text is the message string of the error, or its raw JSON where it is not a
// string.
func (e *RPCError) Text() string {
	var s string
	if json.Unmarshal(e.Message, &s) != nil {
		return string(e.Message)
	}
	return s
}

// Excerpt shortens bytes for a person to read.
func excerpt(b []byte) string {
	const most = 200
	if len(b) == 0 {
		return "(empty)"
	}
	if len(b) > most {
		return fmt.Sprintf("%q and %d bytes more", b[:most], len(b)-most)
	}
	return fmt.Sprintf("%q", b)
}
