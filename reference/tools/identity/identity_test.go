package identity

import (
	"context"
	"testing"

	"cruxconform/reference/tools"
)

func TestAgentIdentity(t *testing.T) {
	for agent, want := range map[string]string{
		"":          `{"content":[{"type":"text","text":"anonymous"}]}`,
		"Ann.B-c_1": `{"content":[{"type":"text","text":"Ann.B-c_1"}]}`,
	} {
		got, err := Handlers()["get_agent_identity"](context.Background(), tools.Caller{Agent: agent}, tools.ParseArgs([]byte(`{"agent":"x"}`)))
		if err != nil || string(got) != want {
			t.Errorf("caller %q: %s, %v; want %s", agent, got, err, want)
		}
	}
}
