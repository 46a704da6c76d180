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

// Aside is an outbox that was put aside: its operations were made for a team that the login is
// no longer in.
type Aside struct {
	Team  string    `json:"team"`            // for which they were made
	Store string    `json:"store,omitempty"` // the id of the store of that team
	Now   string    `json:"now"`             // the team in which the login was found instead
	At    time.Time `json:"at"`
	Count int       `json:"-"` // operations
	dir   string
}

// Reason says why the operations are not sent.
func (a Aside) Reason() string {
	if a.Now == "" {
		return fmt.Sprintf("made for the team %s, which this login is no longer in", a.Team)
	}
	return fmt.Sprintf("made for the team %s; this login is in the team %s now", a.Team, a.Now)
}

const (
	asidePrefix = "outbox-of-" // in front of team and time, in the folder of the copy
	asideTime   = "20060102T150405.000000000"
	asideFile   = "aside.json" // in such an outbox: an [Aside]
)

// maxAsideBytes is the size of an asideFile.
const maxAsideBytes = 8 << 10

// putAside puts a whole outbox aside, and returns an error that says so.
func putAside(p *Replica, st State, is store.Identity) error {
	a := Aside{Team: st.Team, Store: st.Store, Now: is.Team, At: time.Now().UTC()}
	text, err := json.Marshal(a)
	if err == nil {
		err = os.WriteFile(filepath.Join(p.Outbox(), asideFile), text, 0o600)
	}
	if err == nil {
		err = os.Rename(p.Outbox(), filepath.Join(p.Dir(), asidePrefix+url.PathEscape(a.Team)+"-"+a.At.Format(asideTime)))
	}
	if err != nil {
		return fmt.Errorf("%w: put aside what was %s: %w", spool.ErrNotNow, a.Reason(), err)
	}
	return fmt.Errorf("what still had to be sent is put aside: %s (memory-remember store outbox)", a.Reason())
}

// asides returns the outboxes of a place that were put aside, oldest first within a team.
func asides(p *Replica) (all []Aside, err error) {
	entries, err := os.ReadDir(p.Dir())
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	for _, entry := range entries {
		rest, is := strings.CutPrefix(entry.Name(), asidePrefix)
		if !is || !entry.IsDir() {
			continue
		}
		a, fault := readAside(filepath.Join(p.Dir(), entry.Name()), rest)
		if err = errors.Join(err, fault); fault == nil && a.Count > 0 {
			all = append(all, a)
		}
	}
	return all, err
}

// readAside reads one of which the rest of the folder's name is known.
func readAside(dir, rest string) (a Aside, err error) {
	file := filepath.Join(dir, asideFile)
	if info, err := os.Lstat(file); err == nil && info.Mode().IsRegular() && info.Size() <= maxAsideBytes {
		if text, err := os.ReadFile(file); err != nil || json.Unmarshal(text, &a) != nil {
			a = Aside{}
		}
	}
	if cut := len(rest) - len(asideTime) - 1; a.Team == "" && cut > 0 { // put aside without this file
		a.Team = rest[:cut]
		a.At, _ = time.Parse(asideTime, rest[cut+1:])
	}
	a.dir = dir
	for _, part := range asideOutboxes(dir) {
		status, err := spool.Waiting(part)
		if err != nil {
			return a, err
		}
		a.Count += status.Waiting + status.Failed
	}
	return a, nil
}

// AsideText says in a line, with what to type, that operations of a place were put aside; empty
// if none were.
func AsideText(p *Replica) string {
	all, err := asides(p)
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
	return fmt.Sprintf("put aside, of what was done here: %s. To send, take over or discard it: memory-remember store outbox", strings.Join(parts, "; "))
}

// asideOutboxes are the folders of operations of an outbox that was put aside, as outboxes.
func asideOutboxes(dir string) []string { return []string{dir, filepath.Join(dir, unorderedFolder)} }
