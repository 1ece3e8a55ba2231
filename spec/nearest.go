package spec

import "sort"

// Nearest returns up to three known names that are a few edits away from a
// mistyped one, the nearest first.
func Nearest(name string, known []string) []string {
	type near struct {
		name string
		far  int
	}
	var found []near
	for _, k := range known {
		if d := distance(name, k); d <= 2 && d < len(name) {
			found = append(found, near{k, d})
		}
	}
	sort.SliceStable(found, func(i, j int) bool { return found[i].far < found[j].far })
	var out []string
	for _, n := range found[:min(3, len(found))] {
		out = append(out, n.name)
	}
	return out
}

// distance is the number of single-byte edits between two names.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		diagonal := row[0]
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			above := row[j]
			row[j] = min(row[j]+1, row[j-1]+1, diagonal+cost)
			diagonal = above
		}
	}
	return row[len(b)]
}
