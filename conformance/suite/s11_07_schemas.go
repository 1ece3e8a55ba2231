package suite

import (
	"slices"
)

var _ = check("11.7-23", "the input schema of a tool declares each documented property", func(c *C) {
	c.schemasAgree("the properties of the input schemas", "each documented property", func(p schemaPlace) (bool, string) {
		if p.kind != placeProperty || p.expected == nil {
			return false, ""
		}
		if p.listed == nil {
			return true, p.says("missing")
		}
		return true, ""
	})
})

var _ = check("11.7-24", "the input schema of a tool declares documented properties only", func(c *C) {
	c.schemasAgree("the properties of the input schemas", "documented properties only", func(p schemaPlace) (bool, string) {
		if p.kind != placeProperty || p.listed == nil {
			return false, ""
		}
		if p.expected == nil {
			return true, p.says("not documented")
		}
		return true, ""
	})
})

var _ = check("11.7-25", "the properties of the input schemas have the documented types", func(c *C) {
	c.schemasAgree("the types in the input schemas", "the documented types", func(p schemaPlace) (bool, string) {
		switch {
		case p.kind == placeRoot:
			return false, "" // belongs to 11.8-16
		case p.kind == placeAlternative && p.listed == nil, p.kind == placeItems && p.listed == nil && typeOf(p.expected) != anyType:
			return true, p.says("missing")
		case p.kind == placeAlternative && p.expected == nil:
			return true, p.says("not documented")
		case !p.both() || p.expected["const"] != nil:
			return false, ""
		}
		if actual, expected := typeOf(p.listed), typeOf(p.expected); actual != expected {
			return true, p.says("type %s, expected %s", actual, expected)
		}
		return true, ""
	})
})

// anyType stands for a place that names no type.
const anyType = "(any)"

// typeOf is the type that a place declares. An array of one type says the same
// as the type, and alternatives stand in place of a type.
func typeOf(s schemaObject) string {
	t := s["type"]
	if list, ok := t.([]any); ok && len(list) == 1 {
		t = list[0]
	}
	switch {
	case s["oneOf"] != nil:
		return "oneOf"
	case t == nil:
		return anyType
	}
	if name, ok := t.(string); ok {
		return name
	}
	return show(t)
}

var _ = check("11.7-26", "the input schemas require exactly the documented properties", func(c *C) {
	c.schemasAgree("required in the input schemas", "the documented names, in any order", func(p schemaPlace) (bool, string) {
		if !p.both() {
			return false, ""
		}
		actual, expected := p.requiredAt(p.listed), p.requiredAt(p.expected)
		if !slices.Equal(actual, expected) {
			return true, p.says("required %s, expected %s", show(actual), show(expected))
		}
		return len(expected) > 0, ""
	})
})

var _ = check("11.7-27", "the enumerations of the input schemas are the documented ones", func(c *C) {
	c.schemasAgree("the enumerations of the input schemas", "the documented values, in any order", func(p schemaPlace) (bool, string) {
		if !p.both() {
			return false, ""
		}
		actual, expected := texts(p.listed["enum"]), texts(p.expected["enum"])
		if !slices.Equal(actual, expected) {
			return true, p.says("enum %s, expected %s", show(actual), show(expected))
		}
		return len(expected) > 0, ""
	})
})

var _ = check("11.7-28", "the defaults in the input schemas are the documented ones", func(c *C) {
	c.schemasAgree("the defaults in the input schemas", "the documented defaults", sameKeyword("default"))
})

// sameKeyword demands that a keyword has the documented value, and is absent
// where none is documented. An absent keyword that is documented as absent is
// not counted as asked.
func sameKeyword(names ...string) verdictAt {
	return func(p schemaPlace) (asked bool, difference string) {
		if !p.both() {
			return false, ""
		}
		for _, name := range names {
			actual, expected := keyword(p.listed, name), keyword(p.expected, name)
			if actual != expected {
				return true, p.says("%s %s, expected %s", name, actual, expected)
			}
			asked = asked || p.expected[name] != nil
		}
		return asked, ""
	}
}

var _ = check("11.7-29", "the bounds in the input schemas are the documented ones", func(c *C) {
	c.schemasAgree("the bounds in the input schemas", "minimum 2 of min_repeats of learn, minimum 0 of hints.max_capabilities "+
		"of cuecrux_session, and no other", sameKeyword("minimum", "maximum", "minLength", "maxLength", "pattern"))
})

var _ = check("11.7-30", "only three tools close their input schema against further properties", func(c *C) {
	c.schemasAgree("additionalProperties in the input schemas", "false in cuecrux_session, in hints of it, in autonomy_contract "+
		"and in resolve_principal, and nowhere else", func(p schemaPlace) (bool, string) {
		if !p.both() {
			return false, ""
		}
		actual, closed := p.listed["additionalProperties"], p.expected["additionalProperties"] == any(false)
		if closed && actual != any(false) {
			return true, p.says("additionalProperties %s, expected false", keyword(p.listed, "additionalProperties"))
		}
		if !closed && actual == any(false) {
			return true, p.says("additionalProperties false, expected none")
		}
		return closed, ""
	})
})
