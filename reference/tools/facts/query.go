package facts

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"cruxconform/reference/store"
	"cruxconform/reference/tools"
	"cruxconform/reference/tools/crc"
)

const defaultTopK = 10

// question is what query_facts was asked.
type question struct {
	entity            string
	byEntity          bool
	terms             []string
	byText            bool
	includeSuperseded bool
	topK              uint64
	budget            uint64
	bounded           bool
	floor             float32
	hasFloor          bool
	legacy            bool
	caller            tools.Caller
	now               time.Time
}

// match is a fact that answers the question.
type match struct {
	fact      *store.Fact
	entity    string
	effective float32
}

func (p *plane) queryFacts(ctx context.Context, caller tools.Caller, args tools.Args) (json.RawMessage, error) {
	q, err := parseQuestion(caller, args)
	if err != nil {
		return nil, err
	}
	q.now = p.now()
	found := p.find(q)
	if len(found.ranked) == 0 {
		return found.emptyAnswer(), nil
	}
	if q.legacy {
		return p.legacyAnswer(ctx, q, found), nil
	}
	return p.crcAnswer(ctx, q, found), nil
}

func parseQuestion(caller tools.Caller, args tools.Args) (question, error) {
	q := question{caller: caller, topK: defaultTopK, legacy: crc.Legacy(args)}
	if _, given := args.Raw("min_effective_confidence"); given {
		floor, ok := args.Float("min_effective_confidence")
		if !ok || floor < 0 || floor > 1 {
			return q, tools.InvalidParams("min_effective_confidence must be a number in 0.0..=1.0")
		}
		q.floor, q.hasFloor = float32(floor), true
	}
	// The time only has to be one: facts written through this surface are valid
	// at all times, so it hides none of them.
	if asOf, ok := args.String("as_of"); ok {
		if _, err := time.Parse(time.RFC3339, asOf); err != nil {
			return q, tools.InvalidParams("as_of must be an RFC 3339 timestamp (e.g. 2026-01-15T00:00:00Z)")
		}
	}
	q.entity, q.byEntity = args.String("entity")
	if text, ok := args.String("query"); ok {
		q.terms, q.byText = strings.Fields(strings.ToLower(text)), true
	}
	q.includeSuperseded, _ = args.Bool("include_superseded")
	if k, ok := args.Uint("top_k"); ok {
		q.topK = k
	}
	q.budget, q.bounded = args.Uint("token_budget")
	return q, nil
}

// findings are the matches above the floor, in rank order and cut, and how many
// the floor took.
type findings struct {
	ranked     []match
	belowFloor uint64
	// matched counts all matches, those below the floor included.
	matched uint64
}

func (p *plane) find(q question) findings {
	// Under the legacy contract a budget takes the place of top_k.
	best := newRanking(q.topK, q.legacy && q.bounded)
	var out findings
	p.eachCandidate(q, func(f *store.Fact) {
		entity, ok := q.matches(f)
		if !ok {
			return
		}
		out.matched++
		m := match{f, entity, p.decay.effective(f, q.now)}
		if q.hasFloor && m.effective < q.floor {
			out.belowFloor++
			return
		}
		best.add(m)
	})
	out.ranked = best.sorted()
	return out
}

// eachCandidate yields the facts worth a closer look: those of the entity where
// the question names one, else all.
func (p *plane) eachCandidate(q question, fn func(*store.Fact)) {
	if !q.byEntity {
		for f := range p.store.Facts() {
			fn(f)
		}
		return
	}
	for _, f := range p.store.FactsOf(q.entity) {
		fn(f)
	}
	if !q.caller.Anonymous() {
		for _, f := range p.store.FactsOf(ownedEntity(q.caller, q.entity)) {
			fn(f)
		}
	}
}

// matches reports whether a fact answers the question, and its logical entity.
func (q question) matches(f *store.Fact) (string, bool) {
	if f.Deleted || f.SupersededBy != "" && !q.includeSuperseded {
		return "", false
	}
	entity, seen := logicalEntity(f, q.caller)
	if !seen || q.byEntity && entity != q.entity {
		return "", false
	}
	if !q.byText {
		return entity, true
	}
	value, key, name := strings.ToLower(f.Value), strings.ToLower(f.Key), strings.ToLower(entity)
	return entity, slices.ContainsFunc(q.terms, func(term string) bool {
		return strings.Contains(value, term) || strings.Contains(key, term) || strings.Contains(name, term)
	})
}

// ranking keeps the best matches seen so far.
type ranking struct {
	matches []match
	limit   uint64
	all     bool
}

func newRanking(limit uint64, all bool) *ranking {
	return &ranking{limit: limit, all: all}
}

// add takes a match in. Twice the limit is let in before the worse half is
// dropped: a question over all facts then sorts little more than it returns.
func (r *ranking) add(m match) {
	r.matches = append(r.matches, m)
	if n := uint64(len(r.matches)); !r.all && n >= 64 && n/2 >= r.limit {
		r.matches = r.sorted()
	}
}

// sorted returns the matches best first and cut to the limit.
func (r *ranking) sorted() []match {
	slices.SortFunc(r.matches, compareMatches)
	if !r.all && uint64(len(r.matches)) > r.limit {
		clear(r.matches[r.limit:])
		return r.matches[:r.limit]
	}
	return r.matches
}

// compareMatches orders by effective confidence, then the newest first.
func compareMatches(a, b match) int {
	return cmp.Or(
		cmp.Compare(b.effective, a.effective),
		b.fact.StoredAt.Compare(a.fact.StoredAt),
		cmp.Compare(b.fact.Seq, a.fact.Seq),
	)
}
