package hooks

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
	"regexp"
	"slices"
	"sync"
	"time"

	"github.com/gofrs/flock"
)

// state is what one agent session has seen so far. A file a session, private, locked
// while it changes.
type state struct {
	Shown   []string  `json:"shown,omitempty"`   // what was put before the agent, oldest first; see mark
	Broken  bool      `json:"broken,omitempty"`  // a file of the memory was left with findings
	Blocked bool      `json:"blocked,omitempty"` // and the agent was told when it stopped
	Updated time.Time `json:"updated"`
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

func (s *state) has(subagent, key string) bool { return slices.Contains(s.Shown, mark(subagent, key)) }

func (s *state) add(subagent, key string) {
	if !s.has(subagent, key) {
		s.Shown = append(s.Shown, mark(subagent, key))
	}
}

// short is a hash of a text, in so many bytes.
func short(text string, bytes int) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:bytes])
}

// states is the folder of the states.
func states(store string) string { return filepath.Join(store, "sessions") }

// stateFile is the file of a session: its id is whatever the agent says, so it is no
// name.
func stateFile(store, session string) string {
	return filepath.Join(states(store), short(session, 12)+".json")
}

// isState matches the names of state files, and of those that a killed process has left.
var isState = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[0-9a-f]{24}\.json(\.new)?$`) })

// lockPause is how long a process waits before it tries again to have the lock.
const lockPause = 2 * time.Millisecond

// alone calls a function while no other process that does so is at work.
func alone(ctx context.Context, store string, run func() error) error {
	if err := os.MkdirAll(states(store), 0o700); err != nil {
		return err
	}
	lock := flock.New(filepath.Join(states(store), ".lock"), flock.SetPermissions(0o600))
	if _, err := lock.TryLockContext(ctx, lockPause); err != nil {
		return err
	}
	defer lock.Close()
	return run()
}

// change reads the state of the session, has it changed and writes it, while no other
// process does. A file that cannot be read begins anew. If the reply depends on it, take
// tells whether it still can be given: else nothing is written. A session without an id
// has no state: it would be that of all of them.
func (m *moment) change(ctx context.Context, take func() bool, run func(*state) (changed bool)) error {
	if m.Session == "" {
		run(&state{})
		if take != nil && !take() {
			return errLate
		}
		return nil
	}
	return alone(ctx, m.store, func() error {
		name := stateFile(m.store, m.Session)
		s := readState(name)
		if !run(&s) {
			return nil
		}
		s.Updated = m.now
		s.Shown = s.Shown[max(0, len(s.Shown)-mostShown):]
		temp, err := writeBeside(name, s)
		if err != nil {
			return err
		}
		if take != nil && !take() {
			return errors.Join(errLate, os.Remove(temp))
		}
		return os.Rename(temp, name)
	})
}

// readState reads a state; an empty one if it cannot be read.
func readState(name string) (s state) {
	file, err := os.Open(name)
	if err != nil {
		return s
	}
	defer file.Close()
	src, err := io.ReadAll(io.LimitReader(file, longestState))
	if err != nil || json.Unmarshal(src, &s) != nil {
		return state{}
	}
	return s
}

// writeBeside writes a state into a new file beside its own.
func writeBeside(name string, s state) (temp string, err error) {
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
func clean(ctx context.Context, store string, now time.Time) error {
	entries, err := os.ReadDir(states(store))
	if err != nil {
		return nil // there is none
	}
	var old []string
	for _, e := range entries {
		if info, err := e.Info(); err == nil && isState().MatchString(e.Name()) && now.Sub(info.ModTime()) > oldest {
			old = append(old, filepath.Join(states(store), e.Name()))
		}
	}
	if len(old) == 0 {
		return nil
	}
	return alone(ctx, store, func() (all error) {
		for _, name := range old {
			if info, err := os.Lstat(name); err == nil && now.Sub(info.ModTime()) > oldest { // else it has gone on
				all = errors.Join(all, os.Remove(name))
			}
		}
		return all
	})
}
