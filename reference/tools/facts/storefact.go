package facts

import (
	"context"
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"strings"

	"cruxconform/reference/store"
	"cruxconform/reference/tools"
)

// storedFact is the structuredContent of store_fact.
type storedFact struct {
	FactID            string   `json:"fact_id"`
	Entity            string   `json:"entity"`
	Key               string   `json:"key"`
	Version           uint64   `json:"version"`
	SupersededFactIDs []string `json:"superseded_fact_ids"`
}

func (p *plane) storeFact(ctx context.Context, caller tools.Caller, args tools.Args) (json.RawMessage, error) {
	fact, err := p.newFact(caller, args)
	if err != nil {
		return nil, err
	}
	stored, err := p.store.StoreFact(ctx, fact)
	if err != nil {
		return nil, writeError(err)
	}
	entity, _ := logicalEntity(stored, caller)
	out := storedFact{
		FactID: stored.ID, Entity: entity, Key: stored.Key, Version: stored.Version,
		SupersededFactIDs: fact.Supersedes,
	}
	return tools.TextWith(storedText(out, stored.Supersedes), out), nil
}

func storedText(out storedFact, predecessor string) string {
	supersedes, retired := "", ""
	if predecessor != "" {
		supersedes = ", supersedes=" + predecessor
	}
	if len(out.SupersededFactIDs) > 0 {
		retired = ", retired=" + strings.Join(out.SupersededFactIDs, ",")
	}
	return "stored fact " + out.FactID + " (entity=" + out.Entity + ", key=" + out.Key + supersedes +
		", version=" + strconv.FormatUint(out.Version, 10) + retired + ")"
}

// newFact checks the arguments in the documented order. What depends on other
// facts is checked when the fact is written.
func (p *plane) newFact(caller tools.Caller, args tools.Args) (store.NewFact, error) {
	n := store.NewFact{Confidence: 1, Clock: p.now}
	var err error
	if n.Entity, n.Key, n.Value, err = statement(args); err != nil {
		return n, err
	}
	if err := p.privacy.refuse(n.Entity); err != nil {
		return n, err
	}
	if n.Supersedes, err = supersedes(args); err != nil {
		return n, err
	}
	if n.Horizon, err = horizonOf(args, n.Entity); err != nil {
		return n, err
	}
	if confidence, ok := args.Float("confidence"); ok {
		n.Confidence = toFloat32(confidence)
	}
	n.SourceReceipt, _ = args.String("source_receipt")
	n.Check = func(retired []*store.Fact) error { return p.mayRetire(retired, caller) }
	return n, p.place(&n, caller, args)
}

func statement(args tools.Args) (entity, key, value string, err error) {
	var texts [3]string
	for i, name := range []string{"entity", "key", "value"} {
		text, ok := args.String(name)
		if !ok {
			return "", "", "", tools.MissingParam(name)
		}
		texts[i] = text
	}
	return texts[0], texts[1], texts[2], nil
}

// place decides who will see the fact: its owner alone, no one, or everyone.
func (p *plane) place(n *store.NewFact, caller tools.Caller, args tools.Args) error {
	if private, _ := args.Bool("private"); !private {
		n.Private = p.privacy.private(n.Entity)
		return nil
	}
	if caller.Anonymous() {
		return tools.InvalidParams("private facts require an authenticated agent identity")
	}
	n.Entity = ownedEntity(caller, n.Entity)
	return nil
}

// supersedes returns the ids to retire, each once. A missing member and null
// stand for none.
func supersedes(args tools.Args) ([]string, error) {
	ids := []string{}
	raw, ok := args.Raw("supersedes")
	if !ok {
		return ids, nil
	}
	// Pointers, because a null element would else pass for an empty string.
	var elements []*string
	if err := json.Unmarshal(raw, &elements); err != nil || slices.Contains(elements, nil) {
		return nil, tools.InvalidParams("supersedes must be an array of fact_id strings")
	}
	for _, id := range elements {
		if !slices.Contains(ids, *id) {
			ids = append(ids, *id)
		}
	}
	return ids, nil
}

// mayRetire refuses the whole write when one of the facts is the daemon's own,
// or is unknown, deleted or not the caller's to see.
func (p *plane) mayRetire(retired []*store.Fact, caller tools.Caller) error {
	for _, f := range retired {
		if f != nil && hasAnyPrefix(f.Entity, daemonOwned...) {
			return tools.InvalidParams("daemon-owned control facts cannot be superseded through store_fact")
		}
	}
	for _, f := range retired {
		if f == nil || f.Deleted || !visible(f, caller) {
			return tools.InvalidParams("one or more supersedes fact_ids do not exist or are not visible to you")
		}
	}
	return nil
}

// toFloat32 narrows a confidence. Beyond the range of 32 bits it becomes the
// largest number there is, since infinity has no JSON form.
func toFloat32(v float64) float32 {
	return float32(max(-math.MaxFloat32, min(math.MaxFloat32, v)))
}
