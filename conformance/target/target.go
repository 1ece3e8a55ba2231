// Package target says where the server under test is, how it is started in a
// named setup, and what its operator declares.
package target

import (
	"fmt"
	"net"
	"net/url"
	"strings"
	"time"
)

// ReadyTimeout bounds the wait for a launched server to answer.
const ReadyTimeout = 30 * time.Second

// Target is a server under test. Exactly one of Running and Launch is set.
type Target struct {
	// Name is how reports call the server; How says how it is reached.
	Name string `json:"name"`
	How  string `json:"how"`
	// Running maps setups to servers that already run in them.
	Running map[string]Endpoint `json:"running,omitempty"`
	// Launch starts a server in any setup.
	Launch *Launch `json:"launch,omitempty"`
	// Bridge is the command of a stdio bridge, empty where none is known.
	Bridge []string `json:"bridge,omitempty"`
	// CAFile names PEM certificates to trust for https.
	CAFile string `json:"ca_file,omitempty"`
	// Corpus is a retrieval corpus that the operator has loaded.
	Corpus *Corpus `json:"corpus,omitempty"`
	// CapabilityToken is "attached" where the operator attaches a capability
	// token to every caller (ruling R1).
	CapabilityToken string `json:"capability_token,omitempty"`
	// Shared forbids checks that write; Disposable allows destructive ones.
	Shared     bool `json:"shared,omitempty"`
	Disposable bool `json:"disposable,omitempty"`
}

// Endpoint is one running server.
type Endpoint struct {
	// MCP is the URL of the MCP endpoint, API the base URL of the HTTP API.
	MCP string `json:"mcp"`
	API string `json:"api,omitempty"`
	// Token is the bearer to send, taken from the environment.
	Token string `json:"token,omitempty"`
}

// Launch says how to start a server.
type Launch struct {
	// Command is the program and its arguments.
	Command []string `json:"command"`
	// Env is set beside the variables of the setup, over which it wins.
	Env map[string]string `json:"env,omitempty"`
	// Setups lists the setups that the server can be launched in, all if empty.
	Setups []string `json:"setups,omitempty"`
	// Ready bounds the wait for the first answer.
	Ready time.Duration `json:"ready,omitempty"`
	// Secrets are the values of Env that came from named variables of the caller;
	// they are taken out of whatever the server prints or answers.
	Secrets []string `json:"secrets,omitempty"`
}

// Corpus is a loaded retrieval corpus: a search that has exactly Hits hits.
type Corpus struct {
	Tenant string `json:"tenant" yaml:"tenant"`
	Query  string `json:"query" yaml:"query"`
	Hits   int    `json:"hits" yaml:"hits"`
}

// Offers reports whether the target can be asked in a setup.
func (t *Target) Offers(setup string) bool {
	if t.Launch == nil {
		_, ok := t.Running[setup]
		return ok
	}
	if len(t.Launch.Setups) == 0 {
		return true
	}
	for _, s := range t.Launch.Setups {
		if s == setup {
			return true
		}
	}
	return false
}

// Launched reports whether the suite starts and stops the server itself.
func (t *Target) Launched() bool { return t.Launch != nil }

// HasAPI reports whether the HTTP API of the server in a setup is known.
func (t *Target) HasAPI(setup string) bool {
	return t.Launched() || t.Running[setup].API != ""
}

// CheckURL accepts an http or https URL without credentials in it. The error
// names what is wrong and the remedy.
func CheckURL(raw string) error {
	u, err := url.Parse(raw)
	switch {
	case !strings.Contains(raw, "://"):
		return fmt.Errorf("URL %q has no scheme; write for example http://127.0.0.1:14801/mcp", redactURL(raw))
	case err != nil:
		return fmt.Errorf("URL %q is not readable; write for example http://127.0.0.1:14801/mcp", redactURL(raw))
	case u.User != nil:
		return fmt.Errorf("URL %q holds credentials; leave them out and name a variable with --token-env", redactURL(raw))
	case u.Scheme != "http" && u.Scheme != "https":
		return fmt.Errorf("URL %q has neither http:// nor https:// as its scheme; write for example http://127.0.0.1:14801/mcp", redactURL(raw))
	case u.Hostname() == "":
		return fmt.Errorf("URL %q names no host; write for example http://127.0.0.1:14801/mcp", raw)
	case strings.HasSuffix(u.Host, ":"):
		return fmt.Errorf("URL %q has an empty port", raw)
	case u.Fragment != "":
		return fmt.Errorf("URL %q has a fragment (#%s), which no request carries; leave it out", raw, u.Fragment)
	}
	return nil
}

// redactURL hides the user part of a URL that may not even parse.
func redactURL(raw string) string {
	at := strings.LastIndex(raw, "@")
	scheme := strings.Index(raw, "//")
	if at < 0 {
		return raw
	}
	if scheme < 0 || scheme > at {
		return "...@" + raw[at+1:]
	}
	return raw[:scheme+2] + "...@" + raw[at+1:]
}

// freePorts reserves n loopback ports for a moment and returns them. Another
// process may take one before it is used; the launcher then tries again.
func freePorts(n int) ([]int, error) {
	var ports []int
	for range n {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return nil, err
		}
		// Held open until all are found, so that they differ.
		defer l.Close()
		ports = append(ports, l.Addr().(*net.TCPAddr).Port)
	}
	return ports, nil
}

// Declares reports whether the operator declared "key: value". The empty
// declaration is never made.
func (t *Target) Declares(declaration string) bool {
	switch declaration {
	case "capability_token: attached":
		return t.CapabilityToken == "attached"
	}
	return false
}

// In is the target as a worker of one setup needs it: no endpoint, and so no
// token, of another setup.
func (t *Target) In(setup string) *Target {
	one := *t
	if !t.Launched() {
		one.Running = map[string]Endpoint{setup: t.Running[setup]}
	}
	return &one
}

// Secrets lists what must not leave a worker: the bearer of a running server
// and what a launched one was given from the caller's variables.
func (t *Target) Secrets(e Endpoint) []string {
	var out []string
	if e.Token != "" {
		out = append(out, e.Token)
	}
	if t.Launch != nil {
		out = append(out, t.Launch.Secrets...)
	}
	return out
}
