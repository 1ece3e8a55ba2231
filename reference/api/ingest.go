package api

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"cruxconform/reference/store"
)

// Bounds of one ingest request.
const (
	maxDocuments  = 4096
	maxChunks     = 65536
	maxChunkBytes = 4 << 20
)

// payload is the body of an ingest request. Members that the daemon does not
// use are kept: two payloads that differ in them are not the same.
type payload struct {
	TenantID  string     `json:"tenant_id"`
	CorpusID  string     `json:"corpus_id"`
	Documents []document `json:"documents"`
}

type document struct {
	DocID           string  `json:"doc_id"`
	Title           *string `json:"title,omitempty"`
	URL             *string `json:"url,omitempty"`
	SourceTimestamp *string `json:"source_timestamp,omitempty"`
	Chunks          []chunk `json:"chunks"`
}

type chunk struct {
	ChunkID     string        `json:"chunk_id"`
	Text        string        `json:"text"`
	ChunkIndex  *int64        `json:"chunk_index,omitempty"`
	Metadata    any           `json:"metadata,omitempty"`
	DenseVector []json.Number `json:"dense_vector,omitempty"`
}

// receipt answers a payload that was taken in.
type receipt struct {
	TenantID      string `json:"tenant_id"`
	CorpusID      string `json:"corpus_id"`
	Documents     int    `json:"documents"`
	Chunks        int    `json:"chunks"`
	SegmentSeq    uint64 `json:"segment_seq"`
	DenseStatus   string `json:"dense_status"`
	DenseVectors  int    `json:"dense_vectors"`
	DenseExpected int    `json:"dense_expected"`
}

func (o Options) ingest(w http.ResponseWriter, r *http.Request) {
	out, err := o.takeIn(w, r)
	var refused problem
	switch {
	case err == nil:
		writeJSON(w, http.StatusAccepted, "application/json", out)
	case errors.As(err, &refused):
		refused.write(w)
	default:
		problem{
			slug: "internal", title: "Internal Server Error",
			status: http.StatusInternalServerError, detail: err.Error(),
		}.write(w)
	}
}

func (o Options) takeIn(w http.ResponseWriter, r *http.Request) (receipt, error) {
	p, err := o.decode(w, r)
	if err != nil {
		return receipt{}, err
	}
	if err := p.check(); err != nil {
		return receipt{}, err
	}
	// Encoding it again makes the form canonical: member order, blanks and
	// unknown members do not make a payload a new one.
	canonical, err := json.Marshal(p)
	if err != nil {
		return receipt{}, fmt.Errorf("ingest: %w", err)
	}
	seg := p.segment()
	done, err := o.Ingest.Ingest(r.Context(), canonical, seg)
	if err != nil {
		return receipt{}, fmt.Errorf("ingest: %w", err)
	}
	out := receipt{
		TenantID: p.TenantID, CorpusID: p.CorpusID, Documents: len(p.Documents), Chunks: len(seg.Chunks),
		SegmentSeq: done.SegmentSeq, DenseStatus: "not_configured",
	}
	if !done.Fresh {
		out.DenseStatus = "not_applicable"
	}
	return out, nil
}

func (o Options) decode(w http.ResponseWriter, r *http.Request) (payload, error) {
	var p payload
	body := r.Body
	if o.MaxBody > 0 {
		body = http.MaxBytesReader(w, body, o.MaxBody)
	}
	raw, err := io.ReadAll(body)
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &tooLarge):
		return p, problem{
			slug: "payload-too-large", title: "Payload Too Large", status: http.StatusRequestEntityTooLarge,
			detail: fmt.Sprintf("request body exceeds the configured limit of %d bytes (CORECRUXD_MAX_REQUEST_BODY_BYTES)", o.MaxBody),
		}
	case err != nil:
		return p, badRequest("request body could not be read: " + err.Error())
	}
	// Numbers stay as they were sent: payloads that differ in one are not the same.
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	if err := decoder.Decode(&p); err != nil {
		return p, badRequest("request body is not an ingest payload: " + err.Error())
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return p, badRequest("request body is not an ingest payload: text after the object")
	}
	return p, nil
}

// check applies the documented rules in the order of the members.
func (p payload) check() error {
	switch {
	case blank(p.TenantID):
		return badRequest("tenant_id must not be empty")
	case blank(p.CorpusID):
		return badRequest("corpus_id must not be empty")
	case len(p.Documents) == 0:
		return badRequest("documents must not be empty")
	case len(p.Documents) > maxDocuments:
		return badRequest(fmt.Sprintf("max %d documents per request", maxDocuments))
	}
	chunks := 0
	for _, d := range p.Documents {
		if err := d.check(); err != nil {
			return err
		}
		if chunks += len(d.Chunks); chunks > maxChunks {
			return badRequest(fmt.Sprintf("max %d chunks per request", maxChunks))
		}
	}
	return nil
}

func (d document) check() error {
	switch {
	case blank(d.DocID):
		return badRequest("document doc_id must not be empty")
	case len(d.Chunks) == 0:
		return badRequest(fmt.Sprintf("document `%s` has no chunks", d.DocID))
	}
	for _, c := range d.Chunks {
		switch {
		case blank(c.ChunkID):
			return badRequest(fmt.Sprintf("chunk_id must not be empty in document `%s`", d.DocID))
		case blank(c.Text):
			return badRequest(fmt.Sprintf("chunk `%s` text must not be empty", c.ChunkID))
		case len(c.Text) > maxChunkBytes:
			return badRequest(fmt.Sprintf("chunk `%s` text exceeds %d bytes", c.ChunkID, maxChunkBytes))
		}
	}
	return nil
}

// segment makes one retrievable document of each chunk.
func (p payload) segment() store.Segment {
	seg := store.Segment{TenantID: p.TenantID, CorpusID: p.CorpusID}
	for _, d := range p.Documents {
		for _, c := range d.Chunks {
			seg.Chunks = append(seg.Chunks, store.SegmentChunk{Document: d.DocID, Chunk: c.ChunkID, Text: c.Text})
		}
	}
	return seg
}

func blank(s string) bool { return strings.TrimSpace(s) == "" }
