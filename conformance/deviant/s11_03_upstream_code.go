package deviant

import "cruxconform/spec"

var _ = lie(Deviant{
	Name: "hosted-tools-answer-upstream-error",
	Lie:  "refuses the call of a hosted tool with -32000, as if a bridge had failed",
	MCP: telling(func(_ *Request, a *Answer) {
		a.EditError(func(e map[string]any) { e["code"] = spec.CodeUpstream })
	}, hostedOnes...),
})
