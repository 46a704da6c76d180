package hooks

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	urfave "github.com/urfave/cli/v3"

	"whence/internal/agent"
	"whence/internal/cli"
	"whence/internal/dispatch"
	"whence/internal/files"
	"whence/internal/home"
	"whence/internal/report"
	"whence/internal/store"
	"whence/internal/text"
)

// reportOptions are the flags of the report.
type reportOptions struct {
	since, split, html, transcripts, format string
	repository                              cli.Repository
}

// reportCommand reports whether memory reaches agents.
func reportCommand(env cli.Env) *urfave.Command {
	var o reportOptions
	return &urfave.Command{
		Name: "report", Usage: "report whether memory reaches the agent",
		Description: "Counts sessions with a recall and injected items that were used, measures how long events took, and lists queries without an answer. docs/report.md defines each figure.",
		Flags: append([]urfave.Flag{
			&urfave.StringFlag{Name: "since", Usage: "report sessions since `TIME`, such as 30d, 2026-01-31 or all", Value: "30d", Destination: &o.since},
			&urfave.StringFlag{Name: "split", Usage: "compare sessions before `DATE` with those from then on", Destination: &o.split},
			&urfave.StringFlag{Name: "html", Usage: "also write the report to `FILE`, as a page with plots", Destination: &o.html},
			&urfave.StringFlag{Name: "transcripts", Usage: "read transcripts in `DIR` instead of those of your agents", Destination: &o.transcripts},
			&urfave.StringFlag{Name: "format", Usage: "print as `FORMAT`: text or json", Value: "text", Destination: &o.format},
		}, o.repository.Flags()...),
		Action: func(ctx context.Context, cmd *urfave.Command) error {
			if err := cli.Format(o.format, "text", "json"); err != nil {
				return err
			}
			return o.run(ctx, env, cmd, time.Now())
		},
	}
}

func (o *reportOptions) run(ctx context.Context, env cli.Env, cmd *urfave.Command, now time.Time) error {
	var q report.Options
	var err error
	if q.Since, err = sinceTime(o.since, now); err != nil {
		return err
	}
	if o.split != "" {
		if q.Split, err = time.Parse(time.DateOnly, o.split); err != nil {
			return cli.Usagef("--split %q: write a date, as in 2026-01-31", o.split)
		}
	}
	if err := o.memory(env, cmd, &q); err != nil {
		return err
	}
	dir, err := env.Home()
	if err != nil {
		return err
	}
	folders, err := o.folders(env)
	if err != nil {
		return err
	}
	scans := scanTranscripts(ctx, env, folders, filepath.Join(dir, reportCache), q.Since, now)
	log, odd, err := dispatch.ReadEvents(dir, q.Since)
	if err != nil {
		return fmt.Errorf("read the log of events: %w", err)
	}
	f := report.Compute(scans.all, log, q)
	f.Transcripts.Unread, f.Log.Odd = len(scans.failed), odd
	if f.Learnings, err = reportLearnings(ctx, dir, now); err != nil {
		return err
	}
	for _, err := range scans.failed {
		fmt.Fprintf(env.Stderr, "memory-hooks: skipped: %v\n", err)
	}
	if o.html != "" {
		if err := files.WritePrivate(env.Path(o.html), []byte(report.HTML(f))); err != nil {
			return fmt.Errorf("write the page: %w", err)
		}
	}
	if o.format == "json" {
		return text.WriteJSON(env.Stdout, f)
	}
	_, err = fmt.Fprint(env.Stdout, text.PrintableLines(report.Text(f)))
	return err
}

// reportLearnings counts the learnings in the user's own store; nil if there is none.
func reportLearnings(ctx context.Context, dir string, now time.Time) (*report.Learnings, error) {
	s, err := store.OpenReadOnly(ctx, dir)
	if errors.Is(err, store.ErrNone) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	st, err := s.Stats(ctx, now)
	if err = errors.Join(err, s.Close()); err != nil || st.Learnings == 0 {
		return nil, err
	}
	return &report.Learnings{Stored: st.Learnings, CapturedThisWeek: st.CapturedThisWeek, ShownPercent: st.RecalledFromSessions}, nil
}

// sinceTime reads --since: days, a date, or all, which is the zero time.
func sinceTime(since string, now time.Time) (time.Time, error) {
	if since == "all" {
		return time.Time{}, nil
	}
	if t, err := time.Parse(time.DateOnly, since); err == nil {
		return t, nil
	}
	if since != "" {
		if t, err := dayBefore(since, now); err == nil {
			return t, nil
		}
	}
	return time.Time{}, cli.Usagef("--since %q: write days as in 30d, a date as in 2026-01-31, or all", since)
}

// folders returns where transcripts are: in the folder that is named, which must exist, or where each
// agent keeps them.
func (o *reportOptions) folders(env cli.Env) (folders []string, err error) {
	if o.transcripts != "" {
		dir := env.Path(o.transcripts)
		if info, err := os.Stat(dir); err != nil || !info.IsDir() {
			return nil, cli.Usagef("--transcripts: %s is not a folder: name the one that holds the transcripts", dir)
		}
		return []string{dir}, nil
	}
	for _, c := range agent.Clients {
		folder, fault := c.Transcripts(home.UserFolder(env.Getenv), env.Getenv)
		if fault == nil {
			folders = append(folders, folder)
		}
		err = fault
	}
	if len(folders) == 0 {
		return nil, errors.Join(err, errors.New("or name the folder with --transcripts"))
	}
	return folders, nil
}
