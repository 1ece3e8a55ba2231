// Package api serves the HTTP API port: liveness and document ingest (contract
// pages "HTTP API" and "Document ingest"). Everything else on the port is 404.
package api

import (
	"context"
	"encoding/json"
	"net/http"

	"github.com/go-chi/chi/v5"
	"github.com/go-chi/chi/v5/middleware"

	"cruxconform/reference/store"
	"cruxconform/reference/tools/retrieval"
)

// DefaultMaxBody is the documented bound of a request body in bytes.
const DefaultMaxBody = 16 << 20

// Ingester takes documents in. It returns when they are durable and can be found.
type Ingester interface {
	Ingest(ctx context.Context, canonical []byte, seg store.Segment) (retrieval.Receipt, error)
}

// Options of the port.
type Options struct {
	Ingest Ingester
	// NoIngest removes the ingest route (CORECRUXD_LOCAL_INGEST 0 or false).
	NoIngest bool
	// MaxBody bounds a request body in bytes; 0 stands for no bound
	// (CORECRUXD_MAX_REQUEST_BODY_BYTES).
	MaxBody int64
	// Version and Commit describe the build.
	Version, Commit string
}

// Handler returns the handler of the port.
func Handler(o Options) http.Handler {
	r := chi.NewRouter()
	r.Use(middleware.GetHead)
	r.NotFound(func(w http.ResponseWriter, _ *http.Request) {
		problem{slug: "not-found", title: "Not Found", status: http.StatusNotFound}.write(w)
	})
	r.Get("/healthz", o.health)
	if !o.NoIngest {
		r.Post("/v1/local/ingest", o.ingest)
	}
	return r
}

func (o Options) health(w http.ResponseWriter, _ *http.Request) {
	writeJSON(w, http.StatusOK, "application/json", map[string]any{
		"ok":    true,
		"build": map[string]string{"version": o.Version, "commit": o.Commit},
	})
}

func writeJSON(w http.ResponseWriter, status int, contentType string, body any) {
	b, err := json.Marshal(body)
	if err != nil {
		// Only a bug can get here: bodies are plain data.
		panic(err)
	}
	w.Header().Set("Content-Type", contentType)
	w.WriteHeader(status)
	// The client is gone when this fails; nothing is left to tell it.
	_, _ = w.Write(b)
}
