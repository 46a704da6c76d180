package hooks

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"whence/internal/cli"
	"whence/internal/notes"
)

// cleanPatience is how long a cleaning waits for an event that is being answered.
const cleanPatience = 5 * time.Second

// dayBefore returns the time a number of days ago, as in 30d; for "" the zero time.
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

// cleanNotes shows what would be removed, asks, and removes it.
func cleanNotes(env cli.Env, root, olderThan string, yes bool) error {
	before, err := dayBefore(olderThan, time.Now())
	if err != nil {
		return err
	}
	removed, err := clean(root, before, true)
	if err != nil {
		return err
	}
	if len(removed) == 0 {
		fmt.Fprintln(env.Stdout, "nothing to remove")
		return nil
	}
	for _, r := range removed {
		what := cli.Count(r.Lines, "line", "lines") + " of"
		if r.All {
			what = "all of"
		}
		fmt.Fprintf(env.Stdout, "  %s %s\n", what, r.Name)
	}
	if !agrees(env, yes, "Remove this?", "nothing was removed") {
		return cli.ErrFound
	}
	if _, err := clean(root, before, false); err != nil {
		return err
	}
	fmt.Fprintf(env.Stdout, "removed; kept in %s until the next cleaning (you can delete it)\n", notes.Attic)
	return nil
}

func clean(root string, before time.Time, dryRun bool) ([]notes.Removed, error) {
	ctx, cancel := context.WithTimeout(context.Background(), cleanPatience)
	defer cancel()
	return notes.Clean(ctx, root, before, dryRun)
}
