package deviant

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// answering is a lie that changes every answer with a JSON body in the same
// legal way on either port.
func answering(change func(r *Request, a *Answer)) func() Lie {
	return func() Lie {
		return Lie{Tell: func(r *Request, a *Answer) {
			if len(a.Body) > 0 {
				change(r, a)
			}
		}}
	}
}

var _ = vary(Variant{
	Name: "keys-reversed", About: "object members in reverse alphabetical order",
	MCP: answering(keysReversed), API: answering(keysReversed),
})

var _ = vary(Variant{
	Name: "pretty-printed", About: "bodies indented, with a line end behind them",
	MCP: answering(prettyPrinted), API: answering(prettyPrinted),
})

var _ = vary(Variant{
	Name: "strings-escaped", About: `letters in strings written as \u escapes`,
	MCP: answering(stringsEscaped), API: answering(stringsEscaped),
})

var _ = vary(Variant{
	Name: "unknown-members", About: "members that nobody documents, in results, tools, schemas and server info",
	MCP: answering(unknownMembers),
})

var _ = vary(Variant{
	Name: "other-prose", About: "other descriptions and hints, where no fragment is documented",
	MCP: answering(otherProse),
})

var _ = vary(Variant{
	Name: "other-version", About: "another server version",
	MCP: answering(otherVersion),
})

var _ = vary(Variant{
	Name: "more-content", About: "a further content item behind the first one of a tool result",
	MCP: answering(moreContent),
})

var _ = vary(Variant{
	Name: "charset-named", About: "a charset parameter in the content type",
	MCP: answering(charsetNamed), API: answering(charsetNamed),
})

var _ = vary(Variant{
	Name: "more-headers", About: "headers that nobody documents, on every answer",
	MCP: everyAnswer(moreHeaders), API: everyAnswer(moreHeaders),
})

var _ = vary(Variant{
	Name: "chunked-in-pieces", About: "bodies chunked and sent in small pieces",
	MCP: everyAnswer(chunkedInPieces), API: everyAnswer(chunkedInPieces),
})

var _ = vary(Variant{
	Name: "connection-closed", About: "every connection closed after one answer",
	MCP: everyAnswer(connectionClosed), API: everyAnswer(connectionClosed),
})

var _ = vary(Variant{
	Name: "slow-answers", About: "every answer delayed",
	MCP: everyAnswer(slowAnswers), API: everyAnswer(slowAnswers),
})

var _ = vary(Variant{
	Name: "all-at-once", About: "all legal variations together",
	MCP: everyAnswer(func(r *Request, a *Answer) {
		if len(a.Body) > 0 {
			for _, change := range []func(*Request, *Answer){
				unknownMembers, otherProse, otherVersion, moreContent, keysReversed, prettyPrinted, stringsEscaped, charsetNamed,
			} {
				change(r, a)
			}
		}
		moreHeaders(r, a)
		connectionClosed(r, a)
		slowAnswers(r, a)
		chunkedInPieces(r, a)
	}),
	API: everyAnswer(func(r *Request, a *Answer) {
		if len(a.Body) > 0 {
			keysReversed(r, a)
			prettyPrinted(r, a)
			charsetNamed(r, a)
		}
		moreHeaders(r, a)
		chunkedInPieces(r, a)
	}),
})

// everyAnswer changes answers without a body as well.
func everyAnswer(change func(r *Request, a *Answer)) func() Lie {
	return func() Lie { return Lie{Tell: change} }
}

func keysReversed(_ *Request, a *Answer) {
	var v any
	if unmarshal(a.Body, &v) == nil {
		a.Body = appendReversed(nil, v)
	}
}

// appendReversed encodes a value with its object members in reverse order.
func appendReversed(b []byte, v any) []byte {
	switch v := v.(type) {
	case map[string]any:
		b = append(b, '{')
		keys := sortedKeys(v)
		for i := len(keys) - 1; i >= 0; i-- {
			b = append(append(b, marshal(keys[i])...), ':')
			b = appendReversed(b, v[keys[i]])
			if i > 0 {
				b = append(b, ',')
			}
		}
		return append(b, '}')
	case []any:
		b = append(b, '[')
		for i, x := range v {
			if i > 0 {
				b = append(b, ',')
			}
			b = appendReversed(b, x)
		}
		return append(b, ']')
	}
	return append(b, marshal(v)...)
}

func prettyPrinted(_ *Request, a *Answer) {
	var b bytes.Buffer
	if json.Indent(&b, a.Body, "", "\t") == nil {
		a.Body = append(b.Bytes(), '\r', '\n')
	}
}

// stringsEscaped writes the letter e of every string as an escape. Outside of
// strings the letter stands only in true, false and exponents.
func stringsEscaped(_ *Request, a *Answer) {
	if !json.Valid(a.Body) {
		return
	}
	var b []byte
	inString := false
	for i := 0; i < len(a.Body); i++ {
		c := a.Body[i]
		switch {
		case inString && c == '\\':
			b = append(b, c, a.Body[i+1])
			i++
			continue
		case c == '"':
			inString = !inString
		case inString && c == 'e':
			b = append(b, `\u0065`...)
			continue
		}
		b = append(b, c)
	}
	a.Body = b
}

func unknownMembers(r *Request, a *Answer) {
	a.EditResult(func(result map[string]any) {
		result["x-unknown"] = map[string]any{"list": []any{1, nil, "two"}}
	})
	editServerInfo(r, a, func(info map[string]any) { info["title"] = "somebody's server" })
	a.EditTools(func(tool map[string]any) bool {
		tool["title"] = "a tool"
		tool["x-unknown"] = true
		if schema, ok := tool["inputSchema"].(map[string]any); ok {
			schema["$comment"] = "not documented"
		}
		return true
	})
}

func otherProse(r *Request, a *Answer) {
	a.EditTools(func(tool map[string]any) bool {
		if d, ok := tool["description"].(string); ok && tool["name"] != "cuecrux_session" {
			tool["description"] = strings.Replace(d, ". ", "! In other words, ", 1)
		}
		return true
	})
	a.EditResult(func(result map[string]any) {
		if w, ok := result["_welcome"].(map[string]any); ok {
			w["hint"] = "hello"
			w["quickstart"] = []any{"read", "the", "documentation", "first", "please"}
		}
	})
	a.EditError(func(e map[string]any) {
		if m, ok := e["message"].(string); ok && strings.HasPrefix(m, "invalid JSON: ") {
			e["message"] = "invalid JSON: something else"
		}
	})
}

func otherVersion(r *Request, a *Answer) {
	editServerInfo(r, a, func(info map[string]any) { info["version"] = "99.1.2-beta+7" })
}

// editServerInfo changes serverInfo in both places where it stands, the
// handshake and the discovery blob.
func editServerInfo(r *Request, a *Answer, change func(info map[string]any)) {
	in := func(holder map[string]any) {
		if info, ok := holder["serverInfo"].(map[string]any); ok {
			change(info)
		}
	}
	if isDiscovery(r) {
		a.Edit(in)
		return
	}
	a.EditResult(in)
}

func moreContent(r *Request, a *Answer) {
	a.EditResult(func(result map[string]any) {
		if content, ok := result["content"].([]any); ok && r.Is("tools/call") {
			result["content"] = append(content, map[string]any{"type": "text", "text": "and more"})
		}
	})
}

func charsetNamed(_ *Request, a *Answer) {
	if a.Header.Get("Content-Type") == "application/json" {
		a.Header.Set("Content-Type", "application/json; charset=utf-8")
	}
}

func moreHeaders(_ *Request, a *Answer) {
	a.Header.Set("Server", "somebody/1.0")
	a.Header.Set("X-Request-Id", strconv.FormatInt(time.Now().UnixNano(), 36))
	a.Header.Add("Vary", "Origin")
	a.Header.Set("Cache-Control", "no-store")
}

func connectionClosed(_ *Request, a *Answer) { a.Header.Set("Connection", "close") }

// slowness is far below any bound and far above what loopback takes.
const slowness = 20 * time.Millisecond

func slowAnswers(*Request, *Answer) { time.Sleep(slowness) }

// pieces is how many pieces a chunked body is sent in.
const pieces = 5

func chunkedInPieces(_ *Request, a *Answer) {
	if len(a.Body) == 0 {
		return
	}
	a.Write = func(w http.ResponseWriter, a *Answer) {
		w.WriteHeader(a.Status)
		step := max(1, (len(a.Body)+pieces-1)/pieces)
		for rest := a.Body; len(rest) > 0; rest = rest[min(step, len(rest)):] {
			fmt.Fprintf(w, "%s", rest[:min(step, len(rest))])
			w.(http.Flusher).Flush()
		}
	}
}
