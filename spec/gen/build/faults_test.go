package build

import (
	"slices"
	"strings"
	"testing"

	"cruxconform/spec"
)

// sound is an asked entry without a fault.
func sound(id string) spec.Entry {
	return spec.Entry{
		ID: id, Level: spec.Must, Says: "a statement", Evidence: spec.EvidenceWire,
		Setup: "default", Class: "core", Effect: spec.EffectNone,
		Deviants: []string{"some-lie"}, Sends: "a request", Expects: "an answer",
		Places: []string{"11.4/1.1"},
	}
}

// hidden is an entry that no client can see, without a fault.
func hidden(id string) spec.Entry {
	return spec.Entry{
		ID: id, Level: spec.Must, Says: "where the code stands",
		Evidence: spec.EvidenceNone, Reason: "source location", Class: "core",
	}
}

func ledger(file string, entries ...spec.Entry) *Source {
	return &Source{
		Setups: []spec.Setup{{Name: "default", About: "defaults"}, {Name: "minimal", About: "floor only"}},
		Tools:  []string{"store_fact"},
		Files:  []File{{Name: file, Entries: entries}},
	}
}

const file = "11.04-not-implemented.yaml"

func TestSoundLedgerHasNoFault(t *testing.T) {
	pending := sound("11.4-03")
	pending.Pending, pending.Deviants, pending.Sends, pending.Expects = true, nil, "", ""
	example := hidden("11.4-04")
	example.Reason, example.CoveredBy = examples, "11.4-01"
	after := sound("11.4-05")
	after.After = []string{"11.4-01"}
	if faults := ledger(file, sound("11.4-01"), hidden("11.4-02"), pending, example, after).Faults(); len(faults) != 0 {
		t.Errorf("faults of a sound ledger: %q", faults)
	}
	if faults := ledger("tools-facts.yaml", sound("tool.store_fact-01")).Faults(); len(faults) != 0 {
		t.Errorf("faults of a sound plane: %q", faults)
	}
	if faults := ledger("11-overview.yaml", sound("11-01")).Faults(); len(faults) != 0 {
		t.Errorf("faults of a sound overview: %q", faults)
	}
}

// Each row changes one thing of a sound asked entry.
func TestFaultsOfAnAskedEntry(t *testing.T) {
	for _, row := range []struct {
		name  string
		spoil func(*spec.Entry)
		want  string
	}{
		{"id form", func(e *spec.Entry) { e.ID = "11.4-1" }, "form <section>-NN"},
		{"other section", func(e *spec.Entry) { e.ID = "11.5-01" }, "id of section 11.5 in the file of section 11.4"},
		{"level", func(e *spec.Entry) { e.Level = "shall" }, `level "shall"`},
		{"says", func(e *spec.Entry) { e.Says = " " }, "says is empty"},
		{"evidence", func(e *spec.Entry) { e.Evidence = "log" }, `evidence "log"`},
		{"class", func(e *spec.Entry) { e.Class = "misc" }, `class "misc"`},
		{"setup unknown", func(e *spec.Entry) { e.Setup = "defualt" }, `setup "defualt" is not in setups.yaml`},
		{"wire elsewhere", func(e *spec.Entry) { e.Setup = "minimal" }, "evidence wire is that of setup default"},
		{"setup default", func(e *spec.Entry) { e.Evidence = spec.EvidenceSetup }, "evidence setup needs a setup other than default"},
		{"api unneeded", func(e *spec.Entry) { e.Evidence = spec.EvidenceAPI }, "evidence api without needs"},
		{"needs", func(e *spec.Entry) { e.Needs = []string{"luck"} }, `needs "luck"`},
		{"needs twice", func(e *spec.Entry) { e.Needs = []string{"api", "api"} }, "needs names one thing twice"},
		{"unless", func(e *spec.Entry) { e.Unless = "capability_token" }, "form key: value"},
		{"effect missing", func(e *spec.Entry) { e.Effect = "" }, "effect is missing"},
		{"effect unknown", func(e *spec.Entry) { e.Effect = "some" }, `effect "some"`},
		{"reason", func(e *spec.Entry) { e.Reason = "source location" }, "for evidence none only"},
		{"covered_by", func(e *spec.Entry) { e.CoveredBy = "11.4-01" }, "for evidence none only"},
		{"no deviant", func(e *spec.Entry) { e.Deviants = nil }, "no deviant"},
		{"deviant form", func(e *spec.Entry) { e.Deviants = []string{"Some_Lie"} }, "not kebab-case"},
		{"deviant twice", func(e *spec.Entry) { e.Deviants = []string{"a-lie", "a-lie"} }, "deviants names one thing twice"},
		{"sends", func(e *spec.Entry) { e.Sends = "" }, "sends is missing"},
		{"expects", func(e *spec.Entry) { e.Expects = "" }, "expects is missing"},
		{"page", func(e *spec.Entry) { e.Page = "long" }, "page without quirk"},
		{"places twice", func(e *spec.Entry) { e.Places = []string{"11.4/1.1", "11.4/1.1"} }, "places names one thing twice"},
		{"after unknown", func(e *spec.Entry) { e.After = []string{"11.4-77"} }, "11.4-77, which is no entry"},
		{"after itself", func(e *spec.Entry) { e.After = []string{"11.4-01"} }, "after leads back"},
	} {
		t.Run(row.name, func(t *testing.T) {
			e := sound("11.4-01")
			row.spoil(&e)
			only(t, ledger(file, e).Faults(), row.want)
		})
	}
}

func TestFaultsOfAHiddenEntry(t *testing.T) {
	for _, row := range []struct {
		name  string
		spoil func(*spec.Entry)
		want  string
	}{
		{"reason missing", func(e *spec.Entry) { e.Reason = "" }, `reason ""`},
		{"reason unknown", func(e *spec.Entry) { e.Reason = "too hard" }, `reason "too hard"`},
		{"example uncovered", func(e *spec.Entry) { e.Reason = examples }, "needs covered_by"},
		{"covered_by alone", func(e *spec.Entry) { e.CoveredBy = "11.4-02" }, "covered_by is for the reason"},
		{"setup", func(e *spec.Entry) { e.Setup = "default" }, "yet setup"},
		{"sends", func(e *spec.Entry) { e.Sends = "a request" }, "yet setup, effect, sends"},
		{"deviants", func(e *spec.Entry) { e.Deviants = []string{"a-lie"} }, "yet needs, after or deviants"},
		{"pending", func(e *spec.Entry) { e.Pending = true }, "yet pending"},
	} {
		t.Run(row.name, func(t *testing.T) {
			e := hidden("11.4-01")
			row.spoil(&e)
			only(t, ledger(file, e, sound("11.4-02")).Faults(), row.want)
		})
	}
}

func TestPendingEntryNeedsNoCheckButASetup(t *testing.T) {
	e := sound("11.4-01")
	e.Pending, e.Setup, e.Deviants, e.Sends, e.Expects, e.Effect = true, "nowhere", nil, "", "", ""
	only(t, ledger(file, e).Faults(), `setup "nowhere" is not in setups.yaml`)
}

func TestFaultsBetweenEntries(t *testing.T) {
	waits := func(id, after string) spec.Entry {
		e := sound(id)
		e.After = []string{after}
		return e
	}
	later := sound("11.4-02")
	later.Pending = true
	blind := hidden("11.4-01")
	blind.Reason, blind.CoveredBy = examples, "11.4-02"
	lost := blind
	lost.CoveredBy = "11.4-77"
	for _, row := range []struct {
		name   string
		source *Source
		want   string
	}{
		{"id twice", ledger(file, sound("11.4-01"), sound("11.4-01")), "id stands in " + file + " too"},
		{"after pending", ledger(file, waits("11.4-01", "11.4-02"), later), "11.4-02, which is pending"},
		{"after hidden", ledger(file, waits("11.4-01", "11.4-02"), hidden("11.4-02")), "11.4-02, which no run asks"},
		{"after root", ledger("11.03-methods.yaml", sound("11.3-01"), waits("11.3-04", "11.3-01")), "implied for every check"},
		{"covered by hidden", ledger(file, blind, hidden("11.4-02")), "covers nothing"},
		{"covered by nothing", ledger(file, lost), "11.4-77, which is no entry"},
		{"unknown tool", ledger("tools-facts.yaml", sound("tool.store_fakt-01")), "store_fakt is no tool"},
		{"chapter id in a plane", ledger("tools-facts.yaml", sound("11.4-01")), "form tool.<name>-NN"},
		{"file name", ledger("notes.yaml", sound("11.4-01")), "file name has neither"},
	} {
		t.Run(row.name, func(t *testing.T) { only(t, row.source.Faults(), row.want) })
	}
	ring := ledger(file, waits("11.4-01", "11.4-02"), waits("11.4-02", "11.4-01")).Faults()
	if len(ring) != 2 || !strings.Contains(ring[0], "11.4-01: after leads back") || !strings.Contains(ring[1], "11.4-02: after leads back") {
		t.Errorf("faults of a ring of two: %q", ring)
	}
}

func TestSetupNamedTwiceIsAFault(t *testing.T) {
	s := ledger(file, sound("11.4-01"))
	s.Setups = append(s.Setups, spec.Setup{Name: "minimal", About: "again"})
	only(t, s.Faults(), "setups.yaml: minimal: named twice")
}

// only fails unless there is exactly one fault and it holds the fragment.
func only(t *testing.T, faults []string, want string) {
	t.Helper()
	if len(faults) != 1 || !strings.Contains(faults[0], want) {
		t.Errorf("faults %q, want one with %q", faults, want)
	}
}

func TestDocumentSortsByNumberNotByText(t *testing.T) {
	s := &Source{Files: []File{
		{Name: "11.10-a.yaml", Entries: []spec.Entry{{ID: "11.10-01"}}},
		{Name: "11.04-b.yaml", Entries: []spec.Entry{{ID: "11.4-10"}, {ID: "11.4-02"}}},
		{Name: "tools-facts.yaml", Entries: []spec.Entry{{ID: "tool.store_fact-01"}}},
	}}
	var ids []string
	for _, e := range s.Document().Entries {
		ids = append(ids, e.ID)
	}
	if want := []string{"11.4-02", "11.4-10", "11.10-01", "tool.store_fact-01"}; !slices.Equal(ids, want) {
		t.Errorf("order %q, want %q", ids, want)
	}
}

func TestSectionOfAnEntry(t *testing.T) {
	for _, row := range []struct{ id, file, want string }{
		{"11.4-02", "11.04-not-implemented.yaml", "11.4"},
		{"11-01", "11-overview.yaml", "11"},
		{"tool.create_work-01", "tools-coordination.yaml", "coordination"},
	} {
		if have := section(row.id, row.file); have != row.want {
			t.Errorf("section(%q, %q) = %q, want %q", row.id, row.file, have, row.want)
		}
	}
}
