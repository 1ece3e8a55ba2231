package retrieval

import (
	"context"
	"encoding/json"
	"strings"

	"cruxconform/reference/tools"
	"cruxconform/reference/tools/crc"
)

// Rows of an answer where the caller names no limit.
const (
	queryLimit = 10
	scanLimit  = 20
)

// Handlers returns the handlers by tool name.
func Handlers(x *Index) map[string]tools.Handler {
	return map[string]tools.Handler{
		"query":        x.query,
		"query_scan":   x.queryScan,
		"query_expand": x.queryExpand,
	}
}

// search is what query and query_scan were asked, and what they found.
type search struct {
	legacy  bool
	budget  uint64
	bounded bool
	tokens  []string
	missing []string
	// candidates counts the hits before the floor and the cut.
	candidates int
	belowFloor int
	rows       []row
}

func (x *Index) query(ctx context.Context, _ tools.Caller, args tools.Args) (json.RawMessage, error) {
	floor, hasFloor := args.Float("min_score")
	s, empty, err := x.search(args, queryLimit, func(h hit) bool { return hasFloor && h.score < floor })
	if err != nil {
		return nil, err
	}
	if empty {
		return tools.Text("index is empty — ingest data first"), nil
	}
	if s.bounded {
		n := fittingPointers(len(s.rows), s.budget)
		s.note(ctx, n)
		s.rows = s.rows[:n]
	}
	extra := map[string]any{"coverage": s.coverage(), "total_candidates": s.candidates}
	return s.answer("results", extra), nil
}

func (x *Index) queryScan(ctx context.Context, _ tools.Caller, args tools.Args) (json.RawMessage, error) {
	s, empty, err := x.search(args, scanLimit, func(hit) bool { return false })
	if err != nil {
		return nil, err
	}
	if empty {
		return tools.Text("index is empty"), nil
	}
	truncated := false
	if s.bounded {
		n := fittingRows(s.rows, s.budget)
		truncated = n < len(s.rows)
		s.note(ctx, n)
		s.rows = s.rows[:n]
	}
	extra := map[string]any{
		"total_candidates": s.candidates,
		"tokens_returned":  tokensOf(s.rows),
		"budget_truncated": truncated,
	}
	return s.answer("scan", extra), nil
}

// search checks the common arguments in the documented order and runs the
// search. An index without any document is reported as empty, whatever was asked.
func (x *Index) search(args tools.Args, limit uint64, drop func(hit) bool) (s search, empty bool, err error) {
	tenant, err := concreteTenant(args)
	if err != nil {
		return s, false, err
	}
	text, ok := args.String("query")
	if !ok {
		return s, false, tools.MissingParam("query")
	}
	if n, ok := args.Uint("limit"); ok {
		limit = n
	}
	s.legacy, s.tokens = crc.Legacy(args), tokenize(text)
	s.budget, s.bounded = args.Uint("token_budget")

	x.mu.RLock()
	defer x.mu.RUnlock()
	if len(x.corpus.docs) == 0 {
		return s, true, nil
	}
	s.missing = x.corpus.missing(s.tokens)
	hits := x.corpus.search(tenant, s.tokens)
	s.candidates = len(hits)
	for _, h := range hits {
		switch {
		case drop(h):
			s.belowFloor++
		case uint64(len(s.rows)) < limit:
			s.rows = append(s.rows, newRow(len(s.rows)+1, h.score, x.corpus.docs[h.doc]))
		}
	}
	return s, false, nil
}

// concreteTenant returns the hash of the tenant that the arguments name.
func concreteTenant(args tools.Args) (uint64, error) {
	tenant, ok := args.String("tenant_id")
	if !ok {
		return 0, tools.MissingParam("tenant_id")
	}
	if name := strings.TrimSpace(tenant); name == "" || name == "*" {
		return 0, tools.InvalidParams("tenant_id must name one concrete tenant")
	}
	return tenantHash(tenant), nil
}

// fittingPointers is how many of n hits a budget buys, at the price of a pointer
// each; one is always given.
func fittingPointers(n int, budget uint64) int {
	return int(min(uint64(n), max(1, budget/crc.PointerTokens)))
}

// fittingRows is how many leading rows a budget of document tokens holds; the
// first is always given.
func fittingRows(rows []row, budget uint64) int {
	var sum uint64
	for i, r := range rows {
		sum += uint64(r.DocLengthTokens)
		if i > 0 && sum > budget {
			return i
		}
	}
	return len(rows)
}

func tokensOf(rows []row) (sum uint64) {
	for _, r := range rows {
		sum += uint64(r.DocLengthTokens)
	}
	return sum
}

// note records a budget that leaves only n rows.
func (s *search) note(ctx context.Context, n int) {
	if n < len(s.rows) {
		tools.NoteTruncated(ctx)
	}
}
