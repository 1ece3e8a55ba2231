// Package wire is the suite's only way to a server: one HTTP client that keeps
// every byte it sent and received, and the reading of JSON-RPC answers.
package wire

import (
	"fmt"
	"net/http"
	"sort"
	"strings"
	"time"
)

// Exchange is one HTTP request and what came back for it.
type Exchange struct {
	Method string `json:"method"`
	URL    string `json:"url"`
	// RequestHead and ResponseHead are the request line or status line and the
	// header lines as they stood on the connection.
	RequestHead string `json:"request_head"`
	RequestBody []byte `json:"request_body,omitempty"`
	// Status is 0 where no status line came back.
	Status       int         `json:"status"`
	ResponseHead string      `json:"response_head,omitempty"`
	Header       http.Header `json:"-"`
	Body         []byte      `json:"response_body,omitempty"`
	// Err says why the answer is missing or cut; it is empty for a whole answer.
	Err string `json:"error,omitempty"`
	// TimedOut is true where a named bound ended the wait.
	TimedOut bool          `json:"timed_out,omitempty"`
	Duration time.Duration `json:"duration_ns"`
}

// Answered reports whether a status line came back at all.
func (x *Exchange) Answered() bool { return x.Status != 0 }

// Whole reports whether the answer came back to its end.
func (x *Exchange) Whole() bool { return x.Status != 0 && x.Err == "" }

// Curl is the request as one shell line. Secrets are shown as the redactor
// leaves them.
func (x *Exchange) Curl() string {
	var b strings.Builder
	fmt.Fprintf(&b, "curl -i -X %s %s", x.Method, quote(x.URL))
	for _, line := range headerLines(x.RequestHead) {
		fmt.Fprintf(&b, " -H %s", quote(line))
	}
	if len(x.RequestBody) > 0 {
		fmt.Fprintf(&b, " --data-binary %s", quote(string(x.RequestBody)))
	}
	return b.String()
}

// headerLines leaves out what curl sets by itself.
func headerLines(head string) []string {
	var lines []string
	for i, line := range strings.Split(head, "\r\n") {
		name, _, ok := strings.Cut(line, ":")
		if i == 0 || !ok {
			continue
		}
		switch strings.ToLower(name) {
		case "host", "content-length", "user-agent", "accept-encoding":
			continue
		}
		lines = append(lines, line)
	}
	sort.Strings(lines)
	return lines
}

func quote(s string) string {
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
