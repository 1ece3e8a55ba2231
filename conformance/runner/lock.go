package runner

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"time"
)

// lockWait bounds the wait for another run on this machine that uses the
// documented default ports.
const lockWait = 60 * time.Second

// lockMachine takes the machine-wide lock of setups that must be alone.
func lockMachine(ctx context.Context) (unlock func(), err error) {
	path := filepath.Join(os.TempDir(), "cruxconform-default-ports.lock")
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o666)
	if err != nil {
		return nil, fmt.Errorf("lock for the default ports: %w", err)
	}
	ctx, cancel := context.WithTimeout(ctx, lockWait)
	defer cancel()
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for {
		if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err == nil {
			return func() { f.Close() }, nil
		}
		select {
		case <-ctx.Done():
			f.Close()
			return nil, fmt.Errorf("another run holds the default ports (%s) for over %s", path, lockWait)
		case <-tick.C:
		}
	}
}
