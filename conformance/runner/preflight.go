package runner

import (
	"context"
	"net/http"

	"cruxconform/conformance/target"
	"cruxconform/conformance/wire"
)

// probe asks a server three unlike things at once and reports whether any of
// them got a status line. The reason is that of a request that did not.
func probe(ctx context.Context, c *wire.Client) (answered bool, why string) {
	asks := []wire.Request{
		{Method: http.MethodGet},
		{Body: []byte(`{"jsonrpc":"2.0","id":"probe-1","method":"initialize","params":{}}`)},
		{Body: []byte(`{"jsonrpc":"2.0","id":"probe-2","method":"ping"}`)},
	}
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
		answered, why := probe(ctx, c)
		c.Close()
		if !answered {
			return "no answer from " + e.MCP + ": " + why
		}
	}
	return ""
}
