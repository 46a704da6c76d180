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
	"slices"
	"strings"
	"time"

	"whence/internal/agent"
	"whence/internal/lazyregexp"
	"whence/internal/worktree"
)

// Session is the state of an agent session, in a private file.
type Session struct {
	Agent    agent.Client      `json:"agent,omitempty"`
	Shown    []string          `json:"shown,omitempty"`    // marks of injected items, oldest first
	Given    []Given           `json:"given,omitempty"`    // what was injected when, oldest first
	ForgotAt time.Time         `json:"forgot,omitzero"`    // when the main agent last lost its context
	Files    map[string]string `json:"files,omitempty"`    // of the memory at the last event, as package validate compares them
	Findings map[string]bool   `json:"findings,omitempty"` // marks of its findings then; true: this session caused it
	Blocked  bool              `json:"blocked,omitempty"`  // a stop was blocked for findings
	Noticed  bool              `json:"noticed,omitempty"`  // the person was shown that something was injected
	Updated  time.Time         `json:"updated"`

	giving [Learning + 1]int // the number of items of each kind in this reply
	after  []func(context.Context) error
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

// sessionFile returns the file of a session. Its name is a hash, because an id may contain anything.
func sessionFile(home, session string) string {
	return filepath.Join(sessionsDir(home), shortHash(session, 12)+".json")
}

// RecordsSession reports whether the session is recorded. Sessions without an id are not, because they would share one
// file; nor is any session without a Home.
func (r *Request) RecordsSession() bool { return r.Session != "" && r.Home != "" }

// ReadSession returns a copy of the session; an empty one if nothing is recorded.
func (r *Request) ReadSession() Session {
	if !r.RecordsSession() {
		return Session{}
	}
	return readSession(sessionFile(r.Home, r.Session))
}

// updateSession reads, changes and writes the session, while no other process writes one. A file that
// cannot be read is replaced. Nothing is written after the deadline has taken the claim.
func (r *Request) updateSession(reply *claim, run func(*Session)) error {
	if !r.RecordsSession() {
		run(&Session{})
		return reply.take()
	}
	name := sessionFile(r.Home, r.Session)
	return worktree.UpdatePrivate(name, func() ([]byte, error) {
		s := readSession(name)
		before := len(s.Given)
		run(&s)
		s.Agent, s.Updated = r.Agent, r.Now
		r.complete(s.Given[before:])
		s.Shown = s.Shown[max(0, len(s.Shown)-maxShownItems):]
		s.Given = s.Given[max(0, len(s.Given)-maxGiven):]
		src, err := json.Marshal(s)
		return src, errors.Join(err, reply.take())
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

// maxSessionAge is how long a session file is kept.
const maxSessionAge = 14 * 24 * time.Hour

// sessionFileName matches the files of sessions, and unfinished ones that a killed process has left.
var sessionFileName = lazyregexp.New(`^([0-9a-f]{24}\.json|\.[0-9a-f]{24}\.json\.whence-new)$`)

// removeOldSessions removes the files of old sessions, and no other files beside them.
func removeOldSessions(home string, now time.Time) (all error) {
	entries, err := os.ReadDir(sessionsDir(home))
	if err != nil {
		return nil
	}
	for _, e := range entries {
		info, err := e.Info()
		if err != nil || !sessionFileName().MatchString(e.Name()) || now.Sub(info.ModTime()) <= maxSessionAge {
			continue
		}
		if err := os.Remove(filepath.Join(sessionsDir(home), e.Name())); !errors.Is(err, fs.ErrNotExist) {
			all = errors.Join(all, err)
		}
	}
	return all
}
