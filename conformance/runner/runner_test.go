package runner

import (
	"crypto/x509"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"syscall"
	"testing"
	"time"

	"cruxconform/conformance/suite"
	"cruxconform/conformance/target"
	"cruxconform/conformance/verdict"
	"cruxconform/conformance/wire"
	"cruxconform/spec"
)

func byURL(e target.Endpoint) *target.Target {
	return &target.Target{Running: map[string]target.Endpoint{"default": e}}
}

// TestEveryEntryIsPlacedOnce: whatever the target and the selection, each
// observable entry is asked, not asked, not applicable or pending, once.
func TestEveryEntryIsPlacedOnce(t *testing.T) {
	for name, c := range map[string]struct {
		target *target.Target
		sel    Selection
	}{
		"launched":  {&target.Target{Launch: &target.Launch{Command: []string{"x"}}}, Selection{Slow: true}},
		"one URL":   {byURL(target.Endpoint{MCP: "http://h/mcp"}), Selection{}},
		"read only": {byURL(target.Endpoint{MCP: "http://h/mcp", API: "http://h"}), Selection{ReadOnly: true}},
		"attached":  {&target.Target{Launch: &target.Launch{Command: []string{"x"}}, CapabilityToken: "attached"}, Selection{}},
	} {
		t.Run(name, func(t *testing.T) {
			p, err := NewPlan(c.target, c.sel)
			if err != nil {
				t.Fatal(err)
			}
			seen := map[string]int{}
			for _, id := range p.Asked() {
				seen[id]++
			}
			for _, n := range p.NotAsked {
				seen[n.ID]++
				if n.Reason == "" || n.Remedy == "" {
					t.Errorf("%s is not asked without reason or remedy: %+v", n.ID, n)
				}
			}
			for _, n := range p.NotApplicable {
				seen[n.ID]++
			}
			for _, id := range p.Pending {
				seen[id]++
			}
			for _, e := range spec.Ledger().Entries {
				want := 0
				if e.Observable() {
					want = 1
				}
				if seen[e.ID] != want {
					t.Errorf("%s stands in the plan %d times, expected %d", e.ID, seen[e.ID], want)
				}
			}
		})
	}
}

func TestReadOnlyAsksNothingThatWrites(t *testing.T) {
	p, err := NewPlan(byURL(target.Endpoint{MCP: "http://h/mcp", API: "http://h"}), Selection{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	asked := p.Asked()
	if len(asked) == 0 {
		t.Fatal("nothing is asked")
	}
	for _, id := range asked {
		if e, _ := spec.Find(id); e.Effect != spec.EffectNone {
			t.Errorf("%s is asked although its effect is %s", id, e.Effect)
		}
	}
}

func TestOneEntryBringsItsPrerequisites(t *testing.T) {
	p, err := NewPlan(byURL(target.Endpoint{MCP: "http://h/mcp"}), Selection{IDs: []string{"11.1-83"}})
	if err != nil {
		t.Fatal(err)
	}
	asked := strings.Join(p.Asked(), " ")
	for _, id := range []string{"11.1-83", "11.1-82", "11.1-81", "11.3-01"} {
		if !strings.Contains(asked, id) {
			t.Errorf("%s is not asked: %s", id, asked)
		}
	}
}

func TestRedactReachesEveryText(t *testing.T) {
	const secret = "hush-hush"
	r := verdict.Record{
		Message:    "m " + secret,
		Findings:   []verdict.Finding{{What: secret, Expected: secret, Actual: secret}},
		Notes:      []string{secret},
		LeftBehind: []string{secret},
		Exchanges: []wire.Exchange{{
			URL: "http://h/" + secret, RequestHead: secret, ResponseHead: secret, Err: secret,
			RequestBody: []byte(secret), Body: []byte("x" + secret),
		}},
	}
	redact(&r, secret)
	x := r.Exchanges[0]
	for name, got := range map[string]string{
		"message": r.Message, "what": r.Findings[0].What, "expected": r.Findings[0].Expected, "actual": r.Findings[0].Actual,
		"note": r.Notes[0], "left behind": r.LeftBehind[0], "URL": x.URL, "request head": x.RequestHead,
		"response head": x.ResponseHead, "error": x.Err, "request body": string(x.RequestBody), "body": string(x.Body),
	} {
		if strings.Contains(got, secret) || !strings.Contains(got, redacted) {
			t.Errorf("%s is %q", name, got)
		}
	}
}

// TestRemedies: the errors are those of crypto/x509, crypto/tls and net.
func TestRemedies(t *testing.T) {
	for why, want := range map[string]string{
		x509.UnknownAuthorityError{}.Error(): "--ca-file",
		x509.HostnameError{Certificate: &x509.Certificate{DNSNames: []string{"a.example"}}, Host: "b.example"}.Error(): "names another host",
		x509.HostnameError{Certificate: &x509.Certificate{}, Host: "127.0.0.1"}.Error():                                "names another host",
		x509.CertificateInvalidError{Cert: &x509.Certificate{}, Reason: x509.Expired}.Error():                          "renew the certificate",
		"tls: first record does not look like a TLS handshake":                                                         "http://",
		syscall.ECONNREFUSED.Error(): "is the server running",
	} {
		if got := remedy(why); !strings.Contains(got, want) {
			t.Errorf("the remedy of %q is %q, expected %q in it", why, got, want)
		}
	}
}

func TestSilenceCountsOnlyMissingAnswersInARow(t *testing.T) {
	missing := verdict.Record{State: verdict.Broken, Findings: []verdict.Finding{{Unanswered: true}}}
	other := verdict.Record{State: verdict.Broken, Findings: []verdict.Finding{{Unanswered: true}, {}}}
	held := verdict.Record{State: verdict.Held}
	s := silence{}
	for _, r := range []verdict.Record{missing, missing, held, missing, missing, other, missing, missing} {
		s.note(r)
		if s.row >= patience {
			t.Fatalf("%d in a row after %+v", s.row, r)
		}
	}
	s.note(missing)
	if s.row != patience {
		t.Errorf("%d in a row, expected %d", s.row, patience)
	}
}

// TestAServerThatAnswersGetAloneIsSilent: every call hangs, and a check of each
// would cost its whole time-out.
func TestAServerThatAnswersGetAloneIsSilent(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			io.Copy(io.Discard, r.Body) // only then is the end of the peer noticed
			<-r.Context().Done()
		}
	}))
	defer server.Close()
	client, err := wire.NewClient(wire.Options{MCP: server.URL, Timeout: 100 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	s := silence{ctx: t.Context(), env: &suite.Env{Client: client}, row: patience}
	if why := s.reason(); !strings.Contains(why, "stopped answering") {
		t.Errorf("the reason is %q", why)
	}
	if answered, why := probe(t.Context(), client, anything); !answered {
		t.Errorf("the GET is not taken for a sign of life: %s", why)
	}
}
