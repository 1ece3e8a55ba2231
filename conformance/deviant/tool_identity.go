package deviant

var _ = lie(Deviant{
	Name: "identity-names-the-anonymous",
	Lie:  "gives an anonymous caller an agent name",
	MCP: telling(func(r *Request, a *Answer) {
		if r.Header.Get("Authorization") == "" {
			a.EditText(func(string) string { return "local-agent" })
		}
	}, "get_agent_identity"),
})
