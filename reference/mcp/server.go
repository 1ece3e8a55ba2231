// Package mcp serves the MCP port: the routes, the gates before dispatch, the
// four methods and the session header (sections 11.1 to 11.5).
package mcp

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"

	"github.com/go-chi/chi/v5"

	"cruxconform/reference/dispatch"
	"cruxconform/reference/redact"
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
	methods map[string]func(*http.Request, *envelope) answer
}

// answer is a result or an error.
type answer struct {
	result json.RawMessage
	err    *tools.Error
}

// NewServer returns a server with its fixed answers built.
func NewServer(o Options) *Server {
	s := &Server{Options: o, handshake: handshake(o.Version), discovery: discovery(o.Version)}
	s.methods = map[string]func(*http.Request, *envelope) answer{
		"initialize": func(*http.Request, *envelope) answer { return answer{result: s.handshake} },
		// Only a sender that puts an id on it gets here.
		"notifications/initialized": func(*http.Request, *envelope) answer { return answer{result: json.RawMessage("null")} },
		"tools/list":                func(*http.Request, *envelope) answer { return answer{result: s.Listing} },
		"tools/call": func(r *http.Request, e *envelope) answer {
			result, err := s.Calls.Call(r.Context(), tools.Caller{}, e.params)
			return answer{result, err}
		},
	}
	return s
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

// get answers the discovery blob. A caller that asks for a stream is told that
// there is none, since the blob would make it ask again and again.
func (s *Server) get(w http.ResponseWriter, r *http.Request) {
	if strings.Contains(r.Header.Get("Accept"), "text/event-stream") {
		notAllowed(w, r)
		return
	}
	writeJSON(w, http.StatusOK, s.discovery)
}

// post takes a request through the gates in their documented order: session
// header, parser, notification, dispatch.
func (s *Server) post(w http.ResponseWriter, r *http.Request) {
	body, err := s.read(r)
	if err != nil {
		refuseBody(w, r, err)
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
	s.dispatch(w, r, e)
}

func (s *Server) dispatch(w http.ResponseWriter, r *http.Request, e *envelope) {
	run, known := s.methods[e.method]
	if !known {
		writeError(w, e.id, &tools.Error{Code: tools.CodeMethodNotFound, Message: spec.MessageMethodNotFound + e.method})
		return
	}
	a := run(r, e)
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
