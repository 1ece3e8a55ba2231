package target

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"cruxconform/spec"
)

// StopTimeout bounds the wait for a clean end before the server is killed.
const StopTimeout = 5 * time.Second

// launchTries is how often a server is started anew when it does not come up:
// a reserved port may be taken by another process in between.
const launchTries = 2

// Server is a server under test that answers.
type Server struct {
	Endpoint
	// DataDir is the temporary data directory of a launched server.
	DataDir string
	process *process
}

// PGID is the process group of a launched server, 0 for one that already ran.
func (s *Server) PGID() int {
	if s.process == nil {
		return 0
	}
	return s.process.cmd.Process.Pid
}

// Stop ends a launched server, reaps it and removes its data directory.
func (s *Server) Stop() {
	if s.process != nil {
		s.process.stop()
		os.RemoveAll(s.DataDir)
	}
}

// Start returns the server in a setup, starting it where the target is
// launched. Started is called with the process group as soon as there is one.
func (t *Target) Start(ctx context.Context, setup spec.Setup, started func(pgid int)) (*Server, error) {
	if !t.Launched() {
		e, ok := t.Running[setup.Name]
		if !ok {
			return nil, fmt.Errorf("no server runs in setup %s", setup.Name)
		}
		return &Server{Endpoint: e}, nil
	}
	var err error
	for range launchTries {
		var s *Server
		if s, err = t.launch(ctx, setup, started); err == nil {
			return s, nil
		}
		if ctx.Err() != nil || errors.Is(err, exec.ErrNotFound) {
			break
		}
	}
	return nil, fmt.Errorf("setup %s: %w", setup.Name, err)
}

func (t *Target) launch(ctx context.Context, setup spec.Setup, started func(pgid int)) (*Server, error) {
	dir, err := os.MkdirTemp("", "cruxconform-data-")
	if err != nil {
		return nil, err
	}
	ports, err := freePorts(3)
	if err != nil {
		os.RemoveAll(dir)
		return nil, err
	}
	p, err := start(t.Launch.Command, environment(setup, t.Launch.Env, dir, ports), t.Launch.Secrets)
	if err != nil {
		os.RemoveAll(dir)
		return nil, err
	}
	started(p.cmd.Process.Pid)
	s := &Server{DataDir: dir, process: p}
	s.MCP, s.API = addresses(setup, ports)
	bound := t.Launch.Ready
	if bound == 0 {
		bound = ReadyTimeout
	}
	if err := p.ready(ctx, s.MCP, bound); err != nil {
		s.Stop()
		return nil, err
	}
	return s, nil
}

func addresses(setup spec.Setup, ports []int) (mcp, api string) {
	if setup.Name == "bare" {
		return "http://127.0.0.1:14801/mcp", "http://127.0.0.1:14800"
	}
	return fmt.Sprintf("http://127.0.0.1:%d/mcp", ports[0]), fmt.Sprintf("http://127.0.0.1:%d", ports[1])
}

// environment is the caller's own without any variable of the surface, so that
// nothing set by chance changes a setup, plus what the setup asks for.
func environment(setup spec.Setup, own map[string]string, dir string, ports []int) []string {
	vars := map[string]string{
		"CORECRUXD_DATA_DIR":    dir,
		"CORECRUXD_CONFIG_PATH": "",
		"CORECRUXD_AUTH_MODE":   "off",
		"CORECRUXD_GRPC_PORT":   strconv.Itoa(ports[2]),
	}
	if setup.Name != "bare" {
		vars["CORECRUXD_MCP_HOST"] = "127.0.0.1"
		vars["CORECRUXD_MCP_PORT"] = strconv.Itoa(ports[0])
		vars["CORECRUXD_HTTP_HOST"] = "127.0.0.1"
		vars["CORECRUXD_HTTP_PORT"] = strconv.Itoa(ports[1])
	}
	for _, more := range []map[string]string{setup.Env, own} {
		for k, v := range more {
			vars[k] = v
		}
	}
	var env []string
	for _, kv := range os.Environ() {
		if !strings.HasPrefix(kv, "CORECRUXD_") && !strings.HasPrefix(kv, "CRUX_") {
			env = append(env, kv)
		}
	}
	for k, v := range vars {
		env = append(env, k+"="+v)
	}
	return env
}

// process is a started server with the end of its stderr.
type process struct {
	cmd  *exec.Cmd
	tail *tail
	done chan struct{}
	err  error
}

func start(command, env, secrets []string) (*process, error) {
	p := &process{cmd: exec.Command(command[0], command[1:]...), tail: &tail{secrets: secrets}, done: make(chan struct{})}
	p.cmd.Env = env
	p.cmd.Stdout, p.cmd.Stderr = p.tail, p.tail
	// A group of its own, so that the whole tree of a wrapper script ends.
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	// A grandchild that keeps the output open must not keep Wait from returning.
	p.cmd.WaitDelay = StopTimeout
	if err := p.cmd.Start(); err != nil {
		return nil, fmt.Errorf("cannot start %q: %w", strings.Join(command, " "), err)
	}
	go func() {
		p.err = p.cmd.Wait()
		close(p.done)
	}()
	return p, nil
}

// ready waits until the endpoint gives any HTTP answer.
func (p *process) ready(ctx context.Context, mcp string, bound time.Duration) error {
	ctx, cancel := context.WithTimeout(ctx, bound)
	defer cancel()
	client := &http.Client{Timeout: 2 * time.Second, Transport: &http.Transport{DisableKeepAlives: true}}
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, mcp, nil)
		if err != nil {
			return err
		}
		if res, err := client.Do(req); err == nil {
			res.Body.Close()
			return nil
		}
		select {
		case <-p.done:
			return fmt.Errorf("the server ended before it answered (%v); its last output: %s", p.err, p.tail)
		case <-ctx.Done():
			return fmt.Errorf("no answer on %s within %s; its last output: %s", mcp, bound, p.tail)
		case <-tick.C:
		}
	}
}

func (p *process) stop() {
	pgid := p.cmd.Process.Pid
	select {
	case <-p.done:
	default:
		syscall.Kill(-pgid, syscall.SIGTERM)
		select {
		case <-p.done:
		case <-time.After(StopTimeout):
		}
	}
	// Children of a wrapper may outlive it.
	syscall.Kill(-pgid, syscall.SIGKILL)
	<-p.done
}

// KillGroup ends what is left of a process group.
func KillGroup(pgid int) {
	syscall.Kill(-pgid, syscall.SIGKILL)
}

// tail keeps the last bytes that a server printed. Secrets are taken out where
// it is read.
type tail struct {
	secrets []string
	mu      sync.Mutex
	buf     []byte
}

func (t *tail) Write(p []byte) (int, error) {
	const most = 2048
	t.mu.Lock()
	defer t.mu.Unlock()
	t.buf = append(t.buf, p...)
	if len(t.buf) > most {
		t.buf = append([]byte(nil), t.buf[len(t.buf)-most:]...)
	}
	return len(p), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	s := strings.TrimSpace(string(bytes.ToValidUTF8(t.buf, []byte("?"))))
	for _, secret := range t.secrets {
		s = strings.ReplaceAll(s, secret, "[redacted]")
	}
	if s == "" {
		return "(none)"
	}
	return s
}
