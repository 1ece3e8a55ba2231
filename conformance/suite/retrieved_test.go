package suite

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
)

// resultOf is a tool result as it stands on the wire.
func resultOf(t *testing.T, raw string) ToolResult {
	t.Helper()
	r := ToolResult{Raw: json.RawMessage(raw)}
	if err := json.Unmarshal(r.Raw, &r.Members); err != nil {
		t.Fatal(err)
	}
	return r
}

func TestValuesOfAKey(t *testing.T) {
	for _, c := range []struct {
		name, result string
		want         []string
	}{
		{"nowhere", `{"content":[{"type":"text","text":"total 3"}]}`, nil},
		{"top level", `{"content":[],"total":3}`, []string{"3"}},
		{"structuredContent", `{"content":[],"structuredContent":{"meta":{"total":3}}}`, []string{"3"}},
		{"JSON of the text", `{"content":[{"type":"text","text":"{\"rows\":[{\"total\":{\"n\":1}}]}"}]}`, []string{`{"n":1}`}},
		{"a later text item", `{"content":[{"type":"text","text":"x"},{"type":"text","text":"{\"total\":null}"}]}`, []string{"null"}},
		{"several places", `{"total":4,"structuredContent":{"total":3}}`, []string{"3", "4"}},
		{"a key that only ends alike", `{"subtotal":4}`, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for _, v := range resultOf(t, c.result).values("total") {
				got = append(got, string(v))
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestTextsHoldAValueInFull(t *testing.T) {
	for _, c := range []struct {
		name, result string
		want         bool
	}{
		{"plain text", `{"content":[{"type":"text","text":"[e] k = secret (confidence=1.00)"}]}`, true},
		{"string in the JSON of a text", `{"content":[{"type":"text","text":"{\"content\":[{\"text\":\"s\\u0065cret\"}]}"}]}`, true},
		{"cut short", `{"content":[{"type":"text","text":"[e] k = secre"}]}`, false},
		{"beside the texts", `{"content":[],"structuredContent":{"value":"secret"}}`, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := resultOf(t, c.result).holds("secret"); got != c.want {
				t.Errorf("got %v, want %v", got, c.want)
			}
		})
	}
}

func TestFactValues(t *testing.T) {
	for _, size := range []int{4, 12, 400, 2001} {
		a, b := factValue(3, size), factValue(13, size)
		if len(a) != size || len(b) != size {
			t.Errorf("size %d: %d and %d bytes", size, len(a), len(b))
		}
		if strings.Contains(a, b[:4]) {
			t.Errorf("size %d: the mark of one value stands in another", size)
		}
	}
}
