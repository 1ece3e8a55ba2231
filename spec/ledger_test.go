package spec_test

import (
	"testing"

	"cruxconform/spec"
	"cruxconform/spec/gen/build"
)

// source is the ledger as its YAML files have it, which a test of this file
// holds equal to the embedded form.
func source(t *testing.T) *build.Source {
	t.Helper()
	s, err := build.Read(".")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestEveryEntryKeepsTheRulesOfTheLedger(t *testing.T) {
	for _, fault := range source(t).Faults() {
		t.Error(fault)
	}
}

func TestEmbeddedLedgerIsNotStale(t *testing.T) {
	if err := build.Stale(".", source(t)); err != nil {
		t.Error(err)
	}
}

// The chapters have 466 places; a ledger of fewer than 400 entries cannot have
// an entry for each testable statement.
func TestLedgerHasAnEntryPerStatement(t *testing.T) {
	const least = 400
	if n := len(source(t).Document().Entries); n < least {
		t.Errorf("the ledger has %d entries, want at least %d", n, least)
	}
}

func TestHeadlineQuirksHaveAPage(t *testing.T) {
	for _, section := range []string{"11.4", "11.8", "11.9", "11.10", "11.11"} {
		pages := 0
		for _, e := range source(t).Document().Entries {
			if e.Section == section && e.Quirk && e.Page != "" {
				pages++
			}
		}
		if pages == 0 {
			t.Errorf("section %s owns a surprise of section 11.0, but no quirk of it has a page", section)
		}
	}
}

func TestFindReturnsEveryEmbeddedEntry(t *testing.T) {
	entries := spec.Ledger().Entries
	if len(entries) == 0 {
		t.Fatal("the embedded ledger is empty: run go generate ./spec")
	}
	for _, want := range entries {
		got, ok := spec.Find(want.ID)
		if !ok || got.Says != want.Says {
			t.Errorf("Find(%q) = %q, %v; want %q", want.ID, got.Says, ok, want.Says)
		}
	}
	if e, ok := spec.Find("11.4-999"); ok {
		t.Errorf("Find of an unknown id found %q", e.ID)
	}
}

func TestBrokenByIsTheInverseOfDeviants(t *testing.T) {
	pairs := 0
	for _, e := range spec.Ledger().Entries {
		for _, d := range e.Deviants {
			pairs++
			found := false
			for _, id := range spec.BrokenBy(d) {
				found = found || id == e.ID
			}
			if !found {
				t.Errorf("BrokenBy(%q) = %v, want %s among them", d, spec.BrokenBy(d), e.ID)
			}
		}
	}
	if pairs == 0 {
		t.Fatal("no entry of the embedded ledger names a deviant")
	}
	if ids := spec.BrokenBy("no-such-lie"); len(ids) != 0 {
		t.Errorf("an unknown deviant breaks %v", ids)
	}
}
