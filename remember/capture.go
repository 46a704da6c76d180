package remember

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"runtime/debug"
	"time"

	urfave "github.com/urfave/cli/v2"

	"whence/internal/agent"
	"whence/internal/capture"
	"whence/internal/cli"
	"whence/internal/config"
	"whence/internal/dispatch"
	"whence/internal/store"
	"whence/internal/worktree"
)

func hasTranscript(e agent.Event) bool { return e.Transcript != "" || e.SubTranscript != "" }

// captures returns the handler that has a session captured. It records the event before anything that may take longer
// than the deadline, because it must be known what was said under off.
func captures() dispatch.Handler {
	return dispatch.Handler{Wants: hasTranscript, Record: register, Off: registerOff, After: startWorker}
}

// watches returns the handler that records an event before something is said, and starts no worker.
func watches() dispatch.Handler {
	return dispatch.Handler{Wants: hasTranscript, Record: register, Off: registerOff}
}

// startWorker starts a worker without waiting for it.
func startWorker(r *dispatch.Request) error {
	if r.Home == "" || !store.Exists(r.Home) {
		return nil
	}
	program, missing := cli.Program("memory-remember", r.Cwd, r.Env.Dir)
	if missing != nil {
		return fmt.Errorf("cannot capture turns: %w", missing)
	}
	var history []string
	if r.Name == agent.SessionStart { // if history is off, what was read is deleted
		history = []string{"--history", r.Cwd}
	}
	return capture.Start(r.Home, program, history...)
}

// register records the transcript of the session, and whether capture is on. If the settings are in doubt, it is off.
func register(r *dispatch.Request) error {
	root := cli.Root(r.Cwd)
	tree, err := worktree.Open(root)
	if errors.Is(err, fs.ErrNotExist) { // like a removed worktree: earlier events decide about what was said there
		c, wrong := config.Load(nil, r.Env.Getenv)
		if c.TurnCapture {
			return wrong
		}
		return errors.Join(wrong, registerOff(r))
	}
	if err != nil {
		return errors.Join(err, registerOff(r))
	}
	c, wrong := config.Load(tree, r.Env.Getenv)
	err = tree.Close()
	days := c.TurnDays
	if wrong != nil { // the error may be about the days
		days = 0
	}
	return errors.Join(err, registerAs(r, root, c.TurnCapture, days))
}

func registerOff(r *dispatch.Request) error { return registerAs(r, cli.Root(r.Cwd), false, 0) }

func registerAs(r *dispatch.Request, root string, on bool, days int) error {
	if r.Home == "" {
		return nil
	}
	scope, err := cli.ScopeOf(r.Cwd, r.Env.Dir)
	rules := capture.Rules{Folder: root, Project: scope.Turns, Capture: on && err == nil, Days: days}
	wait := maxRegisterWait
	if r.Name == agent.SessionStart { // nothing was said yet, and the next event registers the session, too
		wait = maxStartWait
	}
	return errors.Join(err, capture.Register(store.WithMaxWait(context.Background(), wait), r.Home, r.Event, rules, r.Now))
}

// How long an event waits for other writers. Its reply comes after that.
const (
	maxRegisterWait = 500 * time.Millisecond
	maxStartWait    = 250 * time.Millisecond
)

// halfOfTime returns a context for half of the time that is left, if that is limited.
func halfOfTime(ctx context.Context) (context.Context, context.CancelFunc) {
	if deadline, isLimited := ctx.Deadline(); isLimited {
		return context.WithTimeout(ctx, time.Until(deadline)/2)
	}
	return context.WithCancel(ctx)
}

// maxWorkerHeapBytes is the heap size above which a worker collects garbage often. A long line needs more.
const maxWorkerHeapBytes = 48 << 20

// captureCommand is the worker: it continues to read the transcripts that events have registered, and then
// requests missing embeddings, so that no command waits for them.
func captureCommand(env cli.Env, parts Parts) *urfave.Command {
	quiet, dir, history := false, "", ""
	return &urfave.Command{
		Name: "capture", Usage: "capture the turns of agent sessions",
		Description: "Hooks start it at the events of a session.",
		Flags: []urfave.Flag{
			&urfave.StringFlag{Name: "history", Usage: "also read the messages of the commits of the repository at `DIR`", Destination: &history},
			&urfave.StringFlag{Name: "store", Usage: "use the store in `DIR`", Destination: &dir},
			&urfave.BoolFlag{Name: "quiet", Usage: "print only results and errors", Destination: &quiet},
		},
		Action: noArguments(func(cmd *urfave.Context) error {
			if dir == "" {
				var err error
				if dir, err = env.Home(); err != nil {
					return err
				}
			}
			debug.SetMemoryLimit(maxWorkerHeapBytes)
			ctx, cancel := context.WithTimeout(cmd.Context, capture.MaxWorkTime)
			defer cancel()
			begun := time.Now()
			var historyErr error
			if history != "" {
				historyErr = capture.ReadHistory(ctx, dir, env.Path(history), env.Getenv)
			}
			done, err := capture.Work(ctx, dir, env.Getenv, cli.Progress(env, "reading sessions"))
			embedded, embedErr := embedIn(ctx, env, dir, parts)
			err = errors.Join(err, historyErr, embedErr)
			if err != nil && !store.Exists(dir) {
				return nil // the user has deleted it meanwhile
			}
			if !quiet && err == nil {
				fmt.Fprintf(env.Stderr, "memory-remember: %s captured, %s deleted, %s embedded\n", cli.Count(done.Turns, "turn", "turns"),
					cli.Count(done.Pruned, "old turn", "old turns"), cli.Count(embedded, "learning", "learnings"))
			}
			// The output of a worker that an event started is lost.
			if quiet && err != nil {
				dispatch.LogWorkerFault(dir, "capture", err, time.Since(begun), begun)
			}
			return err
		}),
	}
}

// embedIn requests the missing embeddings of the store in a folder, and returns how many it stored.
func embedIn(ctx context.Context, env cli.Env, dir string, parts Parts) (embedded int, err error) {
	s, err := store.OpenExisting(ctx, dir)
	if err != nil {
		return 0, exceptNone(err)
	}
	embedded, err = parts.embedMissing(ctx, env, s)
	return embedded, errors.Join(err, s.Close())
}
