package capture

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"github.com/gofrs/flock"
)

// lockPause is the time between attempts to get a lock.
const lockPause = 20 * time.Millisecond

// lock waits until no other worker is at work. It returns nil if another one waits already: that one
// lists the transcripts only after it has stopped waiting, so it sees all that were registered before.
func lock(ctx context.Context, home string) (unlock func() error, err error) {
	working, waiting := newLock(home, "capture.lock"), newLock(home, "capture.next.lock")
	free, err := working.TryLock()
	if err != nil {
		return nil, err
	}
	if free {
		return working.Close, nil
	}
	isNext, err := waiting.TryLock()
	if err != nil || !isNext {
		return nil, err
	}
	_, err = working.TryLockContext(ctx, lockPause)
	if err = errors.Join(err, waiting.Close()); err != nil {
		return nil, errors.Join(err, working.Close())
	}
	return working.Close, nil
}

func newLock(home, name string) *flock.Flock {
	const flag = os.O_CREATE | os.O_RDONLY | syscall.O_NONBLOCK // a pipe would block
	return flock.New(filepath.Join(home, name), flock.SetPermissions(0o600), flock.SetFlag(flag))
}
