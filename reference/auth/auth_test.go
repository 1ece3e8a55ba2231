package auth_test

import (
	"net/http"
	"strings"
	"testing"

	"cruxconform/reference/auth"
)

var (
	tokenA = strings.Repeat("a", 32)
	tokenB = strings.Repeat("b", 256)
)

func env(vars map[string]string) func(string) (string, bool) {
	return func(name string) (string, bool) { v, ok := vars[name]; return v, ok }
}

func TestRegistry(t *testing.T) {
	for name, c := range map[string]struct {
		vars map[string]string
		want map[string]string // token -> agent, "" for none
	}{
		"neither variable":      {nil, map[string]string{tokenA: ""}},
		"one token":             {map[string]string{auth.EnvToken: " " + tokenA + "\n"}, map[string]string{tokenA: "default", tokenB: ""}},
		"several":               {map[string]string{auth.EnvTokens: "x:" + tokenA + ", ,y : " + tokenB}, map[string]string{tokenA: "x", tokenB: "y"}},
		"several win over one":  {map[string]string{auth.EnvTokens: "x:" + tokenA, auth.EnvToken: tokenB}, map[string]string{tokenA: "x", tokenB: ""}},
		"the first of a double": {map[string]string{auth.EnvTokens: "x:" + tokenA + ",y:" + tokenA}, map[string]string{tokenA: "x"}},
		"every allowed mark":    {map[string]string{auth.EnvToken: "._~-" + tokenA}, map[string]string{"._~-" + tokenA: "default"}},
	} {
		t.Run(name, func(t *testing.T) {
			r, err := auth.Load(env(c.vars), false)
			if err != nil {
				t.Fatal(err)
			}
			for token, want := range c.want {
				if got, ok := r.Find(token); got != want || ok != (want != "") {
					t.Errorf("the token of %q is found as %q (%v)", want, got, ok)
				}
			}
		})
	}
}

func TestBrokenVariables(t *testing.T) {
	for name, c := range map[string]struct {
		vars map[string]string
		says string
	}{
		"a short token":       {map[string]string{auth.EnvToken: tokenA[1:]}, "CRUX_AGENT_TOKEN is set but the token fails the policy"},
		"a long token":        {map[string]string{auth.EnvToken: tokenB + "b"}, "fails the policy"},
		"an empty token":      {map[string]string{auth.EnvToken: ""}, "fails the policy"},
		"a blank in a token":  {map[string]string{auth.EnvToken: tokenA + " x"}, "fails the policy"},
		"no delimiter":        {map[string]string{auth.EnvTokens: tokenA}, "missing ':' delimiter"},
		"no name":             {map[string]string{auth.EnvTokens: ":" + tokenA}, "bad agent name"},
		"a long name":         {map[string]string{auth.EnvTokens: strings.Repeat("n", 65) + ":" + tokenA}, "bad agent name"},
		"a bad token in many": {map[string]string{auth.EnvTokens: "x:" + tokenA + ",y:short"}, "token fails length/charset policy"},
		"nothing but commas":  {map[string]string{auth.EnvTokens: " ,, "}, "contained no valid name:token pairs"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := auth.Load(env(c.vars), false)
			if err == nil || !strings.Contains(err.Error(), c.says) || !strings.Contains(err.Error(), auth.EnvAllowEmpty+"=1") {
				t.Fatalf("error %v does not say %q and the override", err, c.says)
			}
			for _, v := range c.vars {
				if v != "" && strings.Contains(err.Error(), strings.TrimSpace(v)) && len(v) > 8 {
					t.Errorf("the error shows the value: %v", err)
				}
			}
			r, err := auth.Load(env(c.vars), true)
			if err != nil || !r.Empty() {
				t.Errorf("with the override: %v, empty %v; expected an empty registry", err, r.Empty())
			}
		})
	}
}

func TestGate(t *testing.T) {
	agents, err := auth.Load(env(map[string]string{auth.EnvTokens: "x:" + tokenA}), false)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		header string
		agent  string
		ok     bool
	}{
		"the token":         {"Bearer " + tokenA, "x", true},
		"another token":     {"Bearer " + tokenB, "", false},
		"no header":         {"", "", false},
		"a lower-case word": {"bearer " + tokenA, "", false},
		"two blanks":        {"Bearer  " + tokenA, "", false},
		"another scheme":    {"Basic " + tokenA, "", false},
		"a blank behind":    {"Bearer " + tokenA + " ", "", false},
		"beyond ASCII":      {"Bearer " + tokenA + "é", "", false},
	} {
		t.Run(name, func(t *testing.T) {
			h := http.Header{}
			if c.header != "" {
				h.Set("Authorization", c.header)
			}
			caller, ok := (&auth.Gate{Agents: agents}).Authenticate(h)
			if ok != c.ok || caller.Agent != c.agent {
				t.Errorf("agent %q, %v; expected %q, %v", caller.Agent, ok, c.agent, c.ok)
			}
			caller, ok = (&auth.Gate{Agents: new(auth.Registry)}).Authenticate(h)
			if !ok || !caller.Anonymous() {
				t.Errorf("without agents: %q, %v; expected an anonymous caller", caller.Agent, ok)
			}
		})
	}
}

func TestChallenge(t *testing.T) {
	for resource, want := range map[string]string{
		"":                               "",
		"https://mcp.example.com/a/mcp":  `Bearer resource_metadata="https://mcp.example.com/.well-known/oauth-protected-resource"`,
		"http://127.0.0.1:14801/mcp?x=1": `Bearer resource_metadata="http://127.0.0.1:14801/.well-known/oauth-protected-resource"`,
		"mcp.example.com//":              `Bearer resource_metadata="mcp.example.com/.well-known/oauth-protected-resource"`,
	} {
		if got := (&auth.Gate{Agents: new(auth.Registry), ResourceURL: resource}).Challenge(); got != want {
			t.Errorf("challenge for %q is %s, expected %s", resource, got, want)
		}
	}
}
