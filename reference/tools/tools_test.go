package tools

import (
	"context"
	"encoding/json"
	"testing"
)

func TestArgsString(t *testing.T) {
	for raw, want := range map[string]struct {
		text string
		ok   bool
	}{
		`"plain"`:          {"plain", true},
		`""`:               {"", true},
		`"é\U0001F600"`:    {}, // no JSON escape: the arguments as a whole are no JSON
		`"é"`:              {"é", true},
		`"a\"b\\c\n"`:      {"a\"b\\c\n", true},
		`"\u00e9\ud83d"`:   {"é\ufffd", true},
		"\"a\xffb\"":       {"a\ufffdb", true},
		`null`:             {"", false},
		`1`:                {"", false},
		`true`:             {"", false},
		`["a"]`:            {"", false},
		`{"a":"b"}`:        {"", false},
		`"\u0000"`:         {"\x00", true},
		`" around "`:       {" around ", true},
		"\"\xe2\x80\xa8\"": {"\u2028", true},
	} {
		got, ok := ParseArgs(json.RawMessage(`{"v": ` + raw + ` }`)).String("v")
		if got != want.text || ok != want.ok {
			t.Errorf("%s: %q, %v; want %q, %v", raw, got, ok, want.text, want.ok)
		}
	}
}

func TestArgsUint(t *testing.T) {
	for raw, want := range map[string]struct {
		n  uint64
		ok bool
	}{
		`0`: {0, true}, `4000000000`: {4_000_000_000, true}, `18446744073709551615`: {1<<64 - 1, true},
		`18446744073709551616`: {}, `-1`: {}, `-0`: {}, `1.0`: {}, `1e3`: {}, `"1"`: {}, `null`: {}, `true`: {}, `[1]`: {},
	} {
		got, ok := ParseArgs(json.RawMessage(`{"v":` + raw + `}`)).Uint("v")
		if got != want.n || ok != want.ok {
			t.Errorf("%s: %d, %v; want %d, %v", raw, got, ok, want.n, want.ok)
		}
	}
}

func TestArgsFloatAndBool(t *testing.T) {
	a := ParseArgs(json.RawMessage(`{"f":0.5,"i":1,"huge":1e400,"s":"0.5","b":true,"n":null}`))
	for name, want := range map[string]bool{"f": true, "i": true, "huge": false, "s": false, "b": false, "n": false, "absent": false} {
		if _, ok := a.Float(name); ok != want {
			t.Errorf("Float(%s) is present: %v", name, ok)
		}
	}
	for name, want := range map[string]bool{"b": true, "i": false, "s": false, "n": false, "absent": false} {
		if v, ok := a.Bool(name); ok != want || v != want {
			t.Errorf("Bool(%s) = %v, %v", name, v, ok)
		}
	}
}

func TestArgsThatAreNoObjectHaveNoMembers(t *testing.T) {
	for _, raw := range []string{``, `null`, `[]`, `"text"`, `7`, `{"a":`} {
		if _, ok := ParseArgs(json.RawMessage(raw)).Raw("a"); ok {
			t.Errorf("%q has a member", raw)
		}
	}
}

func TestOfARepeatedNameTheLastHolds(t *testing.T) {
	if got, _ := ParseArgs(json.RawMessage(`{"a":"1","A":"2","a":"3"}`)).String("a"); got != "3" {
		t.Errorf("a is %q", got)
	}
}

func TestTextWith(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{string(Text("<a> & \"b\"\n")), `{"content":[{"type":"text","text":"<a> & \"b\"\n"}]}`},
		{string(TextWith("t", map[string]int{"n": 1})), `{"content":[{"type":"text","text":"t"}],"structuredContent":{"n":1}}`},
	} {
		if c.got != c.want {
			t.Errorf("got %s, want %s", c.got, c.want)
		}
	}
}

func TestNotes(t *testing.T) {
	NoteTruncated(context.Background()) // nowhere to note it, and no harm
	ctx, notes := WithNotes(context.Background())
	if notes.Truncated {
		t.Error("noted before anything happened")
	}
	_, other := WithNotes(ctx)
	NoteTruncated(ctx)
	if !notes.Truncated || other.Truncated {
		t.Errorf("noted %v, and %v for another call", notes.Truncated, other.Truncated)
	}
}
