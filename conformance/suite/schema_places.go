package suite

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
)

// schemaObject is one decoded JSON schema.
type schemaObject = map[string]any

// A place of an input schema: the schema itself, a property, the items of an
// array, or an alternative.
type placeKind int

const (
	placeRoot placeKind = iota
	placeProperty
	placeItems
	placeAlternative
)

// schemaPlace holds what the listing and the catalogue say at one place; a side
// that does not have the place is nil.
type schemaPlace struct {
	kind             placeKind
	tool, path       string
	listed, expected schemaObject
}

// both reports whether the place stands on both sides.
func (p schemaPlace) both() bool { return p.listed != nil && p.expected != nil }

// says makes a difference at the place readable.
func (p schemaPlace) says(format string, a ...any) string {
	where := p.tool + ": "
	if p.path != "" {
		where += "property " + p.path + ": "
	}
	return where + fmt.Sprintf(format, a...)
}

// keyword names the value of a keyword on one side.
func keyword(s schemaObject, name string) string {
	v, ok := s[name]
	if !ok {
		return "(absent)"
	}
	b, err := json.Marshal(v)
	if err != nil {
		panic(fmt.Sprintf("suite: decoded JSON does not encode: %v", err))
	}
	return string(b)
}

// children are the places directly below a schema, by the ending of their path.
func children(s schemaObject) map[string]schemaPlace {
	out := map[string]schemaPlace{}
	add := func(kind placeKind, ending string, v any) {
		if v == any(true) {
			v = schemaObject{} // the two mean the same in JSON Schema
		}
		if below, ok := v.(schemaObject); ok {
			out[ending] = schemaPlace{kind: kind, listed: below}
		}
	}
	properties, _ := s["properties"].(schemaObject)
	for name, v := range properties {
		add(placeProperty, "."+name, v)
	}
	add(placeItems, "[]", s["items"])
	alternatives, _ := s["oneOf"].([]any)
	for i, v := range alternatives {
		add(placeAlternative, "("+alternativeName(v, i)+")", v)
	}
	return out
}

// alternativeName tells alternatives apart by the constant of their property
// type, or else by their number.
func alternativeName(v any, i int) string {
	s, _ := v.(schemaObject)
	properties, _ := s["properties"].(schemaObject)
	kind, _ := properties["type"].(schemaObject)
	if name, ok := kind["const"].(string); ok {
		return name
	}
	return fmt.Sprint(i)
}

// below visits a place and all under it, as far as both sides have them.
func (p schemaPlace) below(visit func(schemaPlace)) {
	visit(p)
	if !p.both() {
		return
	}
	listed, expected := children(p.listed), children(p.expected)
	endings := maps.Clone(listed)
	maps.Copy(endings, expected)
	for _, ending := range slices.Sorted(maps.Keys(endings)) {
		path := strings.TrimPrefix(p.path+ending, ".")
		schemaPlace{endings[ending].kind, p.tool, path, listed[ending].listed, expected[ending].listed}.below(visit)
	}
}

// leftOut reports whether a place is asked elsewhere or not at all: the token
// budgets of section 11.11, and an argument whose schema is not certain.
func (p schemaPlace) leftOut() bool {
	return p.path == budgetArg && isBudgetTool(p.tool) ||
		p.tool == "get_workspace_storyline" && p.path == "include_tests"
}

// isBudgetTool reports whether section 11.11 speaks of the schema of a tool.
func isBudgetTool(tool string) bool {
	return tool == "get_bootstrap" || catalogue()[tool].Budget != nil
}

// verdictAt judges one place: whether the catalogue asks for anything there, and
// what differs, empty where nothing does.
type verdictAt func(p schemaPlace) (asked bool, difference string)

// schemasAgree compares the listed schemas of the catalogue place by place, and
// names each place that differs.
func (c *C) schemasAgree(what, expected string, judge verdictAt) {
	var differences []string
	asked := 0
	a := c.advertised()
	for _, t := range c.documentedTools(a) {
		root := schemaPlace{tool: t.Name, listed: c.schemaWithProperties(t), expected: documentedSchema(t.Name)}
		root.below(func(p schemaPlace) {
			if p.leftOut() {
				return
			}
			isAsked, difference := judge(p)
			if isAsked {
				asked++
			}
			if difference != "" {
				differences = append(differences, difference)
			}
		})
	}
	c.noDifference(what, expected, differences, "")
	if asked == 0 {
		c.notListed(a, "a tool with such a place in its schema", "11.7-01")
	}
}

// schemaWithProperties is the schema of a listed tool; that its properties are
// an object belongs to 11.8-16.
func (c *C) schemaWithProperties(t Listed) schemaObject {
	s := c.schemaMembers(t)
	if v, stands := s["properties"]; stands && reflect.TypeOf(v) != reflect.TypeFor[schemaObject]() {
		c.Given("11.8-16", func() { c.Fail("inputSchema.properties of "+t.Name, "an object", keyword(s, "properties")) })
	}
	return s
}

// documentedSchema is the schema of a tool as the catalogue has it.
func documentedSchema(tool string) schemaObject {
	var s schemaObject
	if err := json.Unmarshal(catalogue()[tool].InputSchema, &s); err != nil {
		panic(fmt.Sprintf("suite: input schema of %s in the catalogue: %v", tool, err))
	}
	return s
}

// requiredAt is the required list of a place, sorted, without what section
// 11.11 speaks of.
func (p schemaPlace) requiredAt(s schemaObject) []string {
	names := texts(s["required"])
	if p.kind == placeRoot && isBudgetTool(p.tool) {
		names = slices.DeleteFunc(names, func(name string) bool { return name == budgetArg })
	}
	return names
}

// texts is an array for a comparison that does not mind its order: its items as
// sorted JSON, texts as they are. What is no array is empty.
func texts(v any) []string {
	list, _ := v.([]any)
	out := []string{}
	for _, item := range list {
		if s, ok := item.(string); ok {
			out = append(out, s)
			continue
		}
		out = append(out, show(item))
	}
	slices.Sort(out)
	return out
}
