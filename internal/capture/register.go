package capture

import (
	"context"
	"errors"
	"fmt"
	"time"

	"whence/internal/agent"
	"whence/internal/cli"
	"whence/internal/redact"
	"whence/internal/store"
)

// Rules say what is captured of a session.
type Rules struct {
	Project string // of turns whose records name no other folder, see cli.Scope.Turns
	Capture bool   // false: what is new is skipped, for good
	Days    int    // how long turns are kept; 0: for good
}

// errSecretPath is returned for a transcript that cannot be registered, as paths are stored as they are.
var errSecretPath = errors.New("the path of the working folder or of the transcript contains a secret: rename it")

// Register records the transcripts that an event names, for the worker to read. A session without one
// is not captured.
func Register(ctx context.Context, home string, e agent.Event, rules Rules, at time.Time) (err error) {
	var names []string
	for _, name := range []string{TranscriptName(e.Transcript, e.Session), TranscriptName(e.SubTranscript, e.Subagent)} {
		if name != "" {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return nil
	}
	for _, path := range append(names, e.Cwd) {
		if redactText(path) != path {
			return fmt.Errorf("capture the session: %w", errSecretPath)
		}
	}
	s, err := store.Open(ctx, home)
	if err != nil {
		return fmt.Errorf("capture the session: %w", err)
	}
	t := store.Transcript{
		Session: redactText(e.Session), Cwd: e.Cwd, Seen: at,
		Project: rules.Project, Capture: rules.Capture, Days: rules.Days, Ended: e.Name == agent.SessionEnd,
	}
	for _, t.Path = range names {
		err = errors.Join(err, s.Register(ctx, t))
	}
	if err = errors.Join(err, s.Close()); err != nil {
		return fmt.Errorf("capture the session: %w", err)
	}
	return nil
}

// Start starts a worker, program with the command capture, without waiting for it. It works in the
// folder home, so that it keeps no other file system busy.
func Start(home, program string) error {
	wait, err := cli.StartDetached(home, program, "capture", "--quiet", "--store", home)
	if err == nil {
		go wait() // the MCP server would otherwise accumulate zombies
	}
	return err
}

func redactText(text string) string {
	clean, _ := redact.Text(text)
	return clean
}
