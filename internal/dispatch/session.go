package dispatch

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"whence/internal/text"
	"whence/internal/worktree"
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

// forget removes the marks of an agent, which has lost its context.
func (s *Session) forget(subagent string, now time.Time) {
	if subagent == "" {
		s.ForgotAt = now
	}
	s.Shown = slices.DeleteFunc(s.Shown, func(shown string) bool { return strings.HasPrefix(shown, agentMark(subagent)) })
}

// WasShown reports whether an item was shown to an agent of the session; "" is the main agent.
func (s *Session) WasShown(subagent, key string) bool {
	return slices.Contains(s.Shown, mark(subagent, key))
}

// After registers work that is done only if the reply is given: when the session is saved, before the reply
// is written. The agent waits for it, but not longer than [Deadline].
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

// withLock calls a function while no other process does so for the same session file. There are 256 locks,
// which are never removed: a session hardly ever waits for another one.
func withLock(ctx context.Context, state string, run func() error) error {
	if err := os.MkdirAll(filepath.Dir(state), 0o700); err != nil {
		return err
	}
	name := filepath.Join(filepath.Dir(state), filepath.Base(state)[:2]+".lock")
	unlock, err := worktree.Lock(ctx, name)
	if err != nil {
		return err
	}
	return errors.Join(run(), unlock())
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
	if r.Session == "" || r.Home == "" {
		run(&Session{})
		return take()
	}
	name := sessionFile(r.Home, r.Session)
	return withLock(ctx, name, func() error {
		s := readSession(name)
		before, err := json.Marshal(s)
		if err != nil {
			return err
		}
		run(&s)
		if after, err := json.Marshal(s); err != nil || bytes.Equal(before, after) {
			return errors.Join(err, take())
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

// sessionFileName matches the files of sessions, and unfinished ones that a killed process has left.
var sessionFileName = text.Lazy(`^[0-9a-f]{24}\.json(\.new)?$`)

// removeOldSessions removes the files of old sessions, and no other files beside them.
func removeOldSessions(home string, now time.Time) (all error) {
	entries, err := os.ReadDir(sessionsDir(home))
	if err != nil {
		return nil
	}
	for _, e := range entries {
		info, err := e.Info()
		if err == nil && sessionFileName().MatchString(e.Name()) && now.Sub(info.ModTime()) > maxSessionAge {
			all = errors.Join(all, removeIfExists(filepath.Join(sessionsDir(home), e.Name())))
		}
	}
	return all
}
