package deviant

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"
)

// BridgeLie is what stands around a true stdio bridge (section 11.3). Every
// member may be left out.
type BridgeLie struct {
	// Env changes the variables of the surface that the true bridge gets. An
	// error keeps the bridge from starting: it ends with status 1.
	Env func(vars map[string]string) error
	// In sees each line of stdin, without its LF, and returns what the true
	// bridge gets in its place. Say writes a line to stdout.
	In func(line string, say func(line string)) (relay []string)
	// Out sees each line of the true bridge and returns what is written in its
	// place. Quit ends the bridge behind them.
	Out func(line string) (say []string, quit bool)
	// Upstream stands between the true bridge and its endpoint.
	Upstream Lie
	// Merged writes what the true bridge says on stderr to stdout.
	Merged bool
	// Farewell is written to stdout behind the last answer, Chatter to stderr
	// before the first.
	Farewell, Chatter string
	// Hasty ends the bridge as soon as stdin does.
	Hasty bool
	// Exit changes the exit status.
	Exit func(status int) int
}

// BridgeNamed returns the lie of a deviant or variant around the bridge.
func BridgeNamed(name string) (func() BridgeLie, bool) {
	if d, ok := deviants[name]; ok && d.Bridge != nil {
		return d.Bridge, true
	}
	if v, ok := variants[name]; ok && v.Bridge != nil {
		return v.Bridge, true
	}
	return nil, false
}

// RunBridge runs a true bridge with a lie around it and returns the exit status
// for the process. The variables of the surface are those of this process.
func RunBridge(l BridgeLie, command []string, in io.Reader, out, stderr io.Writer) int {
	vars, rest := surfaceVariables(os.Environ())
	if l.Env != nil {
		if err := l.Env(vars); err != nil {
			fmt.Fprintln(stderr, err)
			return 1
		}
	}
	stop, err := l.intercept(vars)
	if err != nil {
		fmt.Fprintln(stderr, err)
		return 1
	}
	defer stop()
	for k, v := range vars {
		rest = append(rest, k+"="+v)
	}
	w := &wrapped{BridgeLie: l, in: in, out: out, cmd: exec.Command(command[0], command[1:]...)}
	w.cmd.Env = rest
	fmt.Fprint(stderr, l.Chatter)
	status, err := w.run(stderr)
	if err != nil {
		fmt.Fprintln(stderr, err)
		return 1
	}
	if l.Farewell != "" {
		w.say(l.Farewell)
	}
	if l.Exit != nil {
		return l.Exit(status)
	}
	return status
}

func surfaceVariables(environ []string) (vars map[string]string, rest []string) {
	vars = map[string]string{}
	for _, kv := range environ {
		name, value, _ := strings.Cut(kv, "=")
		if strings.HasPrefix(name, "CRUX_") || strings.HasPrefix(name, "CORECRUXD_") {
			vars[name] = value
		} else {
			rest = append(rest, kv)
		}
	}
	return vars, rest
}

// intercept puts the lie of the upstream side before the endpoint.
func (l BridgeLie) intercept(vars map[string]string) (stop func(), err error) {
	if l.Upstream.Ask == nil && l.Upstream.Tell == nil {
		return func() {}, nil
	}
	u, err := url.Parse(vars["CRUX_MCP_URL"])
	if err != nil {
		return nil, err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	proxy := &http.Server{
		Handler:           Proxy(&url.URL{Scheme: u.Scheme, Host: u.Host}, l.Upstream),
		ReadHeaderTimeout: 10 * time.Second,
	}
	go func() { _ = proxy.Serve(listener) }() // ends with the Close below
	u.Host = listener.Addr().String()
	vars["CRUX_MCP_URL"] = u.String()
	return func() { proxy.Close() }, nil
}

// wrapped is a true bridge with the lie about its lines.
type wrapped struct {
	BridgeLie
	in      io.Reader
	out     io.Writer
	cmd     *exec.Cmd
	writing sync.Mutex
}

func (w *wrapped) run(stderr io.Writer) (status int, err error) {
	// One pipe of our own for both, so that their order is kept where they merge.
	ours, theirs, err := os.Pipe()
	if err != nil {
		return 0, err
	}
	defer ours.Close()
	w.cmd.Stdout, w.cmd.Stderr = theirs, stderr
	if w.Merged {
		w.cmd.Stderr = theirs
	}
	stdin, err := w.cmd.StdinPipe()
	if err == nil {
		err = w.cmd.Start()
	}
	theirs.Close()
	if err != nil {
		return 0, err
	}
	go w.feed(stdin)
	w.pass(ours)
	var exit *exec.ExitError
	if err := w.cmd.Wait(); err != nil && !errors.As(err, &exit) {
		return 0, err
	}
	return w.cmd.ProcessState.ExitCode(), nil
}

// feed hands stdin on, line by line, and then its end.
func (w *wrapped) feed(stdin io.WriteCloser) {
	defer stdin.Close()
	eachLine(w.in, func(line string) bool {
		relay := []string{line}
		if w.In != nil {
			relay = w.In(line, w.say)
		}
		for _, r := range relay {
			if _, err := io.WriteString(stdin, r+"\n"); err != nil {
				return false
			}
		}
		return true
	})
	if w.Hasty {
		_ = w.cmd.Process.Kill()
	}
}

// pass writes the lines of the true bridge until it ends or the lie quits.
func (w *wrapped) pass(lines io.Reader) {
	eachLine(lines, func(line string) bool {
		say, quit := []string{line}, false
		if w.Out != nil {
			say, quit = w.Out(line)
		}
		for _, s := range say {
			w.say(s)
		}
		if quit {
			_ = w.cmd.Process.Kill()
		}
		return !quit
	})
}

func (w *wrapped) say(line string) {
	w.writing.Lock()
	defer w.writing.Unlock()
	// A caller that closed its end hears nothing; the bridge ends with its stdin.
	_, _ = io.WriteString(w.out, line+"\n")
}

// eachLine calls f with each line, without its LF, until f returns false.
func eachLine(from io.Reader, f func(line string) bool) {
	r := bufio.NewReader(from)
	for {
		line, err := r.ReadBytes('\n')
		if len(line) > 0 && !f(string(bytes.TrimSuffix(line, []byte("\n")))) {
			return
		}
		if err != nil {
			return
		}
	}
}
