package runner

import (
	"bytes"
	"strings"

	"cruxconform/conformance/verdict"
)

// redacted stands for a secret in everything that leaves a worker.
const redacted = "[redacted]"

// redact removes a secret from a record before it leaves the worker.
func redact(r *verdict.Record, secret string) {
	if secret == "" {
		return
	}
	text := func(s *string) { *s = strings.ReplaceAll(*s, secret, redacted) }
	body := func(b *[]byte) { *b = bytes.ReplaceAll(*b, []byte(secret), []byte(redacted)) }
	text(&r.Message)
	for i := range r.Findings {
		f := &r.Findings[i]
		text(&f.What)
		text(&f.Expected)
		text(&f.Actual)
	}
	for _, list := range [][]string{r.LeftBehind, r.Notes} {
		for i := range list {
			text(&list[i])
		}
	}
	for i := range r.Exchanges {
		x := &r.Exchanges[i]
		text(&x.URL)
		text(&x.RequestHead)
		text(&x.ResponseHead)
		text(&x.Err)
		body(&x.RequestBody)
		body(&x.Body)
	}
}
