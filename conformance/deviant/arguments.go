package deviant

import (
	"encoding/json"
	"slices"
	"strings"
)

// asking makes a lie that changes the arguments of a tool before the true
// server sees them. A change that returns false leaves the request alone.
func asking(tool string, change func(args map[string]any) bool) func() Lie {
	return func() Lie {
		return Lie{Ask: func(r *Request) *Answer {
			if r.Tool() != tool {
				return nil
			}
			if args := r.Args(); change(args) {
				r.SetArgs(args)
			}
			return nil
		}}
	}
}

// telling makes a lie that changes what a tool answers.
func telling(change func(r *Request, a *Answer), tools ...string) func() Lie {
	return func() Lie {
		return Lie{Tell: func(r *Request, a *Answer) {
			if slices.Contains(tools, r.Tool()) {
				change(r, a)
			}
		}}
	}
}

// whole reads an unsigned integer argument; any other value counts as absent.
func whole(args map[string]any, name string) (int64, bool) {
	n, ok := args[name].(json.Number)
	if !ok {
		return 0, false
	}
	v, err := n.Int64()
	return v, err == nil && v >= 0
}

// absent gives an unsigned integer argument that was left out a value.
func absent(name string, value int64) func(map[string]any) bool {
	return func(args map[string]any) bool {
		if _, given := whole(args, name); given {
			return false
		}
		args[name] = value
		return true
	}
}

// given changes an unsigned integer argument that was sent.
func given(name string, change func(int64) int64) func(map[string]any) bool {
	return func(args map[string]any) bool {
		v, sent := whole(args, name)
		if sent {
			args[name] = change(v)
		}
		return sent
	}
}

func atMost(limit int64) func(int64) int64 {
	return func(v int64) int64 { return min(v, limit) }
}

// dropped leaves an argument out.
func dropped(name string) func(map[string]any) bool {
	return func(args map[string]any) bool {
		_, sent := args[name]
		delete(args, name)
		return sent
	}
}

// text reads a string argument.
func text(args map[string]any, name string) (string, bool) {
	s, ok := args[name].(string)
	return s, ok
}

// legacy reports whether the arguments select the legacy output contract.
func legacy(args map[string]any) bool {
	contract, _ := text(args, "contract")
	return slices.Contains([]string{"legacy", "v0", "none", "off"}, strings.ToLower(strings.TrimSpace(contract)))
}

// eachKey visits every value under a key in an object, at any depth. A visit
// that returns false removes the key.
func eachKey(v any, key string, visit func(value any) (any, bool)) {
	switch v := v.(type) {
	case map[string]any:
		for name, e := range v {
			if name != key {
				eachKey(e, key, visit)
			} else if changed, keep := visit(e); keep {
				v[name] = changed
			} else {
				delete(v, name)
			}
		}
	case []any:
		for _, e := range v {
			eachKey(e, key, visit)
		}
	}
}

// omit removes a key from the JSON of an answer.
func omit(key string) func(*Request, *Answer) {
	return func(_ *Request, a *Answer) {
		a.EditTextJSON(func(o map[string]any) {
			eachKey(o, key, func(any) (any, bool) { return nil, false })
		})
	}
}

// replace changes the values under a key in the JSON of an answer.
func replace(key string, change func(any) any) func(*Request, *Answer) {
	return func(_ *Request, a *Answer) {
		a.EditTextJSON(func(o map[string]any) {
			eachKey(o, key, func(v any) (any, bool) { return change(v), true })
		})
	}
}

// addReport adds a reported field where a retrieval tool has its own: in meta
// under CRC-v1, at the top of the object under the legacy contract.
func addReport(key string, value any) func(*Request, *Answer) {
	return func(r *Request, a *Answer) {
		a.EditTextJSON(func(o map[string]any) {
			if meta, ok := o["meta"].(map[string]any); ok && !legacy(r.Args()) {
				o = meta
			}
			o[key] = value
		})
	}
}
