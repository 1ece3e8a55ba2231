package spec_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"cruxconform/spec"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// object is a decoded JSON object.
type object = map[string]any

// listed is the entry of a tool as tools/list shows it to a caller without a
// capability token (section 11.8).
func listed(tool spec.Tool) object {
	crux := object{"consequence_metadata": tool.Consequence}
	if tool.Marker == "[hosted]" {
		crux["upgrade"] = object{
			"platform_available": true, "requires": "rcx_capability_token",
			"docs": "https://crux.cuecrux.com/docs/platform/" + tool.Name,
		}
	}
	entry := object{
		"name": tool.Name, "description": tool.ListedDescription(tool.Marker),
		"inputSchema": tool.InputSchema, "_meta": object{"crux": crux},
	}
	if tool.CRCKind != "" {
		entry["x-crux-output-schema"] = object{
			"$ref": "https://cuecrux.com/contracts/crc-v1.schema.json", "contract": "crc-v1", "kind": tool.CRCKind,
			"when": `negotiated via contract:"v1"; absent => legacy shape (byte-identical)`,
		}
	}
	return entry
}

// Section 11.10 puts the full surface at roughly 27.8k tokens, which is 111 KB
// at four bytes a token.
func TestFullListIsOfTheDocumentedSize(t *testing.T) {
	var entries []object
	for _, tool := range spec.Tools() {
		if tool.Base {
			entries = append(entries, listed(tool))
		}
	}
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(object{"tools": entries}); err != nil {
		t.Fatal(err)
	}
	if n := out.Len(); n < 90_000 || n > 130_000 {
		t.Errorf("the full list has %d bytes, want 90000 to 130000", n)
	}
}

func TestDescriptionsSayWhatAToolDoes(t *testing.T) {
	for _, tool := range spec.Tools() {
		if n := len(strings.TrimSpace(tool.Description)); n < 40 {
			t.Errorf("%s: the description has %d characters, want at least 40", tool.Name, n)
		}
		if strings.HasPrefix(tool.Description, "[") {
			t.Errorf("%s: the description carries a marker of its own", tool.Name)
		}
		if strings.Contains(tool.Description, "Tip: `cuecrux_session`") {
			t.Errorf("%s: the description carries the common hint of its own", tool.Name)
		}
	}
}

func TestListedDescriptionIsMarkerTextAndHint(t *testing.T) {
	const hint = "\n\nTip: `cuecrux_session`"
	for _, tool := range spec.Tools() {
		for _, marker := range []string{"[local]", "[hosted]"} {
			have := tool.ListedDescription(marker)
			if want := marker + " " + tool.Description; !strings.HasPrefix(have, want) {
				t.Errorf("%s: listed as %q, want it to begin %q", tool.Name, have, want)
			}
			if want := tool.Name != "cuecrux_session"; strings.Contains(have, hint) != want {
				t.Errorf("%s: common hint present is %v, want %v", tool.Name, !want, want)
			}
		}
	}
}

func TestDescriptionsCarryTheFragmentsThatClientsLookFor(t *testing.T) {
	for name, fragments := range map[string][]string{
		"query":      {"token_budget"},
		"query_scan": {"scores and token counts"},
		"get_gaps":   {"low-coverage queries"},
		"store_fact": {"private: true"},
		"cuecrux_session": {
			"retrieval", "proofing", "memory", "journaling", "audit",
			"VaultCrux", "MemoryCrux", "Crux Daemon", "Call this first",
		},
	} {
		for _, fragment := range fragments {
			if have := toolNamed(t, name).Description; !strings.Contains(have, fragment) {
				t.Errorf("%s: the description %q lacks %q", name, have, fragment)
			}
		}
	}
}

// The schema of memory_view names no default, so its prose has to (section
// 11.11).
func TestMemoryViewNamesItsDefaultBudgetInProse(t *testing.T) {
	if have := budgetProse(t, toolNamed(t, "memory_view")); !strings.Contains(have, "2000") {
		t.Errorf("memory_view: token_budget is described as %q, want 2000 in it", have)
	}
}

func decoded(t *testing.T, tool spec.Tool) object {
	t.Helper()
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(tool.InputSchema))
	if err != nil {
		t.Fatalf("%s: input schema: %v", tool.Name, err)
	}
	o, ok := v.(object)
	if !ok {
		t.Fatalf("%s: the input schema is a %T, want an object", tool.Name, v)
	}
	return o
}

func TestExamplesKeepTheirSchema(t *testing.T) {
	for _, tool := range spec.Tools() {
		doc := decoded(t, tool)
		c := jsonschema.NewCompiler()
		c.AssertFormat()
		if err := c.AddResource(tool.Name, doc); err != nil {
			t.Errorf("%s: %v", tool.Name, err)
			continue
		}
		s, err := c.Compile(tool.Name)
		if err != nil {
			t.Errorf("%s: the input schema does not compile: %v", tool.Name, err)
			continue
		}
		examples, _ := doc["examples"].([]any)
		if len(examples) == 0 {
			t.Errorf("%s: the input schema has no examples", tool.Name)
		}
		for i, example := range examples {
			if err := s.Validate(example); err != nil {
				t.Errorf("%s: example %d: %v", tool.Name, i, err)
			}
			undeclared(t, tool.Name, doc, example)
		}
	}
}

// undeclared reports argument names of an example that the schema lacks; most
// schemas allow further properties and would let a misspelt name pass.
func undeclared(t *testing.T, name string, schema object, example any) {
	t.Helper()
	properties, _ := schema["properties"].(object)
	arguments, _ := example.(object)
	for argument := range arguments {
		if _, ok := properties[argument]; !ok {
			t.Errorf("%s: an example has the argument %s, which the schema does not declare", name, argument)
		}
	}
}

func TestInputSchemasDescribeTheirProperties(t *testing.T) {
	for _, tool := range spec.Tools() {
		properties, ok := decoded(t, tool)["properties"].(object)
		if !ok {
			t.Errorf("%s: the input schema has no properties object", tool.Name)
		}
		for name, p := range properties {
			property, _ := p.(object)
			if text, _ := property["description"].(string); text == "" {
				t.Errorf("%s: the property %s has no description", tool.Name, name)
			}
		}
	}
}

// walk calls visit for every value of a JSON document with its path.
func walk(path string, v any, visit func(path string, v any)) {
	visit(path, v)
	switch v := v.(type) {
	case object:
		for k, e := range v {
			walk(path+"."+k, e, visit)
		}
	case []any:
		for i, e := range v {
			walk(fmt.Sprintf("%s[%d]", path, i), e, visit)
		}
	}
}

func TestInputSchemasHoldNoNull(t *testing.T) {
	for _, tool := range spec.Tools() {
		walk(tool.Name, decoded(t, tool), func(path string, v any) {
			if v == nil {
				t.Errorf("%s is null", path)
			}
		})
	}
}

func TestRestrictingKeywordsStandWhereTheyAreDocumented(t *testing.T) {
	want := []string{
		"autonomy_contract.additionalProperties", "autonomy_contract.properties.token_budget.minimum",
		"cuecrux_session.additionalProperties", "cuecrux_session.properties.hints.additionalProperties",
		"cuecrux_session.properties.hints.properties.max_capabilities.minimum",
		"learn.properties.min_repeats.minimum",
		"passport_link_device.properties.token_budget.minimum",
		"passport_merge.properties.token_budget.minimum",
		"passport_split.properties.token_budget.minimum",
		"resolve_principal.additionalProperties",
	}
	keyword := regexp.MustCompile(`\.(additionalProperties|minimum|maximum|minLength|maxLength|pattern)$`)
	var have []string
	for _, tool := range spec.Tools() {
		doc := decoded(t, tool)
		delete(doc, "examples")
		walk(tool.Name, doc, func(path string, _ any) {
			if keyword.MatchString(path) {
				have = append(have, path)
			}
		})
	}
	slices.Sort(have)
	if !slices.Equal(have, want) {
		t.Errorf("restricting keywords at %q, want %q", have, want)
	}
}

// Ruling of the project: a tool without a compensating tool carries the key
// with null, since section 11.8 counts it among the fields that are there.
func TestConsequenceHasEightKeys(t *testing.T) {
	suffix := map[string]string{
		"create_handoff": "delete_or_archive", "create_work": "delete_or_archive", "create_orchestrator": "delete_or_archive",
		"update_status": "restore_previous_state", "update_work_state": "restore_previous_state", "update_orchestrator": "restore_previous_state",
	}
	for _, tool := range spec.Tools() {
		var have object
		if err := json.Unmarshal(tool.Consequence, &have); err != nil {
			t.Errorf("%s: consequence metadata: %v", tool.Name, err)
			continue
		}
		if len(have) != 8 {
			t.Errorf("%s: consequence metadata has %d keys, want 8", tool.Name, len(have))
		}
		compensating, ok := have["compensating_tool"]
		if !ok {
			t.Errorf("%s: consequence metadata lacks compensating_tool", tool.Name)
		}
		var want any
		if s := suffix[tool.Name]; s != "" {
			want = tool.Name + "." + s
		}
		if compensating != want {
			t.Errorf("%s: compensating_tool is %v, want %v", tool.Name, compensating, want)
		}
	}
}

func TestFlagsNameAVariableAndItsDefault(t *testing.T) {
	env := regexp.MustCompile(`^(CORECRUXD|CRUX)_[A-Z0-9_]+$`)
	on := map[string]bool{
		"CORECRUXD_FEATURE_SCOPED_FORGET": true, "CORECRUXD_FEATURE_MEMORY_PANEL": true, "CORECRUXD_FEATURE_FRESHNESS": true,
		"CORECRUXD_FEATURE_CONSOLIDATION": true, "CORECRUXD_FEATURE_TOOL_TRACES": true, "CRUX_PASSPORT_REVOCATION": true,
		"CORECRUXD_COORD": true,
	}
	variables := map[string]bool{}
	for _, tool := range spec.Tools() {
		if tool.Flag == nil {
			continue
		}
		variables[tool.Flag.Env] = true
		if !env.MatchString(tool.Flag.Env) {
			t.Errorf("%s: %q is not a variable of the daemon", tool.Name, tool.Flag.Env)
		}
		want := "off"
		switch {
		case on[tool.Flag.Env]:
			want = "on"
		case tool.Flag.Env == "CRUX_OUTPUT_HOLDOUT":
			want = "0"
		}
		if tool.Flag.Default != want {
			t.Errorf("%s: %s is %s by default, want %s", tool.Name, tool.Flag.Env, tool.Flag.Default, want)
		}
	}
	if len(variables) != 25 {
		t.Errorf("%d feature variables, want 25", len(variables))
	}
}
