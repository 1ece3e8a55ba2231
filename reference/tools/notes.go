package tools

import "context"

// Notes is what a call's accounting wants to know besides the result.
type Notes struct {
	// Truncated is set when a token budget shortened the answer; it feeds
	// corecrux_tool_response_truncated_total (section 11.11).
	Truncated bool
}

type notesKey struct{}

// WithNotes returns a context whose handler calls write into the notes. One
// context serves one call.
func WithNotes(ctx context.Context) (context.Context, *Notes) {
	n := &Notes{}
	return context.WithValue(ctx, notesKey{}, n), n
}

// NoteTruncated records that a token budget shortened the answer. Without notes
// in the context it does nothing.
func NoteTruncated(ctx context.Context) {
	if n, ok := ctx.Value(notesKey{}).(*Notes); ok {
		n.Truncated = true
	}
}
