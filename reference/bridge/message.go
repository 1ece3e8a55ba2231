package bridge

import (
	"bytes"
	"encoding/json"
	"fmt"

	"cruxconform/spec"
)

// failure is the JSON-RPC error that answers a line whose relaying failed. It
// carries the id of the line as it was written, null where there is none.
func failure(line []byte, err error) []byte {
	id := json.RawMessage("null")
	var members map[string]json.RawMessage
	if json.Unmarshal(line, &members) == nil && members["id"] != nil {
		id = members["id"]
	}
	message, _ := json.Marshal(err.Error()) // a string always encodes
	return fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"error":{"code":%d,"message":%s}}`, id, spec.CodeUpstream, message)
}

// oneLine is a body without line breaks. Between JSON values they mean nothing,
// within a line protocol they would end the message; a body that is no JSON has
// them replaced by blanks.
func oneLine(body []byte) []byte {
	if !bytes.ContainsAny(body, "\r\n") {
		return body
	}
	var b bytes.Buffer
	if json.Compact(&b, body) == nil {
		return b.Bytes()
	}
	return bytes.Map(func(r rune) rune {
		if r == '\r' || r == '\n' {
			return ' '
		}
		return r
	}, bytes.TrimRight(body, "\r\n"))
}

// versionDrift is the server version in the answer to an initialize where it is
// another than ours, empty otherwise.
func versionDrift(line, answer []byte, ours string) string {
	if !bytes.Contains(line, []byte("initialize")) {
		return "" // most lines: not worth reading
	}
	var asked struct {
		Method string `json:"method"`
	}
	var told struct {
		Result struct {
			ServerInfo struct {
				Version string `json:"version"`
			} `json:"serverInfo"`
		} `json:"result"`
	}
	if json.Unmarshal(line, &asked) != nil || asked.Method != "initialize" || json.Unmarshal(answer, &told) != nil {
		return ""
	}
	if v := told.Result.ServerInfo.Version; v != ours {
		return v
	}
	return ""
}
