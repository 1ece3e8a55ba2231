package report

import "cruxconform/spec"

// subjects says in a few words what a section or tool plane is about.
var subjects = map[string]string{
	"10":   "extension tools, overview",
	"10.1": "how an extension tool reaches the catalogue",
	"10.2": "the two filters over extension tools",
	"10.3": "how an extension tool is listed",
	"10.4": "calling an extension tool",
	"10.5": "checklist for a publisher",

	"11":    "the MCP surface, overview",
	"11.0":  "what surprises integrators",
	"11.1":  "transport: port, sessions, authentication, streams",
	"11.2":  "handshake",
	"11.3":  "dispatch of methods",
	"11.4":  "methods that are not implemented",
	"11.5":  "error codes",
	"11.6":  "tools/call from request to answer",
	"11.7":  "the catalogue and its counts",
	"11.8":  "capability tokens and the anonymous caller",
	"11.9":  "duplicate names",
	"11.10": "shaping the surface: modes, floor, intents",
	"11.11": "token_budget",
	"11.12": "bootstrap",
}

// subject is what a section is about. A tool plane is told as such.
func subject(section string) string {
	if s, ok := subjects[section]; ok {
		return s
	}
	return "tool pages: " + section
}

// classAbout says what claiming a class means.
var classAbout = map[string]string{
	"core":       "handshake, methods, errors, notifications, session header; one URL is enough to show it",
	"catalogue":  "which tools are listed, and what each carries",
	"budget":     "what token_budget does and what is reported of it",
	"surface":    "surface modes, the core floor and intents",
	"sse":        "event streams",
	"auth":       "agent tokens",
	"oauth":      "hosted OAuth",
	"capability": "capability tokens and what they take away",
	"extensions": "extension tools",
	"tools":      "what each tool does",
	"operator":   "configuration, guards, restarts",
	"bridge":     "the stdio bridge",
}

// levels in the order that tables show them.
var levels = []spec.Level{spec.Must, spec.Should, spec.Observed}
