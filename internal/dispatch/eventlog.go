// Package eventlog keeps a line for each event of an agent that was answered: which event,
// how long it took, what was put before the agent. It is what tells later whether memory
// reached an agent.
//
// The log is two files in the folder of package home, private, of [MaxEventLogBytes] bytes at most:
// events.log, and events.log.1 with what is older. Of what was said it holds nothing, unless
// the settings ask for it (memory_event_log: prompts); a session is a hash of its id.
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

// EventLogName is that of the newer file.
const EventLogName = "events.log"

// MaxEventLogBytes is how many bytes a file has before it becomes the older one.
const MaxEventLogBytes = 2 << 20

// EventRecord is one event that was answered.
type EventRecord struct {
	At      time.Time `json:"at"`
	Agent   string    `json:"agent"`
	Event   string    `json:"event"`
	Session string    `json:"session,omitempty"`  // see Session
	Sub     bool      `json:"subagent,omitempty"` // it is of a subagent
	Project string    `json:"project,omitempty"`  // a hash of its folder, as a session's
	Micros  int64     `json:"us"`                 // how long it took
	Items   []string  `json:"items,omitempty"`    // what was put before the agent: "decision FILE TITLE", "learning ID" …
	Chars   int       `json:"chars,omitempty"`    // of the reply
	Blocked bool      `json:"blocked,omitempty"`  // the agent was kept from stopping
	Fault   bool      `json:"fault,omitempty"`    // it went wrong; the log of faults tells how
	Query   string    `json:"query,omitempty"`    // what was looked up, if the settings ask for it
}

// SessionLabel is how an id of a session, or a folder, stands in the log.
func SessionLabel(id string) string {
	if id == "" {
		return ""
	}
	sum := sha256.Sum256([]byte(id))
	return hex.EncodeToString(sum[:12])
}

// AppendEvent writes a record. Each is one write, so that those of several processes do not mix.
func AppendEvent(dir string, r EventRecord) error {
	line, err := json.Marshal(r)
	if err != nil {
		return err
	}
	return files.AppendLog(filepath.Join(dir, EventLogName), append(line, '\n'), MaxEventLogBytes)
}

// ReadEvents calls take for each record from a time on, oldest first. Lines that are none are
// passed over, and counted. No log at all has no records.
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
