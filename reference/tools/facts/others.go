package facts

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"cruxconform/reference/store"
	"cruxconform/reference/tools"
)

func (p *plane) factHistory(_ context.Context, caller tools.Caller, args tools.Args) (json.RawMessage, error) {
	entity, ok := args.String("entity")
	if !ok {
		return nil, tools.MissingParam("entity")
	}
	key, ok := args.String("key")
	if !ok {
		return nil, tools.MissingParam("key")
	}
	versions := slices.Concat(p.store.History(entity, key), p.store.History(ownedEntity(caller, entity), key))
	versions = slices.DeleteFunc(versions, func(f *store.Fact) bool {
		logical, seen := logicalEntity(f, caller)
		return !seen || logical != entity
	})
	if len(versions) == 0 {
		return tools.Text(fmt.Sprintf("no history for entity=%s, key=%s", entity, key)), nil
	}
	slices.SortFunc(versions, func(a, b *store.Fact) int {
		return cmp.Or(cmp.Compare(a.Version, b.Version), cmp.Compare(a.Seq, b.Seq))
	})
	lines := make([]string, len(versions))
	for i, f := range versions {
		lines[i] = historyLine(f, entity)
	}
	return tools.Text(strings.Join(lines, "\n")), nil
}

func historyLine(f *store.Fact, entity string) string {
	line := fmt.Sprintf("v%d: [%s] %s = %s (confidence=%.2f, stored_at=%s, supersedes=%s, actor=%s)",
		f.Version, entity, f.ID, f.Value, f.Confidence,
		f.StoredAt.UTC().Format("2006-01-02 15:04:05.000000000 UTC"),
		cmp.Or(f.Supersedes, "-"), cmp.Or(f.Actor, "-"))
	if f.Deleted {
		line += " [deleted]"
	}
	return line
}

// deleteFact hides a fact for good. What the caller cannot see answers like an
// unknown id, so that ids of others cannot be probed.
func (p *plane) deleteFact(ctx context.Context, caller tools.Caller, args tools.Args) (json.RawMessage, error) {
	id, ok := args.String("fact_id")
	if !ok {
		return nil, tools.MissingParam("fact_id")
	}
	deleted, err := p.store.DeleteFact(ctx, id, func(f *store.Fact) (bool, error) {
		return visible(f, caller), nil
	})
	if err != nil {
		return nil, writeError(err)
	}
	if !deleted {
		return tools.Text("fact not found: " + id), nil
	}
	return tools.Text("deleted fact " + id), nil
}

func (p *plane) listEntities(_ context.Context, caller tools.Caller, _ tools.Args) (json.RawMessage, error) {
	entities := map[string]struct{}{}
	for f := range p.store.Facts() {
		if entity, seen := logicalEntity(f, caller); seen && !f.Deleted {
			entities[entity] = struct{}{}
		}
	}
	if len(entities) == 0 {
		return tools.Text("no entities found"), nil
	}
	return tools.Text(strings.Join(slices.Sorted(maps.Keys(entities)), "\n")), nil
}
