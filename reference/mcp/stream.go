package mcp

import (
	"encoding/json"
	"errors"
	"net"
	"net/http"
	"strings"
	"time"

	"cruxconform/reference/sse"
	"cruxconform/reference/tools"
	"cruxconform/spec"
)

// asksForStream reports whether a GET wants a stream and not the blob.
func asksForStream(h http.Header) bool {
	return strings.Contains(h.Get("Accept"), "text/event-stream")
}

// stream opens an event stream: authentication, session header, registration,
// and then the connection is taken over, because an idle stream on a plain
// handler costs seven times as much memory.
func (s *Server) stream(w http.ResponseWriter, r *http.Request) {
	caller, ok := s.Gate.Authenticate(r.Header)
	if !ok {
		s.unauthorized(w)
		return
	}
	id, ok := sessionID(r.Header)
	if !ok {
		writeJSON(w, http.StatusBadRequest, badSession)
		return
	}
	if id == "" {
		id = mint()
	}
	place, err := s.Streams.Reserve(id, owner(caller, r.RemoteAddr))
	if err != nil {
		refuseStream(w, err)
		return
	}
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		place.Release()
		w.WriteHeader(http.StatusInternalServerError)
		return
	}
	// The bounds of the HTTP server are for requests; a stream has its own.
	if err := conn.SetDeadline(time.Time{}); err != nil {
		place.Release()
		conn.Close()
		return
	}
	place.Open(conn)
}

// owner is the key that streams are counted under (section 11.1).
func owner(c tools.Caller, address string) string {
	if !c.Anonymous() {
		return "agent:" + c.Agent
	}
	host, _, err := net.SplitHostPort(address)
	if err != nil || host == "" {
		return "anonymous"
	}
	return "ip:" + host
}

// refuseStream answers a stream that cannot be opened, as small JSON before any
// event-stream header, so that a client does not take it for a stream that
// ended.
func refuseStream(w http.ResponseWriter, err error) {
	var limit *sse.LimitError
	switch {
	case errors.As(err, &limit):
		w.Header().Set("Retry-After", "5")
		writeJSON(w, http.StatusTooManyRequests, mustJSON(map[string]any{
			"error": spec.ErrorSessionLimit, "scope": limit.Scope, "limit": limit.Limit,
		}))
	case errors.As(err, new(sse.OwnerError)):
		writeJSON(w, http.StatusForbidden, mustJSON(map[string]string{
			"error":  spec.ErrorSessionOwner,
			"detail": "session id is owned by a different caller; only the original owner may replace it",
		}))
	default:
		w.WriteHeader(http.StatusServiceUnavailable)
	}
}

// announces reports whether a tools/call carries an intent: then the listing
// may have changed for the session (section 11.10).
func announces(params json.RawMessage) bool {
	call := tools.ParseArgs(params)
	if name, _ := call.String("name"); name != "cuecrux_session" {
		return false
	}
	raw, _ := call.Raw("arguments")
	intent, _ := tools.ParseArgs(raw).String("intent")
	return strings.TrimSpace(intent) != ""
}
