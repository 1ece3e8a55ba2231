package spec_test

import (
	"slices"
	"testing"

	"cruxconform/spec"
)

func TestErrorCodesAreThoseOfSection11_5(t *testing.T) {
	for _, row := range []struct {
		name string
		have int
		want int
	}{
		{"PARSE_ERROR", spec.CodeParse, -32700},
		{"INVALID_REQUEST", spec.CodeInvalidRequest, -32600},
		{"METHOD_NOT_FOUND", spec.CodeMethodNotFound, -32601},
		{"INVALID_PARAMS", spec.CodeInvalidParams, -32602},
		{"INTERNAL_ERROR", spec.CodeInternal, -32603},
		{"CAPABILITY_DENIED", spec.CodeCapabilityDenied, -32030},
		{"UPSTREAM_ERROR", spec.CodeUpstream, -32000},
	} {
		if row.have != row.want {
			t.Errorf("%s is %d, want %d", row.name, row.have, row.want)
		}
	}
}

func TestWireMessagesAreThoseOfTheChapters(t *testing.T) {
	for _, row := range []struct{ section, have, want string }{
		{"11.5", spec.MessageParse, "invalid JSON: "},
		{"11.4", spec.MessageMethodNotFound + "resources/list", "method not found: resources/list"},
		{"11.6", spec.MessageMissingName, "tools/call requires a \"name\" parameter"},
		{"11.6", spec.MessageUnknownTool + "x", "unknown tool: x"},
		{"11.6", spec.MessageDenied, "RCX capability denied: "},
		{"11.5", spec.ReadOnlyRefusal("store_fact"), "'store_fact' is not available to read-only OAuth callers (mcp:read scope)"},
		{"10.4", spec.MessageExtNoPassport, "extension tool call requires an RCX passport-bound context"},
		{"10.4", spec.MessageExtUnknown + "ext.x", "unknown extension tool: ext.x"},
		{"10.4", spec.MessageExtFailed + "timeout", "extension dispatch failed: timeout"},
		{"11.12", spec.MessageNoBootstrap + "'x'", "no bootstrap knowledge for topic 'x'"},
		{"11.1", spec.SessionHeader, "Mcp-Session-Id"},
		{"11.1", spec.SessionIDChars, "[A-Za-z0-9._:-]"},
		{"11.1", spec.ErrorSessionLimit, "sse_session_limit"},
		{"11.1", spec.ErrorSessionOwner, "sse_session_owner_mismatch"},
		{"11.1", spec.ListChanged, "notifications/tools/list_changed"},
		{"11.2", spec.ProtocolVersion, "2024-11-05"},
		{"11.2", spec.ServerName, "crux"},
		{"11.5", spec.ErrorBadSessionID, "invalid_mcp_session_id"},
		{"11.5", spec.ErrorUnauthorized, "unauthorized"},
	} {
		if row.have != row.want {
			t.Errorf("section %s: %q, want %q", row.section, row.have, row.want)
		}
	}
	if spec.SessionIDMax != 128 {
		t.Errorf("section 11.1: the session id has at most %d characters, want 128", spec.SessionIDMax)
	}
}

func TestMethodsAreTheFourOfSection11_3(t *testing.T) {
	want := []string{"initialize", "notifications/initialized", "tools/list", "tools/call"}
	if !slices.Equal(spec.Methods, want) {
		t.Errorf("methods %q, want %q", spec.Methods, want)
	}
}

func TestAbsentMethodsAreThoseOfSection11_4(t *testing.T) {
	want := []string{
		"resources/list", "resources/read", "resources/templates/list", "prompts/list", "prompts/get",
		"completion/complete", "logging/setLevel", "roots/list", "ping",
	}
	if !slices.Equal(spec.AbsentMethods, want) {
		t.Errorf("absent methods %q, want %q", spec.AbsentMethods, want)
	}
}
