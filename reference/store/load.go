package store

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"runtime/debug"

	"go.etcd.io/bbolt"
)

// load checks the file and fills the index of facts. It reads every fact, so
// that damage shows at the start and not in the middle of a call.
func (s *Store) load(path string) error {
	return s.view(func(tx *bbolt.Tx) error {
		if err := checkSize(tx, path); err != nil {
			return err
		}
		if err := checkSchema(tx, path); err != nil {
			return err
		}
		if err := s.loadFacts(tx); err != nil {
			return corrupt(path, err)
		}
		return nil
	})
}

// view runs fn in a read transaction. Damaged pages make bbolt panic, and pages
// beyond the end of the file fault; both become ErrCorrupt.
func (s *Store) view(fn func(*bbolt.Tx) error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if r := recover(); r != nil {
			err = corrupt(s.db.Path(), fmt.Errorf("%v", r))
		}
	}()
	return s.db.View(fn)
}

// checkSize finds a file whose tail is missing, which bbolt itself notices only
// when it touches a page that is gone.
func checkSize(tx *bbolt.Tx, path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return fmt.Errorf("store: %w", err)
	}
	if info.Size() < tx.Size() {
		return corrupt(path, fmt.Errorf("it has %d bytes and should have at least %d", info.Size(), tx.Size()))
	}
	return nil
}

func checkSchema(tx *bbolt.Tx, path string) error {
	meta := tx.Bucket(bucketMeta)
	if meta == nil {
		return corrupt(path, errors.New("a bbolt file, but without the bucket \"meta\""))
	}
	found := string(meta.Get(keySchema))
	if found != schemaVersion {
		return fmt.Errorf("store: %w: %s has version %q and this build reads %q; start the build that wrote it or choose another data directory",
			ErrSchema, path, found, schemaVersion)
	}
	for _, name := range [][]byte{bucketFacts, bucketSegments, bucketPayloads} {
		if tx.Bucket(name) == nil {
			return corrupt(path, fmt.Errorf("the bucket %q is missing", name))
		}
	}
	return nil
}

// eachRecord calls fn for the records of a bucket in the order of their
// sequence numbers.
func eachRecord(b *bbolt.Bucket, fn func(seq uint64, value []byte) error) error {
	return b.ForEach(func(k, v []byte) error {
		if len(k) != 8 {
			return fmt.Errorf("record key %x is not a sequence number", k)
		}
		return fn(binary.BigEndian.Uint64(k), v)
	})
}

func seqKey(seq uint64) []byte {
	return binary.BigEndian.AppendUint64(nil, seq)
}
