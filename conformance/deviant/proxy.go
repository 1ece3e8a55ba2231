package deviant

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httputil"
	"net/url"
	"strconv"
)

// maxBody bounds what a proxy reads of one body, in bytes.
const maxBody = 32 << 20

// Proxy stands before a true server and tells one lie. Upstream is the base URL
// of the port, without a path.
func Proxy(upstream *url.URL, l Lie) http.Handler {
	p := &proxy{lie: l, upstream: upstream}
	p.reverse = &httputil.ReverseProxy{
		Rewrite:       p.rewrite,
		FlushInterval: -1, // streams pass as they come
		ModifyResponse: func(res *http.Response) error {
			return p.tell(res)
		},
		ErrorHandler: func(w http.ResponseWriter, _ *http.Request, _ error) {
			w.WriteHeader(http.StatusBadGateway)
		},
	}
	return p
}

type proxy struct {
	lie      Lie
	upstream *url.URL
	reverse  *httputil.ReverseProxy
}

// asked carries the request from Ask to Tell, and an answer with a way of
// writing of its own from Tell to ServeHTTP.
type asked struct {
	request *Request
	answer  *Answer
}

func (p *proxy) ServeHTTP(w http.ResponseWriter, in *http.Request) {
	body, err := io.ReadAll(io.LimitReader(in.Body, maxBody))
	if err != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	r := &Request{Method: in.Method, Path: in.URL.Path, Query: in.URL.RawQuery, Header: in.Header.Clone(), Body: body, RPC: parseRPC(body)}
	if p.lie.Ask != nil {
		if a := p.lie.Ask(r); a != nil {
			a.write(w)
			return
		}
	}
	out := in.Clone(withAsked(in.Context(), &asked{request: r}))
	out.Method, out.Header = r.Method, r.Header
	out.Body = io.NopCloser(bytes.NewReader(r.Body))
	out.ContentLength = int64(len(r.Body))
	if len(r.Body) == 0 {
		out.Body = http.NoBody
	}
	held := &holder{ResponseWriter: w, of: askedFrom(out.Context())}
	p.reverse.ServeHTTP(held, out)
	if a := held.of.answer; a != nil {
		a.write(w)
	}
}

func (p *proxy) rewrite(r *httputil.ProxyRequest) {
	r.SetURL(p.upstream)
	r.Out.URL.Path = askedFrom(r.In.Context()).request.Path
	r.Out.Host = r.In.Host
}

// tell reads a whole answer, unless it is a stream, and lets the lie change it.
func (p *proxy) tell(res *http.Response) error {
	if p.lie.Tell == nil || isStream(res.Header) {
		return nil
	}
	body, err := io.ReadAll(io.LimitReader(res.Body, maxBody))
	if err != nil {
		return err
	}
	res.Body.Close()
	a := &Answer{Status: res.StatusCode, Header: res.Header, Body: body}
	of := askedFrom(res.Request.Context())
	p.lie.Tell(of.request, a)
	if a.Write != nil {
		of.answer = a
		res.Header.Del("Content-Length")
		res.Body, res.ContentLength = http.NoBody, 0
		return nil
	}
	res.StatusCode, res.Header = a.Status, a.Header
	res.Body = io.NopCloser(bytes.NewReader(a.Body))
	res.ContentLength = int64(len(a.Body))
	if res.Header.Get("Content-Length") != "" || len(a.Body) > 0 {
		res.Header.Set("Content-Length", strconv.Itoa(len(a.Body)))
	}
	return nil
}

func isStream(h http.Header) bool {
	return len(h.Get("Content-Type")) >= 17 && h.Get("Content-Type")[:17] == "text/event-stream"
}

// holder keeps the plain answer back where the lie writes it itself.
type holder struct {
	http.ResponseWriter
	of *asked
}

func (h *holder) WriteHeader(status int) {
	if h.of.answer == nil {
		h.ResponseWriter.WriteHeader(status)
	}
}

func (h *holder) Write(p []byte) (int, error) {
	if h.of.answer != nil {
		return len(p), nil
	}
	return h.ResponseWriter.Write(p)
}

// FlushError keeps the flush back as well: it would send a status of 200 before
// the lie writes its own.
func (h *holder) FlushError() error {
	if h.of.answer != nil {
		return nil
	}
	return http.NewResponseController(h.ResponseWriter).Flush()
}

func (h *holder) Unwrap() http.ResponseWriter { return h.ResponseWriter }

// write sends an answer of the lie's own.
func (a *Answer) write(w http.ResponseWriter) {
	for name, values := range a.Header {
		w.Header()[name] = values
	}
	if a.Write != nil {
		a.Write(w, a)
		return
	}
	if len(a.Body) > 0 {
		w.Header().Set("Content-Length", strconv.Itoa(len(a.Body)))
	}
	w.WriteHeader(a.Status)
	// A caller that went away needs no answer.
	_, _ = w.Write(a.Body)
}
