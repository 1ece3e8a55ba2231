package deviant

import (
	"net/http"
	"strings"
	"sync"
)

// searches lists the entries that search the suite's own corpus.
var searches = []string{
	"11.11-01", "11.11-02", "11.11-04", "11.11-05", "11.11-06", "11.11-07", "11.11-10", "11.11-11", "11.11-13",
	"11.11-14", "11.11-15", "11.11-16", "11.11-24", "11.11-25", "11.11-26", "11.11-27", "11.11-28", "11.11-29",
	"11.11-30", "11.11-31", "11.11-37", "tool.query-03",
}

var _ = lie(Deviant{
	Name:  "ingest-refused",
	Lie:   "has no ingest route on the HTTP API",
	Folds: searches,
	API: func() Lie {
		return Lie{Ask: func(r *Request) *Answer {
			if r.Path != "/v1/local/ingest" {
				return nil
			}
			return JSON(http.StatusNotFound, map[string]any{"title": "Not Found", "status": http.StatusNotFound})
		}}
	},
})

var _ = lie(Deviant{
	Name:  "query-finds-nothing",
	Lie:   "finds nothing with query in any tenant",
	Folds: searches,
	MCP: asking("query", func(args map[string]any) bool {
		tenant, _ := text(args, "tenant_id")
		args["tenant_id"] = tenant + "-elsewhere"
		return concrete(tenant)
	}),
})

// concrete reports whether a tenant_id names one tenant.
func concrete(tenant string) bool {
	tenant = strings.TrimSpace(tenant)
	return tenant != "" && tenant != "*"
}

var _ = lie(Deviant{
	Name: "query-missing-param-defaults",
	Lie:  "answers query without tenant_id or query with a result",
	MCP:  asking("query", defaulted("default", "tenant_id", "query")),
})

var _ = lie(Deviant{
	Name: "query-accepts-any-tenant",
	Lie:  "answers query for a blank tenant_id or an asterisk with a result",
	MCP: asking("query", func(args map[string]any) bool {
		tenant, ok := text(args, "tenant_id")
		args["tenant_id"] = "default"
		return ok && !concrete(tenant)
	}),
})

// crossing remembers the tenant in which a query had hits and asks there again
// where the same query names another.
type crossing struct {
	mu     sync.Mutex
	tenant map[string]string
}

var _ = lie(Deviant{
	Name: "query-crosses-tenants",
	Lie:  "finds the documents of any tenant with query",
	MCP: func() Lie {
		seen := crossing{tenant: map[string]string{}}
		return Lie{Ask: seen.ask, Tell: seen.tell}
	},
})

func (x *crossing) ask(r *Request) *Answer {
	args := r.Args()
	tenant, _ := text(args, "tenant_id")
	query, _ := text(args, "query")
	x.mu.Lock()
	defer x.mu.Unlock()
	if owner := x.tenant[query]; r.Tool() == "query" && owner != "" && concrete(tenant) {
		args["tenant_id"] = owner
		r.SetArgs(args)
	}
	return nil
}

func (x *crossing) tell(r *Request, a *Answer) {
	if r.Tool() != "query" {
		return
	}
	a.EditTextJSON(func(o map[string]any) {
		pointers, _ := o["pointers"].([]any)
		rows, _ := o["results"].([]any)
		if len(pointers)+len(rows) == 0 {
			return
		}
		args := r.Args()
		tenant, _ := text(args, "tenant_id")
		query, _ := text(args, "query")
		x.mu.Lock()
		defer x.mu.Unlock()
		x.tenant[query] = tenant
	})
}

var _ = lie(Deviant{
	Name:  "expand-bad-id-fails-call",
	Lie:   "refuses a query_expand call that names a bad id",
	Folds: []string{"tool.query_expand-02"},
	MCP: telling(func(r *Request, a *Answer) {
		bad := 0
		a.EditTextJSON(func(o map[string]any) {
			eachKey(o, "errors", func(v any) (any, bool) {
				list, _ := v.([]any)
				bad += len(list)
				return v, true
			})
		})
		if bad > 0 {
			a.Body = ErrorTo(r, -32602, "unknown result_id").Body
		}
	}, "query_expand"),
})

var _ = lie(Deviant{
	Name: "expand-calls-every-kind-unknown",
	Lie:  "gives every bad id of query_expand the error_kind unknown",
	MCP:  telling(replace("error_kind", func(any) any { return "unknown" }), "query_expand"),
})
