package mcp

import (
	"crypto/rand"
	"encoding/hex"
	"net/http"
	"strings"

	"cruxconform/spec"
)

// sessionHeader is the canonical key of the session header.
var sessionHeader = http.CanonicalHeaderKey(spec.SessionHeader)

// badSession is the body of the 400 for a session id (section 11.5).
var badSession = mustJSON(map[string]string{
	"error": spec.ErrorBadSessionID,
	"hint":  "Mcp-Session-Id must be 1..=128 ASCII chars from [A-Za-z0-9._:-]",
})

// sessionID reads the session header (section 11.1). No header is no session;
// a header that stands twice, is empty, too long or has a character outside the
// charset is not ok. Ids only correlate: none is stored or looked up.
func sessionID(h http.Header) (id string, ok bool) {
	values := h[sessionHeader]
	if len(values) == 0 {
		return "", true
	}
	if len(values) > 1 {
		return "", false
	}
	// Blanks and tabs are no part of a header value; any other space is a
	// character like any other, and refused.
	id = strings.Trim(values[0], " \t")
	if id == "" || len(id) > spec.SessionIDMax {
		return "", false
	}
	for i := range len(id) {
		if !sessionByte(id[i]) {
			return "", false
		}
	}
	return id, true
}

func sessionByte(c byte) bool {
	switch {
	case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9':
		return true
	}
	return c == '.' || c == '_' || c == ':' || c == '-'
}

// mint makes a session id: a version 4 UUID in simple form.
func mint() string {
	var b [16]byte
	// It never fails: the runtime ends the process where the system gives no
	// randomness.
	_, _ = rand.Read(b[:])
	b[6] = b[6]&0x0f | 0x40
	b[8] = b[8]&0x3f | 0x80
	return hex.EncodeToString(b[:])
}
