package verdict

import (
	"fmt"
	"sort"
	"strings"

	"cruxconform/spec"
)

// conclude decides the exit code: 4 over 1 over 3 over 0.
func conclude(j *judgement, rep *Report) {
	engine, open := engineReasons(rep), openReasons(j, rep)
	violated := rep.Counts[Violated]
	switch {
	case len(engine) > 0:
		rep.Exit, rep.Conclusion, rep.Reasons = ExitEngineError, "engine error", engine
	case violated > 0:
		rep.Exit, rep.Conclusion = ExitViolated, "violated"
		rep.Reasons = []string{fmt.Sprintf("%d of %d entries asked %s violated", violated, asked(rep), are(violated))}
	case len(open) > 0:
		rep.Exit, rep.Conclusion, rep.Reasons = ExitCouldNotRun, "could not run", open
	default:
		rep.Exit, rep.Conclusion = ExitConformant, "conformant as far as asked"
		if whole(rep) {
			rep.Conclusion = "conformant"
		}
		rep.Reasons = hidden(rep)
	}
	if len(engine) > 0 && violated > 0 {
		rep.Reasons = append(rep.Reasons, fmt.Sprintf("%d of the entries asked %s violated as well", violated, are(violated)))
	}
	if rep.Exit == ExitEngineError || rep.Exit == ExitViolated {
		rep.Reasons = append(rep.Reasons, open...)
	}
}

// hidden says how many requirements of level must fold under a breach that does
// not fail the run: what they require was not seen to hold.
func hidden(rep *Report) []string {
	n := 0
	for _, r := range rep.With(CouldNotRun) {
		if r.After != "" && r.Entry.Level == spec.Must {
			n++
		}
	}
	if n == 0 {
		return nil
	}
	return []string{fmt.Sprintf("%d of level must could not be assessed after a breach of a lower level, and %s not known to hold; --strict makes that breach fail", n, are(n))}
}

func are(n int) string {
	if n == 1 {
		return "is"
	}
	return "are"
}

// asked counts the entries that a check was planned for.
func asked(rep *Report) int {
	n := 0
	for _, r := range rep.Results {
		if r.Outcome != Unasked && r.Outcome != Unchecked && r.Outcome != Inapplicable {
			n++
		}
	}
	return n
}

func whole(rep *Report) bool {
	for _, c := range rep.Classes {
		if c.Verdict != ClassHolds {
			return false
		}
	}
	return true
}

func engineReasons(rep *Report) []string {
	var out []string
	for _, r := range rep.With(EngineError) {
		out = append(out, fmt.Sprintf("engine error in %s: %s", r.Entry.ID, firstLine(r.Message)))
	}
	for _, f := range rep.Faults {
		switch {
		case f.ID != "":
			// Told by the result of the entry.
		case f.Setup != "":
			out = append(out, fmt.Sprintf("engine error in setup %s: %s", f.Setup, firstLine(f.Message)))
		default:
			out = append(out, "engine error: "+firstLine(f.Message))
		}
	}
	return out
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}

// openReasons lists what kept the run from assessing what it was to assess.
func openReasons(j *judgement, rep *Report) []string {
	var out []string
	switch {
	case rep.Unreachable != "":
		out = append(out, "the target could not be reached: "+rep.Unreachable)
	case !j.answered && len(j.order) > 0:
		out = append(out, "the target never answered")
	case len(j.order) == 0:
		out = append(out, "nothing that was selected can be asked of this target")
	}
	if rep.Interrupted != "" {
		out = append(out, "the run ended early: "+rep.Interrupted)
	}
	if rep.Unreachable == "" {
		out = append(out, unreached(j)...)
	}
	if n := len(j.lost); n > 0 {
		out = append(out, fmt.Sprintf("results of %d entries asked did not come back, %s first", n, j.lost[0]))
	}
	return append(out, unmet(j, rep)...)
}

// unreached names the setups whose server did not start or went away. One that
// shares the machine's default ports with others does not touch the exit code
// unless it was demanded.
func unreached(j *judgement) []string {
	var out []string
	for setup, why := range j.in.Unreached {
		if !j.setups[setup].Alone {
			out = append(out, fmt.Sprintf("no server in setup %s: %s", setup, why))
		}
	}
	sort.Strings(out)
	return out
}

// unmet names the demanded classes and entries that were not assessed.
func unmet(j *judgement, rep *Report) []string {
	var out []string
	for _, c := range rep.Classes {
		if c.Demanded && c.Open() > 0 {
			out = append(out, fmt.Sprintf("class %s was demanded: %s", c.Class, c))
		}
		if c.Demanded && c.All == 0 {
			out = append(out, fmt.Sprintf("class %s was demanded, and none of it applies here", c.Class))
		}
	}
	for _, id := range j.in.IDs {
		r := rep.Find(id)
		switch {
		case r == nil:
			out = append(out, fmt.Sprintf("entry %s was demanded and not selected", id))
		case r.Outcome == CouldNotRun, r.Outcome == Unasked, r.Outcome == Unchecked:
			out = append(out, fmt.Sprintf("entry %s was demanded: %s, %s", id, r.Outcome, firstLine(r.Message)))
		}
	}
	return out
}
