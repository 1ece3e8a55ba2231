package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestBridge: the bridge class is asked where a bridge is named, on the command
// line or in a target file, and says how to be asked where none is.
func TestBridge(t *testing.T) {
	s := startRefd(t)
	bin := refd(t)
	cruxconform(t, "run", "--url", s.mcp, "--class", "bridge", "--bridge", "'"+bin+"' mcp-stdio").
		expect(t, 0, "bridge", "conformant")
	o := cruxconform(t, "run", "--url", s.mcp, "--class", "bridge")
	o.expect(t, 3, "--bridge 'COMMAND'")
	file := filepath.Join(t.TempDir(), "target.yaml")
	text := "url: {default: '" + s.mcp + "'}\nbridge: {command: ['" + bin + "', mcp-stdio]}\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	cruxconform(t, "run", "--target", file, "--id", "11.3-34").expect(t, 0, "conformant")
	// The option wins over the file.
	cruxconform(t, "run", "--target", file, "--id", "11.3-34", "--bridge", "/no/such/bridge").
		expect(t, 3, "/no/such/bridge", "--bridge 'COMMAND'")
}

// TestBridgesThatAreNone: programs that are no bridge are broken, each entry
// under the root of the class, and the run ends.
func TestBridgesThatAreNone(t *testing.T) {
	s := startRefd(t)
	for name, bridge := range map[string]string{
		"one that ends at once":       "true",
		"one that echoes":             "cat",
		"one that fails":              "sh -c 'echo no such option >&2; exit 64'",
		"one that answers with error": `sh -c 'while read -r l; do echo "{\"id\":1,\"error\":{}}"; done'`,
	} {
		t.Run(name, func(t *testing.T) {
			o := cruxconform(t, "run", "--url", s.mcp, "--class", "bridge", "--bridge", bridge)
			o.expect(t, 1, "VIOLATED 11.3-34", "1 violated", "17 could not run")
		})
	}
	t.Run("one that asks nobody", func(t *testing.T) {
		bridge := `sh -c 'echo "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}"; exec cat > /dev/null'`
		cruxconform(t, "run", "--url", s.mcp, "--id", "11.3-37", "--id", "11.3-38", "--bridge", bridge).
			expect(t, 1, "VIOLATED 11.3-34", "2 could not run")
	})
	t.Run("one that says nothing", func(t *testing.T) {
		cruxconform(t, "run", "--url", s.mcp, "--id", "11.3-34", "--bridge", "sh -c 'exec cat > /dev/null'").
			expect(t, 1, "VIOLATED 11.3-34", "nothing within 5s")
	})
}

// TestBridgeLieByHand: a lie can be put around any bridge.
func TestBridgeLieByHand(t *testing.T) {
	s := startRefd(t)
	for _, c := range []struct{ lie, says string }{
		{"bridge-chatty", `"id":7,"result":`},
		{"bridge-defers-to-nobody", `no deviant or variant named "bridge-defers-to-nobody"`},
		{"bridge-demands-auth-mode", "CORECRUXD_AUTH_MODE is not set"},
	} {
		cmd := command(t, bridgeLieArg, c.lie, binary, bridgeArg)
		cmd.Env = append(os.Environ(), "CRUX_MCP_URL="+s.mcp)
		cmd.Stdin = strings.NewReader(`{"jsonrpc":"2.0","id":7,"method":"tools/list"}` + "\n")
		if o := finish(t, cmd); !contains(strings.ReplaceAll(o.text(), " ", ""), strings.ReplaceAll(c.says, " ", "")) {
			t.Errorf("%s does not say %q:\n%.2000s", c.lie, c.says, o.text())
		}
	}
	cruxconform(t, "deviant", "serve", "bridge-sends-put", "--upstream", s.mcp).expect(t, 2, "around a stdio bridge", bridgeLieArg)
}
