package remember

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/dustin/go-humanize"
	urfave "github.com/urfave/cli/v2"

	"whence/internal/cli"
	"whence/internal/store"
)

// statsCommand prints figures about the store.
func statsCommand(env cli.Env) *urfave.Command {
	var o learningOptions
	return &urfave.Command{
		Name: "stats", Usage: "print how much is stored, and how much of it is of use", Flags: o.flags(),
		Action: func(ctx *urfave.Context) error {
			if ctx.Args().Present() {
				return cli.Usagef("unexpected argument %q", ctx.Args().First())
			}
			b, err := o.base(env)
			if err != nil {
				return err
			}
			var st store.Stats
			err = b.Read(background(ctx), func(s *store.Store) error {
				st, err = s.Stats(background(ctx), b.Now())
				return err
			})
			if err != nil && !errors.Is(err, store.ErrNone) {
				return err
			}
			if o.format == "json" {
				return json.NewEncoder(env.Stdout).Encode(st)
			}
			p, err := o.printer(env, b.Now())
			if err != nil {
				return err
			}
			p.stats(st)
			return p.flush()
		},
	}
}

func (p *printer) stats(st store.Stats) {
	row := func(what, text string) { p.line(p.styled(faint, fmt.Sprintf("%-22s", what)) + text) }
	share := func(n int) string {
		if st.Learnings == 0 {
			return "none"
		}
		return fmt.Sprintf("%d of %d (%d %%)", n, st.Learnings, 100*n/st.Learnings)
	}
	row("learnings", fmt.Sprintf("%d, and %d retired", st.Learnings, st.Retired))
	row("by category", counts(st.Categories))
	row("by source", counts(st.Sources))
	row("by confidence", counts(st.Confidence))
	row("where", fmt.Sprintf("%d global, the others of %s", st.Global, count(st.Projects, "repository", "repositories")))
	row("never shown", share(st.NeverRecalled))
	row("never of use", share(st.NeverUsed))
	row("stale for 60 days", share(st.Stale))
	row("contradictions", count(st.Contradicting, "pair", "pairs"))
	sessions := "nothing was shown yet"
	if st.RecalledFromSessions != nil {
		sessions = fmt.Sprintf("%.1f %% of what was shown (40 %% at most is the aim)", *st.RecalledFromSessions)
	}
	row("from sessions", sessions)
	row("captured this week", fmt.Sprintf("%d (3 or more is the aim)", st.CapturedThisWeek))
	row("conversation", count(st.Turns, "turn", "turns"))
	row("embeddings", fmt.Sprintf("%d, %d learnings have none", st.Embeddings, st.Pending))
	row("file", humanize.IBytes(uint64(st.Bytes)))
}

// counts are numbers by name, the largest first.
func counts(all map[string]int) string {
	names := slices.Sorted(maps.Keys(all))
	slices.SortStableFunc(names, func(a, b string) int { return all[b] - all[a] })
	var parts []string
	for _, name := range names {
		parts = append(parts, fmt.Sprintf("%d %s", all[name], name))
	}
	if parts == nil {
		return "none"
	}
	return strings.Join(parts, ", ")
}
