package runner

import (
	"cruxconform/conformance/report"
	"cruxconform/spec"
)

// Rows lists the selected entries in ledger order with what becomes of each.
func (p *Plan) Rows() []report.Listed {
	status := map[string]report.Listed{}
	for _, id := range p.Asked() {
		status[id] = report.Listed{Status: "asked"}
	}
	for _, n := range p.NotAsked {
		status[n.ID] = report.Listed{Status: "not asked", Remedy: n.Remedy}
	}
	for _, n := range p.NotApplicable {
		status[n.ID] = report.Listed{Status: "not applicable"}
	}
	for _, id := range p.Pending {
		status[id] = report.Listed{Status: "pending"}
	}
	var rows []report.Listed
	for _, e := range spec.Ledger().Entries {
		if row, ok := status[e.ID]; ok {
			row.Entry = e
			rows = append(rows, row)
		}
	}
	return rows
}
