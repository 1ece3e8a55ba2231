package suite

import (
	"encoding/json"
	"slices"
	"testing"

	"cruxconform/spec"
)

func namedTools(names ...string) []Listed {
	var out []Listed
	for _, name := range names {
		out = append(out, Listed{Name: name})
	}
	return out
}

func TestDisorderNamesEachPlaceThatDiffers(t *testing.T) {
	for _, row := range []struct {
		about  string
		listed []string
		want   []string
	}{
		{"in order", []string{"query", "query_scan", "learn"}, nil},
		{"a gap", []string{"query", "learn"}, nil},
		{"two exchanged", []string{"query_scan", "query", "learn"},
			[]string{"tool 1: query_scan, expected query", "tool 2: query, expected query_scan"}},
		{"a repetition behind", []string{"query", "learn", "query"}, nil},
		{"the mint tool anywhere", []string{spec.MintTool, "query", "learn"}, nil},
		{"an unknown tool anywhere", []string{"somebody_else", "query", "learn"}, nil},
	} {
		if have := disorder(namedTools(row.listed...)); !slices.Equal(have, row.want) {
			t.Errorf("%s: %q, want %q", row.about, have, row.want)
		}
	}
}

func TestHintIsTheCommonEnd(t *testing.T) {
	tool := func(name, description string) Listed { return Listed{Name: name, Description: description} }
	const tip = " Tip: cuecrux_session helps."
	for _, row := range []struct {
		about       string
		tools       []Listed
		end         string
		differences []string
	}{
		{"one hint", []Listed{tool("a", "One."+tip), tool("b", "Two!"+tip)}, tip, nil},
		{"none in one", []Listed{tool("a", "One."+tip), tool("b", "Two!")}, "One." + tip, []string{`b: ends "Two!"`}},
		{"none in the first", []Listed{tool("a", "One."), tool("b", "Two!"+tip), tool("c", "Three?"+tip)}, tip, []string{`a: ends "One."`}},
		{"none at all", []Listed{tool("a", "One."), tool("b", "Two!")}, "", []string{`a: ends "One."`, `b: ends "Two!"`}},
		{"a hint of its own", []Listed{tool("a", "One."+tip), tool("b", "cuecrux_session: two")}, "One." + tip,
			[]string{`a: ends "One. Tip: cuecrux_session helps."`, `b: ends "cuecrux_session: two"`}},
	} {
		end, differences := hint(row.tools)
		if end != row.end || !slices.Equal(differences, row.differences) {
			t.Errorf("%s: %q and %q, want %q and %q", row.about, end, differences, row.end, row.differences)
		}
	}
}

// seen lists the places of two schemas with the sides that have them.
func seen(t *testing.T, listed, expected string) []string {
	t.Helper()
	root := schemaPlace{tool: "x"}
	for text, into := range map[string]*schemaObject{listed: &root.listed, expected: &root.expected} {
		if err := json.Unmarshal([]byte(text), into); err != nil {
			t.Fatal(err)
		}
	}
	var out []string
	root.below(func(p schemaPlace) {
		side := "both"
		if p.listed == nil {
			side = "expected"
		} else if p.expected == nil {
			side = "listed"
		}
		out = append(out, p.path+" "+side)
	})
	return out
}

func TestSchemaPlacesAreComparedAsFarAsBothSidesHaveThem(t *testing.T) {
	for _, row := range []struct {
		about, listed, expected string
		want                    []string
	}{
		{"properties", `{"properties":{"a":{},"b":{}}}`, `{"properties":{"b":{},"c":{}}}`,
			[]string{" both", "a listed", "b both", "c expected"}},
		{"nested properties and items", `{"properties":{"a":{"items":{"properties":{"p":{}}}}}}`,
			`{"properties":{"a":{"items":{"properties":{"q":{}}}}}}`,
			[]string{" both", "a both", "a[] both", "a[].p listed", "a[].q expected"}},
		{"nothing below a place that one side lacks", `{}`, `{"properties":{"a":{"properties":{"b":{}}}}}`,
			[]string{" both", "a expected"}},
		{"alternatives by the constant of their type", `{"oneOf":[{"properties":{"type":{"const":"k"}}}]}`,
			`{"oneOf":[{"properties":{"type":{"const":"j"}}},{"properties":{"type":{"const":"k"}}}]}`,
			[]string{" both", "(j) expected", "(k) both", "(k).type both"}},
		{"true for a schema that takes anything", `{"properties":{"a":true}}`, `{"properties":{"a":{}}}`,
			[]string{" both", "a both"}},
	} {
		if have := seen(t, row.listed, row.expected); !slices.Equal(have, row.want) {
			t.Errorf("%s: %q, want %q", row.about, have, row.want)
		}
	}
}

func TestWhatOtherSectionsAskIsLeftOut(t *testing.T) {
	for _, row := range []struct {
		tool, path string
		want       bool
	}{
		{"memory_view", "token_budget", true},
		{"query_scan", "token_budget", true},
		{"get_bootstrap", "token_budget", true},
		{"learn", "token_budget", false},
		{"memory_view", "top_k", false},
		{"create_handoff", "task_record.token_budget", false},
		{"get_workspace_storyline", "include_tests", true},
		{"get_workspace_storyline", "format", false},
	} {
		if have := (schemaPlace{tool: row.tool, path: row.path}).leftOut(); have != row.want {
			t.Errorf("%s %s: left out is %v, want %v", row.tool, row.path, have, row.want)
		}
	}
}

func TestRemedyNamesHowTheServerIsToBeAsked(t *testing.T) {
	stamped := Listed{Name: "query", Meta: json.RawMessage(`{"crux":{"filtered_by":"rcx-capability-token"}}`)}
	for _, row := range []struct {
		about string
		tools []Listed
		want  string
	}{
		{"stamped", []Listed{stamped}, remedyToken},
		{"mint", namedTools("query", spec.MintTool), remedyMint},
		{"plain", namedTools("query"), ""},
	} {
		a := advert{tools: row.tools}
		for _, tool := range row.tools {
			a.names = append(a.names, tool.Name)
		}
		if have := a.remedy("default"); have != row.want {
			t.Errorf("%s: %q, want %q", row.about, have, row.want)
		}
	}
}
