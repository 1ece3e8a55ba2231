// Package runner plans a run, starts one worker process per setup and
// repetition, and hands what they recorded to the verdict.
package runner

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"cruxconform/conformance/suite"
	"cruxconform/conformance/target"
	"cruxconform/conformance/verdict"
	"cruxconform/spec"
)

// Selection is what the caller asked for.
type Selection struct {
	Classes  []string
	Sections []string
	Setups   []string
	// Claims demands classes whole, IDs demands entries.
	Claims []string
	IDs    []string
	// ReadOnly leaves out every check that writes, Slow adds the slow ones.
	ReadOnly bool
	Slow     bool
}

// Plan is a selection set against what a target can show.
type Plan struct {
	// BySetup lists the entries to ask in each setup, in ledger order.
	BySetup       map[string][]string
	NotAsked      []verdict.NotAsked
	NotApplicable []verdict.NotApplicable
	Pending       []string
}

// Setups lists the setups to run, in the order of the ledger.
func (p *Plan) Setups() []spec.Setup {
	var out []spec.Setup
	for _, s := range spec.Ledger().Setups {
		if len(p.BySetup[s.Name]) > 0 {
			out = append(out, s)
		}
	}
	return out
}

// Asked lists what is asked, by id.
func (p *Plan) Asked() []string {
	var ids []string
	for _, s := range p.Setups() {
		ids = append(ids, p.BySetup[s.Name]...)
	}
	return ids
}

// NewPlan selects entries and sorts them by what the target can show. The error
// names a selector that matches nothing that exists.
func NewPlan(t *target.Target, sel Selection) (*Plan, error) {
	if err := sel.check(); err != nil {
		return nil, err
	}
	p := &Plan{BySetup: map[string][]string{}}
	chosen := sel.entries()
	if len(chosen) == 0 {
		return nil, fmt.Errorf("the selection matches no observable entry; cruxconform list shows what there is")
	}
	for _, e := range chosen {
		p.sort(t, sel, e)
	}
	p.addPrerequisites(t, sel)
	for _, ids := range p.BySetup {
		orderIDs(ids)
	}
	return p, nil
}

func (p *Plan) sort(t *target.Target, sel Selection, e spec.Entry) {
	if e.Pending {
		p.Pending = append(p.Pending, e.ID)
		return
	}
	if t.Declares(e.Unless) {
		p.NotApplicable = append(p.NotApplicable, verdict.NotApplicable{ID: e.ID, Declaration: e.Unless})
		return
	}
	if reason, remedy := Lacks(t, sel, e); reason != "" {
		p.NotAsked = append(p.NotAsked, verdict.NotAsked{ID: e.ID, Reason: reason, Remedy: remedy})
		return
	}
	p.BySetup[e.Setup] = append(p.BySetup[e.Setup], e.ID)
}

// addPrerequisites asks, beside what was selected, the roots and the entries
// that the selected ones fold under, so that one fault has one headline.
func (p *Plan) addPrerequisites(t *target.Target, sel Selection) {
	have := map[string]bool{}
	queue := p.Asked()
	if len(queue) == 0 {
		return
	}
	for _, id := range queue {
		have[id] = true
	}
	queue = append(queue, suite.RootAnswer, suite.RootList, suite.RootCall)
	for i := 0; i < len(queue); i++ {
		e, ok := spec.Find(queue[i])
		if !ok {
			continue
		}
		queue = append(queue, missing(e.After, queue)...)
		if have[e.ID] || !e.Asked() || t.Declares(e.Unless) {
			continue
		}
		if reason, _ := Lacks(t, sel, e); reason != "" {
			continue
		}
		have[e.ID] = true
		p.BySetup[e.Setup] = append(p.BySetup[e.Setup], e.ID)
	}
}

func missing(ids, from []string) []string {
	var out []string
	for _, id := range ids {
		if !slices.Contains(from, id) {
			out = append(out, id)
		}
	}
	return out
}

// Lacks says what keeps a target from being asked an entry and the option or
// line that would change it. The reason is empty where nothing does.
func Lacks(t *target.Target, sel Selection, e spec.Entry) (reason, remedy string) {
	switch {
	case !t.Offers(e.Setup):
		return "no server in setup " + e.Setup,
			fmt.Sprintf("--launch 'COMMAND', or url: {%s: ...} in a target file, or --url with --setup %s for a server that runs in it", e.Setup, e.Setup)
	case (sel.ReadOnly || t.Shared) && e.Effect != spec.EffectNone:
		return "the check writes", "leave out --read-only, and store: shared in the target file"
	case e.Effect == spec.EffectDestructive && !t.Launched() && !t.Disposable:
		return "the check is destructive", "--launch 'COMMAND', or disposable: true in a target file"
	case e.Slow && !sel.Slow:
		return "the check takes more than 5 s", "--slow"
	}
	for _, need := range e.Needs {
		if reason, remedy = lacksNeed(t, e.Setup, need); reason != "" {
			return reason, remedy
		}
		if need == "corpus" && (sel.ReadOnly || t.Shared) && t.Corpus == nil {
			// Loading the suite's own corpus writes.
			return "loading a corpus writes", "declares: {corpus: ...} in a target file"
		}
	}
	return "", ""
}

func lacksNeed(t *target.Target, setup, need string) (reason, remedy string) {
	switch need {
	case "api":
		if !t.HasAPI(setup) {
			return "the HTTP API is not known", "--api URL"
		}
	case "corpus":
		if !t.HasAPI(setup) && t.Corpus == nil {
			return "no retrieval corpus is known", "--api URL (the suite then loads its own), or declares: {corpus: ...} in a target file"
		}
	case "agent":
		if !t.Launched() && t.Running[setup].Token == "" {
			return "no agent token is known", "--token-env NAME"
		}
	case "restart":
		if !t.Launched() {
			return "the server cannot be restarted", "--launch 'COMMAND'"
		}
	case "bridge":
		if len(t.Bridge) == 0 {
			return "no stdio bridge is known", "--bridge 'COMMAND', or bridge: {command: ...} in a target file"
		}
	default:
		return "this release has no " + need, "none"
	}
	return "", ""
}

func (s Selection) entries() []spec.Entry {
	var out []spec.Entry
	for _, e := range spec.Ledger().Entries {
		if e.Observable() && s.matches(e) {
			out = append(out, e)
		}
	}
	return out
}

// matches: an entry that is demanded by id or by a claim is always selected;
// the other selectors narrow each other.
func (s Selection) matches(e spec.Entry) bool {
	if slices.Contains(s.IDs, e.ID) || slices.Contains(s.Claims, e.Class) {
		return true
	}
	narrowed := len(s.Classes)+len(s.Sections)+len(s.Setups) > 0
	if !narrowed {
		return len(s.IDs)+len(s.Claims) == 0
	}
	return in(s.Classes, e.Class) && in(s.Sections, e.Section) && in(s.Setups, e.Setup)
}

func in(list []string, v string) bool { return len(list) == 0 || slices.Contains(list, v) }

// check refuses selectors that name nothing.
func (s Selection) check() error {
	var classes, sections, setups, ids []string
	for _, e := range spec.Ledger().Entries {
		ids = append(ids, e.ID)
		if !slices.Contains(sections, e.Section) {
			sections = append(sections, e.Section)
		}
	}
	classes = spec.Classes
	for _, x := range spec.Ledger().Setups {
		setups = append(setups, x.Name)
	}
	for _, c := range []struct {
		kind         string
		asked, known []string
	}{
		{"class", s.Classes, classes}, {"class", s.Claims, classes}, {"section", s.Sections, sections},
		{"setup", s.Setups, setups}, {"id", s.IDs, ids},
	} {
		for _, v := range c.asked {
			if !slices.Contains(c.known, v) {
				return unknown(c.kind, v, c.known)
			}
		}
	}
	for _, id := range s.IDs {
		if e, _ := spec.Find(id); !e.Observable() {
			return fmt.Errorf("entry %s cannot be observed (%s); no run can assess it", id, e.Reason)
		}
	}
	return nil
}

func unknown(kind, v string, known []string) error {
	near := spec.Nearest(v, known)
	hint := "they are " + strings.Join(known, ", ")
	if kind == "id" {
		hint = "cruxconform list shows them"
	}
	if len(near) > 0 {
		hint = "did you mean " + strings.Join(near, " or ") + "? " + hint
	}
	return fmt.Errorf("no %s is named %q; %s", kind, v, hint)
}

// orderIDs sorts ids as the ledger has them.
func orderIDs(ids []string) {
	at := map[string]int{}
	for i, e := range spec.Ledger().Entries {
		at[e.ID] = i
	}
	sort.SliceStable(ids, func(i, j int) bool { return at[ids[i]] < at[ids[j]] })
}
