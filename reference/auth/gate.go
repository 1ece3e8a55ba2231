package auth

import (
	"net/http"
	"net/url"
	"strings"

	"cruxconform/reference/tools"
)

// Gate authenticates requests (section 11.5).
type Gate struct {
	// Agents are the configured agents.
	Agents *Registry
	// ResourceURL is CRUX_MCP_RESOURCE_URL, empty while it is not set.
	ResourceURL string
}

// Authenticate returns who makes a request. Without a usable bearer, and with
// one that no agent has, the caller is anonymous where no agent is configured
// and refused otherwise.
func (g *Gate) Authenticate(h http.Header) (caller tools.Caller, ok bool) {
	if g.Agents.Empty() {
		return tools.Caller{}, true
	}
	token, usable := bearer(h)
	if !usable {
		return tools.Caller{}, false
	}
	name, ok := g.Agents.Find(token)
	return tools.Caller{Agent: name}, ok
}

// bearer takes the token from the first Authorization header. It must begin
// with exactly "Bearer " and be ASCII; anything else is no token.
func bearer(h http.Header) (string, bool) {
	token, ok := strings.CutPrefix(h.Get("Authorization"), "Bearer ")
	if !ok || strings.ContainsFunc(token, func(r rune) bool { return r > '~' }) {
		return "", false
	}
	return token, true
}

// Challenge is the WWW-Authenticate header of a refusal, empty while no
// resource URL is configured (RFC 9728).
func (g *Gate) Challenge() string {
	if g.ResourceURL == "" {
		return ""
	}
	return `Bearer resource_metadata="` + metadataURL(g.ResourceURL) + `"`
}

const metadataPath = "/.well-known/oauth-protected-resource"

// metadataURL is the metadata document at the origin of the resource; a value
// that is no absolute URL keeps its text.
func metadataURL(resource string) string {
	if u, err := url.Parse(resource); err == nil && u.Scheme != "" && u.Host != "" {
		return u.Scheme + "://" + u.Host + metadataPath
	}
	return strings.TrimRight(resource, "/") + metadataPath
}
