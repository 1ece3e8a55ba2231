package suite

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"

	"cruxconform/conformance/host"
	"cruxconform/conformance/wire"
)

// rootRelay is the entry that every check of the bridge builds on: a line goes
// up, its answer comes back.
const rootRelay = "11.3-34"

// bridgeEnv are the variables of a bridge whose endpoint is at base. The server
// that the bridge belongs to might want a data directory and an auth mode; that
// the bridge does not is an entry of its own.
func (c *C) bridgeEnv(base string) map[string]string {
	return map[string]string{
		"CRUX_MCP_URL": base + "/mcp", "CORECRUXD_DATA_DIR": os.TempDir(), "CORECRUXD_AUTH_MODE": "off",
	}
}

// upstream starts an endpoint for a bridge, which ends with the check.
func (c *C) upstream(script func(r host.Received) host.Reply) *host.Upstream {
	u := host.NewUpstream(script)
	c.Cleanup(func(*C) { u.Stop() })
	return u
}

// echo answers a request with an empty result for its id, and anything else as
// an MCP endpoint does: 202 for a notification, -32700 for what is no JSON.
func echo(r host.Received) host.Reply {
	m, err := wire.ParseMessage(r.Body)
	switch {
	case err != nil:
		return answering(`{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"parse error"}}`)
	case m.Members["id"] == nil:
		return host.Reply{Status: http.StatusAccepted}
	}
	return answering(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{}}`, m.Members["id"]))
}

// answering is HTTP 200 with a JSON body.
func answering(body string) host.Reply { return failing(http.StatusOK, body) }

// failing is an answer with a status and a JSON body.
func failing(status int, body string) host.Reply {
	return host.Reply{Status: status, Header: http.Header{"Content-Type": {"application/json"}}, Body: body}
}

// bridge is a bridge process that a check drives.
type bridge struct {
	c *C
	*host.Bridge
}

// bridge starts the bridge, which ends with the check.
func (c *C) bridge(env map[string]string) *bridge {
	p, err := host.StartBridge(c.Bridge, env)
	if err != nil {
		c.CannotRun("%v; --bridge 'COMMAND' names the bridge", err)
	}
	c.Cleanup(func(*C) { p.Stop() })
	return &bridge{c, p}
}

// send writes lines to the bridge, each with a line end, in one go.
func (b *bridge) send(lines ...string) {
	if err := b.Write(b.c, strings.Join(lines, "\n")+"\n"); err != nil {
		b.c.Fail("stdin of the bridge", "a bridge that reads it", b.state(err))
	}
}

// line is the next line of stdout.
func (b *bridge) line() string {
	line, err := b.Line(b.c)
	if err != nil {
		b.c.Fail("stdout of the bridge", "a line", b.state(err))
	}
	return line
}

// rest is every line until stdout ends.
func (b *bridge) rest() []string {
	var lines []string
	for {
		line, err := b.Line(b.c)
		switch {
		case err == io.EOF:
			return lines
		case err != nil:
			b.c.Fail("stdout of the bridge", "its end behind the end of stdin", b.state(err))
		}
		lines = append(lines, line)
	}
}

// answer is the next line of stdout that is a JSON object: a host has to skip
// empty lines, and what else stands there is the matter of one entry alone.
func (b *bridge) answer() *wire.Message {
	for {
		line := b.line()
		if m, err := wire.ParseMessage([]byte(line)); err == nil {
			return m
		}
	}
}

// ask sends a request and returns the member of its answer that matters most:
// the result, or the code of the error.
func (b *bridge) ask(request string) (m *wire.Message, code string) {
	b.send(request)
	m = b.answer()
	if m.Error == nil {
		return m, none
	}
	return m, compact(m.Error.Code)
}

// works demands that a request with the id is answered with a result.
func (b *bridge) works(id string) {
	b.c.Given(rootRelay, func() {
		m, _ := b.ask(listing(id))
		b.c.Equal("the id of the answer", sameForm(m.Members["id"]), id)
		if m.Members["result"] == nil {
			b.c.Fail("the answer", "a result", show(m.Members))
		}
	})
}

// lastOf is the last request that an endpoint got. A bridge that answered
// without asking anybody relays nothing.
func (c *C) lastOf(up *host.Upstream) host.Received {
	got := up.Received()
	c.Given(rootRelay, func() {
		if len(got) == 0 {
			c.Fail("requests to the endpoint", "at least one", "none")
		}
	})
	return got[len(got)-1]
}

// state says what became of the bridge beside the error.
func (b *bridge) state(err error) string {
	what := err.Error()
	if err == io.EOF {
		what = "the end of its output"
	}
	if said := strings.TrimSpace(b.Stderr()); said != "" {
		what += "; its stderr: " + clip(said)
	}
	return what
}

// listing is a tools/list request on one line; the id is raw JSON.
func listing(id string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":"tools/list"}`, id)
}

// bodies are the bodies that an endpoint got.
func bodies(received []host.Received) []string {
	var out []string
	for _, r := range received {
		out = append(out, sameForm(r.Body))
	}
	return out
}
