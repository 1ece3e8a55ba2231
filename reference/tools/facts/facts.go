// Package facts serves the fact plane: store_fact, query_facts, fact_history,
// delete_fact and list_entities (tool page "Fact plane and bootstrap").
package facts

import (
	"errors"
	"time"

	"cruxconform/reference/store"
	"cruxconform/reference/tools"
)

type plane struct {
	store   *store.Store
	now     func() time.Time
	decay   Decay
	privacy privacy
}

// Option changes a documented default of the plane.
type Option func(*plane)

// WithDecay sets after what age facts of each horizon are stale.
func WithDecay(d Decay) Option {
	return func(p *plane) { p.decay = d }
}

// WithPrivacy adds entity prefixes that are always private
// (CORECRUXD_ALWAYS_PRIVATE_PREFIXES) and takes others off that list
// (CORECRUXD_SHARE_PREFIXES_OVERRIDE). Prefixes owned by the daemon stay.
func WithPrivacy(private, shared []string) Option {
	return func(p *plane) { p.privacy = newPrivacy(private, shared) }
}

// Handlers returns the handlers by tool name. now gives the time of writes and
// the time against which ages are measured.
func Handlers(st *store.Store, now func() time.Time, options ...Option) map[string]tools.Handler {
	p := &plane{store: st, now: now, decay: DefaultDecay, privacy: newPrivacy(nil, nil)}
	for _, option := range options {
		option(p)
	}
	return map[string]tools.Handler{
		"store_fact":    p.storeFact,
		"query_facts":   p.queryFacts,
		"fact_history":  p.factHistory,
		"delete_fact":   p.deleteFact,
		"list_entities": p.listEntities,
	}
}

// writeError makes the answer to a write that failed. A tool error comes from
// the rules and stands as it is; whatever else happened in the store shows as
// one documented text, with the cause kept for the log.
func writeError(err error) error {
	var refused *tools.Error
	if err == nil || errors.As(err, &refused) {
		return err
	}
	return errors.Join(&tools.Error{Code: tools.CodeInternal, Message: "fact journal append failed"}, err)
}
