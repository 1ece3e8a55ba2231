package verdict

import "slices"

// verdictOfFold is where an entry stands in the folding: under a root, or with
// others under it.
type verdictOfFold struct {
	root  string
	under []string
}

// fold finds, for every broken entry, the root that it folds under.
//
// An entry folds where all that failed in it was a prerequisite, and every such
// prerequisite is itself broken or folded in this run. Otherwise it is judged
// as broken, so that no red is hidden behind a prerequisite that held. A chain
// folds under its root.
//
// The root may be of a lower level than what folds under it: a server may
// legally lack what a chapter only implies, so an entry that builds on it could
// not be assessed, which is no breach.
func fold(order []string, cases map[string]*docket) map[string]verdictOfFold {
	parent := map[string]string{} // folded entry to one prerequisite
	standing := map[string]bool{} // broken entries that are judged as such
	open := map[string]bool{}     // blocked entries not yet decided
	for _, id := range order {
		switch d := cases[id]; {
		case d.blocked():
			open[id] = true
		case d.state == Broken:
			standing[id] = true
		}
	}
	for len(open) > 0 {
		if settle(order, cases, open, standing, parent) {
			continue
		}
		// What is left waits on a prerequisite that held, or in a circle.
		id := firstToStand(order, cases, open, standing, parent)
		delete(open, id)
		standing[id] = true
	}
	return heads(order, parent)
}

// settle folds what can be folded now and reports whether anything was.
func settle(order []string, cases map[string]*docket, open, standing map[string]bool, parent map[string]string) bool {
	moved := false
	for _, id := range order {
		if !open[id] {
			continue
		}
		blockers := cases[id].blockers()
		if all(blockers, func(p string) bool { return standing[p] || parent[p] != "" }) {
			parent[id] = blockers[0]
			delete(open, id)
			moved = true
		}
	}
	return moved
}

// firstToStand is the first open entry with a prerequisite that is not broken
// in this run, or, where all wait in circles, the first of one circle.
func firstToStand(order []string, cases map[string]*docket, open, standing map[string]bool, parent map[string]string) string {
	first := ""
	for _, id := range order {
		if !open[id] {
			continue
		}
		if first == "" {
			first = id
		}
		waits := func(p string) bool { return open[p] || standing[p] || parent[p] != "" }
		if !all(cases[id].blockers(), waits) {
			return id
		}
	}
	return firstOfCircle(order, cases, open, first)
}

// firstOfCircle walks from one open entry to the next until it comes by a place
// twice, which is on a circle, and returns the first of that circle.
func firstOfCircle(order []string, cases map[string]*docket, open map[string]bool, from string) string {
	var path []string
	at := map[string]int{}
	for id := from; ; {
		if start, met := at[id]; met {
			circle := path[start:]
			for _, first := range order {
				if slices.Contains(circle, first) {
					return first
				}
			}
		}
		at[id] = len(path)
		path = append(path, id)
		for _, p := range cases[id].blockers() {
			if open[p] {
				id = p
				break
			}
		}
	}
}

// heads follows every chain to its root and lists under each root what folds.
func heads(order []string, parent map[string]string) map[string]verdictOfFold {
	out := map[string]verdictOfFold{}
	for _, id := range order {
		root := parent[id]
		if root == "" {
			continue
		}
		for parent[root] != "" {
			root = parent[root]
		}
		f := out[id]
		f.root = root
		out[id] = f
		f = out[root]
		f.under = append(f.under, id)
		out[root] = f
	}
	return out
}

func all(ids []string, holds func(string) bool) bool {
	for _, id := range ids {
		if !holds(id) {
			return false
		}
	}
	return true
}
