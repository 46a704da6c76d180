package notes

import (
	"bytes"
	"encoding/json"
	"slices"
	"time"

	"whence/internal/words"
)

// Bounds of session.json. The least recently active session is dropped first.
const (
	maxSessions = 20
	maxIDBytes  = 64
)

// book is the content of session.json. Other top-level fields, from an earlier tool, are kept.
type book struct {
	ToolCalls int                 `json:"toolCallCount"`       // of all sessions, ever
	Sessions  []session           `json:"sessions"`            // the most recently active one last
	Manifests map[string]manifest `json:"manifests,omitempty"` // by path; nil: not looked for yet

	rest map[string]json.RawMessage
}

// session is the state of an agent session, or of a subagent in it.
type session struct {
	ID         string    `json:"sessionId"`
	Started    time.Time `json:"startTime"`
	LastActive time.Time `json:"lastActive"`
	ToolCalls  int       `json:"toolCallCount"`
	SinceShown int       `json:"callsSinceRefresh,omitempty"` // calls since the notes were injected
	Read       *int64    `json:"transcriptRead,omitempty"`    // offset in the transcript up to which calls were counted; nil: none were
	HasTask    bool      `json:"hasTask,omitempty"`           // the first task was noted
	Failed     []failed  `json:"failed,omitempty"`            // commands that have not passed since, the newest last
}

// maxBookBytes is far above the size of any session.json that this package writes.
const maxBookBytes = 1 << 20

// readBook reads session.json. If the file is damaged, readBook renames it and returns an empty book. After an error
// the book must not be written.
func (f *folder) readBook() (*book, error) {
	src, err := f.read(sessionFile, maxBookBytes)
	b := &book{}
	info, missing := f.notes.Lstat(sessionFile)
	isLong := missing == nil && info.Size() > maxBookBytes
	if err != nil || len(bytes.TrimSpace(src)) == 0 && !isLong {
		return b, err
	}
	if isLong || json.Unmarshal(src, &b.rest) != nil || json.Unmarshal(src, b) != nil {
		return &book{}, f.notes.Rename(sessionFile, sessionFile+".bad")
	}
	return b, nil
}

// writeBook writes session.json. It does not sync the file, since a power failure only costs counts.
func (f *folder) writeBook(b *book) error {
	b.Sessions = b.Sessions[max(0, len(b.Sessions)-maxSessions):]
	all := map[string]any{}
	for key, value := range b.rest {
		all[key] = value
	}
	all["toolCallCount"], all["sessions"], all["manifests"] = b.ToolCalls, b.Sessions, b.Manifests
	data, err := json.MarshalIndent(all, "", "  ")
	if err != nil {
		return err
	}
	return f.notes.Write(sessionFile, append(data, '\n'))
}

// session returns the session or subagent with an id, and makes it the most recently active one. A session without an
// id is not stored, since several would share it.
func (b *book) session(id, subagent string, now time.Time) *session {
	if id == "" {
		return &session{}
	}
	id = words.Beginning(id, maxIDBytes)
	if subagent != "" {
		id += "/" + words.Beginning(subagent, maxIDBytes)
	}
	s := session{ID: id, Started: now}
	if at := slices.IndexFunc(b.Sessions, func(s session) bool { return s.ID == id }); at >= 0 {
		s = b.Sessions[at]
		b.Sessions = slices.Delete(b.Sessions, at, at+1)
	}
	s.LastActive = now
	b.Sessions = append(b.Sessions, s)
	return &b.Sessions[len(b.Sessions)-1]
}

// count adds tool calls, and reports whether the notes must be injected again: after refresh calls.
func (b *book) count(s *session, calls, refresh int) bool {
	b.ToolCalls += calls
	s.ToolCalls += calls
	s.SinceShown += calls
	if s.ID == "" || refresh <= 0 || s.SinceShown < refresh {
		return false
	}
	s.SinceShown = 0
	return true
}
