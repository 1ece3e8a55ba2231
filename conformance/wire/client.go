package wire

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"os"
	"strings"
	"time"
)

// MaxBody bounds an answer, in bytes. A longer one counts as cut.
const MaxBody = 32 << 20

// DefaultTimeout bounds the wait for one whole answer.
const DefaultTimeout = 5 * time.Second

// Options say how a client reaches its server.
type Options struct {
	// MCP is the URL of the MCP endpoint.
	MCP string
	// Token is sent as a bearer where it is not empty.
	Token string
	// CAFile names PEM certificates to trust beside the system's.
	CAFile string
	// Timeout bounds one exchange; 0 means DefaultTimeout.
	Timeout time.Duration
}

// Client sends requests over kept-alive connections and records them. It is
// safe for concurrent use.
type Client struct {
	opts      Options
	transport *http.Transport
}

// NewClient returns a client, or an error that names an unusable CA file.
func NewClient(o Options) (*Client, error) {
	if o.Timeout == 0 {
		o.Timeout = DefaultTimeout
	}
	conf := &tls.Config{MinVersion: tls.VersionTLS12}
	if o.CAFile != "" {
		pem, err := os.ReadFile(o.CAFile)
		if err != nil {
			return nil, fmt.Errorf("CA file: %w", err)
		}
		pool, err := x509.SystemCertPool()
		if err != nil {
			pool = x509.NewCertPool()
		}
		if !pool.AppendCertsFromPEM(pem) {
			return nil, fmt.Errorf("CA file %s holds no PEM certificate", o.CAFile)
		}
		conf.RootCAs = pool
	}
	dial := &net.Dialer{Timeout: o.Timeout}
	t := &http.Transport{
		Proxy:               nil, // a proxy would stand between the suite and the server it judges
		DisableCompression:  true,
		MaxIdleConnsPerHost: 64,
		DialContext: func(ctx context.Context, network, addr string) (net.Conn, error) {
			return record(dial.DialContext(ctx, network, addr))
		},
		DialTLSContext: func(ctx context.Context, network, addr string) (net.Conn, error) {
			host, _, _ := net.SplitHostPort(addr)
			own := conf.Clone()
			own.ServerName = host
			return record((&tls.Dialer{NetDialer: dial, Config: own}).DialContext(ctx, network, addr))
		},
	}
	return &Client{opts: o, transport: t}, nil
}

// MCP is the URL of the MCP endpoint.
func (c *Client) MCP() string { return c.opts.MCP }

// Close drops the idle connections.
func (c *Client) Close() { c.transport.CloseIdleConnections() }

// Request is what to send. The zero value is a POST to the MCP endpoint.
type Request struct {
	Method string
	URL    string
	Header http.Header
	Body   []byte
	// NoToken leaves the client's bearer out.
	NoToken bool
}

// Do sends a request and waits, bounded, for the whole answer. It never returns
// nil: a missing or cut answer stands in Exchange.Err.
//
// A kept-alive connection that the server closed before it sent a byte is
// replaced once by a fresh one, because closing an idle connection is legal.
func (c *Client) Do(ctx context.Context, r Request) *Exchange {
	x, again := c.once(ctx, r)
	if again {
		// Its neighbours are likely as old, and none of them would be fresh.
		c.transport.CloseIdleConnections()
		x, _ = c.once(ctx, r)
	}
	return x
}

func (c *Client) once(ctx context.Context, r Request) (x *Exchange, again bool) {
	if r.Method == "" {
		r.Method = http.MethodPost
	}
	if r.URL == "" {
		r.URL = c.opts.MCP
	}
	x = &Exchange{Method: r.Method, URL: r.URL, RequestBody: r.Body}
	start := time.Now()
	defer func() { x.Duration = time.Since(start) }()

	ctx, cancel := context.WithTimeout(ctx, c.opts.Timeout)
	defer cancel()
	var conn *recorder
	var reused bool
	trace := &httptrace.ClientTrace{GotConn: func(i httptrace.GotConnInfo) {
		if rec, ok := i.Conn.(*recorder); ok {
			conn, reused = rec, i.Reused
			conn.begin()
		}
	}}
	req, err := http.NewRequestWithContext(httptrace.WithClientTrace(ctx, trace), r.Method, r.URL, bytes.NewReader(r.Body))
	if err != nil {
		x.Err = err.Error()
		return x, false
	}
	c.dress(req, r)
	res, err := c.transport.RoundTrip(req)
	if conn != nil {
		x.RequestHead = conn.sentHead()
	}
	if err != nil {
		x.fail(err)
		return x, reused && !x.TimedOut && ctx.Err() == nil && conn.receivedNothing()
	}
	defer res.Body.Close()
	x.Status, x.Header = res.StatusCode, res.Header
	x.ResponseHead = conn.receivedHead()
	x.Body, err = io.ReadAll(io.LimitReader(res.Body, MaxBody+1))
	switch {
	case err != nil:
		x.fail(err)
	case len(x.Body) > MaxBody:
		x.Body = x.Body[:MaxBody]
		x.Err = fmt.Sprintf("answer is longer than %d bytes", MaxBody)
	}
	return x, false
}

func (c *Client) dress(req *http.Request, r Request) {
	for k, v := range r.Header {
		req.Header[k] = v
	}
	req.Header.Set("User-Agent", "")
	if r.Method == http.MethodPost {
		if req.Header.Get("Content-Type") == "" {
			req.Header.Set("Content-Type", "application/json")
		}
		if req.Header.Get("Accept") == "" {
			req.Header.Set("Accept", "application/json, text/event-stream")
		}
	}
	if c.opts.Token != "" && !r.NoToken && req.Header.Get("Authorization") == "" {
		req.Header.Set("Authorization", "Bearer "+c.opts.Token)
	}
}

func (x *Exchange) fail(err error) {
	var t interface{ Timeout() bool }
	x.TimedOut = errors.Is(err, context.DeadlineExceeded) || errors.As(err, &t) && t.Timeout()
	x.Err = err.Error()
	if x.TimedOut {
		x.Err = "no whole answer within the bound: " + strings.TrimSpace(x.Err)
	}
}
