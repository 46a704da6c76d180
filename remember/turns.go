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

// hasTurns reports whether an event leads to the turns of a session.
func hasTurns(e agent.Event) bool { return e.Session != "" && (e.Transcript != "" || e.Answer != "") }

// keep adds a job to capture the new turns, and starts a worker without waiting for it. The settings
// are not read yet: nothing slow may precede the job.
func keep(r *dispatch.Request) (id string, err error) {
	if id, err = turns.AddReplaceableJob(r.Home, turns.NewJob(r.Event, r.Env.Getenv, r.Now)); err != nil {
		return "", err
	}
	return id, startWorker(r)
}

// settle replaces the job of keep by one with the current settings, if the worker could read others
// later: capture may be enabled by then, or the worktree gone.
func settle(_ context.Context, r *dispatch.Request) (dispatch.RenderFunc, error) {
	if r.Homeless || r.Captured == "" || captureUnknown(r) {
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

// captureUnknown reports whether a setting on the capture of turns cannot be read. Jobs wait until it
// can.
func captureUnknown(r *dispatch.Request) bool {
	var wrong *config.Error
	return errors.As(r.SettingsError, &wrong) && wrong.Capture
}

// resume starts a worker for jobs that are left, and for turns in other sessions of the project whose
// last event was lost.
func resume(_ context.Context, r *dispatch.Request) (dispatch.RenderFunc, error) {
	if r.Homeless {
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
	waiting, err := spool.StatusOf(turns.SpoolDir(r.Home))
	if err != nil || waiting.Waiting == 0 {
		return nil, err
	}
	return nil, startWorker(r)
}

func hasPrompt(e agent.Event) bool { return e.Prompt != "" }

// refresh starts a worker to sync the replica of a team's store, if that is due.
func refresh(_ context.Context, r *dispatch.Request) (dispatch.RenderFunc, error) {
	if r.Config.Store == "" || r.Homeless {
		return nil, nil
	}
	svc, err := serviceOf(r)
	if err != nil || !svc.Replica.SyncDue(r.Now) {
		return nil, err
	}
	j := turns.Job{Refresh: true, Session: r.Session, Cwd: r.Cwd, Project: svc.Project, Store: svc.Replica.URL, At: r.Now}
	if err := turns.AddJob(r.Home, j); err != nil {
		return nil, err
	}
	return nil, startWorker(r)
}

// startWorker starts a worker, unless one is running. Without its program, jobs stay in the spool.
func startWorker(r *dispatch.Request) error {
	program := Program()
	if program == "" {
		return errors.New("cannot capture turns: memory-remember is neither beside this program nor on the PATH")
	}
	return spool.Start(turns.SpoolDir(r.Home), program, "capture", "--quiet", "--store", r.Home)
}

// captureCommand runs the jobs that events have left.
func captureCommand(env cli.Env, server *team.Server) *urfave.Command {
	quiet, retry, dir := false, false, ""
	return &urfave.Command{
		Name: "capture", Usage: "capture the turns of agent sessions",
		Description: "Hooks start it at the events of a session. Also syncs a team's store.",
		Flags: []urfave.Flag{
			&urfave.StringFlag{Name: "store", Usage: "use the store in `DIR`", Destination: &dir},
			&urfave.BoolFlag{Name: "retry", Usage: "also retry jobs that failed", Destination: &retry},
			cli.QuietFlag(&quiet),
		},
		Action: noArguments(func(cmd *urfave.Context) error {
			if dir == "" {
				var err error
				if dir, err = env.Home(); err != nil {
					return err
				}
			}
			if retry {
				if err := retryAll(dir); err != nil {
					return err
				}
			}
			limited, cancel := context.WithTimeout(cmd.Context, turns.MaxWorkTime)
			defer cancel()
			begun := time.Now()
			done, err := turns.Work(limited, dir, env.Getenv)
			delivered, fault := team.Sync(limited, dir, server)
			err = errors.Join(err, fault)
			if !quiet {
				fmt.Fprintf(env.Stderr, "memory-remember: %s\n", doneText(done, delivered))
				return err
			}
			// The output of a worker that an event started is lost.
			if err != nil {
				dispatch.LogWorkerFault(dir, "capture", err, time.Since(begun), begun)
			}
			return err
		}),
	}
}

// retryAll puts back the jobs and operations that failed for good.
func retryAll(home string) error {
	_, jobs := spool.RequeueFailed(turns.SpoolDir(home))
	_, operations := team.Retry(home)
	return errors.Join(jobs, operations)
}

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
