package remember

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/dustin/go-humanize"
	urfave "github.com/urfave/cli/v2"

	"whence/internal/capture"
	"whence/internal/cli"
	"whence/internal/inert"
	"whence/internal/store"
)

func pruneCommand(env cli.Env, parts Parts) *urfave.Command {
	o := learningOptions{Parts: parts}
	var options store.PruneOptions
	var older string
	flags := o.flags(
		&urfave.StringFlag{Name: "session", Usage: "delete turns of the session `ID`, whose beginning is enough", Destination: &options.Session},
		&urfave.StringFlag{Name: "older-than", Usage: "delete turns older than `AGE`, such as 180d", Destination: &older},
		&urfave.BoolFlag{Name: "dry-run", Usage: "print what would be deleted, delete nothing", Destination: &options.DryRun},
		&urfave.BoolFlag{Name: "everywhere", Usage: "delete turns of all repositories", Destination: &options.Everywhere},
	)
	return &urfave.Command{
		Name: "prune", Usage: "delete captured turns, by age or session", Flags: flags,
		Action: o.action(env, func(ctx context.Context, svc *Service) error {
			if older == "" && options.Session == "" {
				return cli.Usagef("say which turns: --older-than 180d, --session ID, or both (--dry-run prints what would be deleted)")
			}
			options.Project = svc.Turns
			if older != "" {
				age, err := parseAge(older)
				if err != nil {
					return cli.Usagef("--older-than: %v", err)
				}
				options.Before = svc.Now().Add(-age)
			}
			var p store.Pruned
			err := svc.change(ctx, func(s *store.Store) (err error) {
				if options.Session != "" {
					options.Session, err = sessionID(ctx, s, store.Scope{Project: svc.Turns, Everywhere: options.Everywhere}, options.Session)
				}
				if err == nil {
					p, err = s.Prune(ctx, options, capture.WithoutText)
				}
				return err
			})
			if errors.Is(err, store.ErrNone) && options.Session != "" {
				err = &sessionError{ID: options.Session}
			}
			if unknown := (*sessionError)(nil); errors.As(err, &unknown) && len(unknown.Several) == 0 {
				return reportFailure(env, "no session of this repository has the id "+inert.Quoted(unknown.ID)+": memory-remember session WORDS finds it")
			}
			if exceptNone(err) != nil {
				return sessionNotFound(env, err)
			}
			_, err = fmt.Fprintln(env.Stdout, prunedText(p, options.DryRun))
			return err
		}),
	}
}

func prunedText(p store.Pruned, dryRun bool) string {
	what := "Deleted: "
	if dryRun {
		what = "Would delete: "
	}
	if p.Turns == 0 {
		return what + "nothing"
	}
	return fmt.Sprintf("%s%s of %s, %s", what, cli.Count(p.Turns, "turn", "turns"), cli.Count(p.Sessions, "session", "sessions"), humanize.IBytes(uint64(p.Bytes)))
}

// maxDays is a hundred years, well within a time.Duration.
const maxDays = 100 * 365

// parseAge reads a number of days, as in 180d.
func parseAge(age string) (time.Duration, error) {
	n, err := strconv.ParseUint(strings.TrimSuffix(age, "d"), 10, 32)
	if err != nil || n > maxDays || !strings.HasSuffix(age, "d") {
		return 0, fmt.Errorf("%s is not an age: use a number of days, as in 180d", inert.Quoted(age))
	}
	return time.Duration(n) * 24 * time.Hour, nil
}
