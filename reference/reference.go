// Package reference wires the daemon: configuration, store, tools and the two
// listeners.
package reference

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"maps"
	"net"
	"net/http"
	"os"
	"runtime/debug"
	"time"

	"cruxconform/reference/api"
	"cruxconform/reference/config"
	"cruxconform/reference/dispatch"
	"cruxconform/reference/mcp"
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
	return Run(ctx, cfg, stderr)
}

// Run serves until ctx ends, then shuts down cleanly. Errors before the first
// request name the setting and the remedy.
func Run(ctx context.Context, cfg config.Config, stderr io.Writer) (err error) {
	st, err := store.Open(cfg.DataDir)
	if err != nil {
		return fmt.Errorf("%w (CORECRUXD_DATA_DIR names the data directory)", err)
	}
	defer func() { err = errors.Join(err, st.Close()) }()
	planes, err := plane(cfg, st)
	if err != nil {
		return err
	}
	servers, err := listen(cfg, planes)
	if err != nil {
		return err
	}
	log.SetOutput(stderr)
	for _, s := range servers {
		fmt.Fprintf(stderr, "cruxrefd %s: %s on http://%s\n", Version, s.name, s.listener.Addr())
	}
	return serve(ctx, cfg, servers)
}

// handlers are the two planes.
type handlers struct{ mcp, http http.Handler }

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
	catalogue := surface.Catalogue{MintRequests: cfg.MintRequests, AgentPassports: cfg.AgentPassports}
	return handlers{
		mcp: mcp.NewServer(mcp.Options{
			Version: Version, Listing: surface.Result(cfg.Surface, catalogue), Calls: dispatch.New(all, cfg.MintRequests),
			Redact: cfg.Redact, MaxBody: cfg.MaxBody,
		}).Handler(),
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

// server is one listener with what it serves.
type server struct {
	name     string
	listener net.Listener
	http     *http.Server
}

// listen opens every socket before any is served, so that a port in use leaves
// nothing half started.
func listen(cfg config.Config, h handlers) ([]*server, error) {
	planes := []struct {
		name, address, variable string
		handler                 http.Handler
		enabled                 bool
	}{
		{"HTTP API", cfg.HTTP.String(), "CORECRUXD_HTTP_PORT", h.http, true},
		{"MCP", cfg.MCP.String(), "CORECRUXD_MCP_PORT", h.mcp, cfg.MCPEnabled},
	}
	var out []*server
	for _, p := range planes {
		if !p.enabled {
			continue
		}
		l, err := net.Listen("tcp", p.address)
		if err != nil {
			for _, s := range out {
				s.listener.Close()
			}
			return nil, fmt.Errorf("cannot listen on %s for %s: %w (%s sets the port)", p.address, p.name, err, p.variable)
		}
		out = append(out, &server{p.name, l, newHTTP(p.handler)})
	}
	return out, nil
}

// newHTTP bounds how long a slow peer may hold a connection.
func newHTTP(h http.Handler) *http.Server {
	return &http.Server{
		Handler: h, ReadHeaderTimeout: 10 * time.Second, ReadTimeout: 60 * time.Second, IdleTimeout: 120 * time.Second,
		MaxHeaderBytes: 64 << 10, ErrorLog: log.New(io.Discard, "", 0),
	}
}

func serve(ctx context.Context, cfg config.Config, servers []*server) error {
	failed := make(chan error, len(servers))
	for _, s := range servers {
		go func() { failed <- s.http.Serve(s.listener) }()
	}
	var err error
	select {
	case <-ctx.Done():
	case err = <-failed:
	}
	drain := context.Background()
	if cfg.Drain > 0 {
		var cancel context.CancelFunc
		drain, cancel = context.WithTimeout(drain, cfg.Drain)
		defer cancel()
	}
	for _, s := range servers {
		if s.http.Shutdown(drain) != nil {
			s.http.Close() // the drain is over: what still runs is cut
		}
	}
	return err
}
