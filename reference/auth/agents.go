// Package auth says who makes a request on the MCP port: an agent with a static
// token, or nobody (sections 11.1 and 11.8).
package auth

import (
	"crypto/subtle"
	"fmt"
	"strings"

	"github.com/zeebo/blake3"
)

// The variables that configure agents.
const (
	EnvToken      = "CRUX_AGENT_TOKEN"
	EnvTokens     = "CRUX_AGENT_TOKENS"
	EnvAllowEmpty = "CRUX_MCP_ALLOW_EMPTY_AGENT_REGISTRY"
)

// DefaultAgent is the name that the one token of CRUX_AGENT_TOKEN stands for.
const DefaultAgent = "default"

// The bounds of the token and name policies, in bytes.
const (
	minToken, maxToken = 32, 256
	minName, maxName   = 1, 64
)

// agent is a registered caller. Only a digest of its token is kept.
type agent struct {
	name   string
	digest [32]byte
}

// Registry holds the configured agents. The empty registry admits anonymous
// callers.
type Registry struct{ agents []agent }

// Empty reports whether no agent is configured; a nil registry is empty.
func (r *Registry) Empty() bool { return r == nil || len(r.agents) == 0 }

// Find returns the agent that a token belongs to. Every agent is compared, each
// in constant time, so that the time says nothing about the tokens.
func (r *Registry) Find(token string) (name string, ok bool) {
	digest := blake3.Sum256([]byte(token))
	for i := range r.agents {
		if subtle.ConstantTimeCompare(r.agents[i].digest[:], digest[:]) == 1 && !ok {
			name, ok = r.agents[i].name, true
		}
	}
	return name, ok
}

// Load reads the registry from the environment. CRUX_AGENT_TOKENS is looked at
// first: where it exists at all, CRUX_AGENT_TOKEN is ignored. A variable that
// is set but breaks the policy is an error that never shows its value; with
// allowEmpty it is an empty registry instead.
func Load(env func(string) (string, bool), allowEmpty bool) (*Registry, error) {
	r, err := load(env)
	switch {
	case err == nil:
		return r, nil
	case allowEmpty:
		return &Registry{}, nil
	}
	//lint:ignore ST1005 the documented text ends in a full stop
	return nil, fmt.Errorf("%w. Fix the agent token to enable MCP auth, or set %s=1 to run with no MCP auth (local dev/tests only).", err, EnvAllowEmpty)
}

func load(env func(string) (string, bool)) (*Registry, error) {
	if list, set := env(EnvTokens); set {
		return several(list)
	}
	token, set := env(EnvToken)
	if !set {
		return &Registry{}, nil
	}
	token = strings.TrimSpace(token)
	if !tokenFits(token) {
		return nil, fmt.Errorf("%s is set but the token fails the policy (need 32..=256 bytes, charset [A-Za-z0-9._~-])", EnvToken)
	}
	r := new(Registry)
	r.add(DefaultAgent, token)
	return r, nil
}

// several reads comma-separated name:token pairs.
func several(list string) (*Registry, error) {
	r := new(Registry)
	for _, pair := range strings.Split(list, ",") {
		if pair = strings.TrimSpace(pair); pair == "" {
			continue
		}
		name, token, found := strings.Cut(pair, ":")
		name, token = strings.TrimSpace(name), strings.TrimSpace(token)
		what := ""
		switch {
		case !found:
			what = "missing ':' delimiter"
		case !nameFits(name):
			what = "bad agent name"
		case !tokenFits(token):
			what = "token fails length/charset policy"
		}
		if what != "" {
			return nil, fmt.Errorf("%s contains an invalid entry (%s); expected comma-separated name:token pairs, token 32..=256 bytes, charset [A-Za-z0-9._~-]", EnvTokens, what)
		}
		r.add(name, token)
	}
	if r.Empty() {
		return nil, fmt.Errorf("%s is set but contained no valid name:token pairs", EnvTokens)
	}
	return r, nil
}

func (r *Registry) add(name, token string) {
	r.agents = append(r.agents, agent{name, blake3.Sum256([]byte(token))})
}

func tokenFits(s string) bool { return fits(s, minToken, maxToken, "._~-") }

func nameFits(s string) bool { return fits(s, minName, maxName, "._-") }

func fits(s string, least, most int, marks string) bool {
	if len(s) < least || len(s) > most {
		return false
	}
	return !strings.ContainsFunc(s, func(r rune) bool {
		letter := 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9'
		return !letter && !strings.ContainsRune(marks, r)
	})
}
