package redact_test

import (
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"cruxconform/reference/redact"
)

// TestParseMode: the spellings of CORECRUXD_REDACT in the contract's table.
func TestParseMode(t *testing.T) {
	for v, want := range map[string]redact.Mode{
		"off": redact.Off, "0": redact.Off, "false": redact.Off, "disabled": redact.Off, " OFF ": redact.Off,
		"on": redact.On, "1": redact.On, "true": redact.On, "enforce": redact.On, "On": redact.On,
		"": redact.Audit, "audit": redact.Audit, "yes": redact.Audit,
	} {
		if got := redact.ParseMode(v); got != want {
			t.Errorf("%q: got %s, expected %s", v, got, want)
		}
	}
}

// secrets are what must not leave the daemon, by the rule that finds them.
var secrets = map[string]string{
	"private_key":  "-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKC\n-----END RSA PRIVATE KEY-----",
	"jwt":          "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N",
	"aws_key":      "AKIAIOSFODNN7EXAMPLE",
	"github_token": "ghp_16C7e42F292c6912E7710c838347Ae178B4a",
	"api_key":      "sk-proj-4f9a8b7c6d5e4f3a",
	"bearer":       "Bearer abcdef123456.xyz",
	"assignment":   `password = "hunter2hunter2"`,
	"long_token":   "0123456789abcdef0123456789abcdef",
}

func TestScrubTakesSecretsOut(t *testing.T) {
	for rule, secret := range secrets {
		for _, mode := range []redact.Mode{redact.Audit, redact.On} {
			got := redact.Scrub(mode, "before "+secret+" after")
			if strings.Contains(got, secret) {
				t.Errorf("%s, %s: the secret is still there: %s", rule, mode, got)
			}
			form := regexp.MustCompile(`^before .*\[REDACTED:` + rule + `#[0-9a-f]{8}\].* after$`)
			if !form.MatchString(got) {
				t.Errorf("%s, %s: got %q, expected a text of the form %s", rule, mode, got, form)
			}
		}
		if got, want := redact.Scrub(redact.Off, secret), secret; got != want {
			t.Errorf("%s, off: got %q, expected %q", rule, got, want)
		}
	}
}

func TestScrubTellsSecretsApartWithoutShowingThem(t *testing.T) {
	a, b := strings.Repeat("a", 40), strings.Repeat("b", 40)
	if again := strings.Repeat("a", 40); redact.Scrub(redact.On, a) != redact.Scrub(redact.On, again) {
		t.Error("one secret has two marks")
	}
	if redact.Scrub(redact.On, a) == redact.Scrub(redact.On, b) {
		t.Error("two secrets have one mark")
	}
}

func TestScrubLeavesOrdinaryTextsAlone(t *testing.T) {
	for _, text := range []string{
		"", "unexpected EOF at byte 33", "duplicate member of the request object at byte 30",
		"invalid character 'x' at start of value at byte 7", "the token is missing", "ökonomisch – 日本語",
	} {
		if got := redact.Scrub(redact.On, text); got != text {
			t.Errorf("got %q, expected %q", got, text)
		}
	}
}

// TestScrubShortens: 256 characters and the mark, in every mode.
func TestScrubShortens(t *testing.T) {
	exact := strings.Repeat("é ", 128)
	for _, mode := range []redact.Mode{redact.Off, redact.Audit, redact.On} {
		if got := redact.Scrub(mode, exact); got != exact {
			t.Errorf("%s: a text of 256 characters came back with %d", mode, utf8.RuneCountInString(got))
		}
		if got, want := redact.Scrub(mode, exact+"x"), exact+"…[truncated]"; got != want {
			t.Errorf("%s:\n     got %q\nexpected %q", mode, got, want)
		}
	}
}

// TestSecretAtTheCutIsTakenOutWhole: shortening first would leave the beginning
// of a secret that no rule finds any more.
func TestSecretAtTheCutIsTakenOutWhole(t *testing.T) {
	secret := secrets["github_token"]
	got := redact.Scrub(redact.On, strings.Repeat("x ", 120)+secret)
	if strings.Contains(got, secret[:8]) {
		t.Errorf("the beginning of the secret is still there: %q", got)
	}
}
