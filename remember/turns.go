package remember

import (
	"context"
	"errors"
	"fmt"
	"time"

	urfave "github.com/urfave/cli/v2"

	"whence/internal/agent"
	"whence/internal/cli"
	"whence/internal/config"
	"whence/internal/dispatch"
	"whence/internal/spool"
	"whence/internal/team"
	"whence/internal/turns"
	"whence/internal/worktree"
)

// hasTurns tells whether an event says what was said, and in which session.
func hasTurns(e agent.Event) bool { return e.Session != "" && (e.Transcript != "" || e.Answer != "") }

// keep leaves what was said since the last time to a worker, which is started and not waited
// for. The settings are not read yet: nothing slow comes before the job.
func keep(r *dispatch.Request) (id string, err error) {
	if id, err = turns.PutJob(r.Home, turns.NewJob(r.Event, r.Env.Getenv, r.Now)); err != nil {
		return "", err
	}
	return id, startWorker(r)
}

// settle replaces the job that keep has left by what the settings say now, if the worker, which
// reads them later, could find something else: capture may be on again by then, or the worktree
// may be gone.
func settle(_ context.Context, r *dispatch.Request) (dispatch.RenderFunc, error) {
	if r.Trial || r.Captured == "" || captureUnknown(r) {
		return nil, nil
	}
	svc, err := serviceOf(r)
	if err != nil {
		return nil, err
	}
	if _, below := worktree.Name(r.Root, svc.Turns); below && r.Config.TurnCapture && svc.Replica == nil {
		return nil, nil
	}
	return nil, turns.ReplaceJob(r.Home, r.Captured, turns.NewJob(r.Event, r.Env.Getenv, r.Now).WithSettings(r.Config, svc.Scope))
}

// captureUnknown reports whether a setting cannot be read that may say whether, or where, what is
// said is captured. Nothing is decided then: jobs wait until it can.
func captureUnknown(r *dispatch.Request) bool {
	var wrong *config.Error
	return errors.As(r.SettingsError, &wrong) && wrong.Capture
}

// resume has a worker do what an earlier one has left undone, and find what was said in other
// sessions of the project whose last event was lost.
func resume(_ context.Context, r *dispatch.Request) (dispatch.RenderFunc, error) {
	if r.Trial {
		return nil, nil
	}
	if j, can := turns.NewCatchUp(r.Event, r.Env.Getenv, r.Now); can && r.Source != "compact" && !captureUnknown(r) {
		svc, err := serviceOf(r)
		if err != nil {
			return nil, err
		}
		if err := turns.AddJob(r.Home, j.WithSettings(r.Config, svc.Scope)); err != nil {
			return nil, err
		}
		return nil, startWorker(r)
	}
	if !r.Config.TurnCapture {
		return nil, nil
	}
	waiting, err := spool.Waiting(turns.SpoolDir(r.Home))
	if err != nil || waiting.Waiting == 0 {
		return nil, err
	}
	return nil, startWorker(r)
}

// hasPrompt tells whether an event says something of the user's.
func hasPrompt(e agent.Event) bool { return e.Prompt != "" }

// refresh has a worker bring the copy of a team's store together with its server, if that has
// not been tried for a while.
func refresh(_ context.Context, r *dispatch.Request) (dispatch.RenderFunc, error) {
	if r.Config.Store == "" || r.Trial {
		return nil, nil
	}
<<<<<<< HEAD
	b, err := baseOf(r)
	if err != nil || !b.Replica.SyncDue(r.Now) {
=======
	svc, err := serviceOf(r)
	if err != nil || svc.Replica == nil || !team.SyncDue(svc.Replica, r.Now) {
>>>>>>> 62fec1e (remember: join service and commands, and name their types)
		return nil, err
	}
	j := turns.Job{Refresh: true, Session: r.Session, Cwd: r.Cwd, Project: svc.Project, Store: svc.Replica.URL, At: r.Now}
	if err := turns.AddJob(r.Home, j); err != nil {
		return nil, err
	}
	return nil, startWorker(r)
}

// startWorker starts a worker, unless one is at work. Where there is no program for it the
// jobs stay until there is one.
func startWorker(r *dispatch.Request) error {
	program := Program()
	if program == "" {
		return fmt.Errorf("memory-remember, which stores what was said, is neither beside this program nor on the PATH")
	}
	return spool.Start(turns.SpoolDir(r.Home), program, "capture", "--quiet", "--store", r.Home)
}

// captureCommand does what events have left to be done.
func captureCommand(env cli.Env, server *team.Server) *urfave.Command {
	quiet, retry, dir := false, false, ""
	return &urfave.Command{
		Name: "capture", Usage: "store what was said in agent sessions; their events start it by themselves",
		Flags: []urfave.Flag{
			&urfave.StringFlag{Name: "store", Usage: "the store lies in `DIR`", Destination: &dir},
			&urfave.BoolFlag{Name: "retry", Usage: "what was given up too", Destination: &retry, DisableDefaultText: true},
			&urfave.BoolFlag{Name: "quiet", Usage: "no remarks", Destination: &quiet, DisableDefaultText: true},
		},
		Action: func(ctx *urfave.Context) error {
			if ctx.Args().Present() {
				return unexpectedArgument(ctx)
			}
			if dir == "" {
				var err error
				if dir, err = homeDir(env); err != nil {
					return err
				}
			}
			if retry {
				if err := retryAll(dir); err != nil {
					return err
				}
			}
			limited, cancel := context.WithTimeout(ctx.Context, turns.MaxWorkTime)
			defer cancel()
			begun := time.Now()
			done, err := turns.Work(limited, dir, env.Getenv)
			delivered, fault := team.Sync(limited, dir, server)
			err = errors.Join(err, fault)
			if !quiet {
				fmt.Fprintf(env.Stderr, "memory-remember: %s\n", doneText(done, delivered))
				return err
			}
			// Nobody reads what a worker prints that an event has started.
			if err != nil {
				dispatch.LogWorkerFault(dir, "capture", err, time.Since(begun), begun)
			}
			return err
		},
	}
}

// retryAll puts back what was given up, of what was said and of what the servers of teams are
// to be told.
func retryAll(home string) error {
	_, said := spool.Retry(turns.SpoolDir(home))
	_, told := team.Retry(home)
	return errors.Join(said, told)
}

// doneText says what a worker has done.
func doneText(done turns.Done, delivered int) string {
	text := cli.Count(done.Jobs, "job", "jobs") + " done"
	if done.Pruned > 0 {
		text += ", " + cli.Count(done.Pruned, "old turn", "old turns") + " deleted"
	}
	if delivered > 0 {
		text += ", " + cli.Count(delivered, "operation", "operations") + " delivered"
	}
	return text
}
