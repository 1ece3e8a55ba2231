package suite

import (
	"encoding/json"
	"fmt"
)

// clipAt is how much of a value a report line shows, in bytes.
const clipAt = 600

func clip[T ~string | ~[]byte](v T) string {
	if len(v) > clipAt {
		return fmt.Sprintf("%s ... (%d bytes)", string(v[:clipAt]), len(v))
	}
	return string(v)
}

// show writes a value for a person: strings quoted, the rest as JSON.
func show(v any) string {
	switch v := v.(type) {
	case json.RawMessage:
		return clip(v)
	case error:
		return v.Error()
	}
	b, err := json.Marshal(v)
	if err != nil {
		return clip(fmt.Sprintf("%#v", v))
	}
	return clip(b)
}
