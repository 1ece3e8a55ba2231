package mcp

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strconv"
	"sync"

	"github.com/go-json-experiment/json/jsontext"

	"cruxconform/reference/tools"
	"cruxconform/spec"
)

// keptBuffer bounds the buffers that are kept for reuse, in bytes: a full
// listing fits, the answer to one huge query does not stay around.
const keptBuffer = 256 << 10

var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

var (
	contentJSON = []string{"application/json"}
	problemJSON = []string{"application/problem+json"}
)

// writeJSON sends a finished body as JSON.
func writeJSON(w http.ResponseWriter, status int, body []byte) {
	writeBody(w, status, contentJSON, body)
}

// writeBody sends a finished body with its length. A caller that went away
// needs no answer, so the error of the write is dropped.
func writeBody(w http.ResponseWriter, status int, contentType []string, body []byte) {
	h := w.Header()
	h["Content-Type"] = contentType
	h["Content-Length"] = []string{strconv.Itoa(len(body))}
	w.WriteHeader(status)
	_, _ = w.Write(body)
}

// writeResult puts the id before finished bytes and sends them in one write.
func writeResult(w http.ResponseWriter, id, result json.RawMessage) {
	respond(w, id, func(buf *bytes.Buffer) {
		buf.WriteString(`"result":`)
		buf.Write(result)
	})
}

func writeError(w http.ResponseWriter, id json.RawMessage, e *tools.Error) {
	respond(w, id, func(buf *bytes.Buffer) {
		buf.WriteString(`"error":{"code":`)
		buf.Write(strconv.AppendInt(buf.AvailableBuffer(), int64(e.Code), 10))
		buf.WriteString(`,"message":`)
		buf.Write(quoted(e.Message))
		buf.WriteByte('}')
	})
}

// respond sends a response with one member beside version and id.
func respond(w http.ResponseWriter, id json.RawMessage, member func(*bytes.Buffer)) {
	buf := buffers.Get().(*bytes.Buffer)
	buf.Reset()
	buf.WriteString(`{"jsonrpc":"2.0","id":`)
	buf.Write(id)
	buf.WriteByte(',')
	member(buf)
	buf.WriteByte('}')
	writeJSON(w, http.StatusOK, buf.Bytes())
	if buf.Cap() <= keptBuffer {
		buffers.Put(buf)
	}
}

// quoted is a string as JSON. Text that is not UTF-8 is mended.
func quoted(s string) []byte {
	q, err := jsontext.AppendQuote(nil, s)
	if err != nil {
		q, _ = json.Marshal(s)
	}
	return q
}

// handshake is the result of initialize (section 11.2).
func handshake(version string) json.RawMessage {
	return mustJSON(map[string]any{
		"protocolVersion": spec.ProtocolVersion,
		"capabilities":    map[string]any{"tools": map[string]any{"listChanged": true}},
		"serverInfo":      serverInfo(version),
		"_welcome": map[string]any{
			"hint": `New here? get_bootstrap("patterns") shows how agents work with this daemon, sync_status() and update_status() how it stands.`,
			"quickstart": []string{
				`get_bootstrap(topic="patterns"): read how this memory is meant to be used`,
				"sync_status(): see whether this node exchanges anything with others",
				"update_status(): see whether this daemon is up to date",
				`store_fact(entity, key, value): remember something`,
				"query_facts(query, token_budget): recall it, within a bound that you choose",
			},
			"docs": "https://github.com/CueCrux/Crux/blob/main/docs/agent-guide.md",
		},
	})
}

// discovery is what GET /mcp answers without a stream (section 11.1).
func discovery(version string) []byte {
	return mustJSON(map[string]any{"protocolVersion": spec.ProtocolVersion, "serverInfo": serverInfo(version)})
}

func serverInfo(version string) map[string]string {
	return map[string]string{"name": spec.ServerName, "version": version}
}

func mustJSON(v any) []byte {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err) // plain data
	}
	return b
}
