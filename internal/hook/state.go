package hook

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
	"slices"
	"sync"
	"time"

	"github.com/gofrs/flock"
)

// State is what one agent session has seen so far. A file a session, private, locked
// while it changes.
type State struct {
	Shown   []string  `json:"shown,omitempty"`   // what was put before the agent, oldest first; see mark
	Memory  string    `json:"memory,omitempty"`  // how the files of the memory were when they had no findings
	Broken  bool      `json:"broken,omitempty"`  // a file of the memory was left with findings
	Blocked bool      `json:"blocked,omitempty"` // and the agent was told when it stopped
	Updated time.Time `json:"updated"`

	spoken
}

// spoken is what the reply holds that is being worked out.
type spoken struct {
	items []string
	chars int
	after []func(context.Context) error
}

// mostShown is how many items a session remembers to have shown, and longestState how many
// bytes of its file are read: a few times what that takes.
const (
	mostShown    = 1000
	longestState = 256 << 10
)

// mark is what is remembered of an item that was shown to an agent of a session: short,
// and it tells nobody what it was.
func mark(subagent, key string) string { return short(subagent+"\x00"+key, 8) }

// Has tells whether an item was shown to an agent of the session; "" is the main agent.
func (s *State) Has(subagent, key string) bool {
	return slices.Contains(s.Shown, mark(subagent, key))
}

// Tell notes for the log of events that an item is in the reply.
func (s *State) Tell(key string) { s.items = append(s.items, key) }

// After has something done once the reply is given, and never if it is not: the agent
// waits for it, within the deadline of the event.
func (s *State) After(run func(context.Context) error) { s.after = append(s.after, run) }

// Add notes that an item is in the reply, and so was shown to an agent of the session.
func (s *State) Add(subagent, key string) {
	s.Tell(key)
	if !s.Has(subagent, key) {
		s.Shown = append(s.Shown, mark(subagent, key))
	}
}

// short is a hash of a text, in so many bytes.
func short(text string, bytes int) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:bytes])
}

// states is the folder of the states.
func states(home string) string { return filepath.Join(home, "sessions") }

// stateFile is the file of a session in the folder of package home: its id is whatever the
// agent says, so it is no name.
func stateFile(home, session string) string {
	return filepath.Join(states(home), short(session, 12)+".json")
}

// isState matches the names of state files, and of those that a killed process has left.
var isState = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[0-9a-f]{24}\.json(\.new)?$`) })

// lockPause is how long a process waits before it tries again to have the lock.
const lockPause = 2 * time.Millisecond

// alone calls a function while no other process that does so is at work.
func alone(ctx context.Context, home string, run func() error) error {
	if err := os.MkdirAll(states(home), 0o700); err != nil {
		return err
	}
	lock := flock.New(filepath.Join(states(home), ".lock"), flock.SetPermissions(0o600))
	if _, err := lock.TryLockContext(ctx, lockPause); err != nil {
		return err
	}
	defer lock.Close()
	return run()
}

// State is that of the session, for looking at; an empty one before anything happened.
func (m *Moment) State() State {
	if m.Session == "" {
		return State{}
	}
	return readState(stateFile(m.Home, m.Session))
}

// hasState tells whether anything was written down of the session.
func (m *Moment) hasState() bool {
	_, err := os.Stat(stateFile(m.Home, m.Session))
	return m.Session != "" && err == nil
}

// change reads the state of the session, has it changed and writes it, while no other
// process does. A file that cannot be read begins anew. What has changed is written if the
// claim can be had: else nothing is. A session without an id has no state: it would be
// that of all of them. A trial has none either.
func (m *Moment) change(ctx context.Context, reply *claim, run func(*State)) error {
	take := func() error {
		if !reply.take() {
			return errLate
		}
		return nil
	}
	if m.Session == "" || m.Trial {
		run(&State{})
		return take()
	}
	return alone(ctx, m.Home, func() error {
		name := stateFile(m.Home, m.Session)
		s := readState(name)
		before := s
		before.Shown = slices.Clone(s.Shown)
		run(&s)
		if reflect.DeepEqual(before, s) {
			return take()
		}
		s.Updated = m.Now
		s.Shown = s.Shown[max(0, len(s.Shown)-mostShown):]
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

// readState reads a state; an empty one if it cannot be read.
func readState(name string) (s State) {
	file, err := os.Open(name)
	if err != nil {
		return s
	}
	defer file.Close()
	src, err := io.ReadAll(io.LimitReader(file, longestState))
	if err != nil || json.Unmarshal(src, &s) != nil {
		return State{}
	}
	return s
}

// writeBeside writes a state into a new file beside its own.
func writeBeside(name string, s State) (temp string, err error) {
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

// oldest is how long the state of a session is kept.
const oldest = 14 * 24 * time.Hour

// clean removes the states of sessions that ended long ago, and nothing else that may lie
// beside them.
func clean(ctx context.Context, home string, now time.Time) error {
	entries, err := os.ReadDir(states(home))
	if err != nil {
		return nil // there is none
	}
	var old []string
	for _, e := range entries {
		if info, err := e.Info(); err == nil && isState().MatchString(e.Name()) && now.Sub(info.ModTime()) > oldest {
			old = append(old, filepath.Join(states(home), e.Name()))
		}
	}
	if len(old) == 0 {
		return nil
	}
	return alone(ctx, home, func() (all error) {
		for _, name := range old {
			if info, err := os.Lstat(name); err == nil && now.Sub(info.ModTime()) > oldest { // else it has gone on
				all = errors.Join(all, os.Remove(name))
			}
		}
		return all
	})
}
