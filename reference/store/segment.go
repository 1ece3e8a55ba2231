package store

import (
	"context"
	"encoding/binary"
	"fmt"

	"github.com/go-json-experiment/json"
	"go.etcd.io/bbolt"
)

// Segment is what one ingest request became. It is never changed.
type Segment struct {
	// Seq numbers the segments in the order of their commits, from 1.
	Seq      uint64         `json:"-"`
	TenantID string         `json:"tenant_id"`
	CorpusID string         `json:"corpus_id"`
	Chunks   []SegmentChunk `json:"chunks"`
}

// SegmentChunk is one retrievable document of a segment.
type SegmentChunk struct {
	// Document and Chunk are the ids that the sender gave.
	Document string `json:"document"`
	Chunk    string `json:"chunk"`
	Text     string `json:"text"`
}

// PayloadHash tells ingest payloads apart.
type PayloadHash [32]byte

// Segments calls fn for every stored segment in the order of the numbers. Its
// errors name the file where a record does not decode.
func (s *Store) Segments(fn func(*Segment)) error {
	return s.view(func(tx *bbolt.Tx) error {
		return eachRecord(tx.Bucket(bucketSegments), func(seq uint64, record []byte) error {
			seg, err := decodeSegment(seq, record)
			if err != nil {
				return corrupt(s.db.Path(), err)
			}
			fn(seg)
			return nil
		})
	})
}

func decodeSegment(seq uint64, record []byte) (*Segment, error) {
	seg := &Segment{Seq: seq}
	if err := json.Unmarshal(record, seg); err != nil {
		return nil, fmt.Errorf("segment %d: %w", seq, err)
	}
	return seg, nil
}

// AppendSegment stores a segment under the next number. A payload that was
// stored before changes nothing: the number of its segment comes back, and
// fresh is false. publish is called for a fresh segment after its commit, in
// the order of the numbers.
func (s *Store) AppendSegment(ctx context.Context, hash PayloadHash, seg Segment, publish func()) (seq uint64, fresh bool, err error) {
	record, err := json.Marshal(&seg)
	if err != nil {
		return 0, false, fmt.Errorf("store: encode segment: %w", err)
	}
	err = s.Update(ctx, func(t *Tx) error {
		if known := t.tx.Bucket(bucketPayloads).Get(hash[:]); known != nil {
			seq = binary.BigEndian.Uint64(known)
			return nil
		}
		next, err := t.nextSequence(bucketSegments)
		if err != nil {
			return err
		}
		seq, fresh = next, true
		if err := t.insert(bucketSegments, seqKey(seq), record); err != nil {
			return err
		}
		if err := t.insert(bucketPayloads, hash[:], seqKey(seq)); err != nil {
			return err
		}
		t.onCommit(publish)
		return nil
	})
	return seq, fresh && err == nil, err
}
