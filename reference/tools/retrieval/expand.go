package retrieval

import (
	"context"
	"encoding/json"
	"strconv"
	"strings"

	"cruxconform/reference/tools"
	"cruxconform/reference/tools/crc"
)

// chunk is one document of query_expand. It carries no text.
type chunk struct {
	SegmentIndex           int     `json:"segment_index"`
	DocID                  int     `json:"doc_id"`
	SourceLabel            string  `json:"source_label"`
	ScoreSpace             string  `json:"score_space"`
	SemanticProfileID      *string `json:"semantic_profile_id"`
	LocalSemanticProfileID *string `json:"local_semantic_profile_id"`
	FrameOffset            int     `json:"frame_offset"`
	TokenCount             int     `json:"token_count"`
}

// idError is why one id was not expanded.
type idError struct {
	ResultID  string `json:"result_id"`
	Error     string `json:"error"`
	ErrorKind string `json:"error_kind"`
}

func (x *Index) queryExpand(_ context.Context, _ tools.Caller, args tools.Args) (json.RawMessage, error) {
	tenant, err := concreteTenant(args)
	if err != nil {
		return nil, err
	}
	ids, ok := resultIDs(args)
	if !ok {
		return nil, tools.MissingParam("result_ids")
	}
	chunks, pointers, failed := x.expand(tenant, ids)
	var loaded uint64
	for _, c := range chunks {
		loaded += uint64(c.TokenCount)
	}
	extra := map[string]any{"tokens_loaded": loaded}
	if len(failed) > 0 {
		extra["errors"] = failed
	}
	if crc.Legacy(args) {
		return legacyAnswer("chunks", chunks, extra), nil
	}
	return text(addressed(pointers, loaded, extra)), nil
}

// resultIDs returns the ids; an element that is no string stands for an empty
// one, which fails alone.
func resultIDs(args tools.Args) ([]string, bool) {
	raw, _ := args.Raw("result_ids")
	var elements []json.RawMessage
	if json.Unmarshal(raw, &elements) != nil || elements == nil {
		return nil, false
	}
	ids := make([]string, len(elements))
	for i, element := range elements {
		// A failed decode leaves the empty string, which is what is wanted.
		_ = json.Unmarshal(element, &ids[i])
	}
	return ids, true
}

func (x *Index) expand(tenant uint64, ids []string) (chunks []chunk, pointers []crc.Pointer, failed []idError) {
	x.mu.RLock()
	defer x.mu.RUnlock()
	chunks, pointers = []chunk{}, []crc.Pointer{}
	for _, id := range ids {
		d, fault := x.corpus.find(tenant, id)
		if fault != nil {
			failed = append(failed, *fault)
			continue
		}
		chunks = append(chunks, chunk{
			SegmentIndex: d.segment, DocID: d.number, SourceLabel: sourceLabel, ScoreSpace: scoreSpace,
			FrameOffset: d.offset, TokenCount: d.length,
		})
		pointers = append(pointers, crc.Pointer{ID: id})
	}
	return chunks, pointers, failed
}

// find returns the document with the id, or why there is none for the tenant.
func (x *corpus) find(tenant uint64, id string) (document, *idError) {
	parts := strings.Split(id, ":")
	if len(parts) != 2 {
		return document{}, &idError{id, "invalid result_id format", "invalid_format"}
	}
	segment, err := strconv.ParseUint(parts[0], 10, 32)
	if err != nil || segment >= uint64(len(x.segments)) {
		return document{}, &idError{id, "segment not found", "evicted"}
	}
	s := x.segments[segment]
	number, err := strconv.ParseUint(parts[1], 10, 32)
	if err != nil || number >= uint64(s.count) {
		return document{}, &idError{id, "doc_id out of range", "evicted"}
	}
	d := x.docs[s.first+int(number)]
	if d.tenant != tenant {
		return document{}, &idError{id, "tenant mismatch", "tenant_mismatch"}
	}
	return d, nil
}
