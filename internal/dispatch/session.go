package dispatch

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/gofrs/flock"

	"whence/internal/text"
)

// Session is the state of an agent session, in a private file. A lock beside it is held while it
// changes.
type Session struct {
	Shown            []string  `json:"shown,omitempty"`   // marks of injected items, oldest first
	ForgotAt         time.Time `json:"forgot,omitzero"`   // when the main agent last lost its context
	CleanFingerprint string    `json:"memory,omitempty"`  // of the memory when it last had no findings
	Broken           bool      `json:"broken,omitempty"`  // the memory was left with findings
	Blocked          bool      `json:"blocked,omitempty"` // a stop was blocked for them
	Updated          time.Time `json:"updated"`

	pendingReply
}

// pendingReply is the reply that is being composed.
type pendingReply struct {
	after []func(context.Context) error
}

const (
	maxShownItems   = 1000 // of a session
	maxSessionBytes = 256 << 10
)

// mark returns a hash of an item, with a prefix for the agent it was shown to.
func mark(subagent, key string) string { return agentMark(subagent) + shortHash(key, 8) }

// agentMark returns the prefix of all marks of an agent.
func agentMark(subagent string) string { return shortHash(subagent, 4) + " " }

// forget removes the marks of an agent.
func (s *Session) forget(subagent string) {
	s.Shown = slices.DeleteFunc(s.Shown, func(shown string) bool { return strings.HasPrefix(shown, agentMark(subagent)) })
}

// WasShown reports whether an item was shown to an agent of the session; "" is the main agent.
func (s *Session) WasShown(subagent, key string) bool {
	return slices.Contains(s.Shown, mark(subagent, key))
}

// After registers work for after the reply, if it is given. The agent waits for it, within the
// deadline.
func (s *Session) After(run func(context.Context) error) { s.after = append(s.after, run) }

// MarkShown records that an item was shown to an agent of the session.
func (s *Session) MarkShown(subagent, key string) {
	if !s.WasShown(subagent, key) {
		s.Shown = append(s.Shown, mark(subagent, key))
	}
}

// shortHash returns a hash of a text, with that many bytes, in hex.
func shortHash(text string, bytes int) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:bytes])
}

func sessionsDir(home string) string { return filepath.Join(home, "sessions") }

// sessionFile returns the file of a session. It is named by a hash: an id may hold anything.
func sessionFile(home, session string) string {
	return filepath.Join(sessionsDir(home), shortHash(session, 12)+".json")
}

// sessionFileName matches the files of a session: its state, an unfinished one that a killed process
// has left, and its lock. The submatch identifies the session.
var sessionFileName = text.Lazy(`^([0-9a-f]{24})\.(?:json|json\.new|lock)$`)

// lockFile returns the lock of a session file. Sessions do not wait for each other.
func lockFile(state string) string { return strings.TrimSuffix(state, ".json") + ".lock" }

// lockPause is the time between attempts to get a lock.
const lockPause = 2 * time.Millisecond

// errSharing is the error of Windows for opening a file that another process is removing.
const errSharing = syscall.Errno(32)

// withLock calls a function while no other process does so for the same session file.
func withLock(ctx context.Context, state string, run func() error) error {
	if err := os.MkdirAll(filepath.Dir(state), 0o700); err != nil {
		return err
	}
	for {
		lock := flock.New(lockFile(state), flock.SetPermissions(0o600), flock.SetFlag(os.O_CREATE|os.O_RDONLY|syscall.O_NONBLOCK)) // a pipe would block
		switch _, err := lock.TryLockContext(ctx, lockPause); {
		case runtime.GOOS == "windows" && errors.Is(err, errSharing): // it is being removed
			time.Sleep(lockPause)
			if ctx.Err() != nil {
				return err
			}
			continue
		case err != nil:
			return err
		}
		if isCurrent(lock) {
			return errors.Join(run(), lock.Close())
		}
		if err := errors.Join(lock.Close(), ctx.Err()); err != nil {
			return err
		}
	}
}

// isCurrent reports whether the locked file still has its name: removeOldSession removes locks.
func isCurrent(lock *flock.Flock) bool {
	locked, err := lock.Stat()
	if err != nil {
		return false
	}
	found, err := os.Stat(lock.Path())
	return err == nil && os.SameFile(locked, found)
}

// ReadSession returns a copy of the session; an empty one if nothing is recorded.
func (r *Request) ReadSession() Session {
	if r.Session == "" || r.Home == "" {
		return Session{}
	}
	return readSession(sessionFile(r.Home, r.Session))
}

// hasSessionFile reports whether anything was recorded of the session.
func (r *Request) hasSessionFile() bool {
	if r.Session == "" || r.Home == "" {
		return false
	}
	_, err := os.Stat(sessionFile(r.Home, r.Session))
	return err == nil
}

// updateSession reads, changes and writes the session under its lock. A file that cannot be read is
// replaced. Changes are written only if the claim is available. A session without an id is not
// recorded, since all of them would share it; nor is anything without a Home.
func (r *Request) updateSession(ctx context.Context, reply *claim, run func(*Session)) error {
	take := func() error {
		if !reply.take() {
			return errLate
		}
		return nil
	}
	if r.Session == "" || r.Homeless {
		run(&Session{})
		return take()
	}
	name := sessionFile(r.Home, r.Session)
	return withLock(ctx, name, func() error {
		s := readSession(name)
		before := s
		before.Shown = slices.Clone(s.Shown)
		run(&s)
		if reflect.DeepEqual(before, s) {
			return take()
		}
		s.Updated = r.Now
		s.Shown = s.Shown[max(0, len(s.Shown)-maxShownItems):]
		temp, err := writeBeside(name, s)
		if err != nil {
			return err
		}
		if err := take(); err != nil {
			return errors.Join(err, os.Remove(temp))
		}
		return os.Rename(temp, name)
	})
}

// readSession reads a session; an empty one if that fails.
func readSession(name string) (s Session) {
	if info, err := os.Stat(name); err != nil || !info.Mode().IsRegular() { // before opening: a pipe would block
		return s
	}
	file, err := os.Open(name)
	if err != nil {
		return s
	}
	defer file.Close()
	src, err := io.ReadAll(io.LimitReader(file, maxSessionBytes))
	if err != nil || json.Unmarshal(src, &s) != nil {
		return Session{}
	}
	return s
}

// writeBeside writes a session into a new file beside its own.
func writeBeside(name string, s Session) (temp string, err error) {
	src, err := json.Marshal(s)
	if err != nil {
		return "", err
	}
	temp = name + ".new"
	if err := removeIfExists(temp); err != nil {
		return "", err
	}
	file, err := os.OpenFile(temp, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600) // through no link
	if err != nil {
		return "", err
	}
	_, err = file.Write(src)
	return temp, errors.Join(err, file.Close())
}

func removeIfExists(name string) error {
	if err := os.Remove(name); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// maxSessionAge is how long a session file is kept.
const maxSessionAge = 14 * 24 * time.Hour

// removeOldSessions removes the files of old sessions, and no other files beside them.
func removeOldSessions(ctx context.Context, home string, now time.Time) (all error) {
	entries, err := os.ReadDir(sessionsDir(home))
	if err != nil {
		return nil
	}
	fresh := map[string]bool{}
	for _, e := range entries {
		name := sessionFileName().FindStringSubmatch(e.Name())
		if info, err := e.Info(); err == nil && name != nil {
			fresh[name[1]] = fresh[name[1]] || now.Sub(info.ModTime()) <= maxSessionAge
		}
	}
	for session, isFresh := range fresh {
		if !isFresh {
			all = errors.Join(all, removeOldSession(ctx, filepath.Join(sessionsDir(home), session+".json"), now))
		}
	}
	return all
}

// removeOldSession removes a session file and its lock, unless the session goes on. The lock goes
// last, while it is held: a process waiting for it finds that it is not current.
func removeOldSession(ctx context.Context, state string, now time.Time) error {
	fresh := false
	err := withLock(ctx, state, func() error {
		if info, err := os.Lstat(state); err == nil && now.Sub(info.ModTime()) <= maxSessionAge {
			fresh = true
			return nil
		}
		err := errors.Join(removeIfExists(state), removeIfExists(state+".new"))
		_ = os.Remove(lockFile(state)) // Windows removes no file that is open
		return err
	})
	if !fresh && runtime.GOOS == "windows" {
		_ = os.Remove(lockFile(state)) // nor one that another process holds
	}
	return err
}
