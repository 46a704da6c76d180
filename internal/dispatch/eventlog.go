package dispatch

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"io/fs"
	"path/filepath"
	"time"
	"unicode/utf8"

	"whence/internal/agent/usertext"
	"whence/internal/cli"
	"whence/internal/config"
	"whence/internal/files"
	"whence/internal/home"
	"whence/internal/redact"
)

// EventLogName is the log of answered events, in the folder of package home. Older events are in a
// second file, with .1 appended. The log does not hold prompts unless the settings ask for them
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
	Lines   []string  `json:"lines,omitempty"`    // those of the items of which a line is injected, not the text
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
	return shortHash(id, 12)
}

// AppendEvent appends a record in one write, so that records of several processes do not mix.
func AppendEvent(dir string, r EventRecord) error {
	line, err := json.Marshal(r)
	if err != nil {
		return err
	}
	return files.AppendLog(filepath.Join(dir, EventLogName), append(line, '\n'), MaxEventLogBytes)
}

// ReadEvents returns the records since a time, oldest first, and the number of lines that are not
// records. A missing log is empty.
func ReadEvents(dir string, since time.Time) (records []EventRecord, odd int, err error) {
	for _, name := range []string{EventLogName + ".1", EventLogName} {
		src, err := files.ReadLog(filepath.Join(dir, name))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return records, odd, err
		}
		for line := range bytes.Lines(src) {
			var r EventRecord
			switch err := json.Unmarshal(line, &r); {
			case err != nil || r.At.IsZero():
				odd++
			case !r.At.Before(since):
				records = append(records, r)
			}
		}
	}
	return records, odd, nil
}

// maxLoggedQueryBytes bounds the query in a record.
const maxLoggedQueryBytes = 300

// logEvent logs an answered event as far as the settings allow; without a project, the user's own
// settings. An event that needed nothing is logged only if it failed.
func logEvent(env cli.Env, o outcome, start time.Time) {
	if isTrial(env.Getenv) || o.request == nil && o.err == nil {
		return
	}
	r := EventRecord{
		At: start.UTC().Truncate(time.Millisecond), Agent: string(o.event.Agent), Event: o.event.Name,
		Session: SessionLabel(o.event.Session), Sub: o.event.Subagent != "",
		Micros: time.Since(start).Microseconds(), Items: o.items, Lines: o.lines, Chars: utf8.RuneCountInString(o.reply.Context + o.reply.Block),
		Blocked: o.reply.Block != "", Fault: o.err != nil,
	}
	var settings config.Config
	if o.request == nil {
		settings, _ = config.Load(nil, env.Getenv) // errors in them are reported elsewhere
	} else {
		settings, r.Project = o.request.Config, SessionLabel(o.request.Root)
		if settings.EventLog == "prompts" {
			r.Query = o.request.query()
		}
	}
	if dir, err := home.Dir(env.Getenv); err == nil && settings.EventLog != "off" {
		_ = AppendEvent(dir, r) // a log that cannot be written changes nothing
	}
}

// query returns the text that the event looks up, without secrets, and without paths outside of the
// repository.
func (r *Request) query() string {
	text := cmp.Or(usertext.Spoken(r.Prompt), r.Command)
	if name := r.FromRoot(r.Path); text == "" && fs.ValidPath(name) && r.Path != "" {
		text = name
	}
	text, _ = redact.Text(Beginning(text, maxPromptBytes)) // redact first: half a secret is not recognized
	return Beginning(text, maxLoggedQueryBytes)
}
