package suite

import (
	"fmt"
	"net/http"
	"time"

	"cruxconform/conformance/host"
	"cruxconform/conformance/wire"
	"cruxconform/spec"
)

var _ = check("11.3-36", "without CRUX_MCP_URL mcp-stdio posts to the default port", func(c *C) {
	c.bridge(c.bridgeEnv(c.upstream(echo).URL())).works("1")
	// In setup bare the server under test itself is what stands there.
	c.Given(RootAnswer, func() { c.Equal("HTTP status of the server under test", c.hello().Status, http.StatusOK) })
	env := c.bridgeEnv("")
	delete(env, "CRUX_MCP_URL")
	m, _ := c.bridge(env).ask(handshake)
	if m.Error != nil {
		c.Fail("the answer to initialize", "a result from http://127.0.0.1:14801/mcp", "error "+compact(m.Error.Code)+": "+m.Error.Text())
	}
	var hello struct{ ProtocolVersion string }
	c.Decode("the initialize result", m.Members["result"], &hello)
	c.Equal("protocolVersion", hello.ProtocolVersion, spec.ProtocolVersion)
})

var _ = check("11.3-48", "the bridge neither sends nor keeps a session id", func(c *C) {
	up := c.upstream(func(r host.Received) host.Reply {
		reply := echo(r)
		reply.Header.Set(spec.SessionHeader, "a-session-of-the-endpoint")
		return reply
	})
	b := c.bridge(c.bridgeEnv(up.URL()))
	b.works("1")
	b.works("2")
	got := up.Received()
	c.Equal("requests to the endpoint", len(got), 2)
	for i, name := range []string{"the first request", "the request behind a minted session"} {
		c.Equal(name+": "+spec.SessionHeader, got[i].Header.Values(spec.SessionHeader), []string(nil))
	}
})

var _ = check("11.3-49", "the bridge ends with status 0 when stdin ends", func(c *C) {
	b := c.bridge(c.bridgeEnv(c.upstream(echo).URL()))
	b.works("1")
	b.CloseInput()
	status, err := b.Exit(c)
	if err != nil {
		c.Fail("the bridge behind the end of stdin", "its end", b.state(err))
	}
	c.Equal("exit status", status, 0)
})

var _ = check("11.3-50", "stdout of the bridge carries nothing but answers", func(c *C) {
	c.bridge(c.bridgeEnv(c.upstream(echo).URL())).works("1")
	// A server of an unlikely version: what a bridge has to say about that is
	// no answer.
	told := `{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2024-11-05","capabilities":{"tools":{}},"serverInfo":{"name":"endpoint","version":"0.0.0-of-the-suite"}}}`
	up := c.upstream(func(host.Received) host.Reply { return answering(told) })
	b := c.bridge(c.bridgeEnv(up.URL()))
	b.send(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}`)
	c.Equal("the first line on stdout", sameForm([]byte(b.line())), sameForm([]byte(told)))
	b.CloseInput()
	c.Equal("lines behind the answer", len(b.rest()), 0)
})

var _ = check("11.3-51", "the bridge runs without data directory and without auth mode", func(c *C) {
	up := c.upstream(echo)
	c.bridge(c.bridgeEnv(up.URL())).works("1")
	b := c.bridge(map[string]string{"CRUX_MCP_URL": up.URL() + "/mcp"})
	m, _ := b.ask(listing("2"))
	c.Equal("the id of the answer", sameForm(m.Members["id"]), "2")
	c.Equal("the result of the answer", sameForm(m.Members["result"]), "{}")
})

var _ = check("11.3-53", "every line before the end of stdin is answered", func(c *C) {
	const burst = 20
	up := c.upstream(func(r host.Received) host.Reply {
		reply := echo(r)
		reply.Delay = 5 * time.Millisecond // so that stdin ends before the work does
		return reply
	})
	b := c.bridge(c.bridgeEnv(up.URL()))
	b.works("0")
	var lines []string
	missing := map[string]bool{}
	for i := 1; i <= burst; i++ {
		lines = append(lines, listing(fmt.Sprint(i)))
		missing[fmt.Sprint(i)] = true
	}
	b.send(lines...)
	b.CloseInput()
	answered := 0
	for _, line := range b.rest() {
		if m, err := wire.ParseMessage([]byte(line)); err == nil && missing[sameForm(m.Members["id"])] {
			delete(missing, sameForm(m.Members["id"]))
			answered++
		}
	}
	c.Equal("requests answered", answered, burst)
})
