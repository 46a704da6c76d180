package hooks

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/gofrs/flock"
)

// state is what one agent session has seen so far. A file a session, private, locked
// while it changes.
type state struct {
	Shown   []string  `json:"shown,omitempty"`   // keys of items that were put before the agent, oldest first
	Broken  bool      `json:"broken,omitempty"`  // a file of the memory was left with findings
	Blocked bool      `json:"blocked,omitempty"` // and the agent was told when it stopped
	Updated time.Time `json:"updated"`
}

// mostShown is how many items a session remembers to have shown.
const mostShown = 1000

// states is the folder of the states.
func states(store string) string { return filepath.Join(store, "sessions") }

// stateFile is the file of a session: its id is whatever the agent says, so it is no
// name.
func stateFile(store, session string) string {
	sum := sha256.Sum256([]byte(session))
	return filepath.Join(states(store), hex.EncodeToString(sum[:12])+".json")
}

// change reads the state of a session, has it changed and writes it, while no other
// process does. A file that cannot be read begins anew.
func change(store, session string, now time.Time, run func(*state) (changed bool)) error {
	name := stateFile(store, session)
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		return err
	}
	lock := flock.New(filepath.Join(states(store), ".lock"), flock.SetPermissions(0o600))
	if err := lock.Lock(); err != nil {
		return err
	}
	defer lock.Close()
	var s state
	src, err := os.ReadFile(name)
	if err == nil {
		err = json.Unmarshal(src, &s)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		s = state{}
	}
	if !run(&s) {
		return nil
	}
	s.Updated = now
	s.Shown = s.Shown[max(0, len(s.Shown)-mostShown):]
	if src, err = json.Marshal(s); err != nil {
		return err
	}
	temp := name + ".new"
	if err := os.WriteFile(temp, src, 0o600); err != nil {
		return err
	}
	return os.Rename(temp, name)
}

// unseen are those of some items that a session, and the agent in it, has not been shown
// yet; they count as shown from now on.
func unseen(store, session, subagent string, now time.Time, keys []string) (fresh []string, err error) {
	if len(keys) == 0 {
		return nil, nil
	}
	err = change(store, session, now, func(s *state) bool {
		for _, key := range keys {
			if marked := subagent + " " + key; !slices.Contains(s.Shown, marked) {
				s.Shown = append(s.Shown, marked)
				fresh = append(fresh, key)
			}
		}
		return len(fresh) > 0
	})
	return fresh, err
}

// oldest is how long the state of a session is kept.
const oldest = 14 * 24 * time.Hour

// clean removes the states of sessions that ended long ago.
func clean(store string, now time.Time) error {
	entries, err := os.ReadDir(states(store))
	if err != nil {
		return nil // there is none
	}
	var all error
	for _, e := range entries {
		if info, err := e.Info(); err == nil && e.Name() != ".lock" && now.Sub(info.ModTime()) > oldest {
			all = errors.Join(all, os.Remove(filepath.Join(states(store), e.Name())))
		}
	}
	return all
}
