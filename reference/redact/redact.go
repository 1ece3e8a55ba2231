// Package redact takes secrets out of texts that leave the daemon (section
// 11.5).
package redact

import (
	"encoding/hex"
	"fmt"
	"regexp"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/zeebo/blake3"
)

// Mode says what happens to a secret in an error text.
type Mode string

// The modes of CORECRUXD_REDACT. This daemon takes secrets out in every mode
// but off; the published default only shortens the text.
const (
	Off   Mode = "off"
	Audit Mode = "audit"
	On    Mode = "on"
)

// ParseMode reads CORECRUXD_REDACT. What names no mode is Audit.
func ParseMode(v string) Mode {
	switch strings.ToLower(strings.TrimSpace(v)) {
	case "off", "0", "false", "disabled":
		return Off
	case "on", "1", "true", "enforce":
		return On
	}
	return Audit
}

// MaxText bounds an error text, in characters.
const MaxText = 256

// rule finds one kind of secret.
type rule struct {
	id      string
	pattern *regexp.Regexp
}

// rules are compiled on first use: a start should not pay for a text that is
// rarely written.
var rules = sync.OnceValue(func() []rule {
	var out []rule
	for _, r := range []struct{ id, pattern string }{
		{"private_key", `(?s)-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)`},
		{"jwt", `eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*`},
		{"aws_key", `\b(?:AKIA|ASIA)[A-Z0-9]{16}\b`},
		{"github_token", `\bgh[pousr]_[A-Za-z0-9]{20,}\b`},
		{"api_key", `\b(?:sk|pk|rk)[-_][A-Za-z0-9_-]{16,}`},
		{"bearer", `(?i)\bbearer\s+[A-Za-z0-9._~+/-]{8,}=*`},
		// A value that is already taken out begins with a bracket.
		{"assignment", `(?i)\b(?:password|passwd|secret|token|api[_-]?key)["']?\s*[:=]\s*["']?[^\s"',}\[]{6,}`},
		{"long_token", `[A-Za-z0-9_-]{32,}`},
	} {
		out = append(out, rule{r.id, regexp.MustCompile(r.pattern)})
	}
	return out
})

// Scrub takes secrets out of a text, unless the mode is Off, and then shortens
// it to MaxText.
func Scrub(mode Mode, text string) string {
	if mode != Off {
		for _, r := range rules() {
			text = r.pattern.ReplaceAllStringFunc(text, func(secret string) string {
				sum := blake3.Sum256([]byte(secret))
				return fmt.Sprintf("[REDACTED:%s#%s]", r.id, hex.EncodeToString(sum[:4]))
			})
		}
	}
	return shorten(text)
}

func shorten(text string) string {
	if utf8.RuneCountInString(text) <= MaxText {
		return text
	}
	return string([]rune(text)[:MaxText]) + "…[truncated]"
}
