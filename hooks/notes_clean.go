package hooks

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	urfave "github.com/urfave/cli/v2"

	"whence/internal/cli"
	"whence/internal/notes"
)

// cleanPatience is how long a cleaning waits for an event that is being answered.
const cleanPatience = 5 * time.Second

// notesCleanCommand removes notes, after a question.
func notesCleanCommand(env cli.Env) *urfave.Command {
	var dir, older string
	var yes bool
	return &urfave.Command{
		Name: "clean", Usage: "remove the notes; the last ones removed stay in " + notes.Attic,
		Flags: notesFlags(&dir,
			&urfave.BoolFlag{Name: "yes", Usage: "do not ask", Destination: &yes, DisableDefaultText: true},
			&urfave.StringFlag{Name: "older-than", Usage: "remove only dated notes older than `DAYS`, such as 30d", Destination: &older},
		),
		Action: func(ctx *urfave.Context) error {
			if err := noArguments(ctx); err != nil {
				return err
			}
			before, err := dayBefore(older, time.Now())
			if err != nil {
				return err
			}
			return cleanNotes(env, notesRoot(env, dir), before, yes)
		},
	}
}

// dayBefore reads a number of days; "" is the zero time.
func dayBefore(older string, now time.Time) (time.Time, error) {
	if older == "" {
		return time.Time{}, nil
	}
	days, err := strconv.Atoi(strings.TrimSuffix(older, "d"))
	if err != nil || days < 0 || days > 36500 || !strings.HasSuffix(older, "d") {
		return time.Time{}, cli.Usagef("--older-than %q: write days, as in 30d", older)
	}
	return now.UTC().AddDate(0, 0, -days), nil
}

// cleanNotes says what goes, asks, and removes it.
func cleanNotes(env cli.Env, root string, before time.Time, yes bool) error {
	ctx, cancel := context.WithTimeout(context.Background(), cleanPatience)
	defer cancel()
	all, err := notes.Clean(ctx, root, before, true)
	if err != nil {
		return err
	}
	if len(all) == 0 {
		fmt.Fprintln(env.Stdout, "nothing to remove")
		return nil
	}
	for _, r := range all {
		what := cli.Count(r.Lines, "line", "lines") + " of"
		if r.All {
			what = "all of"
		}
		fmt.Fprintf(env.Stdout, "  %s %s\n", what, r.Name)
	}
	if !yes && !cli.IsTerminal(env.Stdin) {
		fmt.Fprintln(env.Stdout, "nothing was removed: there is no terminal to ask on, so add --yes")
		return cli.ErrFound
	}
	if !yes && !cli.Confirm(env, "Remove this?") {
		fmt.Fprintln(env.Stdout, "nothing was removed")
		return cli.ErrFound
	}
	ctx, cancel = context.WithTimeout(context.Background(), cleanPatience) // the question took its time
	defer cancel()
	if _, err := notes.Clean(ctx, root, before, false); err != nil {
		return err
	}
	fmt.Fprintf(env.Stdout, "removed; kept in %s until the next cleaning (you can delete it)\n", notes.Attic)
	return nil
}
