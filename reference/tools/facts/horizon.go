package facts

import (
	"strconv"
	"strings"
	"time"

	"cruxconform/reference/store"
	"cruxconform/reference/tools"
)

// Horizon classes: how fast a statement goes out of date.
const (
	volatile = "volatile"
	medium   = "medium"
	stable   = "stable"
	none     = "none"
)

// Decay is the age beyond which facts of a horizon are stale. Facts of horizon
// none never are.
type Decay struct {
	Volatile, Medium, Stable time.Duration
}

// DefaultDecay holds the documented ages.
var DefaultDecay = Decay{
	Volatile: 24 * time.Hour,
	Medium:   35 * 24 * time.Hour,
	Stable:   365 * 24 * time.Hour,
}

// staleFactor lowers the confidence of a stale fact. That it is lowered is
// documented, by how much is not.
const staleFactor = 0.5

// horizonOf reads the horizon of a new fact from its arguments: horizon_class,
// else freshness_horizon, else what the entity's prefix says.
func horizonOf(args tools.Args, entity string) (string, error) {
	if given, ok := args.String("horizon_class"); ok {
		switch class := strings.ToLower(strings.TrimSpace(given)); class {
		case volatile, medium, stable, none:
			return class, nil
		}
		return "", tools.InvalidParams("invalid horizon_class: %s", given)
	}
	if text, ok := args.String("freshness_horizon"); ok {
		return horizonFromText(text), nil
	}
	return horizonFromEntity(entity), nil
}

// horizonFromText reads a horizon described in words. The first rule that
// matches decides.
func horizonFromText(text string) string {
	text = strings.ToLower(text)
	switch {
	case containsAny(text, "hour"):
		return volatile
	case containsAny(text, "stable", "frozen", "immutable", "historical", "architect", "year"):
		return stable
	case containsAny(text, "month", "week"):
		return medium
	case containsAny(text, "day"):
		if days, ok := firstNumber(text); ok && days <= 2 {
			return volatile
		}
		return medium
	}
	return none
}

func horizonFromEntity(entity string) string {
	switch {
	case hasAnyPrefix(entity, "__ops::"):
		return volatile
	case hasAnyPrefix(entity, "bench:", bootstrapPrefix):
		return stable
	case hasAnyPrefix(entity, "execplan:", "incident:", "__candidate_fact__::"):
		return medium
	}
	return none
}

// firstNumber returns the first run of digits in the text. A number too large
// to hold counts as the largest.
func firstNumber(text string) (uint64, bool) {
	const digits = "0123456789"
	start := strings.IndexAny(text, digits)
	if start < 0 {
		return 0, false
	}
	run := text[start:]
	run = run[:len(run)-len(strings.TrimLeft(run, digits))]
	n, _ := strconv.ParseUint(run, 10, 64)
	return n, true
}

func containsAny(text string, words ...string) bool {
	for _, word := range words {
		if strings.Contains(text, word) {
			return true
		}
	}
	return false
}

func hasAnyPrefix(entity string, prefixes ...string) bool {
	_, ok := prefixOf(entity, prefixes)
	return ok
}

// limit returns the age beyond which a horizon is stale, and whether it has one.
func (d Decay) limit(horizon string) (time.Duration, bool) {
	switch horizon {
	case volatile:
		return d.Volatile, true
	case medium:
		return d.Medium, true
	case stable:
		return d.Stable, true
	}
	return 0, false
}

// freshness is fresh, stale, or unknown for a fact from the future.
func (d Decay) freshness(f *store.Fact, now time.Time) string {
	limit, decays := d.limit(f.Horizon)
	age := now.Sub(f.StoredAt)
	switch {
	case !decays:
		return "fresh"
	case age < 0:
		return "unknown"
	case age > limit:
		return "stale"
	}
	return "fresh"
}

// effective is the confidence of a fact as it stands now.
func (d Decay) effective(f *store.Fact, now time.Time) float32 {
	if d.freshness(f, now) == "stale" {
		return f.Confidence * staleFactor
	}
	return f.Confidence
}

// ageHours is the age in whole hours, 0 for a fact from the future.
func ageHours(f *store.Fact, now time.Time) int64 {
	return max(0, int64(now.Sub(f.StoredAt)/time.Hour))
}
