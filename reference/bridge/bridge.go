// Package bridge relays line-delimited JSON-RPC between stdin and stdout and an
// MCP endpoint (section 11.3, the stdio bridge).
package bridge

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"unicode/utf8"
)

// DefaultURL is the endpoint that lines are posted to without CRUX_MCP_URL.
const DefaultURL = "http://127.0.0.1:14801/mcp"

// The settings of the bridge; it needs no others.
const (
	variableURL   = "CRUX_MCP_URL"
	variableToken = "CRUX_AGENT_TOKEN"
)

// Options are what a bridge runs with.
type Options struct {
	// Lookup reads an environment variable.
	Lookup func(name string) (string, bool)
	In     io.Reader
	// Out gets answers and nothing else; Err gets what the bridge says itself.
	Out, Err io.Writer
	// Name and Version stand in the banner; Version is compared with that of
	// the endpoint.
	Name, Version string
}

// Run relays each line of the input as one POST, one after the other, and
// writes each answer as one line, until the input ends. It returns the exit
// status: 0 at the end of the input or when the output is closed, 1 where the
// input cannot be read or is not UTF-8.
func Run(o Options) int {
	b := newBridge(o)
	fmt.Fprintf(o.Err, "%s mcp-stdio %s: bridging stdio ⇄ %s (auth: %s)\n", o.Name, o.Version, shown(b.url), b.auth())
	in := bufio.NewReaderSize(o.In, 64<<10)
	for {
		line, err := in.ReadBytes('\n')
		if !utf8.Valid(line) {
			err = errors.New("a line is not valid UTF-8; MCP messages are UTF-8 text")
		} else if line = bytes.TrimRight(line, "\r\n"); len(bytes.TrimSpace(line)) > 0 && !b.relay(line) {
			return 0
		}
		switch {
		case err == io.EOF:
			return 0
		case err != nil:
			fmt.Fprintf(o.Err, "%s mcp-stdio: read stdin: %v\n", o.Name, err)
			return 1
		}
	}
}

type bridge struct {
	Options
	url, token string
	client     *http.Client
}

func newBridge(o Options) *bridge {
	b := &bridge{Options: o, url: DefaultURL}
	// A variable that is set but empty is taken at its word: every line then
	// says that the endpoint is unreachable, which a silent default would hide.
	if v, ok := o.Lookup(variableURL); ok {
		b.url = v
	}
	if v, _ := o.Lookup(variableToken); strings.TrimSpace(v) != "" {
		b.token = v
	}
	b.client = &http.Client{
		// A connection per line: one kept from before a restart of the endpoint
		// would fail a POST that cannot be repeated without risk.
		Transport: &http.Transport{Proxy: http.ProxyFromEnvironment, DisableKeepAlives: true},
		// The bearer is for the configured endpoint only.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	return b
}

func (b *bridge) auth() string {
	if b.token == "" {
		return "none"
	}
	return "bearer token from " + variableToken
}

// relay sends one line and writes its answer. It reports whether the output
// still takes anything.
func (b *bridge) relay(line []byte) bool {
	answer, err := b.post(line)
	if err != nil {
		answer = failure(line, err)
	} else if drift := versionDrift(line, answer, b.Version); drift != "" {
		fmt.Fprintf(b.Err, "%s mcp-stdio: version drift: the endpoint is %s, this bridge %s\n", b.Name, drift, b.Version)
	}
	_, err = b.Out.Write(append(oneLine(answer), '\n'))
	return err == nil
}

// post returns the body that the endpoint answered with.
func (b *bridge) post(line []byte) ([]byte, error) {
	req, err := http.NewRequest(http.MethodPost, b.url, bytes.NewReader(line))
	if err != nil {
		return nil, fmt.Errorf("upstream MCP endpoint unreachable: %w", err)
	}
	req.Header.Set("Content-Type", "application/json")
	if b.token != "" {
		req.Header.Set("Authorization", "Bearer "+b.token)
	}
	res, err := b.client.Do(req)
	if err != nil {
		return nil, fmt.Errorf("upstream MCP endpoint unreachable: %w", err)
	}
	defer res.Body.Close()
	// A redirect is not followed, so it is no answer either.
	if res.StatusCode >= 300 {
		return nil, fmt.Errorf("upstream MCP endpoint answered HTTP %d", res.StatusCode)
	}
	body, err := io.ReadAll(res.Body)
	if err != nil {
		return nil, fmt.Errorf("read upstream response: %w", err)
	}
	return body, nil
}

// shown is a URL without a password in it.
func shown(raw string) string {
	u, err := url.Parse(raw)
	if err != nil {
		return "(unreadable URL)"
	}
	return u.Redacted()
}
