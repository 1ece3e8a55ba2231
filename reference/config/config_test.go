package config_test

import (
	"math"
	"net/netip"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"cruxconform/reference/config"
	"cruxconform/reference/redact"
	"cruxconform/reference/surface"
)

type env map[string]string

func (e env) lookup(name string) (string, bool) { v, ok := e[name]; return v, ok }

func load(t *testing.T, e env) config.Config {
	t.Helper()
	c, err := config.Load(e.lookup)
	if err != nil {
		t.Fatalf("%v: %v", e, err)
	}
	return c
}

// TestDefaults: section 11.1 and the contract's table of variables.
func TestDefaults(t *testing.T) {
	c := load(t, nil)
	for _, v := range []struct {
		name      string
		got, want any
	}{
		{"MCP", c.MCP, netip.MustParseAddrPort("127.0.0.1:14801")},
		{"HTTP", c.HTTP, netip.MustParseAddrPort("127.0.0.1:14800")},
		{"GRPC", c.GRPC, netip.MustParseAddrPort("127.0.0.1:4007")},
		{"MCPEnabled", c.MCPEnabled, true},
		{"DataDir", c.DataDir, "../CoreCruxData/v1"},
		{"Surface", c.Surface, surface.Full},
		{"MintRequests", c.MintRequests, false},
		{"AgentPassports", c.AgentPassports, false},
		{"Redact", c.Redact, redact.Audit},
		{"MaxBody", c.MaxBody, int64(16777216)},
		{"Drain", c.Drain, 30 * time.Second},
		{"LocalIngest", c.LocalIngest, true},
		{"AllowInsecureBind", c.AllowInsecureBind, false},
	} {
		if !reflect.DeepEqual(v.got, v.want) {
			t.Errorf("%s: got %v, expected %v", v.name, v.got, v.want)
		}
	}
}

// TestHosts: only a literal address is one; anything else falls back silently.
func TestHosts(t *testing.T) {
	for value, want := range map[string]string{
		"":                 "127.0.0.1",
		"127.0.0.2":        "127.0.0.2",
		"::1":              "::1",
		"::ffff:127.0.0.1": "127.0.0.1",
		"localhost":        "127.0.0.1",
		" 127.0.0.2":       "127.0.0.1",
		"127.0.0.2:80":     "127.0.0.1",
		"[::1]":            "127.0.0.1",
		"fe80::1%eth0":     "127.0.0.1",
		"127.1":            "127.0.0.1",
	} {
		c := load(t, env{"CORECRUXD_MCP_HOST": value, "CORECRUXD_HTTP_HOST": value})
		if got := c.MCP.Addr().String(); got != want {
			t.Errorf("CORECRUXD_MCP_HOST=%q: got %s, expected %s", value, got, want)
		}
		if got := c.HTTP.Addr().String(); got != want {
			t.Errorf("CORECRUXD_HTTP_HOST=%q: got %s, expected %s", value, got, want)
		}
	}
}

func TestPorts(t *testing.T) {
	for value, want := range map[string]uint16{
		"": 14801, "1": 1, "65535": 65535, "0": 0, "65536": 14801, "-1": 14801, " 80": 14801, "80 ": 14801, "0x50": 14801, "eighty": 14801,
	} {
		if got := load(t, env{"CORECRUXD_MCP_PORT": value}).MCP.Port(); got != want {
			t.Errorf("CORECRUXD_MCP_PORT=%q: got %d, expected %d", value, got, want)
		}
	}
	if got := load(t, env{"CORECRUXD_HTTP_PORT": "no"}).HTTP.Port(); got != 14800 {
		t.Errorf("CORECRUXD_HTTP_PORT=no: got %d, expected 14800", got)
	}
}

// TestSwitches: a switch that is set at all decides, and five spellings alone
// mean on.
func TestSwitches(t *testing.T) {
	on := []string{"1", "true", "TRUE", "yes", "YES"}
	values := slices.Concat(on, []string{"", "0", "True", "Yes", "on", "ON", "false", " 1", "1 ", "2"})
	for name, read := range map[string]func(config.Config) bool{
		"CORECRUXD_MCP_ENABLED":                    func(c config.Config) bool { return c.MCPEnabled },
		"CORECRUXD_FEATURE_PASSPORT_MINT_REQUESTS": func(c config.Config) bool { return c.MintRequests },
		"CORECRUXD_AGENT_PASSPORTS":                func(c config.Config) bool { return c.AgentPassports },
		"CORECRUXD_ALLOW_INSECURE_DEV_AUTH_BIND":   func(c config.Config) bool { return c.AllowInsecureBind },
	} {
		for _, value := range values {
			if got, want := read(load(t, env{name: value})), slices.Contains(on, value); got != want {
				t.Errorf("%s=%q: got %t, expected %t", name, value, got, want)
			}
		}
	}
}

func TestSurfaceAndRedactAreReadFromTheirVariables(t *testing.T) {
	if got := load(t, env{"CORECRUXD_TOOL_SURFACE": " MiNiMaL "}).Surface; got != surface.Minimal {
		t.Errorf("surface %q, expected %q", got, surface.Minimal)
	}
	if got := load(t, env{"CORECRUXD_REDACT": "enforce"}).Redact; got != redact.On {
		t.Errorf("redact %q, expected %q", got, redact.On)
	}
	if got := load(t, env{"CORECRUXD_DATA_DIR": "/somewhere"}).DataDir; got != "/somewhere" {
		t.Errorf("data directory %q, expected /somewhere", got)
	}
}

func TestNumbers(t *testing.T) {
	for value, want := range map[string]int64{"": 16777216, "0": 0, "1024": 1024, "-1": 16777216, "many": 16777216} {
		if got := load(t, env{"CORECRUXD_MAX_REQUEST_BODY_BYTES": value}).MaxBody; got != want {
			t.Errorf("CORECRUXD_MAX_REQUEST_BODY_BYTES=%q: got %d, expected %d", value, got, want)
		}
	}
	for value, want := range map[string]time.Duration{
		"": 30 * time.Second, "0": 0, "5": 5 * time.Second, "-5": 30 * time.Second, "5s": 30 * time.Second,
		// Longer than a duration holds: no bound.
		"9223372036854775807": 0,
	} {
		if got := load(t, env{"CORECRUXD_SHUTDOWN_DRAIN_SECS": value}).Drain; got != want {
			t.Errorf("CORECRUXD_SHUTDOWN_DRAIN_SECS=%q: got %s, expected %s", value, got, want)
		}
	}
	const most = int64(math.MaxInt64 / time.Second)
	if got := load(t, env{"CORECRUXD_SHUTDOWN_DRAIN_SECS": "9223372036"}).Drain; got != time.Duration(most)*time.Second {
		t.Errorf("the longest drain: got %s, expected %d s", got, most)
	}
}

// TestBindGuard: the texts are those of the contract; anonymous callers are not
// served where others reach them.
func TestBindGuard(t *testing.T) {
	const (
		mcp  = "MCP may not bind to non-loopback address (0.0.0.0:14801) without CRUX_AGENT_TOKEN/CRUX_AGENT_TOKENS or CORECRUXD_ALLOW_INSECURE_DEV_AUTH_BIND=1"
		http = "may not bind to non-loopback addresses (http=0.0.0.0:14800, grpc=127.0.0.1:4007) without CORECRUXD_ALLOW_INSECURE_DEV_AUTH_BIND=1"
		grpc = "may not bind to non-loopback addresses (http=127.0.0.1:14800, grpc=[::]:4007) without CORECRUXD_ALLOW_INSECURE_DEV_AUTH_BIND=1"
	)
	for name, c := range map[string]struct {
		env env
		// says is the end of the error, empty where the start goes on.
		says string
	}{
		"loopback":                 {env{"CORECRUXD_MCP_HOST": "127.0.0.9"}, ""},
		"loopback of IPv6":         {env{"CORECRUXD_MCP_HOST": "::1"}, ""},
		"every address":            {env{"CORECRUXD_MCP_HOST": "0.0.0.0"}, mcp},
		"every address of IPv6":    {env{"CORECRUXD_MCP_HOST": "::"}, strings.Replace(mcp, "0.0.0.0", "[::]", 1)},
		"an address of a network":  {env{"CORECRUXD_MCP_HOST": "192.0.2.7"}, strings.Replace(mcp, "0.0.0.0", "192.0.2.7", 1)},
		"no MCP listener":          {env{"CORECRUXD_MCP_HOST": "0.0.0.0", "CORECRUXD_MCP_ENABLED": "0"}, ""},
		"the guard lifted":         {env{"CORECRUXD_MCP_HOST": "0.0.0.0", "CORECRUXD_ALLOW_INSECURE_DEV_AUTH_BIND": "1"}, ""},
		"the guard not lifted":     {env{"CORECRUXD_MCP_HOST": "0.0.0.0", "CORECRUXD_ALLOW_INSECURE_DEV_AUTH_BIND": "on"}, mcp},
		"the HTTP API":             {env{"CORECRUXD_HTTP_HOST": "0.0.0.0"}, http},
		"the HTTP API before MCP":  {env{"CORECRUXD_HTTP_HOST": "0.0.0.0", "CORECRUXD_MCP_HOST": "0.0.0.0"}, http},
		"the gRPC settings":        {env{"CORECRUXD_GRPC_HOST": "::"}, grpc},
		"everything, guard lifted": {env{"CORECRUXD_HTTP_HOST": "0.0.0.0", "CORECRUXD_GRPC_HOST": "::", "CORECRUXD_ALLOW_INSECURE_DEV_AUTH_BIND": "yes"}, ""},
		"auth mode off":            {env{"CORECRUXD_AUTH_MODE": "off"}, ""},
		"an unknown auth mode": {
			env{"CORECRUXD_AUTH_MODE": "of"},
			"unknown CORECRUXD_AUTH_MODE `of`; valid values: off, dev_scopes, jwt_hs256, jwt_jwks",
		},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := config.Load(c.env.lookup)
			if c.says == "" {
				if err != nil {
					t.Fatalf("%v: %v, expected no error", c.env, err)
				}
				return
			}
			if err == nil || !strings.HasSuffix(err.Error(), c.says) {
				t.Errorf("%v:\n     got %v\nexpected %s", c.env, err, c.says)
			}
		})
	}
}
