// Package identity serves the tools about who a caller is (tool page "Identity
// and passports").
package identity

import (
	"context"
	"encoding/json"

	"cruxconform/reference/tools"
)

// Handlers returns the handlers by tool name.
func Handlers() map[string]tools.Handler {
	return map[string]tools.Handler{"get_agent_identity": agentIdentity}
}

// agentIdentity answers the name bound to the caller's token, as it is.
func agentIdentity(_ context.Context, caller tools.Caller, _ tools.Args) (json.RawMessage, error) {
	if caller.Anonymous() {
		return tools.Text("anonymous"), nil
	}
	return tools.Text(caller.Agent), nil
}
