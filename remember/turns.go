package remember

import (
	"context"
	"fmt"
	"time"

	urfave "github.com/urfave/cli/v2"

	"whence/internal/cli"
	"whence/internal/hook"
	"whence/internal/ingest"
	"whence/internal/spool"
)

// keep leaves what was said since the last time to a worker that nobody waits for.
func keep(_ context.Context, m *hook.Moment) (hook.Say, error) {
	if !m.Config.TurnCapture || m.Session == "" || m.Transcript == "" && m.Answer == "" {
		return nil, nil
	}
	err := ingest.Add(m.Home, ingest.Job{
		Session: m.Session, Cwd: m.Cwd, Transcript: m.Transcript, SubTranscript: m.SubTranscript, Answer: m.Answer, At: m.Now,
	})
	if err != nil {
		return nil, err
	}
	program := ownProgram()
	if program == "" { // the job stays until there is one
		return nil, fmt.Errorf("memory-remember, which stores what was said, is neither beside this program nor on the PATH")
	}
	return nil, spool.Start(ingest.Dir(m.Home), program, "capture", "--quiet", "--store", m.Home)
}

// captureCommand does what events have left to be done.
func captureCommand(env cli.Env) *urfave.Command {
	quiet, dir := false, ""
	return &urfave.Command{
		Name: "capture", Usage: "store what was said in agent sessions; their events start it by themselves",
		Flags: []urfave.Flag{
			&urfave.StringFlag{Name: "store", Usage: "the store lies in `DIR`", Destination: &dir},
			&urfave.BoolFlag{Name: "quiet", Usage: "no remarks", Destination: &quiet, DisableDefaultText: true},
		},
		Action: func(ctx *urfave.Context) error {
			if ctx.Args().Present() {
				return unexpected(ctx)
			}
			if dir == "" {
				var err error
				if dir, err = storeDir(env); err != nil {
					return err
				}
			}
			limited, cancel := context.WithTimeout(background(ctx), ingest.TimeLimit)
			defer cancel()
			begun := time.Now()
			done, err := ingest.Work(limited, dir, env.Getenv)
			if !quiet {
				for _, remark := range done.Remarks {
					fmt.Fprintf(env.Stderr, "memory-remember: %s\n", remark)
				}
				fmt.Fprintf(env.Stderr, "memory-remember: %s\n", doneText(done))
				return err
			}
			// Nobody reads what a worker prints that an event has started.
			for _, remark := range done.Remarks {
				hook.Log(dir, "capture", remark, time.Since(begun), begun)
			}
			if err != nil {
				hook.Log(dir, "capture", err.Error(), time.Since(begun), begun)
			}
			return err
		},
	}
}

// doneText says what a worker has done.
func doneText(done ingest.Done) string {
	text := cli.Count(done.Jobs, "job", "jobs") + " done"
	if done.Imported > 0 {
		text += ", " + cli.Count(done.Imported, "learning", "learnings") + " imported"
	}
	if done.Pruned > 0 {
		text += ", " + cli.Count(done.Pruned, "old turn", "old turns") + " deleted"
	}
	return text
}
