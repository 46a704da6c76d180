package hooks

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	urfave "github.com/urfave/cli/v2"

	"whence/internal/agent"
	"whence/internal/agent/transcript"
	"whence/internal/capture"
	"whence/internal/cli"
	"whence/internal/home"
	"whence/internal/inert"
	"whence/internal/memory"
	"whence/internal/report"
	"whence/internal/store"
	"whence/internal/worktree"
)

// reportOptions holds the flags of the report.
type reportOptions struct {
	since, html, format string
	repository          cli.MemoryFlags
}

// reportCommand reports whether memory reaches agents.
func reportCommand(env cli.Env) *urfave.Command {
	var o reportOptions
	return &urfave.Command{
		Name: "report", Usage: "report whether memory reaches the agent",
		Description: "Counts the pointers that agents were shown, read, and followed by a change, and lists the decisions that were never shown. docs/hooks.md defines each figure.",
		Flags: append([]urfave.Flag{
			&urfave.StringFlag{Name: "since", Usage: "report sessions since `TIME`, such as 30d, 2026-01-31 or all", Value: "30d", Destination: &o.since},
			&urfave.StringFlag{Name: "html", Usage: "also write the report to `FILE`, as a page with a plot", Destination: &o.html},
			&urfave.StringFlag{Name: "format", Usage: "print as `FORMAT`: text or json", Value: "text", Destination: &o.format},
		}, o.repository.Flags()...),
		Action: func(cmd *urfave.Context) error {
			if err := cli.Format(o.format, "text", "json"); err != nil {
				return err
			}
			return o.run(cmd.Context, env, cmd, time.Now())
		},
	}
}

func (o *reportOptions) run(ctx context.Context, env cli.Env, cmd *urfave.Context, now time.Time) error {
	since, err := sinceTime(o.since, now)
	if err != nil {
		return err
	}
	entries, err := o.entries(env, cmd)
	if err != nil {
		return err
	}
	dir, err := env.Home()
	if err != nil {
		return err
	}
	folders, err := transcriptFolders(env)
	if err != nil {
		return err
	}
	scans, failed := scanTranscripts(ctx, env, folders, since)
	f := report.Compute(scans, since, entries)
	f.Unread = len(failed)
	if f.Learnings, err = reportLearnings(ctx, dir, now); err != nil {
		return err
	}
	if len(failed) > 0 && agent.InShellTool(env.Getenv) { // their paths would name other repositories to an agent
		fmt.Fprintf(env.Stderr, "%s: skipped: %s cannot be read; in a terminal of yours the report says which\n", programName, cli.Count(len(failed), "transcript", "transcripts"))
		failed = nil
	}
	for _, err := range failed {
		fmt.Fprintf(env.Stderr, "memory-hooks: skipped: %v\n", err)
	}
	if o.html != "" {
		page, err := report.HTML(f)
		if err == nil {
			err = worktree.WritePrivate(env.Path(o.html), []byte(page))
		}
		if err != nil {
			return fmt.Errorf("write the page: %w", err)
		}
	}
	if o.format == "json" {
		return inert.WriteJSON(env.Stdout, f)
	}
	_, err = fmt.Fprint(env.Stdout, inert.PrintableLines(report.Text(f)))
	return err
}

// entries returns the project's entries, without those whose decisions no longer hold; nil without a memory.
func (o *reportOptions) entries(env cli.Env, cmd *urfave.Context) (entries []report.Entry, err error) {
	tree, c, err := o.repository.Open(env, cmd)
	if err != nil {
		return nil, err
	}
	defer tree.Close()
	source, err := cli.Memory(env, tree, c)
	if err != nil {
		return nil, err
	}
	m, err := memory.Open(source, c.Layout())
	if err != nil || m.IndexMissing {
		return nil, err
	}
	entries = []report.Entry{}
	for _, e := range m.Entries {
		if e.Heading != nil && e.Heading.Gone {
			continue // agents must not be shown it
		}
		isBare := e.Heading == nil || len(e.Heading.Phrases()) == 0
		entries = append(entries, report.Entry{Query: e.Query(), Bare: isBare})
	}
	return entries, nil
}

// scanTranscripts scans the transcripts, in folders and databases, that were written to since a time. It skips those
// that cannot be read, and returns an error for each.
func scanTranscripts(ctx context.Context, env cli.Env, folders []string, since time.Time) (all []report.Scan, failed []error) {
	var due []capture.TranscriptFile
	for _, folder := range folders {
		if real, err := filepath.EvalSymlinks(folder); err == nil { // the folder itself may be a link
			folder = real
		}
		found, skipped := capture.TranscriptsIn(ctx, folder)
		due, failed = append(due, found...), append(failed, skipped...)
	}
	due = slices.DeleteFunc(due, func(f capture.TranscriptFile) bool { return f.Written.Before(since) })
	slices.SortFunc(due, func(a, b capture.TranscriptFile) int { return cmp.Compare(a.Name, b.Name) })
	show := cli.Progress(env, "reading transcripts")
	for i, f := range due {
		scan, err := scanTranscript(ctx, f.Name)
		if err != nil {
			failed = append(failed, fmt.Errorf("%s: %w", f.Name, err))
		} else {
			all = append(all, scan)
		}
		show(i+1, len(due))
	}
	return all, failed
}

// scanTranscript scans a transcript. The scan of a missing one is empty.
func scanTranscript(ctx context.Context, name string) (scan report.Scan, err error) {
	source, err := capture.OpenTranscript(ctx, name)
	if err != nil || source == nil {
		return scan, err
	}
	defer source.Close()
	scan.Agent = source.Agent()
	_, _, err = source.Read(transcript.Cursor{}, func(r transcript.Record) error {
		scan.Add(r)
		return nil
	})
	return scan, err
}

// reportLearnings returns the figures of the learnings in the user's own store; nil if there are none.
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

// sinceTime reads the value of --since: days, a date, or all, for which it returns the zero time.
func sinceTime(since string, now time.Time) (time.Time, error) {
	if since == "all" {
		return time.Time{}, nil
	}
	if t, err := time.Parse(time.DateOnly, since); err == nil {
		return t, nil
	}
	if number, is := strings.CutSuffix(since, "d"); is {
		if days, err := strconv.Atoi(number); err == nil && days >= 0 && days <= 36500 {
			return now.UTC().AddDate(0, 0, -days), nil
		}
	}
	return time.Time{}, cli.Usagef("--since %q: write days as in 30d, a date as in 2026-01-31, or all", since)
}

// transcriptFolders returns the folders and databases in which agents keep their transcripts. It returns an error only
// if there are none.
func transcriptFolders(env cli.Env) (folders []string, err error) {
	for _, c := range agent.Clients {
		folder, fault := c.Transcripts(home.UserFolder(env.Getenv), env.Getenv)
		if fault == nil {
			folders = append(folders, folder)
		} else if err == nil {
			err = fault
		}
	}
	if len(folders) == 0 {
		return nil, err
	}
	return folders, nil
}
