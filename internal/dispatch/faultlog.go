package dispatch

import (
	"cmp"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"time"
	"unicode/utf8"

	"whence/internal/agent"
	"whence/internal/agent/usertext"
	"whence/internal/cli"
	"whence/internal/config"
	"whence/internal/files"
	"whence/internal/home"
	"whence/internal/parallel"
	"whence/internal/redact"
)

// FaultLogName is the log of faults, in the folder of package home.
const FaultLogName = "hooks.log"

// maxFaultLogBytes is the size at which the log is rotated.
const maxFaultLogBytes = 256 << 10

// logEventFault logs a fault of an event. Errors of the log itself are dropped.
func logEventFault(env cli.Env, e agent.Event, took time.Duration, err error, now time.Time) {
	dir, failed := home.Dir(env.Getenv)
	if failed != nil {
		return
	}
	appendFault(dir, string(e.Agent)+" "+e.Name, err.Error(), parallel.Stack(err), took, now)
}

// LogWorkerFault logs a fault of a worker that an event has started.
func LogWorkerFault(home, what string, err error, took time.Duration, now time.Time) {
	appendFault(home, "worker "+what, err.Error(), parallel.Stack(err), took, now)
}

// stackIndent begins the lines of a stack, which follow the line of their fault.
const stackIndent = "\t"

// ReadFaults returns the logged faults, oldest first, without stacks. A missing log is empty.
func ReadFaults(home string) (lines []string) {
	src, err := files.ReadLog(filepath.Join(home, FaultLogName))
	if err != nil {
		return nil
	}
	for line := range strings.Lines(string(src)) {
		if !strings.HasPrefix(line, stackIndent) {
			lines = append(lines, strings.TrimSuffix(line, "\n"))
		}
	}
	return lines
}

// appendFault appends a line without secrets, followed by the stack of a panic, if any.
func appendFault(dir, who, message, stack string, took time.Duration, now time.Time) {
	message, _ = redact.Text(strings.Join(strings.Fields(message), " "))
	entry := fmt.Appendf(nil, "%s %s %dms %.500s\n", now.UTC().Format(time.RFC3339), who, took.Milliseconds(), message)
	stack, _ = redact.Text(stack)
	for line := range strings.Lines(stack) {
		entry = fmt.Appendf(entry, "%s%s\n", stackIndent, strings.TrimSpace(line))
	}
	_ = files.AppendLog(filepath.Join(dir, FaultLogName), entry, maxFaultLogBytes)
}

// maxLoggedQueryBytes bounds the query in a record.
const maxLoggedQueryBytes = 300

// logEvent logs an answered event as far as the settings allow; without a project, the user's own
// settings. An event that needed nothing is logged only if it failed.
func logEvent(env cli.Env, o outcome, took time.Duration, now time.Time) {
	if isTrial(env.Getenv) {
		return
	}
	if o.request == nil && o.err == nil {
		return
	}
	var settings config.Config
	if o.request != nil {
		settings = o.request.Config
	} else {
		settings, _ = config.Load(nil, env.Getenv) // errors in them are reported elsewhere
	}
	if settings.EventLog == "off" {
		return
	}
	dir, err := home.Dir(env.Getenv)
	if err != nil {
		return
	}
	r := EventRecord{
		At: now.UTC().Truncate(time.Millisecond), Agent: string(o.event.Agent), Event: o.event.Name,
		Session: SessionLabel(o.event.Session), Sub: o.event.Subagent != "",
		Micros: took.Microseconds(), Items: o.items, Chars: utf8.RuneCountInString(o.reply.Context + o.reply.Block),
		Blocked: o.reply.Block != "", Fault: o.err != nil,
	}
	if req := o.request; req != nil {
		r.Project = SessionLabel(req.Root)
		if settings.EventLog == "prompts" {
			r.Query = req.query()
		}
	}
	_ = AppendEvent(dir, r) // a log that cannot be written changes nothing
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
