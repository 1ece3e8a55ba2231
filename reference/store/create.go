package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"go.etcd.io/bbolt"
)

// newFilePattern names database files in the making.
const newFilePattern = FileName + ".new-*"

// prepare makes the directory and, where there is no database file, an empty
// one. An empty or half-written file under the final name is therefore never a
// start that was interrupted, but damage.
func prepare(dir, path string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return notWritable(dir, err)
	}
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return create(dir, path)
	case err != nil:
		return fmt.Errorf("store: %w", err)
	case !info.Mode().IsRegular():
		return corrupt(path, errors.New("not a regular file"))
	case info.Size() == 0:
		return corrupt(path, errors.New("the file is empty"))
	}
	return nil
}

// create builds a database beside the final name and links it there in one
// step. Two daemons may do so at once: the first link wins, and the lock
// decides which of them goes on.
func create(dir, path string) error {
	f, err := os.CreateTemp(dir, newFilePattern)
	if err != nil {
		return notWritable(dir, err)
	}
	tmp := f.Name()
	defer os.Remove(tmp)
	if err := f.Close(); err != nil {
		return fmt.Errorf("store: create %s: %w", tmp, err)
	}
	if err := initialise(tmp); err != nil {
		return fmt.Errorf("store: create %s: %w", tmp, err)
	}
	if err := os.Link(tmp, path); err != nil {
		if _, statErr := os.Stat(path); statErr == nil {
			return nil
		}
		return fmt.Errorf("store: create %s: %w", path, err)
	}
	return syncDir(dir)
}

func initialise(path string) error {
	db, err := bbolt.Open(path, 0o600, nil)
	if err != nil {
		return err
	}
	err = db.Update(func(tx *bbolt.Tx) error {
		for _, name := range [][]byte{bucketMeta, bucketFacts, bucketSegments, bucketPayloads} {
			if _, err := tx.CreateBucket(name); err != nil {
				return err
			}
		}
		return tx.Bucket(bucketMeta).Put(keySchema, []byte(schemaVersion))
	})
	return errors.Join(err, db.Close())
}

// syncDir makes the new name itself durable.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return fmt.Errorf("store: %w", err)
	}
	return errors.Join(d.Sync(), d.Close())
}

// removeLeftovers removes what a daemon killed while it made the file left
// behind. The caller holds the lock, so the final file exists and no other
// start needs its own any more.
func removeLeftovers(dir string) {
	names, _ := filepath.Glob(filepath.Join(dir, newFilePattern))
	for _, name := range names {
		_ = os.Remove(name)
	}
}
