package report

import (
	"testing"

	"cruxconform/conformance/verdict"
)

// The other tests of this package mean something only while the sample has
// every outcome.
func TestTheSampleHasEveryOutcome(t *testing.T) {
	r := sample()
	for _, o := range verdict.Outcomes {
		if r.Counts[o] == 0 {
			t.Errorf("no entry of the sample comes out as %q", o)
		}
	}
}
