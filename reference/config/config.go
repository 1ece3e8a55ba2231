// Package config reads the daemon's settings from the environment (section
// 11.1). Unset variables take their documented defaults.
package config

import (
	"fmt"
	"math"
	"net/netip"
	"strconv"
	"strings"
	"time"

	"cruxconform/reference/auth"
	"cruxconform/reference/redact"
	"cruxconform/reference/sse"
	"cruxconform/reference/surface"
)

// The documented defaults.
const (
	DefaultHost    = "127.0.0.1"
	DefaultMCP     = 14801
	DefaultHTTP    = 14800
	DefaultGRPC    = 4007
	DefaultDataDir = "../CoreCruxData/v1"
	DefaultBody    = 16 << 20
	DefaultDrain   = 30 * time.Second
)

// Config is what a daemon is started with.
type Config struct {
	// MCP and HTTP are the addresses of the two listeners. GRPC is none: its
	// settings are only guarded (ruling R42).
	MCP, HTTP, GRPC netip.AddrPort
	// MCPEnabled is false where no MCP listener is to be opened.
	MCPEnabled bool
	// DataDir holds the store.
	DataDir string
	// Surface is what tools/list advertises (section 11.10).
	Surface surface.Mode
	// MintRequests adds request_passport_mint to the catalogue, AgentPassports
	// changes the marker of issue_passport (section 11.7).
	MintRequests, AgentPassports bool
	// Redact says whether secrets are taken out of error texts.
	Redact redact.Mode
	// LocalIngest serves the ingest route of the HTTP API.
	LocalIngest bool
	// MaxBody bounds a request body in bytes, 0 for no bound of this layer.
	MaxBody int64
	// Drain bounds a clean shutdown; 0 is unbounded.
	Drain time.Duration
	// PrivatePrefixes are private beside the built-in ones, SharedPrefixes are
	// not private although they are built in.
	PrivatePrefixes, SharedPrefixes []string
	// AllowInsecureBind lifts the bind guard.
	AllowInsecureBind bool
	// Agents are the configured agents; with none, callers are anonymous.
	Agents *auth.Registry
	// ResourceURL is what an authentication challenge points at, empty for none.
	ResourceURL string
	// Streams and StreamsPerOwner limit the event streams that are open at once,
	// 0 for no limit.
	Streams, StreamsPerOwner int
}

// Lookup finds a variable, as os.LookupEnv does.
type Lookup func(name string) (string, bool)

// Load reads the settings. A value that has no meaning takes the default of the
// setting, as documented; only what would open the daemon to others by mistake
// is an error.
func Load(env Lookup) (Config, error) {
	get := func(name string) string { v, _ := env(name); return v }
	address := func(plane string, standard uint16) netip.AddrPort {
		return netip.AddrPortFrom(host(get("CORECRUXD_"+plane+"_HOST")), port(get("CORECRUXD_"+plane+"_PORT"), standard))
	}
	c := Config{
		MCP:               address("MCP", DefaultMCP),
		HTTP:              address("HTTP", DefaultHTTP),
		GRPC:              address("GRPC", DefaultGRPC),
		MCPEnabled:        enabled(env, "CORECRUXD_MCP_ENABLED", true),
		DataDir:           get("CORECRUXD_DATA_DIR"),
		Surface:           surface.ParseMode(get("CORECRUXD_TOOL_SURFACE")),
		MintRequests:      enabled(env, "CORECRUXD_FEATURE_PASSPORT_MINT_REQUESTS", false),
		AgentPassports:    enabled(env, "CORECRUXD_AGENT_PASSPORTS", false),
		Redact:            redact.ParseMode(get("CORECRUXD_REDACT")),
		LocalIngest:       !isOff(get("CORECRUXD_LOCAL_INGEST")),
		MaxBody:           number(get("CORECRUXD_MAX_REQUEST_BODY_BYTES"), DefaultBody),
		Drain:             seconds(get("CORECRUXD_SHUTDOWN_DRAIN_SECS"), DefaultDrain),
		PrivatePrefixes:   list(get("CORECRUXD_ALWAYS_PRIVATE_PREFIXES")),
		SharedPrefixes:    list(get("CORECRUXD_SHARE_PREFIXES_OVERRIDE")),
		AllowInsecureBind: enabled(env, "CORECRUXD_ALLOW_INSECURE_DEV_AUTH_BIND", false),
		ResourceURL:       strings.TrimSpace(get("CRUX_MCP_RESOURCE_URL")),
		Streams:           int(number(get("CRUX_MCP_SSE_MAX_SESSIONS"), sse.DefaultGlobal)),
		StreamsPerOwner:   int(number(get("CRUX_MCP_SSE_MAX_SESSIONS_PER_OWNER"), sse.DefaultPerOwner)),
	}
	if c.DataDir == "" {
		c.DataDir = DefaultDataDir
	}
	if err := apiMode(env); err != nil {
		return c, err
	}
	var err error
	if c.Agents, err = auth.Load(env, enabled(env, auth.EnvAllowEmpty, false)); err != nil {
		return c, err
	}
	return c, c.guard()
}

// apiMode refuses the modes of the HTTP API that this release does not have:
// served without them, it would be open to everybody who was to be kept out.
func apiMode(env Lookup) error {
	switch mode, _ := env("CORECRUXD_AUTH_MODE"); mode {
	case "", "off":
	case "dev_scopes", "jwt_hs256", "jwt_jwks":
		return fmt.Errorf("CORECRUXD_AUTH_MODE %s is not served by this release; set it to off", mode)
	default:
		return fmt.Errorf("unknown CORECRUXD_AUTH_MODE `%s`; valid values: off, dev_scopes, jwt_hs256, jwt_jwks", mode)
	}
	return nil
}

// guard refuses to serve anonymous callers on an address that others reach
// (section 11.1). It acts before any socket is opened.
func (c Config) guard() error {
	switch {
	case c.AllowInsecureBind:
	case !c.HTTP.Addr().IsLoopback() || !c.GRPC.Addr().IsLoopback():
		return fmt.Errorf("auth mode Off may not bind to non-loopback addresses (http=%s, grpc=%s) without CORECRUXD_ALLOW_INSECURE_DEV_AUTH_BIND=1", c.HTTP, c.GRPC)
	case c.MCPEnabled && !c.MCP.Addr().IsLoopback() && c.Agents.Empty():
		return fmt.Errorf("MCP may not bind to non-loopback address (%s) without CRUX_AGENT_TOKEN/CRUX_AGENT_TOKENS or CORECRUXD_ALLOW_INSECURE_DEV_AUTH_BIND=1", c.MCP)
	}
	return nil
}

// host: only a literal address counts, anything else is the default.
func host(v string) netip.Addr {
	if addr, err := netip.ParseAddr(v); err == nil && addr.Zone() == "" {
		return addr.Unmap()
	}
	return netip.MustParseAddr(DefaultHost)
}

// port: what is no port number is the default. Blanks around one are not
// trimmed.
func port(v string, otherwise uint16) uint16 {
	n, err := strconv.ParseUint(v, 10, 16)
	if err != nil {
		return otherwise
	}
	return uint16(n)
}

// enabled: a variable that exists decides, and only these spellings are true.
func enabled(env Lookup, name string, otherwise bool) bool {
	v, set := env(name)
	if !set {
		return otherwise
	}
	switch v {
	case "1", "true", "TRUE", "yes", "YES":
		return true
	}
	return false
}

func isOff(v string) bool { return v == "0" || strings.EqualFold(v, "false") }

func number(v string, otherwise int64) int64 {
	n, err := strconv.ParseInt(strings.TrimSpace(v), 10, 64)
	if err != nil || n < 0 {
		return otherwise
	}
	return n
}

// seconds: 0 stands for no bound, and so does a number that no duration holds.
func seconds(v string, otherwise time.Duration) time.Duration {
	n := number(v, int64(otherwise/time.Second))
	if n > int64(math.MaxInt64/time.Second) {
		return 0
	}
	return time.Duration(n) * time.Second
}

func list(v string) []string {
	var out []string
	for _, s := range strings.Split(v, ",") {
		if s = strings.TrimSpace(s); s != "" {
			out = append(out, s)
		}
	}
	return out
}
