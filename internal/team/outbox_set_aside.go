package team

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"whence/internal/spool"
	"whence/internal/store"
)

// SetAside is an outbox that was set aside: its operations were made for a team that the login is no
// longer in.
type SetAside struct {
	Team  string    `json:"team"`            // for which they were made
	Store string    `json:"store,omitempty"` // the id of the store of that team
	Now   string    `json:"now"`             // the team in which the login was found instead
	At    time.Time `json:"at"`
	Count int       `json:"-"` // operations
	dir   string
}

// Reason returns why the operations are not sent.
func (a SetAside) Reason() string {
	if a.Now == "" {
		return fmt.Sprintf("made for the team %s, which this login is no longer in", a.Team)
	}
	return fmt.Sprintf("made for the team %s; this login is in the team %s now", a.Team, a.Now)
}

const (
	setAsidePrefix = "outbox-of-" // before team and time, in the name of a folder of the replica
	setAsideTime   = "20060102T150405.000000000"
	setAsideFile   = "aside.json" // a SetAside, in that folder
)

// maxSetAsideBytes bounds the size of a setAsideFile.
const maxSetAsideBytes = 8 << 10

// setAside sets the whole outbox aside. The error, which is never nil, says so.
func setAside(p *Replica, st SyncState, is store.Identity) error {
	a := SetAside{Team: st.Team, Store: st.Store, Now: is.Team, At: time.Now().UTC()}
	text, err := json.Marshal(a)
	if err == nil {
		err = os.WriteFile(filepath.Join(p.Outbox(), setAsideFile), text, 0o600)
	}
	if err == nil {
		err = os.Rename(p.Outbox(), filepath.Join(p.Dir(), setAsidePrefix+url.PathEscape(a.Team)+"-"+a.At.Format(setAsideTime)))
	}
	if err != nil {
		return fmt.Errorf("%w: put aside what was %s: %w", spool.ErrNotNow, a.Reason(), err)
	}
	return fmt.Errorf("what still had to be sent is put aside: %s (memory-remember store outbox)", a.Reason())
}

// setAsideOutboxes returns the outboxes that were set aside, oldest first within a team.
func setAsideOutboxes(p *Replica) (all []SetAside, err error) {
	entries, err := os.ReadDir(p.Dir())
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	for _, entry := range entries {
		rest, is := strings.CutPrefix(entry.Name(), setAsidePrefix)
		if !is || !entry.IsDir() {
			continue
		}
		a, fault := readSetAside(filepath.Join(p.Dir(), entry.Name()), rest)
		if err = errors.Join(err, fault); fault == nil && a.Count > 0 {
			all = append(all, a)
		}
	}
	return all, err
}

// readSetAside reads an outbox that was set aside; rest is the name of its folder without the prefix.
func readSetAside(dir, rest string) (a SetAside, err error) {
	file := filepath.Join(dir, setAsideFile)
	if info, err := os.Lstat(file); err == nil && info.Mode().IsRegular() && info.Size() <= maxSetAsideBytes {
		if text, err := os.ReadFile(file); err != nil || json.Unmarshal(text, &a) != nil {
			a = SetAside{}
		}
	}
	if cut := len(rest) - len(setAsideTime) - 1; a.Team == "" && cut > 0 { // put aside without this file
		a.Team = rest[:cut]
		a.At, _ = time.Parse(setAsideTime, rest[cut+1:])
	}
	a.dir = dir
	for _, part := range outboxesIn(dir) {
		status, err := spool.StatusOf(part)
		if err != nil {
			return a, err
		}
		a.Count += status.Waiting + status.Failed
	}
	return a, nil
}

// SetAsideText returns a line that says which operations were set aside and which command shows them; "" if
// none were. A nil replica has none.
func (p *Replica) SetAsideText() string {
	if p == nil {
		return ""
	}
	all, err := setAsideOutboxes(p)
	if err != nil {
		return fmt.Sprintf("what was put aside for another team cannot be read: %v", err)
	}
	var parts []string
	for _, a := range all {
		parts = append(parts, fmt.Sprintf("%d not sent, %s", a.Count, a.Reason()))
	}
	if parts == nil {
		return ""
	}
	return fmt.Sprintf("put aside on this machine: %s. To send, take over or discard it: memory-remember store outbox", strings.Join(parts, "; "))
}
