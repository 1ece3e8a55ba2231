package spec

// The JSON-RPC error codes of section 11.5. CodeInvalidRequest is defined and
// emitted nowhere; CodeUpstream comes from the stdio bridge only.
const (
	CodeParse            = -32700
	CodeInvalidRequest   = -32600
	CodeMethodNotFound   = -32601
	CodeInvalidParams    = -32602
	CodeInternal         = -32603
	CodeCapabilityDenied = -32030
	CodeUpstream         = -32000
)

// The handshake constants of section 11.2.
const (
	ProtocolVersion = "2024-11-05"
	ServerName      = "crux"
)

// Methods are the four that the surface implements (section 11.3).
var Methods = []string{"initialize", "notifications/initialized", "tools/list", "tools/call"}

// AbsentMethods are the methods of the protocol that section 11.4 names as not
// implemented; the name roots/list stands for its roots/*.
var AbsentMethods = []string{
	"resources/list", "resources/read", "resources/templates/list",
	"prompts/list", "prompts/get", "completion/complete",
	"logging/setLevel", "roots/list", "ping",
}

// Fixed wire messages. A constant that ends in a blank is the beginning of a
// message; what follows it is the name or text that the message is about.
const (
	MessageParse          = "invalid JSON: "                                             // section 11.5
	MessageMethodNotFound = "method not found: "                                         // section 11.4
	MessageMissingName    = `tools/call requires a "name" parameter`                     // section 11.6
	MessageUnknownTool    = "unknown tool: "                                             // section 11.6
	MessageDenied         = "RCX capability denied: "                                    // section 11.6
	MessageExtNoPassport  = "extension tool call requires an RCX passport-bound context" // section 10.4
	MessageExtUnknown     = "unknown extension tool: "                                   // section 10.4
	MessageExtFailed      = "extension dispatch failed: "                                // section 10.4
	MessageNoBootstrap    = "no bootstrap knowledge for topic "                          // section 11.12
)

// ReadOnlyRefusal is the message for a tool or method that an OAuth caller with
// read scope may not use (section 11.5).
func ReadOnlyRefusal(name string) string {
	return "'" + name + "' is not available to read-only OAuth callers (mcp:read scope)"
}

// The session header of section 11.1.
const (
	SessionHeader = "Mcp-Session-Id"
	// SessionIDMax is the greatest length of a session id, in ASCII characters.
	SessionIDMax = 128
	// SessionIDChars is the character class that a session id may use.
	SessionIDChars = "[A-Za-z0-9._:-]"
)

// The values of the key error in the JSON bodies of HTTP refusals (sections
// 11.1 and 11.5).
const (
	ErrorUnauthorized = "unauthorized"
	ErrorBadSessionID = "invalid_mcp_session_id"
	ErrorSessionOwner = "sse_session_owner_mismatch"
	ErrorSessionLimit = "sse_session_limit"
)

// ListChanged is the one notification that a stream carries (section 11.1).
const ListChanged = "notifications/tools/list_changed"
