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
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/gofrs/flock"
)

// Session is what one agent session has seen so far. Each session has a private file of its
// own, and a lock beside it that is held while the file changes.
type Session struct {
	Shown            []string  `json:"shown,omitempty"`   // what was put before the agent, oldest first; see mark
	ForgotAt         time.Time `json:"forgot,omitzero"`   // when the main agent last lost what it had been shown or had said
	CleanFingerprint string    `json:"memory,omitempty"`  // how the files of the memory were when they had no findings
	Broken           bool      `json:"broken,omitempty"`  // a file of the memory was left with findings
	Blocked          bool      `json:"blocked,omitempty"` // and the agent was told when it stopped
	Updated          time.Time `json:"updated"`

	pendingReply
}

// pendingReply is what the reply holds that is being worked out.
type pendingReply struct {
	items []string
	chars int
	after []func(context.Context) error
}

// maxShownItems is how many items a session remembers to have shown, and longestState how many
// bytes of its file are read: a few times what that takes.
const (
	maxShownItems   = 1000
	maxSessionBytes = 256 << 10
)

// mark returns what is remembered of an item that was shown to an agent of a session: it
// begins with the agent's mark, and says of neither what it was.
func mark(subagent, key string) string { return agentMark(subagent) + shortHash(key, 8) }

// mark010 is the mark of version 0.1.0. It does not show to which agent it belongs.
func mark010(subagent, key string) string { return shortHash(subagent+"\x00"+key, 8) }

// agentMark is the beginning of the marks of all that was shown to an agent of a session.
func agentMark(subagent string) string { return shortHash(subagent, 4) + " " }

// forget has an agent of the session count as one that was shown nothing.
func (s *Session) forget(subagent string) {
	s.Shown = slices.DeleteFunc(s.Shown, func(shown string) bool {
		return strings.HasPrefix(shown, agentMark(subagent)) || !strings.Contains(shown, " ") // of mark010
	})
}

// WasShown tells whether an item was shown to an agent of the session; "" is the main agent.
func (s *Session) WasShown(subagent, key string) bool {
	return slices.Contains(s.Shown, mark(subagent, key)) || slices.Contains(s.Shown, mark010(subagent, key))
}

// LogItem notes for the log of events that an item is in the reply.
func (s *Session) LogItem(key string) { s.items = append(s.items, key) }

// After has something done once the reply is given, and never if it is not: the agent
// waits for it, within the deadline of the event.
func (s *Session) After(run func(context.Context) error) { s.after = append(s.after, run) }

// MarkShown notes that an item is in the reply, and so was shown to an agent of the session.
func (s *Session) MarkShown(subagent, key string) {
	s.LogItem(key)
	if !s.WasShown(subagent, key) {
		s.Shown = append(s.Shown, mark(subagent, key))
	}
}

// shortHash is a hash of a text, in so many bytes.
func shortHash(text string, bytes int) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:bytes])
}

// sessionsDir is the folder of the states.
func sessionsDir(home string) string { return filepath.Join(home, "sessions") }

// sessionFile is the file of a session in the folder of package home: its id is whatever the
// agent says, so it is no name.
func sessionFile(home, session string) string {
	return filepath.Join(sessionsDir(home), shortHash(session, 12)+".json")
}

// sessionFileName matches the names of the files of a session: its state, one that a killed process
// has left half written, and its lock. The session is the submatch.
var sessionFileName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^([0-9a-f]{24})\.(?:json|json\.new|lock)$`) })

// lockFile returns the lock of a state file. Sessions do not wait for each other.
func lockFile(state string) string { return strings.TrimSuffix(state, ".json") + ".lock" }

// lockPause is how long a process waits before it tries again to have the lock.
const lockPause = 2 * time.Millisecond

// withLock calls a function while no other process does so for the same state file.
func withLock(ctx context.Context, state string, run func() error) error {
	if err := os.MkdirAll(filepath.Dir(state), 0o700); err != nil {
		return err
	}
	for {
		lock := flock.New(lockFile(state), flock.SetPermissions(0o600), flock.SetFlag(os.O_CREATE|os.O_RDONLY|syscall.O_NONBLOCK)) // a pipe would block
		if _, err := lock.TryLockContext(ctx, lockPause); err != nil {
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

// isCurrent reports whether the file that is locked is still the one that others find under
// its name: clean removes locks.
func isCurrent(lock *flock.Flock) bool {
	locked, err := lock.Stat()
	if err != nil {
		return false
	}
	found, err := os.Stat(lock.Path())
	return err == nil && os.SameFile(locked, found)
}

// ReadSession is that of the session, for looking at; an empty one before anything happened.
func (r *Request) ReadSession() Session {
	if r.Session == "" {
		return Session{}
	}
	return readSession(sessionFile(r.Home, r.Session))
}

// hasSessionFile tells whether anything was written down of the session.
func (r *Request) hasSessionFile() bool {
	_, err := os.Stat(sessionFile(r.Home, r.Session))
	return r.Session != "" && err == nil
}

// updateSession reads the state of the session, has it changed and writes it, while no other
// process does. A file that cannot be read begins anew. What has changed is written if the
// claim can be had: else nothing is. A session without an id has no state: it would be
// that of all of them. A trial has none either.
func (r *Request) updateSession(ctx context.Context, reply *claim, run func(*Session)) error {
	take := func() error {
		if !reply.take() {
			return errLate
		}
		return nil
	}
	if r.Session == "" || r.Trial {
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

// readSession reads a state; an empty one if it cannot be read.
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

// writeBeside writes a state into a new file beside its own.
func writeBeside(name string, s Session) (temp string, err error) {
	src, err := json.Marshal(s)
	if err != nil {
		return "", err
	}
	temp = name + ".new"
	if err := os.Remove(temp); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	file, err := os.OpenFile(temp, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600) // through no link
	if err != nil {
		return "", err
	}
	_, err = file.Write(src)
	return temp, errors.Join(err, file.Close())
}

// maxSessionAge is how long the state of a session is kept.
const maxSessionAge = 14 * 24 * time.Hour

// removeOldSessions removes the files of sessions that ended long ago, and nothing else that may lie
// beside them.
func removeOldSessions(ctx context.Context, home string, now time.Time) (all error) {
	entries, err := os.ReadDir(sessionsDir(home))
	if err != nil {
		return nil // there is none
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

// removeOldSession removes a state that is old, with its lock, unless its session goes on. The lock
// goes last, while it is held: a process that waits for it finds that it is not current.
func removeOldSession(ctx context.Context, state string, now time.Time) error {
	goesOn := false
	err := withLock(ctx, state, func() (all error) {
		if info, err := os.Lstat(state); err == nil && now.Sub(info.ModTime()) <= maxSessionAge {
			goesOn = true
			return nil
		}
		for _, name := range []string{state, state + ".new"} {
			if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
				all = errors.Join(all, err)
			}
		}
		_ = os.Remove(lockFile(state)) // Windows removes no file that is open
		return all
	})
	if !goesOn && runtime.GOOS == "windows" {
		_ = os.Remove(lockFile(state)) // and so none that another process holds
	}
	return err
}
