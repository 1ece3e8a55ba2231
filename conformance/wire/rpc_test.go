package wire

import "testing"

func TestParseMessage(t *testing.T) {
	for _, c := range []struct {
		name, body string
		whole      bool
	}{
		{"one object", `{"jsonrpc":"2.0","id":1,"result":null}`, true},
		{"white space around it", " {\"id\":1}\r\n", true},
		{"nothing", "", false},
		{"null", "null", false},
		{"an array", `[{"id":1}]`, false},
		{"a cut object", `{"id":1`, false},
		{"two objects", `{"id":1}{"id":2}`, false},
		{"a closing brace too many", `{"id":1}}`, false},
		{"a closing bracket behind it", `{"id":1}]`, false},
		{"an error that is no object", `{"id":1,"error":"no"}`, false},
		{"an error of null", `{"id":1,"error":null}`, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, err := ParseMessage([]byte(c.body)); (err == nil) != c.whole {
				t.Errorf("%s: error %v, whole %v", c.body, err, c.whole)
			}
		})
	}
}
