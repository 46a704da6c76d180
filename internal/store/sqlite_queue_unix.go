//go:build unix

package store

import (
	"context"
	"errors"
	"os"
	"syscall"
	"time"
)

// maxQueued is how long a write stays in the queue. After it SQLite waits.
const maxQueued = BusyTimeout / 2

// enqueue waits until the writes of others that wait in the same folder have ended, and keeps later
// ones waiting until leave is called. The queue is the folder's advisory lock: the kernel wakes the next
// in line, whereas SQLite sleeps for up to 100 ms between attempts without anyone writing, and some starve.
// Nothing depends on the queue: where there is none, or an older program writes, SQLite's lock does.
func enqueue(ctx context.Context, dir string) (leave func()) {
	folder, err := os.Open(dir)
	if err != nil {
		return func() {}
	}
	leave = func() { folder.Close() } // which gives the lock up
	fd := int(folder.Fd())
	if syscall.Flock(fd, syscall.LOCK_EX|syscall.LOCK_NB) == nil {
		return leave
	}
	locked := make(chan struct{})
	go func() {
		defer close(locked)
		for errors.Is(syscall.Flock(fd, syscall.LOCK_EX), syscall.EINTR) {
		}
	}()
	patience := time.NewTimer(maxQueued)
	defer patience.Stop()
	select {
	case <-locked:
		return leave
	case <-ctx.Done():
	case <-patience.C:
	}
	go func() {
		<-locked
		leave()
	}()
	return func() {}
}
