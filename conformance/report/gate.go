package report

import (
	"encoding/json"
	"fmt"
	"os"

	"cruxconform/conformance/verdict"
)

// Gate is the committed result of the gate, which runs the suite against the
// undisturbed reference, every deviant and every variant. It is written only
// where all of them came out as they must, and holds no date and no timing.
type Gate struct {
	// Reference is the outcome of every asked entry on the undisturbed reference.
	Reference map[string]verdict.Outcome `json:"reference,omitempty"`
	Deviants  []GateDeviant              `json:"deviants"`
	Variants  []GateVariant              `json:"variants"`
}

// GateDeviant is a one-fault server that turned exactly its entries red.
type GateDeviant struct {
	Name  string `json:"name"`
	Lie   string `json:"lie"`
	Setup string `json:"setup"`
	// Entries came out as the breach of their level, Folded could not be
	// assessed for it, and nothing else changed.
	Entries []string `json:"entries"`
	Folded  []string `json:"folded,omitempty"`
	// Rows counts the table rows of the entries, every one of them broken.
	Rows int `json:"rows,omitempty"`
}

// GateVariant is a server that differs from the reference in legal ways only,
// and stayed green in the setups.
type GateVariant struct {
	Name   string   `json:"name"`
	About  string   `json:"about"`
	Setups []string `json:"setups"`
}

// ReadGate reads a gate result. A file that is not there is an empty result: no
// gate has been run yet.
func ReadGate(path string) (*Gate, error) {
	g := new(Gate)
	raw, err := os.ReadFile(path)
	if os.IsNotExist(err) {
		return g, nil
	}
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(raw, g); err != nil {
		return nil, fmt.Errorf("%s: %w; run the gate to write it anew", path, err)
	}
	return g, nil
}

// Find returns a deviant of the result.
func (g *Gate) Find(name string) (GateDeviant, bool) {
	for _, d := range g.Deviants {
		if d.Name == name {
			return d, true
		}
	}
	return GateDeviant{}, false
}
