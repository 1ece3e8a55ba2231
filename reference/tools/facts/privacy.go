package facts

import (
	"slices"
	"strings"

	"cruxconform/reference/store"
	"cruxconform/reference/tools"
)

// ownerPrefix begins the stored entity of a fact that is private by request:
// __agent::<owner>::<entity>.
const ownerPrefix = "__agent::"

// bootstrapPrefix is owned by the daemon and yet writable: section 11.12 lets
// operators and agents write bootstrap content with store_fact.
const bootstrapPrefix = "__bootstrap__::"

// daemonOwned are the prefixes of the daemon's own records: always private, and
// refused to store_fact.
var daemonOwned = []string{
	"__action_enrichment_receipt__::", "__ops::", "__ops__::", "__answer_replay_capsule__::",
	bootstrapPrefix, "__candidate_fact__::", "__consolidation_review__::", "__constraints__::",
	"__coord__::", "__dossier__::", "__engram__::", "__extension__::", "__extension_grant__::",
	"__gpu1_receipt__::", "__incident__::", "__legal_hold__::", "__legal_hold_receipt__::",
	"__memory_pin::", "__mint_request__::", "__orchestrator_receipt__::", "__passport__::",
	"__plane__::", "__plane_layer__::", "__project__::", "__project_layer__::",
	"__project_repo_link__::", "__rcx_publish__::", "__repo_codegraph_ids__::",
	"__repo_extdeps__::", "__repo_registry__::", "__repo_scan__::", "__result_envelope__::",
	"__result_envelope_incident__::", "__reverify_receipts__::", "__session_binding__::",
	"__storybook__::", "__sync__::", "__sync_tombstone__::", "__sync_wipe_receipt__::",
	"__tenant_metadata__::", "__work__::", "__work_comment__::", "__work_gate__::",
	"__work_transition__::", "__workbench__::", "__workspace_scan__::",
	"console:page:", "console:tileboard:", "console:tiledesign:", "console:workspace:",
}

// writablePrivate are prefixes that anyone may write and no one sees again.
var writablePrivate = []string{
	"__ax__::", "__ax_session::", "__tenant__::", "__tenant_mirror__::",
	"__workspace__::", "__infra__::", "decisions::", "github::",
}

// privacy decides by the prefix of a logical entity.
type privacy struct {
	createReserved []string
	alwaysPrivate  []string
}

func newPrivacy(private, shared []string) privacy {
	reserved := slices.DeleteFunc(slices.Clone(daemonOwned), func(p string) bool { return p == bootstrapPrefix })
	open := slices.DeleteFunc(slices.Concat(writablePrivate, private), func(p string) bool {
		// An empty prefix would hide every fact.
		return p == "" || slices.Contains(shared, p)
	})
	return privacy{
		createReserved: append(reserved, ownerPrefix),
		alwaysPrivate:  slices.Concat(daemonOwned, open),
	}
}

// refuse returns the error for an entity that store_fact must not create.
func (p privacy) refuse(entity string) error {
	if prefix, ok := prefixOf(entity, p.createReserved); ok {
		return tools.InvalidParams("entity uses create-reserved prefix `%s`", prefix)
	}
	return nil
}

func (p privacy) private(entity string) bool {
	_, ok := prefixOf(entity, p.alwaysPrivate)
	return ok
}

func prefixOf(entity string, prefixes []string) (string, bool) {
	i := slices.IndexFunc(prefixes, func(p string) bool { return strings.HasPrefix(entity, p) })
	if i < 0 {
		return "", false
	}
	return prefixes[i], true
}

// ownedEntity is the stored entity of a fact that is private to the caller.
func ownedEntity(caller tools.Caller, entity string) string {
	return ownerPrefix + caller.Agent + "::" + entity
}

// logicalEntity returns the entity as the caller knows it, and whether the
// caller may see the fact at all.
func logicalEntity(f *store.Fact, caller tools.Caller) (string, bool) {
	owned, isOwned := strings.CutPrefix(f.Entity, ownerPrefix)
	if !isOwned {
		return f.Entity, !f.Private
	}
	// Agent names hold no colon, so the first pair ends the owner.
	owner, entity, _ := strings.Cut(owned, "::")
	return entity, !caller.Anonymous() && owner == caller.Agent
}

func visible(f *store.Fact, caller tools.Caller) bool {
	_, ok := logicalEntity(f, caller)
	return ok
}
