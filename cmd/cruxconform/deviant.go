package main

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"text/tabwriter"
	"time"

	"cruxconform/conformance/deviant"
	"cruxconform/conformance/target"
	"cruxconform/spec"
)

// deviantCommand lists one-fault servers and runs one by hand.
type deviantCommand struct {
	List  deviantList  `cmd:"" help:"List the deviants with the entries that each breaks, and the variants."`
	Serve deviantServe `cmd:"" help:"Run one deviant or variant as a proxy before a true server, until interrupted."`
}

// deviantList lists deviants and variants.
type deviantList struct{}

// Run implements the command.
func (deviantList) Run(s *streams) error {
	w := tabwriter.NewWriter(s.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "DEVIANT\tSETUP\tBREAKS\tLIE")
	for _, d := range deviant.All() {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", d.Name, d.RunsIn(), strings.Join(d.Breaks(), " "), d.Lie)
	}
	fmt.Fprintln(w, "\nVARIANT\t\t\tWHAT IS DIFFERENT")
	for _, v := range deviant.Variants() {
		fmt.Fprintf(w, "%s\t\t\t%s\n", v.Name, v.About)
	}
	return w.Flush()
}

// deviantServe runs one deviant or variant.
type deviantServe struct {
	Name        string `arg:"" help:"Deviant or variant, see deviant list."`
	Upstream    string `required:"" placeholder:"URL" help:"MCP URL of the true server."`
	APIUpstream string `name:"api-upstream" placeholder:"URL" help:"Base URL of the HTTP API of the true server."`
	Listen      string `default:"127.0.0.1:0" help:"Loopback address of the proxy before the MCP port."`
	APIListen   string `name:"api-listen" default:"127.0.0.1:0" help:"Loopback address of the proxy before the HTTP API port."`
}

// sides are the lies of a deviant or variant on each port.
type sides struct{ mcp, api func() deviant.Lie }

func (d *deviantServe) sides() (sides, error) {
	if _, ok := deviant.BridgeNamed(d.Name); ok {
		return sides{}, fmt.Errorf("%s lies around a stdio bridge, not on a port: run %s %s %s COMMAND, where COMMAND is the true bridge", d.Name, programName, bridgeLieArg, d.Name)
	}
	if x, ok := deviant.Find(d.Name); ok {
		return sides{x.MCP, x.API}, launcherOnly(d.Name, x.MCP, x.API, x.Env)
	}
	if x, ok := deviant.FindVariant(d.Name); ok {
		return sides{x.MCP, x.API}, launcherOnly(d.Name, x.MCP, x.API, x.Env)
	}
	var names []string
	for _, x := range deviant.All() {
		names = append(names, x.Name)
	}
	for _, x := range deviant.Variants() {
		names = append(names, x.Name)
	}
	hint := "cruxconform deviant list shows them"
	if near := spec.Nearest(d.Name, names); len(near) > 0 {
		hint = "did you mean " + strings.Join(near, " or ") + "? " + hint
	}
	return sides{}, fmt.Errorf("no deviant is named %q; %s", d.Name, hint)
}

// launcherOnly refuses what a proxy alone cannot do.
func launcherOnly(name string, mcp, api func() deviant.Lie, env map[string]string) error {
	if mcp != nil || api != nil {
		return nil
	}
	var vars []string
	for k, v := range env {
		vars = append(vars, k+"="+v)
	}
	return fmt.Errorf("%s is told by a launcher, not by a proxy: start the true server with %s", name, strings.Join(vars, " "))
}

// Run implements the command.
func (d *deviantServe) Run(s *streams) error {
	lies, err := d.sides()
	if err != nil {
		return usageError{err}
	}
	mcp, path, err := base("--upstream", d.Upstream)
	if err != nil {
		return usageError{err}
	}
	fronts := []front{{"MCP", d.Listen, path, mcp, lies.mcp}}
	if d.APIUpstream != "" {
		api, path, err := base("--api-upstream", d.APIUpstream)
		if err != nil {
			return usageError{err}
		}
		fronts = append(fronts, front{"HTTP API", d.APIListen, path, api, lies.api})
	} else if lies.mcp == nil {
		return usageError{fmt.Errorf("%s lies on the HTTP API; name the true one with --api-upstream", d.Name)}
	}
	failed := make(chan error, len(fronts))
	for _, f := range fronts {
		stop, err := f.open(s, failed)
		if err != nil {
			return usageError{err}
		}
		defer stop()
	}
	select {
	case <-s.ctx.Done():
		return nil
	case err := <-failed:
		return err
	}
}

// base checks a URL and parts it from its path: the proxy keeps the caller's.
func base(flag, raw string) (server *url.URL, path string, err error) {
	if err := target.CheckURL(raw); err != nil {
		return nil, "", fmt.Errorf("%s: %w", flag, err)
	}
	u, err := url.Parse(raw)
	if err != nil {
		return nil, "", fmt.Errorf("%s: %w", flag, err)
	}
	return &url.URL{Scheme: u.Scheme, Host: u.Host}, u.EscapedPath(), nil
}

// front is one proxy.
type front struct {
	port   string
	listen string
	// path is that of the true server's URL, so that the URL shown can be asked
	// as it stands.
	path     string
	upstream *url.URL
	lie      func() deviant.Lie
}

// open listens and serves until stop is called.
func (f front) open(s *streams, failed chan<- error) (stop func(), err error) {
	host, _, err := net.SplitHostPort(f.listen)
	if ip := net.ParseIP(host); err != nil || ip == nil || !ip.IsLoopback() {
		return nil, fmt.Errorf("%q is not a loopback address with a port, such as 127.0.0.1:9000; a server that lies is not for others", f.listen)
	}
	l, err := net.Listen("tcp", f.listen)
	if err != nil {
		return nil, fmt.Errorf("cannot listen: %w; another port may be free, 127.0.0.1:0 takes any", err)
	}
	var lie deviant.Lie
	if f.lie != nil {
		lie = f.lie()
	}
	server := &http.Server{Handler: deviant.Proxy(f.upstream, lie), ReadHeaderTimeout: 10 * time.Second}
	go func() {
		if err := server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
			failed <- err
		}
	}()
	fmt.Fprintf(s.out, "%s: http://%s%s -> %s%s\n", f.port, l.Addr(), f.path, f.upstream, f.path)
	return func() { server.Close() }, nil
}
