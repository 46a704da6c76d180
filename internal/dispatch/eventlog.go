package dispatch

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"path/filepath"
	"time"

	"whence/internal/files"
)

// EventLogName is the log of answered events, in the folder of package home. Older events are in a
// second file, with .1 appended. The log does not hold what was said unless the settings ask for it
// (memory_event_log: prompts).
const EventLogName = "events.log"

// MaxEventLogBytes is the size at which a file becomes the older one.
const MaxEventLogBytes = 2 << 20

// EventRecord is one answered event.
type EventRecord struct {
	At      time.Time `json:"at"`
	Agent   string    `json:"agent"`
	Event   string    `json:"event"`
	Session string    `json:"session,omitempty"`  // see SessionLabel
	Sub     bool      `json:"subagent,omitempty"` // the event is from a subagent
	Project string    `json:"project,omitempty"`  // the label of its folder
	Micros  int64     `json:"us"`                 // time to answer
	Items   []string  `json:"items,omitempty"`    // injected: "decision FILE TITLE", "learning ID" …
	Chars   int       `json:"chars,omitempty"`    // of the reply
	Blocked bool      `json:"blocked,omitempty"`  // the stop was blocked
	Fault   bool      `json:"fault,omitempty"`    // see the log of faults
	Query   string    `json:"query,omitempty"`    // if the settings ask for it
}

// SessionLabel returns the hash by which the log names a session or a folder.
func SessionLabel(id string) string {
	if id == "" {
		return ""
	}
	sum := sha256.Sum256([]byte(id))
	return hex.EncodeToString(sum[:12])
}

// AppendEvent appends a record in one write, so that records of several processes do not mix.
func AppendEvent(dir string, r EventRecord) error {
	line, err := json.Marshal(r)
	if err != nil {
		return err
	}
	return files.AppendLog(filepath.Join(dir, EventLogName), append(line, '\n'), MaxEventLogBytes)
}

// ReadEvents calls take for each record since a time, oldest first, and returns the number of lines
// that are not records. A missing log is empty.
func ReadEvents(dir string, since time.Time, take func(EventRecord)) (odd int, err error) {
	for _, name := range []string{EventLogName + ".1", EventLogName} {
		src, err := files.ReadLog(filepath.Join(dir, name))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return odd, err
		}
		lines := bufio.NewScanner(bytes.NewReader(src))
		lines.Buffer(nil, len(src)+1)
		for lines.Scan() {
			var r EventRecord
			if json.Unmarshal(lines.Bytes(), &r) != nil || r.At.IsZero() {
				odd++
				continue
			}
			if !r.At.Before(since) {
				take(r)
			}
		}
	}
	return odd, nil
}
