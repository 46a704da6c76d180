package remember

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/dustin/go-humanize"
	urfave "github.com/urfave/cli/v3"

	"whence/internal/cli"
	"whence/internal/store"
	"whence/internal/team"
	"whence/internal/text"
)

func statsCommand(env cli.Env, l linked) *urfave.Command {
	o := learningOptions{linked: l}
	return &urfave.Command{
		Name: "stats", Usage: "print how much is stored, and how much of it is used", Flags: o.flags(),
		Action: o.action(env, func(ctx context.Context, svc *Service) error {
			var st store.Stats
			var last InjectionRecord
			shown := false
			err := exceptNone(svc.read(ctx, func(ctx context.Context, s *store.Store) (err error) {
				st, err = s.Stats(ctx, svc.Now())
				return err
			}))
			if err != nil {
				return err
			}
			err = exceptNone(svc.ReadLocal(ctx, func(ctx context.Context, s *store.Store) (err error) {
				last, shown, err = LastInjection(ctx, s)
				return err
			}))
			if err != nil {
				return err
			}
			if o.format == "json" {
				return text.WriteJSONLine(env.Stdout, statsJSON(st, last, shown))
			}
			p := o.printer(env, svc.Now())
			p.stats(st)
			if svc.Replica != nil {
				team, err := svc.Replica.Status(ctx)
				if err != nil {
					return err
				}
				p.row("team's store", teamText(svc.Replica.Name(), team, svc.Now()))
			}
			if shown {
				p.row("shown last", fmt.Sprintf("%s, %s", cli.Count(last.Entries, "learning", "learnings"), p.ago(last.Timestamp)))
			}
			return p.flush()
		}),
	}
}

func statsJSON(st store.Stats, last InjectionRecord, shown bool) any {
	all := struct {
		store.Stats
		LastInjection *InjectionRecord `json:"last_injection,omitempty"`
	}{Stats: st}
	if shown {
		all.LastInjection = &last
	}
	return all
}

func (p *printer) row(what, text string) {
	p.line(p.styled(faint, fmt.Sprintf("%-23s", what)) + text)
}

func (p *printer) stats(st store.Stats) {
	share := func(n int) string {
		if st.Learnings == 0 {
			return "none"
		}
		return fmt.Sprintf("%d of %d (%d %%)", n, st.Learnings, 100*n/st.Learnings)
	}
	p.row("learnings", fmt.Sprintf("%d that apply, %d retired", st.Learnings, st.Retired))
	p.row("by category", counts(st.Categories))
	p.row("by source", counts(st.Sources))
	p.row("by confidence", counts(st.Confidence))
	p.row("by repository", fmt.Sprintf("%d of %s, %d global", st.Learnings-st.Global, cli.Count(st.Projects, "repository", "repositories"), st.Global))
	p.row("never shown to agents", share(st.NeverRecalled))
	p.row("never of use", share(st.NeverUsed))
	p.row("unused for 60 days", share(st.Stale))
	sessions := "nothing was shown to agents yet"
	if st.RecalledFromSessions != nil {
		sessions = fmt.Sprintf("%.1f %% of what was shown (goal: at most 40 %%)", *st.RecalledFromSessions)
	}
	p.row("captured in sessions", sessions)
	p.row("captured this week", fmt.Sprintf("%d (goal: 3+)", st.CapturedThisWeek))
	turns := "no turns captured"
	if st.OldestTurn != nil {
		turns = fmt.Sprintf("%s of %s, %s, since %s", cli.Count(st.Turns, "turn", "turns"), cli.Count(st.Sessions, "session", "sessions"),
			humanize.IBytes(uint64(st.TurnBytes)), st.OldestTurn.Format(time.DateOnly))
	}
	p.row("conversations", turns)
	p.row("with embedding", share(st.Embeddings)+"; they are optional")
	p.row("file", humanize.IBytes(uint64(st.Bytes)))
}

// counts returns numbers with their names, the largest first.
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

func teamText(name string, st team.Status, now time.Time) string {
	line := fmt.Sprintf("%s, %s", name, st.Since(now))
	if st.Waiting > 0 {
		line += fmt.Sprintf(", %s not sent yet", cli.Count(st.Waiting, "operation", "operations"))
	}
	if st.Refused > 0 {
		line += fmt.Sprintf(", %d refused", st.Refused)
	}
	for _, a := range st.SetAside {
		line += fmt.Sprintf(", %d put aside (%s)", a.Count, a.Reason())
	}
	if st.Error != "" {
		line += "; " + st.Error
	}
	return text.Printable(line)
}
