// Package mcp serves the MCP port: the routes, the gates before dispatch, the
// four methods and the session header (sections 11.1 to 11.5).
package mcp

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strconv"

	"github.com/go-chi/chi/v5"

	"cruxconform/reference/auth"
	"cruxconform/reference/dispatch"
	"cruxconform/reference/redact"
	"cruxconform/reference/sse"
	"cruxconform/reference/tools"
	"cruxconform/spec"
)

// MaxBody bounds a POST body, in bytes.
const MaxBody = 2 << 20

// drainMost bounds how much of a body that is too long is read and dropped, in
// bytes. A client that sends the whole body before it looks for an answer would
// otherwise find a reset connection in place of the 413.
const drainMost = 16 << 20

// atOnce bounds what is set aside for a body that was only announced, in bytes.
const atOnce = 64 << 10

// Options of the port.
type Options struct {
	// Version is the version of the server that the handshake names.
	Version string
	// Listing is the result of tools/list, finished.
	Listing json.RawMessage
	// Calls runs tools/call.
	Calls *dispatch.Dispatcher
	// Gate says who makes a request; nil admits everybody as anonymous.
	Gate *auth.Gate
	// Streams holds the open event streams; nil is a registry with the documented
	// limits.
	Streams *sse.Registry
	// Redact says how error texts are scrubbed.
	Redact redact.Mode
	// MaxBody is the configured bound of a body in bytes, 0 for none; MaxBody of
	// this package holds besides.
	MaxBody int64
}

// Server answers on the MCP port.
type Server struct {
	Options
	handshake json.RawMessage
	discovery []byte
	// methods are the four that there are.
	methods map[string]method
}

// method answers one method for a caller.
type method func(r *http.Request, c tools.Caller, e *envelope) answer

// answer is a result or an error.
type answer struct {
	result json.RawMessage
	err    *tools.Error
}

// NewServer returns a server with its fixed answers built.
func NewServer(o Options) *Server {
	if o.Gate == nil {
		o.Gate = &auth.Gate{Agents: new(auth.Registry)}
	}
	if o.Streams == nil {
		o.Streams = sse.NewRegistry(sse.DefaultGlobal, sse.DefaultPerOwner)
	}
	s := &Server{Options: o, handshake: handshake(o.Version), discovery: discovery(o.Version)}
	s.methods = map[string]method{
		"initialize": finished(s.handshake),
		// Only a sender that puts an id on it gets here.
		"notifications/initialized": finished(json.RawMessage("null")),
		"tools/list":                finished(s.Listing),
		"tools/call":                s.call,
	}
	return s
}

// finished answers with bytes that are the same for everybody.
func finished(result json.RawMessage) method {
	return func(*http.Request, tools.Caller, *envelope) answer { return answer{result: result} }
}

// call runs a tool. An intent on a session with an open stream is announced
// there before the call is answered, whatever comes of it (section 11.1).
func (s *Server) call(r *http.Request, c tools.Caller, e *envelope) answer {
	result, err := s.Calls.Call(r.Context(), c, e.params)
	if id, _ := sessionID(r.Header); id != "" && announces(e.params) {
		s.Streams.ListChanged(id)
	}
	return answer{result, err}
}

// Handler returns the routes of the port. Everything else is 404, another
// method on a route 405, both without a body.
func (s *Server) Handler() http.Handler {
	routes := chi.NewRouter()
	routes.NotFound(notFound)
	routes.MethodNotAllowed(func(w http.ResponseWriter, r *http.Request) {
		// The router says 405 to a method that it does not know wherever it is
		// sent; every route of this port has a GET.
		if !routes.Match(chi.NewRouteContext(), http.MethodGet, r.URL.Path) {
			notFound(w, r)
			return
		}
		notAllowed(w, r)
	})
	routes.Post("/mcp", s.post)
	routes.Get("/mcp", s.get)
	routes.Head("/mcp", s.get)
	return routes
}

func notFound(w http.ResponseWriter, _ *http.Request) {
	w.WriteHeader(http.StatusNotFound)
}

func notAllowed(w http.ResponseWriter, _ *http.Request) {
	w.Header()["Allow"] = []string{"GET, HEAD, POST"}
	w.WriteHeader(http.StatusMethodNotAllowed)
}

// get opens a stream for a caller that asks for one, and answers the discovery
// blob to everybody else, without authentication.
func (s *Server) get(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodGet && asksForStream(r.Header) {
		s.stream(w, r)
		return
	}
	writeJSON(w, http.StatusOK, s.discovery)
}

// post takes a request through the gates in their documented order:
// authentication, session header, parser, notification, dispatch.
func (s *Server) post(w http.ResponseWriter, r *http.Request) {
	body, err := s.read(r)
	if err != nil {
		refuseBody(w, r, err)
		return
	}
	caller, ok := s.Gate.Authenticate(r.Header)
	if !ok {
		s.unauthorized(w)
		return
	}
	session, ok := sessionID(r.Header)
	if !ok {
		writeJSON(w, http.StatusBadRequest, badSession)
		return
	}
	e, err := parse(body)
	if err != nil {
		s.unparseable(w, err)
		return
	}
	if session == "" && e.method == "initialize" && !e.notification() {
		session = mint()
	}
	if session != "" {
		w.Header()[sessionHeader] = []string{session}
	}
	if e.notification() {
		w.WriteHeader(http.StatusAccepted)
		return
	}
	s.dispatch(w, r, caller, e)
}

var unauthorizedBody = mustJSON(map[string]string{
	"error": spec.ErrorUnauthorized, "hint": "set Authorization: Bearer <CRUX_AGENT_TOKEN>",
})

func (s *Server) unauthorized(w http.ResponseWriter) {
	if challenge := s.Gate.Challenge(); challenge != "" {
		w.Header().Set("WWW-Authenticate", challenge)
	}
	writeJSON(w, http.StatusUnauthorized, unauthorizedBody)
}

func (s *Server) dispatch(w http.ResponseWriter, r *http.Request, caller tools.Caller, e *envelope) {
	run, known := s.methods[e.method]
	if !known {
		writeError(w, e.id, &tools.Error{Code: tools.CodeMethodNotFound, Message: spec.MessageMethodNotFound + e.method})
		return
	}
	a := run(r, caller, e)
	if a.err != nil {
		writeError(w, e.id, a.err)
		return
	}
	writeResult(w, e.id, a.result)
}

func (s *Server) unparseable(w http.ResponseWriter, err error) {
	writeError(w, json.RawMessage("null"), &tools.Error{
		Code: tools.CodeParse, Message: spec.MessageParse + redact.Scrub(s.Redact, err.Error()),
	})
}

// errTooLong says that a body is longer than limit bytes.
type errTooLong struct{ limit int64 }

func (e errTooLong) Error() string {
	return "request body exceeds the configured limit of " + strconv.FormatInt(e.limit, 10) + " bytes (CORECRUXD_MAX_REQUEST_BODY_BYTES)"
}

// read takes the whole body, bounded.
func (s *Server) read(r *http.Request) ([]byte, error) {
	most := int64(MaxBody)
	if s.MaxBody > 0 && s.MaxBody < most {
		most = s.MaxBody
	}
	switch {
	case r.ContentLength > most:
		return nil, errTooLong{most}
	case 0 <= r.ContentLength && r.ContentLength <= atOnce:
		body := make([]byte, r.ContentLength)
		_, err := io.ReadFull(r.Body, body)
		return body, err
	}
	body, err := io.ReadAll(io.LimitReader(r.Body, most+1))
	if err == nil && int64(len(body)) > most {
		return nil, errTooLong{most}
	}
	return body, err
}

// refuseBody answers a body that is too long with 413; one that broke off gets
// 400, for nobody who is still there to read it.
func refuseBody(w http.ResponseWriter, r *http.Request, err error) {
	var long errTooLong
	if !errors.As(err, &long) {
		w.Header().Set("Connection", "close")
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	if !drained(r) {
		w.Header().Set("Connection", "close")
	}
	writeBody(w, http.StatusRequestEntityTooLarge, problemJSON, mustJSON(map[string]any{
		"type": "https://errors.cuecrux.com/payload-too-large", "title": "Payload Too Large",
		"status": http.StatusRequestEntityTooLarge, "detail": long.Error(),
	}))
}

// drained drops the rest of a body and reports whether the connection is free
// for another request. A client that waits for leave to send its body is not
// given it.
func drained(r *http.Request) bool {
	if r.ContentLength > drainMost || r.Header.Get("Expect") != "" {
		return false
	}
	_, err := io.CopyN(io.Discard, r.Body, drainMost)
	return errors.Is(err, io.EOF)
}
