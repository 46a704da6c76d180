package remember

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	urfave "github.com/urfave/cli/v2"

	"whence/internal/agent"
	"whence/internal/capture"
	"whence/internal/cli"
	"whence/internal/dispatch"
	"whence/internal/store"
)

func hasTranscript(e agent.Event) bool {
	return e.Session != "" && (e.Transcript != "" || e.SubTranscript != "")
}

// captureSession registers the transcript of the session, and starts a worker without waiting for it.
func captureSession(ctx context.Context, r *dispatch.Request) (dispatch.RenderFunc, error) {
	if r.Home == "" {
		return nil, nil
	}
	err := register(ctx, r)
	if !store.Exists(r.Home) {
		return nil, err
	}
	program, missing := cli.Program("memory-remember", r.Cwd, r.Env.Dir)
	if missing != nil {
		return nil, errors.Join(err, fmt.Errorf("cannot capture turns: %w", missing))
	}
	return nil, errors.Join(err, capture.Start(r.Home, program))
}

// watchSession registers whether capture is on before something is said.
func watchSession(ctx context.Context, r *dispatch.Request) (dispatch.RenderFunc, error) {
	if r.Home == "" {
		return nil, nil
	}
	return nil, register(ctx, r)
}

// register takes at most half of the time that is left: the reply is given even if another process
// keeps the store locked. Doubt about the settings means off.
func register(ctx context.Context, r *dispatch.Request) error {
	scope, err := cli.ScopeOf(r.Cwd, r.Env.Dir)
	rules := capture.Rules{Folder: r.Root, Project: scope.Turns, Capture: r.Config.TurnCapture && err == nil, Days: r.Config.TurnDays}
	if r.SettingsError != nil { // it may be about the days
		rules.Days = 0
	}
	if deadline, isLimited := ctx.Deadline(); isLimited {
		ctx = store.WithMaxWait(ctx, time.Until(deadline)/2)
	}
	if r.Name == agent.SessionStart { // nothing was said yet, and the next event registers it, too
		ctx = store.WithMaxWait(ctx, maxStartWait)
	}
	return errors.Join(err, capture.Register(ctx, r.Home, r.Event, rules, r.Now))
}

// maxStartWait bounds the wait for other writers before anything was said.
const maxStartWait = 250 * time.Millisecond

// halfOfTime returns a context for half of the time that is left, if that is limited.
func halfOfTime(ctx context.Context) (context.Context, context.CancelFunc) {
	if deadline, isLimited := ctx.Deadline(); isLimited {
		return context.WithTimeout(ctx, time.Until(deadline)/2)
	}
	return context.WithCancel(ctx)
}

// maxWorkerHeapBytes is the heap of a worker from which on it is collected often: a long line needs more.
const maxWorkerHeapBytes = 48 << 20

// captureCommand is the worker: it reads on in the transcripts that events have registered, and then requests
// the embeddings that are missing, for which no command waits.
func captureCommand(env cli.Env, parts Parts) *urfave.Command {
	quiet, dir := false, ""
	return &urfave.Command{
		Name: "capture", Usage: "capture the turns of agent sessions",
		Description: "Hooks start it at the events of a session.",
		Flags: []urfave.Flag{
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
			done, err := capture.Work(ctx, dir, env.Getenv)
			embedded, embedErr := embedIn(ctx, env, dir, parts)
			err = errors.Join(err, embedErr)
			if err != nil && !store.Exists(dir) {
				return nil // its user has deleted it meanwhile
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

// embedIn requests the missing embeddings of the store in a folder, and returns how many there were.
func embedIn(ctx context.Context, env cli.Env, dir string, parts Parts) (embedded int, err error) {
	s, err := store.OpenExisting(ctx, dir)
	if err != nil {
		return 0, exceptNone(err)
	}
	embedded, err = parts.embedMissing(ctx, env, s)
	return embedded, errors.Join(err, s.Close())
}
