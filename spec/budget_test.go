package spec_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"cruxconform/spec"
)

func number(n *int64) any {
	if n == nil {
		return "none"
	}
	return *n
}

// budgetRow is a row of the three tables of section 11.11; 0 stands for none.
type budgetRow struct {
	name     string
	minimum  int64
	fallback int64
}

var budgetGroups = map[string][]budgetRow{
	"A": {
		{"session_checkpoint", 1, 0}, {"execplan_gate", 1, 0}, {"audit_export_bundle", 1, 0},
		{"passport_split", 1, 0}, {"passport_merge", 1, 0}, {"passport_link_device", 1, 0},
		{"approval_request", 0, 0},
	},
	"B": {
		{"memory_view", 0, 2000}, {"memory_freshness", 0, 500}, {"memory_sweep_candidates", 0, 500},
		{"memory_contradictions", 0, 500}, {"tool_trace_recent", 0, 2000}, {"activity_recent", 0, 500},
	},
	"C": {
		{"query", 0, 0}, {"query_scan", 0, 0}, {"query_facts", 0, 0}, {"memory_forget", 0, 0},
		{"memory_forget_dry_run", 0, 0}, {"artefact_put", 0, 0}, {"artefact_get", 0, 0}, {"artefact_list", 0, 0},
		{"output_attest", 0, 0}, {"autonomy_contract", 0, 0}, {"context_custody_audit", 0, 0}, {"session_token_usage", 0, 0},
	},
}

func TestBudgetGroupsAreThoseOfSection11_11(t *testing.T) {
	sizes := map[string]int{"A": 7, "B": 6, "C": 12}
	known := map[string]bool{}
	for group, rows := range budgetGroups {
		if len(rows) != sizes[group] {
			t.Errorf("the table of group %s has %d rows, want %d", group, len(rows), sizes[group])
		}
		for _, row := range rows {
			known[row.name] = true
			b := toolNamed(t, row.name).Budget
			if b == nil {
				t.Errorf("%s takes no budget, want group %s", row.name, group)
				continue
			}
			if b.Group != group {
				t.Errorf("%s is in group %s, want %s", row.name, b.Group, group)
			}
			if have, want := number(b.Minimum), optional(row.minimum); have != want {
				t.Errorf("%s has minimum %v, want %v", row.name, have, want)
			}
			if have, want := number(b.Default), optional(row.fallback); have != want {
				t.Errorf("%s has default %v, want %v", row.name, have, want)
			}
		}
	}
	for _, tool := range spec.Tools() {
		if tool.Budget != nil && !known[tool.Name] {
			t.Errorf("%s takes a budget, but is not one of the 25", tool.Name)
		}
	}
}

func optional(n int64) any {
	if n == 0 {
		return "none"
	}
	return n
}

// Group A alone lists the budget as required; query_scan reads it without
// declaring it; get_bootstrap declares none (section 11.11).
func TestBudgetInSchemasIsThatOfSection11_11(t *testing.T) {
	for _, tool := range spec.Tools() {
		s := schema(t, tool)
		_, declared := s.Properties["token_budget"]
		if want := tool.Budget != nil && tool.Name != "query_scan"; declared != want {
			t.Errorf("%s declares token_budget: %v, want %v", tool.Name, declared, want)
		}
		required := slices.Contains(s.Required, "token_budget")
		if want := tool.Budget != nil && tool.Budget.Group == "A"; required != want {
			t.Errorf("%s requires token_budget: %v, want %v", tool.Name, required, want)
		}
	}
	if args := toolNamed(t, "query_scan").UndeclaredArgs; !slices.Contains(args, "token_budget") {
		t.Errorf("query_scan reads %q undeclared, want token_budget among them", args)
	}
}

func TestSchemasDeclareTheDefaultsOfGroupB(t *testing.T) {
	for name, want := range map[string]any{
		"memory_view": nil, "memory_freshness": 500.0, "memory_sweep_candidates": 500.0,
		"memory_contradictions": 500.0, "tool_trace_recent": 2000.0, "activity_recent": nil,
	} {
		var p struct {
			Default any `json:"default"`
		}
		if err := json.Unmarshal(schema(t, toolNamed(t, name)).Properties["token_budget"], &p); err != nil {
			t.Errorf("%s: property token_budget: %v", name, err)
			continue
		}
		if p.Default != want {
			t.Errorf("%s declares the default %v, want %v", name, p.Default, want)
		}
	}
}

// Section 11.11 quotes what the prose of these tools says although no schema
// and no handler keeps it.
func TestDescriptionsCarryTheDocumentedFragments(t *testing.T) {
	activity := toolNamed(t, "activity_recent")
	if want := "Required: session_id, token_budget"; !strings.Contains(activity.Description, want) {
		t.Errorf("activity_recent: the description %q lacks %q", activity.Description, want)
	}
	if have, want := budgetProse(t, activity), "Defaults to 500"; !strings.Contains(have, want) {
		t.Errorf("activity_recent: token_budget is described as %q, want %q in it", have, want)
	}
	for _, name := range []string{"artefact_put", "artefact_get", "artefact_list"} {
		tool := toolNamed(t, name)
		have := tool.Description + " " + budgetProse(t, tool)
		if want := "Mandatory output-token cap (QC.2)"; !strings.Contains(have, want) {
			t.Errorf("%s: %q lacks %q", name, have, want)
		}
	}
}

// budgetProse is the description of the property token_budget.
func budgetProse(t *testing.T, tool spec.Tool) string {
	t.Helper()
	var p struct {
		Description string `json:"description"`
	}
	if err := json.Unmarshal(schema(t, tool).Properties["token_budget"], &p); err != nil {
		t.Fatalf("%s: property token_budget: %v", tool.Name, err)
	}
	return p.Description
}
