package suite

import (
	"encoding/json"
	"fmt"
	"sort"
	"strings"

	"github.com/onsi/gomega"
)

// The two output contracts of query, query_scan, query_expand and query_facts.
const (
	contractV1     = "v1"
	contractLegacy = "legacy"
)

var contracts = []string{contractV1, contractLegacy}

// hit is one pointer (CRC-v1) or row (legacy) of a search.
type hit struct {
	Length *float64 `json:"doc_length_tokens"`
}

// hitMembers names the array that holds the hits under the legacy contract.
var hitMembers = map[string]string{"query": "results", "query_scan": "scan"}

// search asks the corpus and returns the hits beside the whole answer.
func (c *C) search(tool, contract string, k Corpus, more argv) ([]hit, ToolResult) {
	r := c.Tool(tool, k.search(contract, more))
	return c.hits(tool, contract, r), r
}

// hits reads the hits of query or query_scan. The array must be there; it may
// be empty.
func (c *C) hits(tool, contract string, r ToolResult) []hit {
	member := "pointers"
	if contract == contractLegacy {
		member = hitMembers[tool]
	}
	var object map[string]json.RawMessage
	c.JSON(r, &object)
	var found []hit
	if raw := object[member]; raw == nil || json.Unmarshal(raw, &found) != nil || found == nil {
		c.Fail("the text of "+tool, "a JSON object with an array "+member, clip(r.Text))
	}
	return found
}

// tokens is the sum of doc_length_tokens of legacy rows.
func (c *C) tokens(rows []hit) int {
	sum := 0
	for i, row := range rows {
		if row.Length == nil || !isInteger(*row.Length) {
			c.Fail(fmt.Sprintf("row %d", i+1), "an integer doc_length_tokens", show(row))
		}
		sum += int(*row.Length)
	}
	return sum
}

// values collects every value that stands under a key of the result: at its top
// level, in structuredContent, or in the JSON of a text item, at any depth. The
// chapter leaves open which of these places a server uses.
func (r ToolResult) values(key string) []json.RawMessage {
	var out []json.RawMessage
	var walk func(raw json.RawMessage)
	walk = func(raw json.RawMessage) {
		var object map[string]json.RawMessage
		var list []json.RawMessage
		switch {
		case json.Unmarshal(raw, &object) == nil:
			for name, v := range object {
				if name == key {
					out = append(out, v)
				}
				walk(v)
			}
		case json.Unmarshal(raw, &list) == nil:
			for _, v := range list {
				walk(v)
			}
		}
	}
	walk(r.Raw)
	for _, text := range r.texts() {
		walk(json.RawMessage(text))
	}
	sort.Slice(out, func(i, j int) bool { return string(out[i]) < string(out[j]) })
	return out
}

// texts are the texts of all content items.
func (r ToolResult) texts() []string {
	var content []struct {
		Text string `json:"text"`
	}
	// Envelope has read the first item; an item without a text has none.
	_ = json.Unmarshal(r.Members["content"], &content)
	var out []string
	for _, item := range content {
		out = append(out, item.Text)
	}
	return out
}

// strings lists the strings that the texts of the result hold: those of the
// JSON where a text is JSON, else the text itself.
func (r ToolResult) strings() []string {
	var out []string
	for _, text := range r.texts() {
		var v any
		if json.Unmarshal([]byte(text), &v) != nil {
			v = text
		}
		out = append(out, stringsIn(v)...)
	}
	return out
}

// stringsIn lists the strings in decoded JSON, at any depth.
func stringsIn(v any) []string {
	var out []string
	switch v := v.(type) {
	case string:
		out = append(out, v)
	case []any:
		for _, e := range v {
			out = append(out, stringsIn(e)...)
		}
	case map[string]any:
		for _, e := range v {
			out = append(out, stringsIn(e)...)
		}
	}
	return out
}

// holds reports whether a string of the texts contains the value in full.
func (r ToolResult) holds(value string) bool {
	for _, s := range r.strings() {
		if strings.Contains(s, value) {
			return true
		}
	}
	return false
}

// Holds demands that a string of the texts contains the value in full.
func (c *C) Holds(r ToolResult, value string) {
	if !r.holds(value) {
		c.Fail("the text of the answer", "one that holds "+show(value), clip(r.Text))
	}
}

// Hides demands that no string of the whole result holds the value, be it in a
// text or beside it.
func (c *C) Hides(r ToolResult, value string) {
	var whole any
	c.Decode("the result", r.Raw, &whole)
	for _, s := range append(r.strings(), stringsIn(whole)...) {
		if strings.Contains(s, value) {
			c.Fail("the answer", "no value "+show(value), clip(s))
		}
	}
}

// count is how many of the values the texts hold in full.
func (r ToolResult) count(values []string) int {
	n := 0
	for _, v := range values {
		if r.holds(v) {
			n++
		}
	}
	return n
}

// Reports demands a key in one of the places of an answer, each value of it of
// the kind that the matcher accepts.
func (c *C) Reports(r ToolResult, key string, kind func(any) bool, expected string) []any {
	raw := r.values(key)
	if len(raw) == 0 {
		c.Fail("key "+key, expected, "(absent) in "+clip(r.Raw))
	}
	var out []any
	for _, v := range raw {
		var value any
		c.Decode("key "+key, v, &value)
		if !kind(value) {
			c.Fail("key "+key, expected, clip(v))
		}
		out = append(out, value)
	}
	return out
}

func isInteger(v any) bool {
	n, ok := v.(float64)
	return ok && n == float64(int64(n))
}

func isBool(v any) bool { _, ok := v.(bool); return ok }

func isObject(v any) bool { _, ok := v.(map[string]any); return ok }

// Silent demands that none of the keys stands anywhere in an answer.
func (c *C) Silent(r ToolResult, keys ...string) {
	for _, key := range keys {
		if v := r.values(key); len(v) > 0 {
			c.Fail("key "+key, "(absent)", clip(v[0]))
		}
	}
}

// Several fails unless there is at least one hit.
func (c *C) Several(found []hit, least int) {
	c.That("the number of hits", len(found), gomega.BeNumerically(">=", least), fmt.Sprintf("at least %d", least))
}
