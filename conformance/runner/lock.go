package runner

import (
	"context"
	"fmt"
	"os"
	"syscall"
	"time"
)

// lockWait bounds the wait for another run on this machine that uses the
// documented default ports.
const lockWait = 60 * time.Second

// lockFile is the same for every process of the machine, whatever directory each
// keeps its temporary files in.
const lockFile = "/tmp/cruxconform-default-ports.lock"

// LockMachine takes the machine-wide lock of setups that must be alone. It
// waits for another holder for at most a minute.
func LockMachine(ctx context.Context) (unlock func(), err error) {
	f, err := os.OpenFile(lockFile, os.O_CREATE|os.O_RDWR, 0o666)
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
			return nil, fmt.Errorf("another run holds the default ports (%s) for over %s", lockFile, lockWait)
		case <-tick.C:
		}
	}
}
