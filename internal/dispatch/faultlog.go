package dispatch

import (
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"whence/internal/agent"
	"whence/internal/cli"
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
func logEventFault(env cli.Env, e agent.Event, err error, start time.Time) {
	if dir, failed := home.Dir(env.Getenv); failed == nil {
		appendFault(dir, string(e.Agent)+" "+e.Name, err, time.Since(start), start)
	}
}

// LogWorkerFault logs a fault of a worker that an event has started.
func LogWorkerFault(home, what string, err error, took time.Duration, now time.Time) {
	appendFault(home, "worker "+what, err, took, now)
}

// stackIndent begins the lines of a stack, which follow the line of their fault.
const stackIndent = "\t"

// FaultLog returns the path of the log.
func FaultLog(home string) string { return filepath.Join(home, FaultLogName) }

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
func appendFault(dir, source string, err error, took time.Duration, now time.Time) {
	message, _ := redact.Text(strings.Join(strings.Fields(err.Error()), " "))
	entry := fmt.Appendf(nil, "%s %s %dms %.500s\n", now.UTC().Format(time.RFC3339), source, took.Milliseconds(), message)
	stack, _ := redact.Text(parallel.Stack(err))
	for line := range strings.Lines(stack) {
		entry = fmt.Appendf(entry, "%s%s\n", stackIndent, strings.TrimSpace(line))
	}
	_ = files.AppendLog(filepath.Join(dir, FaultLogName), entry, maxFaultLogBytes)
}
