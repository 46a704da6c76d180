package capture

import (
	"context"
	"errors"
	"path/filepath"

	"whence/internal/worktree"
)

// lock waits until no other worker is at work. It returns nil if another one waits already: that one
// lists the transcripts only after it has stopped waiting, so it sees all that were registered before.
func lock(ctx context.Context, home string) (unlock func() error, err error) {
	working := filepath.Join(home, "capture.lock")
	unlock, err = worktree.TryLock(working)
	if unlock != nil || err != nil {
		return unlock, err
	}
	next, err := worktree.TryLock(filepath.Join(home, "capture.next.lock"))
	if next == nil || err != nil {
		return nil, err
	}
	unlock, err = worktree.Lock(ctx, working)
	return unlock, errors.Join(err, next())
}
