package facts

import (
	"math"
	"strings"
	"testing"
	"time"

	"cruxconform/reference/store"
	"cruxconform/reference/tools"
)

func TestHorizonFromText(t *testing.T) {
	for text, want := range map[string]string{
		"":                          none,
		"soon":                      none,
		"24 hours":                  volatile,
		"HOURLY":                    volatile,
		"hours or years":            volatile, // the first rule that matches decides
		"stable":                    stable,
		"Frozen":                    stable,
		"immutable":                 stable,
		"historical":                stable,
		"architecture":              stable,
		"a year":                    stable,
		"12 months of a year":       stable,
		"6 months":                  medium,
		"1 week":                    medium,
		"7 days in a week":          medium,
		"a day":                     medium,
		"1 day":                     volatile,
		"2 days":                    volatile,
		"3 days":                    medium,
		"0 days":                    volatile,
		"days: 2":                   volatile,
		"between 2 and 30 days":     volatile,
		"30 or 2 days":              medium,
		"99999999999999999999 days": medium,
		"Today":                     medium,
	} {
		if got := horizonFromText(text); got != want {
			t.Errorf("horizonFromText(%q) = %s, want %s", text, got, want)
		}
	}
}

func TestHorizonFromEntity(t *testing.T) {
	for entity, want := range map[string]string{
		"__ops::x": volatile, "bench:x": stable, "__bootstrap__::doc:x": stable, "execplan:x": medium,
		"incident:x": medium, "__candidate_fact__::x": medium, "x": none, "": none, "xbench:": none, "bench": none,
		"Bench:x": none,
	} {
		if got := horizonFromEntity(entity); got != want {
			t.Errorf("horizonFromEntity(%q) = %s, want %s", entity, got, want)
		}
	}
}

func TestFreshness(t *testing.T) {
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	const day = 24 * time.Hour
	for _, c := range []struct {
		horizon string
		age     time.Duration
		want    string
	}{
		{volatile, 0, "fresh"}, {volatile, day, "fresh"}, {volatile, day + 1, "stale"}, {volatile, -1, "unknown"},
		{medium, 35 * day, "fresh"}, {medium, 35*day + 1, "stale"}, {medium, -1, "unknown"},
		{stable, 365 * day, "fresh"}, {stable, 365*day + 1, "stale"}, {stable, -1, "unknown"},
		{none, 10000 * day, "fresh"}, {none, -1, "fresh"},
	} {
		f := &store.Fact{Horizon: c.horizon, Confidence: 0.8, StoredAt: now.Add(-c.age)}
		if got := DefaultDecay.freshness(f, now); got != c.want {
			t.Errorf("%s, %v old: %s, want %s", c.horizon, c.age, got, c.want)
		}
		effective := DefaultDecay.effective(f, now)
		if stale := c.want == "stale"; stale && effective >= 0.8 || !stale && effective != 0.8 {
			t.Errorf("%s, %v old: effective confidence %v of 0.8", c.horizon, c.age, effective)
		}
	}
}

func TestAgeHours(t *testing.T) {
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for age, want := range map[time.Duration]int64{
		0: 0, time.Hour - 1: 0, time.Hour: 1, 49 * time.Hour: 49, -time.Hour: 0,
	} {
		if got := ageHours(&store.Fact{StoredAt: now.Add(-age)}, now); got != want {
			t.Errorf("ageHours at %v = %d, want %d", age, got, want)
		}
	}
}

// ofTokens makes matches whose values have the given numbers of tokens.
func ofTokens(tokens ...int) []match {
	var out []match
	for _, n := range tokens {
		out = append(out, match{fact: &store.Fact{Value: strings.Repeat("abcd", n)}})
	}
	return out
}

func TestFitting(t *testing.T) {
	for _, c := range []struct {
		name   string
		tokens []int
		budget uint64
		want   int
	}{
		{"nothing", nil, 10, 0},
		{"0 still gives one", []int{5, 5}, 0, 1},
		{"the first alone is larger", []int{5, 1}, 4, 1},
		{"one below two", []int{5, 5}, 9, 1},
		{"exactly two", []int{5, 5}, 10, 2},
		{"one above two", []int{5, 5, 5}, 11, 2},
		{"a smaller later one does not jump the queue", []int{5, 9, 1}, 7, 1},
		{"an empty first one takes the place of the one always given", []int{0, 5}, 4, 1},
		{"behind an empty first one the next has to fit", []int{0, 5}, 5, 2},
		{"a spent budget ends it, before an empty one too", []int{5, 0}, 5, 1},
		{"no clamp", []int{5, 5, 5}, 4_000_000_000, 3},
	} {
		if got, _ := fitting(ofTokens(c.tokens...), c.budget); got != c.want {
			t.Errorf("%s: %d rows, want %d", c.name, got, c.want)
		}
	}
}

func TestDivide(t *testing.T) {
	for _, c := range []struct {
		name    string
		tokens  []int
		bounded bool
		budget  uint64
		want    portions
	}{
		{"no budget", []int{5, 5, 5}, false, 0, portions{full: 3}},
		{"budget 0", []int{5, 5, 5}, true, 0, portions{full: 1, capped: 2}},
		{"one below a pointer", []int{10, 50, 50}, true, 49, portions{full: 1, capped: 2}},
		{"exactly a pointer", []int{10, 50, 50}, true, 50, portions{full: 1, demoted: 1, capped: 1}},
		{"one above a pointer", []int{10, 50, 50}, true, 51, portions{full: 1, demoted: 1, capped: 1}},
		{"two pointers", []int{10, 90, 90}, true, 90, portions{full: 1, demoted: 2}},
		{"more room than rows", []int{10, 490, 490}, true, 489, portions{full: 1, demoted: 2}},
		{"everything", []int{10, 90}, true, 4_000_000_000, portions{full: 2}},
	} {
		if got := divide(ofTokens(c.tokens...), question{bounded: c.bounded, budget: c.budget}); got != c.want {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
}

func TestCut(t *testing.T) {
	for _, c := range []struct {
		in   string
		n    int
		want string
	}{
		{"abc", 4, "abc"}, {"abcd", 4, "abcd"}, {"abcde", 4, "abcd"}, {"abcé", 4, "abc"}, {"ééé", 4, "éé"}, {"\U0001F600", 3, ""},
	} {
		if got := cut(c.in, c.n); got != c.want {
			t.Errorf("cut(%q, %d) = %q, want %q", c.in, c.n, got, c.want)
		}
	}
}

func TestToFloat32(t *testing.T) {
	for in, want := range map[float64]float32{
		1: 1, 0.7: 0.7, -1: -1, 1.5: 1.5, 1e300: math.MaxFloat32, -1e300: -math.MaxFloat32,
	} {
		if got := toFloat32(in); got != want {
			t.Errorf("toFloat32(%v) = %v, want %v", in, got, want)
		}
	}
}

func TestRankingKeepsTheBest(t *testing.T) {
	at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for _, limit := range []uint64{0, 1, 10, 63, 64, 500, 1000, 4_000_000_000} {
		r := newRanking(limit, false)
		// 1000 matches in an order that is neither ascending nor descending.
		for i := range 1000 {
			n := i * 387 % 1000
			r.add(match{fact: &store.Fact{Seq: uint64(n), StoredAt: at}, effective: float32(n / 10)})
		}
		got := r.sorted()
		if want := min(limit, 1000); uint64(len(got)) != want {
			t.Fatalf("limit %d: %d matches, want %d", limit, len(got), want)
		}
		for i, m := range got {
			// Equal in confidence and time, the one stored last comes first.
			if want := uint64(999 - i); m.fact.Seq != want {
				t.Fatalf("limit %d, place %d: number %d, want %d", limit, i, m.fact.Seq, want)
			}
		}
	}
}

func TestCompareMatches(t *testing.T) {
	at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	older := match{fact: &store.Fact{Seq: 2, StoredAt: at}, effective: 0.5}
	newer := match{fact: &store.Fact{Seq: 1, StoredAt: at.Add(1)}, effective: 0.5}
	surer := match{fact: &store.Fact{Seq: 3, StoredAt: at.Add(-1)}, effective: 0.6}
	for _, c := range []struct{ first, second match }{{surer, newer}, {newer, older}, {surer, older}} {
		if compareMatches(c.first, c.second) >= 0 || compareMatches(c.second, c.first) <= 0 {
			t.Errorf("number %d must come before number %d", c.first.fact.Seq, c.second.fact.Seq)
		}
	}
}

func TestPrivacy(t *testing.T) {
	p := newPrivacy([]string{"secret::", ""}, []string{"github::", "__ops::"})
	for entity, want := range map[string]struct{ refused, private bool }{
		"plain":                {false, false},
		"":                     {false, false},
		"__decisions__::x":     {false, false},
		"__bootstrap__::doc:x": {false, true},
		"__agent::x":           {true, false},
		"__ops::x":             {true, true},
		"__constraints__::x":   {true, true},
		"console:page:x":       {true, true},
		"decisions::x":         {false, true},
		"__tenant__::x":        {false, true},
		"github::x":            {false, false}, // shared by the operator
		"secret::x":            {false, true},  // added by the operator
		"x__ops::":             {false, false},
	} {
		if got := p.private(entity); got != want.private {
			t.Errorf("private(%q) = %v", entity, got)
		}
		if got := p.refuse(entity) != nil; got != want.refused {
			t.Errorf("refuse(%q) = %v", entity, got)
		}
	}
}

func TestLogicalEntity(t *testing.T) {
	for _, c := range []struct {
		fact   store.Fact
		caller string
		entity string
		seen   bool
	}{
		{store.Fact{Entity: "e"}, "", "e", true},
		{store.Fact{Entity: "e"}, "ann", "e", true},
		{store.Fact{Entity: "__bootstrap__::e", Private: true}, "ann", "__bootstrap__::e", false},
		{store.Fact{Entity: "__agent::ann::e::f"}, "ann", "e::f", true},
		{store.Fact{Entity: "__agent::ann::e"}, "an", "e", false},
		{store.Fact{Entity: "__agent::ann::e"}, "ann2", "e", false},
		{store.Fact{Entity: "__agent::ann::e"}, "", "e", false},
		{store.Fact{Entity: "__agent::::e"}, "", "e", false},
	} {
		entity, seen := logicalEntity(&c.fact, tools.Caller{Agent: c.caller})
		if entity != c.entity || seen != c.seen {
			t.Errorf("%s for %q: %q, %v; want %q, %v", c.fact.Entity, c.caller, entity, seen, c.entity, c.seen)
		}
	}
}
