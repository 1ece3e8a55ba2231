// Command cruxrefd is the reference daemon: it serves the documented Crux MCP
// surface on a bbolt store. Its settings are CORECRUXD_* variables; without any
// it serves on the documented default ports.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"cruxconform/reference"
	"cruxconform/reference/bridge"
)

const help = `cruxrefd serves the documented Crux MCP surface on http://127.0.0.1:14801/mcp.

  cruxrefd             serve until SIGTERM or interrupt
  cruxrefd mcp-stdio   relay JSON-RPC lines on stdin to CRUX_MCP_URL
                       (http://127.0.0.1:14801/mcp), with CRUX_AGENT_TOKEN as bearer
  cruxrefd --version   print the version
  cruxrefd --help      print this text

Settings are environment variables:
  CORECRUXD_MCP_HOST, CORECRUXD_MCP_PORT     MCP listener (127.0.0.1, 14801)
  CORECRUXD_HTTP_HOST, CORECRUXD_HTTP_PORT   HTTP API listener (127.0.0.1, 14800)
  CORECRUXD_DATA_DIR                         data directory (../CoreCruxData/v1)
  CORECRUXD_TOOL_SURFACE                     full, minimal or dynamic
  CORECRUXD_FEATURE_PASSPORT_MINT_REQUESTS   1 adds request_passport_mint
  CORECRUXD_AGENT_PASSPORTS                  1 marks issue_passport [local]
  CORECRUXD_SHUTDOWN_DRAIN_SECS              bound of a clean shutdown (30)
`

func main() {
	os.Exit(run(os.Args[1:]))
}

// run looks at the first argument only; another one than these is ignored, as
// the surface documents it.
func run(args []string) int {
	if len(args) > 0 {
		switch args[0] {
		case "--version", "-V", "version":
			fmt.Printf("cruxrefd %s (%s)\n", reference.Version, reference.Commit())
			return 0
		case "--help", "-h", "help":
			fmt.Print(help)
			return 0
		case "mcp-stdio":
			return relay()
		case "self":
			fmt.Fprintf(os.Stderr, "cruxrefd: %s is not served by this release; see cruxrefd --help\n", args[0])
			return 1
		}
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	// A second signal ends a drain that takes too long.
	context.AfterFunc(ctx, stop)
	if err := reference.Main(ctx, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "cruxrefd:", err)
		return 1
	}
	return 0
}

// relay is the stdio bridge. A host that closed its end of stdout is an end
// like any other, not a broken pipe to die of.
func relay() int {
	signal.Ignore(syscall.SIGPIPE)
	return bridge.Run(bridge.Options{
		Lookup: os.LookupEnv, In: os.Stdin, Out: os.Stdout, Err: os.Stderr,
		Name: "cruxrefd", Version: reference.Version,
	})
}
