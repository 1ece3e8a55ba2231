package mcp

import (
	"net/http"
	"regexp"
	"strings"
	"testing"
)

// TestSessionID: section 11.1 gives the length and the characters.
func TestSessionID(t *testing.T) {
	const all = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._:-"
	for name, c := range map[string]struct {
		values []string
		id     string
		ok     bool
	}{
		"no header":                {nil, "", true},
		"one character":            {[]string{"a"}, "a", true},
		"every character":          {[]string{all}, all, true},
		"128 characters":           {[]string{strings.Repeat("x", 128)}, strings.Repeat("x", 128), true},
		"129 characters":           {[]string{strings.Repeat("x", 129)}, "", false},
		"blanks around":            {[]string{" \tabc\t "}, "abc", true},
		"128 and blanks around":    {[]string{" " + strings.Repeat("x", 128) + " "}, strings.Repeat("x", 128), true},
		"empty":                    {[]string{""}, "", false},
		"blanks only":              {[]string{" \t "}, "", false},
		"a blank inside":           {[]string{"a b"}, "", false},
		"twice":                    {[]string{"a", "b"}, "", false},
		"twice the same":           {[]string{"a", "a"}, "", false},
		"twice, one of them empty": {[]string{"a", ""}, "", false},
		"a list":                   {[]string{"a, b"}, "", false},
		"a slash":                  {[]string{"a/b"}, "", false},
		"a letter beyond ASCII":    {[]string{"sessión"}, "", false},
		"a byte beyond ASCII":      {[]string{"a\xff"}, "", false},
		"a no-break space around":  {[]string{"\u00a0abc"}, "", false},
		"a line feed around":       {[]string{"abc\n"}, "", false},
		"a wide digit":             {[]string{"１"}, "", false},
	} {
		t.Run(name, func(t *testing.T) {
			h := http.Header{}
			for _, v := range c.values {
				h.Add("Mcp-Session-Id", v)
			}
			id, ok := sessionID(h)
			if id != c.id || ok != c.ok {
				t.Errorf("%q: got %q, %t; expected %q, %t", c.values, id, ok, c.id, c.ok)
			}
		})
	}
}

func TestEveryASCIICharacterOutsideTheSetIsRefused(t *testing.T) {
	allowed := regexp.MustCompile(`^[A-Za-z0-9._:-]$`)
	for c := range 128 {
		v := "a" + string(rune(c)) + "a"
		_, ok := sessionID(http.Header{"Mcp-Session-Id": {v}})
		if want := allowed.MatchString(string(rune(c))); ok != want {
			t.Errorf("%q: ok %t, expected %t", v, ok, want)
		}
	}
}

func TestMintedIDsAreUUIDsOfVersion4(t *testing.T) {
	form := regexp.MustCompile(`^[0-9a-f]{12}4[0-9a-f]{3}[89ab][0-9a-f]{15}$`)
	seen := map[string]bool{}
	for range 1000 {
		id := mint()
		if !form.MatchString(id) {
			t.Fatalf("%s is no UUID of version 4 in simple form", id)
		}
		if seen[id] {
			t.Fatalf("%s came twice", id)
		}
		seen[id] = true
	}
}
