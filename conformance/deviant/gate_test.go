package deviant_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"testing"

	"cruxconform/conformance/deviant"
	"cruxconform/conformance/report"
	"cruxconform/conformance/verdict"
	"cruxconform/spec"
)

// The gate runs the built command against every deviant and variant. With
// CRUX_GATE=full every run asks every check of its setup, so that bystanders
// show; otherwise a deviant's run asks its own entries, their prerequisites and
// their sections. CRUX_GATE=update writes the committed result as well, which is
// the same in both.
var (
	oneDeviant = flag.String("deviant", "", "run the gate for this one deviant")
	full       = os.Getenv("CRUX_GATE") == "full"
	update     = os.Getenv("CRUX_GATE") == "update"
)

// committed is the result that CONFORMANCE.md is made from.
const committed = "../../snapshots/gate.json"

// TestGate: each deviant turns exactly its own entries red, in every row, with
// the breach of their level; what folds under them folds; every other entry
// comes out as on the undisturbed reference.
func TestGate(t *testing.T) {
	chosen := deviant.All()
	if *oneDeviant != "" {
		d, ok := deviant.Find(*oneDeviant)
		if !ok {
			t.Fatalf("no deviant is named %q", *oneDeviant)
		}
		chosen = []deviant.Deviant{d}
	}
	if len(chosen) == 0 {
		t.Fatal("there is no deviant")
	}
	h := newHouse(t)
	results := make([]report.GateDeviant, len(chosen))
	parallel(len(chosen), func(i int) {
		d := chosen[i]
		got, faults := h.try(d)
		results[i] = got
		for _, f := range faults {
			t.Errorf("deviant %s (%s): %s", d.Name, d.Lie, f)
		}
	})
	h.lastRuns()
	if *oneDeviant == "" {
		keep(t, func(g *report.Gate) any { return g.Deviants }, func(g *report.Gate) { g.Deviants = results })
	}
}

// TestReference: the embedded run is conformant, and shuffled and repeated runs
// say the same.
func TestReference(t *testing.T) {
	if *oneDeviant != "" {
		t.Skip("one deviant is asked for")
	}
	h := newHouse(t)
	plain, err := h.command("run")
	if err != nil {
		t.Fatal(err)
	}
	if plain.Exit != 0 {
		t.Errorf("exit %d, expected 0: %v", plain.Exit, plain.Reasons)
	}
	outcomes := map[string]verdict.Outcome{}
	for _, r := range plain.Results {
		switch r.Outcome {
		case verdict.Unasked, verdict.Unchecked:
			continue
		case verdict.Passed:
		default:
			t.Errorf("%s (%s) is %q on the reference: %s", r.ID, r.Says, r.Outcome, detail(r))
		}
		outcomes[r.ID] = r.Outcome
	}
	if len(outcomes) == 0 {
		t.Fatal("nothing was asked")
	}
	for _, seed := range []string{"3", "20"} {
		shuffled, err := h.command("run", "--shuffle", seed, "--repeat", "2")
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range shuffled.Results {
			if want, asked := outcomes[r.ID]; asked && (r.Outcome != want || r.Unstable != "") {
				t.Errorf("shuffled with seed %s, %s is %q (%s): %s", seed, r.ID, r.Outcome, r.Unstable, detail(r))
			}
		}
	}
	keep(t, func(g *report.Gate) any { return g.Reference }, func(g *report.Gate) { g.Reference = outcomes })
}

// try runs one deviant and compares what came out with what must.
func (h *house) try(d deviant.Deviant) (report.GateDeviant, []string) {
	setup := d.RunsIn()
	out := report.GateDeviant{Name: d.Name, Lie: d.Lie, Setup: setup, Entries: d.Breaks(), Folded: d.Folds}
	if len(out.Entries) == 0 {
		return out, []string{"no entry of the ledger names it"}
	}
	if len(out.Entries) > 1 && d.Why == "" {
		return out, []string{fmt.Sprintf("breaks %d entries and gives no reason", len(out.Entries))}
	}
	args := selection(d)
	bridge, lying := h.bridge(d.Name, d.Bridge)
	// What the reference says of an entry does not hang on what else is asked.
	true_, err := h.undisturbed(setup, bridge, nil)
	if err != nil {
		return out, []string{err.Error()}
	}
	got, err := h.run(setup, d.Env, d.MCP, d.API, lying, args)
	if err != nil {
		return out, []string{err.Error()}
	}
	var faults []string
	for _, r := range got.Results {
		want := expected(d, r.ID, true_)
		if r.Outcome != want {
			faults = append(faults, fmt.Sprintf("%s (%s) is %q, expected %q: %s", r.ID, r.Says, r.Outcome, want, detail(r)))
		}
		if slices.Contains(out.Entries, r.ID) {
			rows := broken(r)
			out.Rows += len(rows)
			faults = append(faults, standing(r, rows)...)
		}
	}
	for _, id := range append(slices.Clone(out.Entries), d.Folds...) {
		if got.Find(id) == nil {
			faults = append(faults, fmt.Sprintf("%s was not asked in setup %s", id, setup))
		}
	}
	return out, faults
}

// selection is what a run against a deviant asks beside its prerequisites.
func selection(d deviant.Deviant) []string {
	if full {
		return nil
	}
	var args []string
	sections := map[string]bool{}
	for _, id := range slices.Concat(d.Breaks(), d.Folds) {
		args = append(args, "--id", id)
	}
	for _, id := range d.Breaks() {
		if e, ok := spec.Find(id); ok && !sections[e.Section] {
			sections[e.Section] = true
			args = append(args, "--section", e.Section)
		}
	}
	return args
}

// expected is the outcome that an entry must have on a deviant.
func expected(d deviant.Deviant, id string, true_ *report.Document) verdict.Outcome {
	e, _ := spec.Find(id)
	switch {
	case slices.Contains(d.Breaks(), id):
		return verdict.BreachOf(e.Level, false)
	case slices.Contains(d.Folds, id):
		return verdict.CouldNotRun
	}
	if r := true_.Find(id); r != nil {
		return r.Outcome
	}
	return verdict.Unasked
}

func detail(r report.ResultLine) string {
	if len(r.Findings) == 0 {
		return r.Message
	}
	f := r.Findings[0]
	return fmt.Sprintf("%s %s: expected %s, actual %s", f.Row, f.What, f.Expected, f.Actual)
}

func broken(r report.ResultLine) []string {
	var rows []string
	for _, row := range r.Rows {
		if row.Broken {
			rows = append(rows, row.Name)
		}
	}
	return rows
}

// standing names the rows of a table check that a deviant left standing: it
// must lie in every one.
func standing(r report.ResultLine, broken []string) []string {
	var out []string
	for _, row := range r.Rows {
		if !slices.Contains(broken, row.Name) {
			out = append(out, fmt.Sprintf("%s: row %q came out unbroken", r.ID, row.Name))
		}
	}
	return out
}

// TestVariants: what is legal is green in every setup.
func TestVariants(t *testing.T) {
	if *oneDeviant != "" {
		t.Skip("one deviant is asked for")
	}
	all := deviant.Variants()
	if len(all) == 0 {
		t.Fatal("there is no variant")
	}
	type trial struct {
		variant deviant.Variant
		setup   string
	}
	var trials []trial
	results := make([]report.GateVariant, len(all))
	for i, v := range all {
		in := setups(func(e spec.Entry) bool { return v.Bridge == nil || slices.Contains(e.Needs, "bridge") })
		results[i] = report.GateVariant{Name: v.Name, About: v.About, Setups: in}
		for _, s := range in {
			if tried(v, s) {
				trials = append(trials, trial{v, s})
			}
		}
	}
	h := newHouse(t)
	parallel(len(trials), func(i int) {
		v, setup := trials[i].variant, trials[i].setup
		bridge, lying := h.bridge(v.Name, v.Bridge)
		true_, err := h.undisturbed(setup, bridge, nil)
		if err != nil {
			t.Error(err)
			return
		}
		got, err := h.run(setup, v.Env, v.MCP, v.API, lying, nil)
		if err != nil {
			t.Errorf("variant %s in setup %s: %v", v.Name, setup, err)
			return
		}
		for _, r := range got.Results {
			if want := true_.Find(r.ID); want == nil || want.Outcome != r.Outcome {
				t.Errorf("variant %s in setup %s: %s (%s) is %q: %s", v.Name, setup, r.ID, r.Says, r.Outcome, detail(r))
			}
		}
	})
	keep(t, func(g *report.Gate) any { return g.Variants }, func(g *report.Gate) { g.Variants = results })
}

// tried reports whether a variant is run in a setup: everywhere in a full gate
// and before a result is written, else in setup default, and everywhere only
// where all variations come at once.
func tried(v deviant.Variant, setup string) bool {
	return full || update || setup == "default" || v.Name == "all-at-once" || v.Bridge != nil
}

// setups lists the setups in which any of the entries is asked.
func setups(any func(spec.Entry) bool) []string {
	var out []string
	for _, s := range spec.Ledger().Setups {
		if s.Alone {
			continue // the default ports cannot be those of a proxy too
		}
		for _, e := range spec.Ledger().Entries {
			if e.Setup == s.Name && e.Asked() && any(e) {
				out = append(out, s.Name)
				break
			}
		}
	}
	return out
}

// parallel calls f for 0..n-1, as many at once as there are cores.
func parallel(n int, f func(i int)) {
	slots := make(chan struct{}, runtime.NumCPU())
	var group sync.WaitGroup
	for i := range n {
		slots <- struct{}{}
		group.Go(func() {
			defer func() { <-slots }()
			f(i)
		})
	}
	group.Wait()
}

// keep compares one part of the gate's result with the committed one, or writes
// it where an update is asked for.
func keep(t *testing.T, part func(*report.Gate) any, set func(*report.Gate)) {
	t.Helper()
	have := new(report.Gate)
	if raw, err := os.ReadFile(committed); err == nil {
		if err := json.Unmarshal(raw, have); err != nil {
			t.Fatalf("%s: %v", committed, err)
		}
	}
	want := *have
	set(&want)
	if update {
		if t.Failed() {
			t.Log("the gate is not green, so its result is not written")
			return
		}
		raw, err := json.MarshalIndent(want, "", " ")
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.FromSlash(committed), append(raw, '\n'), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	a, _ := json.Marshal(part(have))
	b, _ := json.Marshal(part(&want))
	if string(a) != string(b) {
		t.Errorf("%s is stale: run CRUX_GATE=update go test ./conformance/deviant and commit it", committed)
	}
}
