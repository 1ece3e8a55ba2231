package surface

import (
	"bytes"
	"encoding/json"
	"fmt"

	"cruxconform/spec"
)

// Catalogue says which tools there are, before shaping (section 11.7).
type Catalogue struct {
	// MintRequests puts request_passport_mint into it.
	MintRequests bool
	// AgentPassports marks issue_passport local.
	AgentPassports bool
}

// Tools lists the catalogue in its documented order, markers included.
func (c Catalogue) Tools() []spec.Tool {
	var out []spec.Tool
	for _, t := range spec.Tools() {
		if t.Name == spec.MintTool && !c.MintRequests {
			continue
		}
		if t.Name == "issue_passport" && c.AgentPassports {
			t.Marker = markerLocal
		}
		out = append(out, t)
	}
	return out
}

const (
	markerLocal  = "[local]"
	markerHosted = "[hosted]"
)

// listed is one entry of tools/list as the wire shows it (section 11.8).
type listed struct {
	Name         string          `json:"name"`
	Description  string          `json:"description"`
	InputSchema  json.RawMessage `json:"inputSchema"`
	Meta         meta            `json:"_meta"`
	OutputSchema *outputSchema   `json:"x-crux-output-schema,omitempty"`
}

type meta struct {
	Crux struct {
		Consequence json.RawMessage `json:"consequence_metadata"`
		Upgrade     *upgrade        `json:"upgrade,omitempty"`
	} `json:"crux"`
}

type upgrade struct {
	PlatformAvailable bool   `json:"platform_available"`
	Requires          string `json:"requires"`
	Docs              string `json:"docs"`
}

type outputSchema struct {
	Ref      string `json:"$ref"`
	Contract string `json:"contract"`
	Kind     string `json:"kind"`
	When     string `json:"when"`
}

// Result is the result of tools/list for a catalogue under a mode, as finished
// bytes: a listing is 110 KB, and encoding it for every request would cost
// thirty times what sending it does.
func Result(mode Mode, c Catalogue) json.RawMessage {
	list := struct {
		Tools []listed `json:"tools"`
	}{Tools: []listed{}}
	for _, t := range Shape(mode, c.Tools()) {
		list.Tools = append(list.Tools, entry(t))
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(list); err != nil {
		// The catalogue is embedded and its tests encode it.
		panic(fmt.Sprintf("surface: the catalogue does not encode: %v", err))
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

func entry(t spec.Tool) listed {
	e := listed{Name: t.Name, Description: t.ListedDescription(t.Marker), InputSchema: t.InputSchema}
	e.Meta.Crux.Consequence = t.Consequence
	if t.Marker == markerHosted {
		e.Meta.Crux.Upgrade = &upgrade{true, "rcx_capability_token", "https://crux.cuecrux.com/docs/platform/" + t.Name}
	}
	if t.CRCKind != "" {
		e.OutputSchema = &outputSchema{
			Ref: "https://cuecrux.com/contracts/crc-v1.schema.json", Contract: "crc-v1", Kind: t.CRCKind,
			When: `negotiated via contract:"v1"; absent => legacy shape (byte-identical)`,
		}
	}
	return e
}
