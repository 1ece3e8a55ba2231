// Package surface decides which tools a listing advertises (section 11.10).
// Shaping is advertisement and never authorisation: dispatch does not ask here.
package surface

import (
	"strings"

	"cruxconform/spec"
)

// Mode is how much of the catalogue is advertised.
type Mode string

// The modes.
const (
	Full    Mode = "full"
	Minimal Mode = "minimal"
	Dynamic Mode = "dynamic"
)

// ParseMode reads CORECRUXD_TOOL_SURFACE. What names no mode is Full, so that a
// mistyped value never shrinks a surface.
func ParseMode(v string) Mode {
	switch m := Mode(strings.ToLower(strings.TrimSpace(v))); m {
	case Minimal, Dynamic:
		return m
	}
	return Full
}

// Shape narrows a catalogue and never widens it: Full is the identity, Minimal
// keeps the floor in catalogue order, Dynamic puts it in floor order.
func Shape(mode Mode, tools []spec.Tool) []spec.Tool {
	switch mode {
	case Minimal:
		return floorOf(tools)
	case Dynamic:
		return inFloorOrder(floorOf(tools))
	}
	return tools
}

func floorOf(tools []spec.Tool) []spec.Tool {
	var floor []spec.Tool
	for _, t := range tools {
		if t.FloorIndex >= 0 {
			floor = append(floor, t)
		}
	}
	return floor
}

func inFloorOrder(floor []spec.Tool) []spec.Tool {
	var out []spec.Tool
	for _, name := range spec.Floor() {
		for _, t := range floor {
			if t.Name == name {
				out = append(out, t)
			}
		}
	}
	return out
}
