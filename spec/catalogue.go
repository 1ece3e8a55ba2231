package spec

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"sync"
)

// Tool is one entry of the documented catalogue.
type Tool struct {
	// Name is the tool name; Group the plane that holds it.
	Name  string `json:"name"`
	Group string `json:"group"`
	// Base is true for the 118 tools that every configuration has.
	Base bool `json:"base"`
	// Marker is "[local]" or "[hosted]"; Description is the text without the
	// marker and without the common hint.
	Marker      string `json:"marker"`
	Description string `json:"description"`
	// Backend and Capability are what a capability token must grant.
	Backend    string `json:"backend"`
	Capability string `json:"capability"`
	// Affinity is empty where no intent can surface the tool.
	Affinity string `json:"affinity,omitempty"`
	// FloorIndex is the place in the core floor, -1 outside it.
	FloorIndex int `json:"floor_index"`
	// CRCKind is the kind of the CRC-v1 output advert, empty where none is given.
	CRCKind string `json:"crc_kind,omitempty"`
	// InputSchema is the schema as a listing shows it, property descriptions and
	// examples included, without the stamps of a capability token.
	InputSchema json.RawMessage `json:"input_schema"`
	// UndeclaredArgs are arguments that the tool reads although no schema names them.
	UndeclaredArgs []string `json:"undeclared_args,omitempty"`
	// Budget is nil where the tool reads no token_budget.
	Budget *Budget `json:"budget,omitempty"`
	// Flag is nil where the tool has no feature flag.
	Flag *Flag `json:"flag,omitempty"`
	// Consequence is the derived consequence metadata of the tool (section
	// 11.8): eight keys, compensating_tool being null where there is none.
	Consequence json.RawMessage `json:"consequence"`
	// Output states the documented answer in a compact notation. Fields stand by
	// name, as strings unless a type follows (`count:int`, `verdict:'a'|'b'`);
	// `x[]{...}` is an array of objects, `?` marks what may be absent. The words
	// text, structured and top say where the fields stand: in content[0].text, in
	// structuredContent, or beside content. Without one of them the place is open.
	Output string `json:"output"`
}

// Flag is the environment variable that switches a tool on or off. What an off
// tool answers differs by tool: a result, an error, or no change at all, as for
// issue_passport (the marker alone) and revoke_passport (enforcement alone).
type Flag struct {
	// Env is the name of the variable.
	Env string `json:"env"`
	// Default is what an unset variable means: "on", "off", or "0" for
	// CRUX_OUTPUT_HOLDOUT, which holds a fraction.
	Default string `json:"default"`
}

// Budget says how a tool treats token_budget (section 11.11).
type Budget struct {
	// Group is "A" (required), "B" (silent default) or "C" (omission binds nothing).
	Group   string `json:"group"`
	Default *int64 `json:"default,omitempty"`
	Minimum *int64 `json:"minimum,omitempty"`
}

//go:embed catalogue.json
var catalogue []byte

// Tools returns the 119 tools of the catalogue in listing order. The one tool
// that is not in the base catalogue is request_passport_mint.
var Tools = sync.OnceValue(func() []Tool {
	var t []Tool
	if err := json.Unmarshal(catalogue, &t); err != nil {
		panic(fmt.Sprintf("spec: embedded catalogue.json: %v", err))
	}
	return t
})

// MintTool is the tool that only a feature flag puts into the catalogue.
const MintTool = "request_passport_mint"

// CommonHint ends the description of every tool but cuecrux_session.
const CommonHint = "\n\nTip: `cuecrux_session` with an intent lists the tools you need first."

// ListedDescription is the description as a listing shows it with the given
// marker.
func (t Tool) ListedDescription(marker string) string {
	d := marker + " " + t.Description
	if t.Name == "cuecrux_session" {
		return d
	}
	return d + CommonHint
}

// Floor returns the names of the 16 core floor tools in floor order (section
// 11.10).
func Floor() []string {
	names := make([]string, 0, 16)
	for _, t := range Tools() {
		if t.FloorIndex >= 0 {
			names = append(names, "")
		}
	}
	for _, t := range Tools() {
		if t.FloorIndex >= 0 {
			names[t.FloorIndex] = t.Name
		}
	}
	return names
}
