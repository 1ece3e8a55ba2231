package deviant

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
)

// unmarshal keeps numbers digit for digit, so that a proxy changes nothing that
// its lie is not about.
func unmarshal(raw []byte, into any) error {
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	return dec.Decode(into)
}

func marshal(v any) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		panic(fmt.Sprintf("deviant: answer does not encode: %v", err))
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

func sortedKeys(m map[string]any) []string {
	return slices.Sorted(maps.Keys(m))
}
