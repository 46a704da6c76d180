package notes

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"time"
	"unicode"
)

// book is the content of session.json. Other fields at its top level, of an earlier tool, are
// kept.
type book struct {
	ToolCalls int                `json:"toolCallCount"` // of all sessions, ever
	Sessions  []session          `json:"sessions"`      // the last one was active last
	Failing   []failingOperation `json:"failing"`       // not working yet

	rest map[string]json.RawMessage
	src  []byte // the file as it was read
}

// session is the state of an agent session.
type session struct {
	ID         string      `json:"sessionId"`
	Started    time.Time   `json:"startTime"`
	LastActive time.Time   `json:"lastActive"`
	ToolCalls  int         `json:"toolCallCount"`
	HasTask    bool        `json:"hasTask,omitempty"`
	Agents     []counter   `json:"agents,omitempty"` // the last one was counted last
	Noted      []notedFile `json:"noted,omitempty"`  // oldest first
}

// counter counts for the main agent of a session, or for a subagent.
type counter struct {
	ID    string `json:"agentId,omitempty"` // "" is the main agent
	Calls int    `json:"callsSinceRefresh"`
	Shown string `json:"shown,omitempty"` // hash of the notes it last got
}

// notedFile is the line that a session has written about a file.
type notedFile struct {
	Key     string   `json:"key"` // of rule and file
	Written bool     `json:"written"`
	Line    string   `json:"line,omitempty"`   // that details may be added to; "": the line of another session
	Listed  bool     `json:"listed,omitempty"` // the line has details
	Details []string `json:"details,omitempty"`
}

// failingOperation is an operation that has failed and not worked since.
type failingOperation struct {
	Operation string   `json:"operation"`
	Message   string   `json:"message"`
	Attempts  int      `json:"attempts"`
	Equal     int      `json:"equal"`           // attempts with this message
	Files     []string `json:"files,omitempty"` // that were changed meanwhile
}

// Bounds of the book.
const (
	maxSessions = 20
	maxAgents   = 16
	maxNoted    = 50
	maxFailing  = 20
	maxFiles    = 5
)

// readBook reads session.json. A damaged one is renamed, and a new one begun.
func (f *folder) readBook() (*book, error) {
	b, err := f.peek()
	if errors.Is(err, errDamaged) {
		return &book{}, f.notes.Rename(sessionFile, sessionFile+".bad")
	}
	return b, err
}

// errDamaged is returned if session.json cannot be parsed.
var errDamaged = errors.New("the file is damaged: the next event of an agent renames it and begins a new one")

// peek reads session.json without repairing it.
func (f *folder) peek() (*book, error) {
	src, err := f.read(sessionFile)
	if err != nil || len(bytes.TrimSpace(src)) == 0 {
		return &book{src: src}, err
	}
	return parseBook(src)
}

// parseBook parses session.json. It returns an empty book with an error.
func parseBook(src []byte) (*book, error) {
	b := &book{src: src}
	if json.Unmarshal(src, &b.rest) != nil || json.Unmarshal(src, b) != nil {
		return &book{}, fmt.Errorf("%s: %w", in(sessionFile), errDamaged)
	}
	return b, nil
}

// writeBook writes session.json if it has changed. It does not wait for the disk, as a power
// failure only costs counts.
func (f *folder) writeBook(b *book) error {
	b.Sessions = lastOf(b.Sessions, maxSessions)
	b.Failing = lastOf(b.Failing, maxFailing)
	data, err := b.text(b.rest)
	for i := 0; err == nil && len(data) > maxReadBytes && i < len(b.Sessions); i++ { // reading stops there
		b.Sessions[i].Noted = nil
		data, err = b.text(nil)
	}
	if err != nil || bytes.Equal(data, b.src) {
		return err
	}
	err = f.replace(sessionFile, b.src, data)
	if errors.Is(err, errMoved) {
		err = fmt.Errorf("%s: %w", in(sessionFile), err)
	}
	return err
}

// text returns the book with other fields, in a fixed order.
func (b *book) text(rest map[string]json.RawMessage) ([]byte, error) {
	all := map[string]any{}
	for key, value := range rest {
		all[key] = value
	}
	all["toolCallCount"], all["sessions"], all["failing"] = b.ToolCalls, b.Sessions, b.Failing
	data, err := json.MarshalIndent(all, "", "  ")
	return append(data, '\n'), err
}

// lastOf returns the last n elements of a list.
func lastOf[T any](list []T, n int) []T { return list[max(0, len(list)-n):] }

// moveToEnd moves the matching element of a list to its end, or appends a new one, and returns
// the list and a pointer to the element.
func moveToEnd[T any](list []T, matches func(T) bool, created T) ([]T, *T) {
	if at := slices.IndexFunc(list, matches); at >= 0 {
		created = list[at]
		list = slices.Delete(list, at, at+1)
	}
	list = append(list, created)
	return list, &list[len(list)-1]
}

// session returns the session with an id, which is active now. One without an id is not stored,
// as several would share it.
func (b *book) session(id string, now time.Time) *session {
	if id == "" {
		return &session{}
	}
	id = short(id)
	var s *session
	b.Sessions, s = moveToEnd(b.Sessions, func(s session) bool { return s.ID == id }, session{ID: id, Started: now})
	s.LastActive = now
	return s
}

// counter returns the counter of an agent of the session.
func (s *session) counter(id string) *counter {
	id = short(id)
	var c *counter
	s.Agents, c = moveToEnd(s.Agents, func(c counter) bool { return c.ID == id }, counter{ID: id})
	s.Agents = lastOf(s.Agents, maxAgents)
	return c
}

// short returns an id, or its hash if it is long or unprintable.
func short(id string) string {
	odd := func(r rune) bool { return r == unicode.ReplacementChar || !unicode.IsPrint(r) }
	if len(id) <= 64 && !slices.ContainsFunc([]rune(id), odd) {
		return id
	}
	return hash(id)
}

// hash returns a short hash of a text.
func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:8])
}

// exists reports whether a note exists.
func (f *folder) exists(name string) bool {
	_, err := f.notes.Lstat(name)
	return !errors.Is(err, fs.ErrNotExist)
}
