package hook

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"whence/internal/agent"
	"whence/internal/cli"
	"whence/internal/home"
	"whence/internal/redact"
)

// LogName is the log of faults, in the folder of package home.
const LogName = "hooks.log"

// longestLog is how many bytes the log has before it is begun anew; the old one is kept
// beside it.
const longestLog = 256 << 10

// logFault writes a line about what went wrong. That it cannot be written is nobody's
// business.
func logFault(env cli.Env, e agent.Event, took time.Duration, err error, now time.Time) {
	dir, fault := home.Dir(env.Getenv)
	if fault != nil || os.MkdirAll(dir, 0o700) != nil {
		return
	}
	name := filepath.Join(dir, LogName)
	if info, err := os.Stat(name); err == nil && info.Size() > longestLog {
		_ = os.Rename(name, name+".1")
	}
	file, fault := os.OpenFile(name, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if fault != nil {
		return
	}
	defer file.Close()
	message, _ := redact.Text(strings.Join(strings.Fields(err.Error()), " "))
	fmt.Fprintf(file, "%s %s %s %dms %.500s\n", now.UTC().Format(time.RFC3339), e.Agent, e.Name, took.Milliseconds(), message)
}
