package dispatch

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"

	"github.com/sourcegraph/conc/panics"

	"whence/internal/agent"
	"whence/internal/cli"
	"whence/internal/home"
	"whence/internal/redact"
	"whence/internal/worktree"
)

// faultLogName is the log of faults, in the folder of package home.
const faultLogName = "hooks.log"

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
func FaultLog(home string) string { return filepath.Join(home, faultLogName) }

// panicError is the error for a panic in any goroutine.
type panicError struct{ *panics.Recovered }

// recovered returns the error for a value of recover. The deferred function must call it directly.
func recovered(value any) *panicError {
	if p, ok := value.(*panics.Recovered); ok {
		return &panicError{p} // of another goroutine
	}
	p := panics.NewRecovered(1, value)
	return &panicError{&p}
}

func (p *panicError) Error() string { return fmt.Sprintf("a fault in the program: %v", p.Value) }

// stack returns an indented line for each function below the panic.
func (p *panicError) stack() (lines []byte) {
	frames := runtime.CallersFrames(p.Callers)
	for below, more := false, true; more; {
		var frame runtime.Frame
		frame, more = frames.Next()
		if below && !strings.HasPrefix(frame.Function, "runtime.") {
			lines = fmt.Appendf(lines, "%s%s %s:%d\n", stackIndent, frame.Function, frame.File, frame.Line)
		}
		below = below || frame.Function == "runtime.gopanic"
	}
	return lines
}

// ReadFaults returns the logged faults, oldest first, without stacks. A missing log is empty.
func ReadFaults(home string) (lines []string) {
	file, err := openLog(FaultLog(home), os.O_RDONLY)
	if err != nil {
		return nil
	}
	defer file.Close()
	src, err := io.ReadAll(file)
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
	if fault := (*panicError)(nil); errors.As(err, &fault) {
		entry = append(entry, fault.stack()...)
	}
	_ = appendLog(FaultLog(dir), entry)
}

// appendLog adds an entry to the log, and creates the log and its folder if they are missing. It first
// renames a full log, with the suffix ".1". Each entry is one write, so those of several processes do
// not mix. While another process renames the log, entries go to the old one.
func appendLog(name string, entry []byte) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		return err
	}
	if isFull(name) {
		if unlock, err := worktree.TryLock(name + ".lock"); unlock != nil && err == nil {
			if isFull(name) { // else another process has just renamed it
				_ = os.Rename(name, name+".1")
			}
			_ = unlock()
		}
	}
	file, err := openLog(name, os.O_CREATE|os.O_APPEND|os.O_WRONLY)
	if err != nil {
		return err
	}
	_, err = file.Write(entry)
	return errors.Join(err, file.Close())
}

func isFull(name string) bool {
	info, err := os.Lstat(name)
	return err == nil && info.Mode().IsRegular() && info.Size() >= maxFaultLogBytes
}

// openLog opens the log. It refuses anything except a regular file, and does not wait if a pipe is in its place.
func openLog(name string, flag int) (*os.File, error) {
	file, err := os.OpenFile(name, flag|syscall.O_NONBLOCK, 0o600)
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s is not a regular file: move it away", name)
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return file, nil
}
