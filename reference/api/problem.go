package api

import "net/http"

// problem is an RFC 7807 error.
type problem struct {
	slug, title, detail string
	status              int
}

func (p problem) Error() string { return p.detail }

func (p problem) write(w http.ResponseWriter) {
	writeJSON(w, p.status, "application/problem+json", struct {
		Type   string `json:"type"`
		Title  string `json:"title"`
		Status int    `json:"status"`
		Detail string `json:"detail,omitempty"`
	}{"https://errors.cuecrux.com/" + p.slug, p.title, p.status, p.detail})
}

func badRequest(detail string) error {
	return problem{slug: "bad-request", title: "Bad Request", status: http.StatusBadRequest, detail: detail}
}
