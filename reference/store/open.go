package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"
	"time"

	"go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"
)

// FileName is the name of the database file inside the data directory.
const FileName = "crux.db"

// schemaVersion is the layout that this build reads and writes.
const schemaVersion = "1"

// lockWait bounds how long Open waits for another daemon to let go of the file.
// A killed daemon has let go already; a living one will not.
const lockWait = 200 * time.Millisecond

var (
	bucketMeta     = []byte("meta")
	bucketFacts    = []byte("facts")
	bucketSegments = []byte("segments")
	bucketPayloads = []byte("payloads")

	keySchema = []byte("schema")
)

// Errors that Open wraps; each message names the path and a remedy.
var (
	ErrLocked      = errors.New("data directory locked by another daemon")
	ErrCorrupt     = errors.New("database file is damaged")
	ErrSchema      = errors.New("unknown schema version")
	ErrNotWritable = errors.New("data directory is not writable")
	ErrClosed      = errors.New("store is closed")
)

// Store is one open data directory. Its methods are safe for concurrent use.
type Store struct {
	db      *bbolt.DB
	facts   *factIndex
	commits *committer
}

// Open opens the store in dir and makes both when they are missing. It holds
// the file exclusively until Close. A file that it cannot read whole is refused
// and left as it is.
func Open(dir string) (*Store, error) {
	path := filepath.Join(dir, FileName)
	if err := prepare(dir, path); err != nil {
		return nil, err
	}
	db, err := openFile(path)
	if err != nil {
		return nil, err
	}
	s := &Store{db: db, facts: newFactIndex()}
	if err := s.load(path); err != nil {
		return nil, errors.Join(err, closeQuietly(db))
	}
	removeLeftovers(dir)
	s.commits = newCommitter(s)
	return s, nil
}

// Close refuses further writes, finishes those already accepted and closes the
// file. A second call returns ErrClosed.
func (s *Store) Close() error {
	if err := s.commits.stop(); err != nil {
		return err
	}
	return s.db.Close()
}

// openFile opens and locks an existing database file. bbolt trusts what it
// reads: damaged pages make it panic, and pages beyond the end of a shortened
// file fault. Both become ErrCorrupt here.
func openFile(path string) (db *bbolt.DB, err error) {
	var file *os.File
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if r := recover(); r != nil {
			unlock(file)
			_ = file.Close()
			db, err = nil, corrupt(path, fmt.Errorf("%v", r))
		}
	}()
	db, err = bbolt.Open(path, 0o600, &bbolt.Options{
		Timeout:      lockWait,
		FreelistType: bbolt.FreelistMapType,
		NoStatistics: true,
		OpenFile: func(name string, flag int, mode os.FileMode) (*os.File, error) {
			// Without O_CREATE: a file that vanished must not come back empty.
			f, err := os.OpenFile(name, flag&^os.O_CREATE, mode)
			file = f
			return f, err
		},
	})
	switch {
	case err == nil:
		return db, nil
	case errors.Is(err, bolterrors.ErrTimeout):
		return nil, fmt.Errorf("store: %w: %s; stop that daemon or choose another data directory", ErrLocked, path)
	case errors.Is(err, fs.ErrPermission):
		return nil, notWritable(filepath.Dir(path), err)
	case isSystemError(err):
		return nil, fmt.Errorf("store: open %s: %w", path, err)
	default:
		return nil, corrupt(path, err)
	}
}

// isSystemError tells what the operating system refused from what bbolt found
// in the file.
func isSystemError(err error) bool {
	var pathErr *fs.PathError
	var callErr *os.SyscallError
	return errors.As(err, &pathErr) || errors.As(err, &callErr)
}

func corrupt(path string, cause error) error {
	return fmt.Errorf("store: %w: %s: %v; it was left as it is: restore it from a backup or choose another data directory", ErrCorrupt, path, cause)
}

func notWritable(dir string, cause error) error {
	return fmt.Errorf("store: %w: %s: %v; fix its permissions or choose another data directory", ErrNotWritable, dir, cause)
}

// closeQuietly closes a database whose content was refused.
func closeQuietly(db *bbolt.DB) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("store: close: %v", r)
		}
	}()
	return db.Close()
}
