//go:build unix && !solaris && !aix

package store

import (
	"os"
	"syscall"
)

// unlock gives back bbolt's lock on a file that bbolt lost hold of. Closing the
// file does not: the mapping, which only bbolt could remove, keeps it open.
func unlock(f *os.File) { _ = syscall.Flock(int(f.Fd()), syscall.LOCK_UN) }
