package runner

import (
	"context"
	"net/http"
	"strings"

	"cruxconform/conformance/target"
	"cruxconform/conformance/wire"
)

// calls are two unlike requests that every server can be asked.
var calls = []wire.Request{
	{Body: []byte(`{"jsonrpc":"2.0","id":"probe-1","method":"initialize","params":{}}`)},
	{Body: []byte(`{"jsonrpc":"2.0","id":"probe-2","method":"ping"}`)},
}

// anything is what a server may give a first sign of life to.
var anything = append([]wire.Request{{Method: http.MethodGet}}, calls...)

// probe asks a server unlike things at once and reports whether any of them got
// a status line. The reason is that of a request that did not.
func probe(ctx context.Context, c *wire.Client, asks []wire.Request) (answered bool, why string) {
	got := make(chan *wire.Exchange, len(asks))
	for _, r := range asks {
		go func() { got <- c.Do(ctx, r) }()
	}
	for range asks {
		x := <-got
		if x.Answered() {
			return true, ""
		}
		why = x.Err
	}
	return false, why
}

// reach probes the servers that already run and returns what is wrong with the
// first that does not answer at all, empty if none.
func reach(ctx context.Context, t *target.Target, p *Plan, o Options) string {
	for _, s := range p.Setups() {
		e := t.Running[s.Name]
		c, err := wire.NewClient(wire.Options{MCP: e.MCP, Token: e.Token, CAFile: t.CAFile, Timeout: o.RequestTimeout})
		if err != nil {
			return err.Error()
		}
		answered, why := probe(ctx, c, anything)
		c.Close()
		if !answered {
			return "no answer from " + e.MCP + ": " + why + remedy(why)
		}
	}
	return ""
}

// remedy says what to do about the common reasons of an unreachable server.
func remedy(why string) string {
	switch {
	case strings.Contains(why, "cannot validate certificate"), strings.Contains(why, "certificate is valid for"),
		strings.Contains(why, "certificate is not valid for"):
		return " (the certificate names another host: write the URL with a name that it holds, or renew it)"
	case strings.Contains(why, "certificate has expired"):
		return " (renew the certificate, or set the clock right)"
	case strings.Contains(why, "x509"):
		return " (--ca-file FILE trusts the certificates of a private CA)"
	case strings.Contains(why, "server gave HTTP response to HTTPS client"),
		strings.Contains(why, "first record does not look like a TLS handshake"):
		return " (the server speaks plain HTTP: write http:// in the URL)"
	case strings.Contains(why, "connection refused"):
		return " (is the server running, and is this its MCP port?)"
	}
	return ""
}
