package deviant

import (
	"crypto/rand"
	"encoding/hex"
	"net/http"
	"strings"

	"cruxconform/spec"
)

// freshSession is a session id as the surface mints them.
func freshSession() string {
	var b [16]byte
	rand.Read(b[:])
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return hex.EncodeToString(b[:])
}

// badSession is the documented refusal of a session id.
func badSession() *Answer {
	return JSON(http.StatusBadRequest, map[string]any{
		"error": "invalid_mcp_session_id", "hint": "Mcp-Session-Id must be 1..=128 ASCII chars from [A-Za-z0-9._:-]",
	})
}

func validSession(id string) bool {
	return id != "" && len(id) <= spec.SessionIDMax && strings.Trim(id, sessionCharacters) == "" && !strings.ContainsFunc(id, foreign)
}

const sessionCharacters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._:-"

func foreign(r rune) bool { return !strings.ContainsRune(sessionCharacters, r) }

// sessionOf is the one session header of a request, empty where there is none
// or more than one.
func sessionOf(r *Request) string {
	if values := r.Header.Values(spec.SessionHeader); len(values) == 1 {
		return values[0]
	}
	return ""
}

// refusing refuses POSTs whose session id the condition holds for.
func refusing(condition func(id string) bool) func() Lie {
	return onRequest(func(r *Request) *Answer {
		if id := sessionOf(r); r.Method == http.MethodPost && id != "" && condition(id) {
			return badSession()
		}
		return nil
	})
}

// ignoring takes a malformed session header for none.
func ignoring(condition func(values []string) bool) func() Lie {
	return onRequest(func(r *Request) *Answer {
		if values := r.Header.Values(spec.SessionHeader); len(values) > 0 && condition(values) {
			r.Header.Del(spec.SessionHeader)
		}
		return nil
	})
}

// one lets a condition look at a header that stands once.
func one(condition func(id string) bool) func([]string) bool {
	return func(values []string) bool { return len(values) == 1 && condition(values[0]) }
}

var _ = lie(Deviant{
	Name: "session-id-refuses-colon", Lie: "refuses a session id that has a colon in it",
	MCP: refusing(func(id string) bool { return validSession(id) && strings.Contains(id, ":") }),
})

var _ = lie(Deviant{
	Name: "session-id-refuses-upper-case", Lie: "refuses a session id with an upper-case letter in it",
	MCP: refusing(func(id string) bool { return validSession(id) && strings.ToLower(id) != id }),
})

var _ = lie(Deviant{
	Name: "session-id-needs-two-characters", Lie: "refuses a session id of one character",
	MCP: refusing(func(id string) bool { return len(id) == 1 }),
})

var _ = lie(Deviant{
	Name: "session-id-limit-127", Lie: "refuses a session id of 128 characters",
	Folds: []string{"11.1-75"},
	MCP:   refusing(func(id string) bool { return len(id) == spec.SessionIDMax }),
})

var _ = lie(Deviant{
	Name: "session-id-limit-129", Lie: "accepts a session id of 129 characters",
	Folds: []string{"11.5-21"},
	MCP:   ignoring(one(func(id string) bool { return len(id) == spec.SessionIDMax+1 && strings.IndexFunc(id, foreign) < 0 })),
})

var _ = lie(Deviant{
	Name: "session-id-any-printable", Lie: "accepts every printable ASCII character in a session id",
	Folds: []string{"11.1-92", "11.5-21", "11.5-22", "11.5-23", "11.5-24", "11.5-25"},
	MCP: ignoring(one(func(id string) bool {
		ascii := !strings.ContainsFunc(id, func(r rune) bool { return r < ' ' || r > '~' })
		return ascii && strings.TrimSpace(id) != "" && len(id) <= spec.SessionIDMax && !validSession(id)
	})),
})

var _ = lie(Deviant{
	Name: "session-id-accepts-non-ascii", Lie: "accepts letters beyond ASCII in a session id",
	MCP: ignoring(one(func(id string) bool { return strings.ContainsFunc(id, func(r rune) bool { return r > '~' }) })),
})

var _ = lie(Deviant{
	Name: "empty-session-id-ignored", Lie: "takes an empty session header for none",
	MCP: ignoring(one(func(id string) bool { return strings.TrimSpace(id) == "" })),
})

var _ = lie(Deviant{
	Name: "repeated-session-id-takes-first", Lie: "takes the first of several session headers",
	MCP: onRequest(func(r *Request) *Answer {
		if values := r.Header.Values(spec.SessionHeader); len(values) > 1 {
			r.Header.Set(spec.SessionHeader, values[0])
		}
		return nil
	}),
})

var _ = lie(Deviant{
	Name: "unknown-session-id-404", Lie: "answers 404 to a session id that it neither issued nor saw on an initialize",
	Folds: []string{"11.4-15", "11.5-16"},
	MCP: func() Lie {
		known := newMemory()
		return Lie{
			Ask: func(r *Request) *Answer {
				id := sessionOf(r)
				if r.RPC == nil || r.RPC.ID == nil || !validSession(id) {
					return nil
				}
				if r.Is("initialize") {
					known.add(id)
					return nil
				}
				if !known.has(id) {
					return JSON(http.StatusNotFound, map[string]any{"error": "session_not_found"})
				}
				return nil
			},
			Tell: func(r *Request, a *Answer) {
				if r.Is("initialize") {
					known.add(a.Header.Get(spec.SessionHeader))
				}
			},
		}
	},
})

// minting changes the session id that an initialize without one is given.
func minting(change func(id string) string) func() Lie {
	return onAnswer(func(r *Request, a *Answer) {
		id := a.Header.Get(spec.SessionHeader)
		if !r.Is("initialize") || r.RPC.ID == nil || len(r.Header.Values(spec.SessionHeader)) > 0 || id == "" {
			return
		}
		if id = change(id); id == "" {
			a.Header.Del(spec.SessionHeader)
			return
		}
		a.Header.Set(spec.SessionHeader, id)
	})
}

var _ = lie(Deviant{
	Name: "initialize-mints-nothing", Lie: "mints no session id",
	Folds: []string{"11.1-82", "11.1-83", "11.1-84", "11.1-85"},
	MCP:   minting(func(string) string { return "" }),
})

var _ = lie(Deviant{
	Name: "minted-id-with-dashes", Lie: "mints session ids in the form with dashes",
	Folds: []string{"11.1-83"},
	MCP: minting(func(id string) string {
		return strings.Join([]string{id[:8], id[8:12], id[12:16], id[16:20], id[20:]}, "-")
	}),
})

var _ = lie(Deviant{
	Name: "minted-id-in-upper-case", Lie: "mints session ids in upper case",
	Folds: []string{"11.1-83"},
	// A letter at the end, since an id may happen to have none.
	MCP: minting(func(id string) string { return strings.ToUpper(id[:31]) + "F" }),
})

var _ = lie(Deviant{
	Name: "minted-id-of-version-7", Lie: "mints session ids of UUID version 7",
	MCP: minting(func(id string) string { return id[:12] + "7" + id[13:] }),
})

var _ = lie(Deviant{
	Name: "minted-id-constant", Lie: "mints the same session id every time",
	MCP: func() Lie {
		id := freshSession()
		return minting(func(string) string { return id })()
	},
})

var _ = lie(Deviant{
	Name: "minted-id-refused", Lie: "refuses the session ids that it minted itself",
	MCP: func() Lie {
		own := newMemory()
		l := minting(func(id string) string {
			own.add(id)
			return id
		})()
		l.Ask = func(r *Request) *Answer {
			if own.has(sessionOf(r)) {
				return badSession()
			}
			return nil
		}
		return l
	},
})

var _ = lie(Deviant{
	Name: "initialize-always-mints", Lie: "mints a session id over the one that initialize carries",
	Folds: []string{"11.1-87", "11.1-89"},
	MCP: onAnswer(func(r *Request, a *Answer) {
		if r.Is("initialize") && r.RPC.ID != nil && a.Header.Get(spec.SessionHeader) != "" && sessionOf(r) != "" {
			a.Header.Set(spec.SessionHeader, freshSession())
		}
	}),
})

var _ = lie(Deviant{
	Name: "session-echoed-on-initialize-only", Lie: "gives the session id back on initialize alone",
	MCP: onAnswer(func(r *Request, a *Answer) {
		if r.RPC != nil && !r.Is("initialize") && a.Status == http.StatusOK {
			a.Header.Del(spec.SessionHeader)
		}
	}),
})

var _ = lie(Deviant{
	Name: "every-answer-mints", Lie: "mints a session id for every request that has none",
	MCP: onAnswer(func(r *Request, a *Answer) {
		if r.RPC != nil && r.RPC.ID != nil && a.Status == http.StatusOK && !isParseError(a) && len(r.Header.Values(spec.SessionHeader)) == 0 {
			if !r.Is("initialize") {
				a.Header.Set(spec.SessionHeader, freshSession())
			}
		}
	}),
})

var _ = lie(Deviant{
	Name: "notification-drops-session", Lie: "leaves the session id out of the 202",
	MCP: onAnswer(func(_ *Request, a *Answer) {
		if a.Status == http.StatusAccepted {
			a.Header.Del(spec.SessionHeader)
		}
	}),
})

var _ = lie(Deviant{
	Name: "notification-mints-session", Lie: "mints a session id with the 202",
	MCP: onAnswer(func(_ *Request, a *Answer) {
		if a.Status == http.StatusAccepted && a.Header.Get(spec.SessionHeader) == "" {
			a.Header.Set(spec.SessionHeader, freshSession())
		}
	}),
})

// isParseError reports whether an answer refuses a body that does not parse.
func isParseError(a *Answer) bool {
	var code any
	(&Answer{Body: a.Body}).EditError(func(e map[string]any) { code = e["code"] })
	return string(marshal(code)) == "-32700"
}

var _ = lie(Deviant{
	Name: "parse-error-echoes-session", Lie: "gives the session id back with a parse error",
	MCP: onAnswer(func(r *Request, a *Answer) {
		if id := sessionOf(r); id != "" && isParseError(a) {
			a.Header.Set(spec.SessionHeader, id)
		}
	}),
})

var _ = lie(Deviant{
	Name: "bad-session-id-echoed", Lie: "gives the session id back that it refuses",
	MCP: onAnswer(func(r *Request, a *Answer) {
		if id := sessionOf(r); id != "" && a.Status == http.StatusBadRequest {
			a.Header.Set(spec.SessionHeader, id)
		}
	}),
})
