// Package reference wires the daemon: configuration, store, tools and the two
// listeners.
package reference

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/netip"
	"os"
	"runtime/debug"
	"sync"
	"time"

	"cruxconform/reference/api"
	"cruxconform/reference/auth"
	"cruxconform/reference/config"
	"cruxconform/reference/dispatch"
	"cruxconform/reference/mcp"
	"cruxconform/reference/sse"
	"cruxconform/reference/store"
	"cruxconform/reference/surface"
	"cruxconform/reference/tools"
	"cruxconform/reference/tools/facts"
	"cruxconform/reference/tools/identity"
	"cruxconform/reference/tools/retrieval"
)

// Version is the version of the daemon.
const Version = "0.1.0"

// Main runs a daemon that its environment configures.
func Main(ctx context.Context, stderr io.Writer) error {
	cfg, err := config.Load(os.LookupEnv)
	if err != nil {
		return err
	}
	d, err := Open(cfg)
	if err != nil {
		return err
	}
	for _, s := range d.servers {
		fmt.Fprintf(stderr, "cruxrefd %s: %s on http://%s\n", Version, s.name, s.listener.Addr())
	}
	return d.Serve(ctx)
}

// Daemon is a store with its two planes, each on an open socket.
type Daemon struct {
	store   *store.Store
	drain   time.Duration
	streams *sse.Registry
	servers []*server
}

// Open opens the store and then every socket, so that neither a damaged file
// nor a port in use leaves anything half started. Errors name the setting and
// the remedy. Serve has to follow.
func Open(cfg config.Config) (*Daemon, error) {
	st, err := store.Open(cfg.DataDir)
	if err != nil {
		return nil, fmt.Errorf("%w (CORECRUXD_DATA_DIR names the data directory)", err)
	}
	planes, err := plane(cfg, st)
	if err != nil {
		return nil, errors.Join(err, st.Close())
	}
	servers, err := listen(cfg, planes)
	if err != nil {
		return nil, errors.Join(err, st.Close())
	}
	return &Daemon{store: st, drain: cfg.Drain, servers: servers, streams: planes.streams}, nil
}

// MCP is the URL of the MCP endpoint, empty where it is disabled.
func (d *Daemon) MCP() string {
	if s := d.server(planeMCP); s != nil {
		return "http://" + s.listener.Addr().String() + "/mcp"
	}
	return ""
}

// API is the base URL of the HTTP API.
func (d *Daemon) API() string {
	return "http://" + d.server(planeHTTP).listener.Addr().String()
}

func (d *Daemon) server(name string) *server {
	for _, s := range d.servers {
		if s.name == name {
			return s
		}
	}
	return nil
}

// Serve answers until ctx ends or a listener fails, lets what runs finish
// within the drain, and closes the store.
func (d *Daemon) Serve(ctx context.Context) error {
	failed := make(chan error, len(d.servers))
	for _, s := range d.servers {
		go func() {
			failed <- fmt.Errorf("%s listener on %s: %w", s.name, s.listener.Addr(), s.http.Serve(s.listener))
		}()
	}
	var err error
	select {
	case <-ctx.Done():
	case err = <-failed:
	}
	d.shutdown()
	return errors.Join(err, d.store.Close())
}

// shutdown closes the listeners at once and waits for running requests. Both
// planes share one drain.
func (d *Daemon) shutdown() {
	ctx := context.Background()
	if d.drain > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, d.drain)
		defer cancel()
	}
	d.streams.Close()
	var wg sync.WaitGroup
	for _, s := range d.servers {
		wg.Go(func() {
			if s.http.Shutdown(ctx) != nil {
				s.http.Close() // the drain is over: what still runs is cut
			}
		})
	}
	wg.Wait()
}

// handlers are the two planes.
type handlers struct {
	mcp, http http.Handler
	// streams are on connections that the HTTP server no longer knows.
	streams *sse.Registry
}

func plane(cfg config.Config, st *store.Store) (handlers, error) {
	index, err := retrieval.Open(st)
	if err != nil {
		return handlers{}, err
	}
	all := map[string]tools.Handler{}
	for _, plane := range []map[string]tools.Handler{
		facts.Handlers(st, time.Now, facts.WithPrivacy(cfg.PrivatePrefixes, cfg.SharedPrefixes)),
		retrieval.Handlers(index),
		identity.Handlers(),
	} {
		maps.Copy(all, plane)
	}
	streams := sse.NewRegistry(cfg.Streams, cfg.StreamsPerOwner)
	catalogue := surface.Catalogue{MintRequests: cfg.MintRequests, AgentPassports: cfg.AgentPassports}
	return handlers{
		mcp: mcp.NewServer(mcp.Options{
			Version: Version, Listing: surface.Result(cfg.Surface, catalogue), Calls: dispatch.New(all, cfg.MintRequests),
			Gate: &auth.Gate{Agents: cfg.Agents, ResourceURL: cfg.ResourceURL}, Streams: streams,
			Redact: cfg.Redact, MaxBody: cfg.MaxBody,
		}).Handler(),
		streams: streams,
		http: api.Handler(api.Options{
			Ingest: index, NoIngest: !cfg.LocalIngest, MaxBody: cfg.MaxBody, Version: Version, Commit: Commit(),
		}),
	}, nil
}

// Commit is the revision that the daemon was built from, or "unknown".
func Commit() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" {
				return s.Value
			}
		}
	}
	return "unknown"
}

// The names of the planes.
const (
	planeHTTP = "HTTP API"
	planeMCP  = "MCP"
)

// server is one listener with what it serves.
type server struct {
	name     string
	listener net.Listener
	http     *http.Server
}

func listen(cfg config.Config, h handlers) ([]*server, error) {
	planes := []struct {
		name     string
		address  netip.AddrPort
		variable string
		handler  http.Handler
		enabled  bool
	}{
		{planeHTTP, cfg.HTTP, "CORECRUXD_HTTP_PORT", h.http, true},
		{planeMCP, cfg.MCP, "CORECRUXD_MCP_PORT", h.mcp, cfg.MCPEnabled},
	}
	var out []*server
	for _, p := range planes {
		if !p.enabled {
			continue
		}
		l, err := net.Listen(network(p.address), p.address.String())
		if err != nil {
			for _, s := range out {
				s.listener.Close()
			}
			return nil, fmt.Errorf("cannot listen on %s for %s: %w; set %s to a free port", p.address, p.name, err, p.variable)
		}
		out = append(out, &server{p.name, l, newHTTP(p.handler, standardBounds)})
	}
	return out, nil
}

// network keeps an IPv4 address to IPv4: 0.0.0.0 would listen on IPv6 as well.
func network(a netip.AddrPort) string {
	if a.Addr().Is4() {
		return "tcp4"
	}
	return "tcp6"
}

// bounds say how long a slow peer may hold a connection.
type bounds struct {
	// header and request bound the reading of the header and of the whole
	// request, response that and the writing of the answer, idle the wait for
	// the next request.
	header, request, response, idle time.Duration
}

var standardBounds = bounds{header: 10 * time.Second, request: time.Minute, response: 3 * time.Minute, idle: 2 * time.Minute}

func newHTTP(h http.Handler, b bounds) *http.Server {
	return &http.Server{
		Handler:           h,
		ReadHeaderTimeout: b.header, ReadTimeout: b.request, WriteTimeout: b.response, IdleTimeout: b.idle,
		MaxHeaderBytes: 64 << 10,
		// OPTIONS * is a path that is not there, like any other.
		DisableGeneralOptionsHandler: true,
	}
}
