package remember

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	urfave "github.com/urfave/cli/v2"

	"whence/internal/cli"
	"whence/internal/inert"
	"whence/internal/learning"
	"whence/internal/rank"
	"whence/internal/store"
)

func searchCommand(env cli.Env, parts Parts) *urfave.Command {
	o := learningOptions{Parts: parts}
	var q SearchQuery
	brief := false
	return &urfave.Command{
		Name: "search", Usage: "find learnings, past sessions and commits", ArgsUsage: "TEXT... | -",
		Description: "TEXT is a question, an error message or a command; - reads it from standard input.",
		Flags: o.flags(
			o.formatFlag(),
			&urfave.IntFlag{Name: "limit", Usage: "print at most `N` learnings", Value: 5, Destination: &q.Max},
			&urfave.IntFlag{Name: "sessions", Usage: "print at most `N` past sessions after them, each with its best turn, and as many commits; 0 prints none", Value: 5, Destination: &q.MaxSessions},
			&urfave.StringFlag{Name: "category", Usage: "only this `CATEGORY`: anti-patterns, heuristics or patterns", Destination: (*string)(&q.Category)},
			&urfave.BoolFlag{Name: "brief", Usage: "print names only", Destination: &brief},
			&urfave.BoolFlag{Name: "everywhere", Usage: "search all repositories", Destination: &q.Everywhere},
		),
		Action: func(cmd *urfave.Context) error {
			var err error
			if q.Text, err = textOf(env, cmd.Args().Slice()); err != nil {
				return err
			}
			if strings.TrimSpace(q.Text) == "" {
				return cli.Usagef("%s: write words of a question or an error after search", strings.TrimPrefix(EmptyQuery, "Error: "))
			}
			if q.Max < 1 {
				return cli.Usagef("--limit %d: use 1 or more", q.Max)
			}
			if q.MaxSessions < 0 {
				return cli.Usagef("--sessions %d: use 0 (none) or more", q.MaxSessions)
			}
			if err := checkCategory(q.Category); err != nil {
				return err
			}
			svc, err := o.service(env)
			if err != nil {
				return err
			}
			if q.Category != "" || brief { // turns have neither category nor name
				q.MaxSessions = 0
			}
			found, err := svc.Search(cmd.Context, q)
			if err != nil {
				return err
			}
			if found.Warning != nil {
				o.remark(env, fmt.Sprintf("searched by words alone: %v", found.Warning))
			}
			if found.Near() {
				o.remark(env, "no learning has enough of these words: this is the nearest")
			}
			if o.format == "json" {
				err = writeFound(env, found)
			} else {
				err = o.printFound(env, svc, found, brief)
			}
			if err != nil || found.count() > 0 {
				return err
			}
			if o.format != "json" {
				o.remark(env, o.nextSearch(cmd.Context, env, svc, q))
			}
			return cli.ErrFound
		},
	}
}

// nextSearch returns what to type next after an empty result.
func (o *learningOptions) nextSearch(ctx context.Context, env cli.Env, svc *Service, q SearchQuery) string {
	stored := 0
	err := svc.Read(ctx, func(s *store.Store) (err error) {
		stored, err = s.Count(ctx, store.Query{Scope: svc.scope(), Max: 1})
		return err
	})
	next := noLearnings
	if err == nil && stored > 0 {
		next = fmt.Sprintf("try the words of a name, which \"%s\" prints", o.typed(env, "memory-remember list --brief"))
		if q.Category != "" {
			next += ", or leave out --category"
		}
	}
	if !q.Everywhere {
		next += ", or add --everywhere to search all repositories"
	}
	return next
}

type turnJSON struct {
	store.Turn
	Number  int      `json:"number"`
	Total   int      `json:"total"`
	Tags    []string `json:"tags"`
	Project string   `json:"project,omitempty"`
	Score   float64  `json:"score"` // of the session
}

func writeFound(env cli.Env, found SearchResult) error {
	all := struct {
		Results []store.Hit  `json:"results"`
		Turns   []turnJSON   `json:"turns,omitempty"`
		Commits []commitJSON `json:"commits,omitempty"`
	}{Results: append([]store.Hit{}, found.Learnings...)}
	for _, s := range found.Sessions {
		t := s.Best
		all.Turns = append(all.Turns, turnJSON{t, t.Number, t.Total, t.Tags, t.Project, s.Score})
	}
	for _, h := range found.Commits {
		all.Commits = append(all.Commits, commitJSON{h.Hash, h.At, h.Subject, h.Score})
	}
	return inert.WriteJSONLine(env.Stdout, all)
}

type commitJSON struct {
	Hash    string    `json:"hash"`
	At      time.Time `json:"at"`
	Subject string    `json:"subject"`
	Score   float64   `json:"score"`
}

func (o *learningOptions) printFound(env cli.Env, svc *Service, found SearchResult, brief bool) error {
	inert.SayWhose(env.Stdout, inert.FromStore)
	p := o.printer(env, svc.Now())
	if found.count() == 0 {
		p.line(NoMatch)
	}
	for i, h := range found.Learnings {
		if i > 0 && !brief {
			p.line("")
		}
		p.learning(h.Learning, brief)
	}
	if len(found.Learnings) > 0 && len(found.Sessions) > 0 {
		p.line("")
	}
	for i, s := range found.Sessions {
		t := s.Best
		if i == 0 {
			p.line(p.styled(bold, "Captured turns of past sessions:"))
		} else {
			p.line("")
		}
		p.line(p.styled(faint, inert.Printable(t.Label())))
		p.detail(strings.Join([]string{cmp.Or(t.Kind, t.Role, "turn"), ago(t.At, p.now), fmt.Sprintf("session %s/%d", t.Session, t.Number)}, ", "))
		p.text(oneLine(t.Text, maxTurnLineChars))
	}
	for i, h := range found.Commits {
		if i == 0 {
			if len(found.Learnings)+len(found.Sessions) > 0 {
				p.line("")
			}
			p.line(p.styled(bold, "Commits of this repository:"))
		}
		p.line(inert.Printable(commitLine(h)))
	}
	return p.flush()
}

const maxTurnLineChars = 300

func oneLine(text string, maxChars int) string {
	all := []rune(strings.Join(strings.Fields(text), " "))
	if len(all) > maxChars {
		all = append(all[:maxChars], '…')
	}
	return string(all)
}

// SearchQuery selects learnings, past sessions and commits.
type SearchQuery struct {
	Text        string
	Category    learning.Category // "": all
	Max         int               // learnings
	Everywhere  bool              // search the learnings and sessions of all repositories, but no commits
	MaxSessions int               // each with its best turn, and as many commits
}

// SearchResult holds the matches of a search, best first.
type SearchResult struct {
	Learnings []store.Hit
	Sessions  []FoundSession
	Commits   []store.CommitHit
	Warning   error // why vectors could not be used
}

// FoundSession is a session with its best turn.
type FoundSession struct {
	Score float64
	Best  store.Turn
}

func (r SearchResult) count() int { return len(r.Learnings) + len(r.Sessions) + len(r.Commits) }

// Near reports whether no learning answers, and the nearest are given instead.
func (r SearchResult) Near() bool {
	return slices.ContainsFunc(r.Learnings, func(h store.Hit) bool { return h.Near })
}

// maxQueryEmbedTime bounds the wait for the vector of a query.
const maxQueryEmbedTime = 1500 * time.Millisecond

// minSimilarity is the minimum similarity of a learning that is found by its vector alone. In most
// models, unrelated short texts have a similarity of 0.3–0.5.
const minSimilarity = 0.62

// Search returns matching learnings, sessions and commits, and counts that the learnings were found. An empty result is
// not an error, nor is a missing store.
func (svc *Service) Search(ctx context.Context, q SearchQuery) (found SearchResult, err error) {
	query := store.Query{Text: q.Text, Scope: store.Scope{Project: svc.Project, Everywhere: q.Everywhere}, Category: q.Category, Max: q.Max, Evidence: rank.MinEvidence, Typed: true}
	err = svc.Read(ctx, func(s *store.Store) error {
		if found.Learnings, err = s.Search(ctx, query); err != nil {
			return err
		}
		if svc.EmbedQuery != nil {
			found.Learnings, found.Warning = svc.fuse(ctx, s, query, found.Learnings)
		}
		if q.MaxSessions > 0 {
			turns := query
			turns.Max, turns.Project = q.MaxSessions, svc.Turns
			if found.Sessions, err = findBestTurns(ctx, s, turns); err == nil && !q.Everywhere {
				found.Commits, err = s.SearchCommits(ctx, turns)
			}
		}
		return err
	})
	if err != nil {
		return SearchResult{}, exceptNone(err)
	}
	return found, svc.countFound(ctx, query.Scope, found.Learnings)
}

func findBestTurns(ctx context.Context, s *store.Store, q store.Query) (found []FoundSession, err error) {
	hits, err := s.SearchSessions(ctx, q)
	for _, h := range hits {
		best, fault := s.Turn(ctx, h.Best)
		if fault != nil {
			return found, fault
		}
		found = append(found, FoundSession{h.Score, best})
	}
	return found, err
}

// countFound counts that learnings were found. If the store cannot be written now, that is not an error.
func (svc *Service) countFound(ctx context.Context, in store.Scope, hits []store.Hit) error {
	if len(hits) == 0 {
		return nil
	}
	ids := make([]string, len(hits))
	for i, h := range hits {
		ids[i] = h.ID
	}
	err := svc.change(store.WithMaxWait(ctx, maxCountWait), func(s *store.Store) error { return s.Found(ctx, in, ids, svc.Now()) })
	if store.Unusable(err) {
		return nil
	}
	return err
}

// maxCountWait limits the wait of counting for other writers: no reply depends on the counts.
const maxCountWait = 50 * time.Millisecond

// fuse merges the hits by words with the nearest learnings by vector.
func (svc *Service) fuse(ctx context.Context, s *store.Store, q store.Query, hits []store.Hit) ([]store.Hit, error) {
	limited, cancel := context.WithTimeout(ctx, maxQueryEmbedTime)
	defer cancel()
	model, vector, err := svc.EmbedQuery(limited, q.Text)
	if err != nil {
		return hits, err
	}
	q.Evidence = minSimilarity
	near, err := s.Nearest(ctx, model, vector, q)
	if err != nil {
		return hits, err
	}
	hitByID := map[string]store.Hit{}
	byVectors := make([]string, len(near))
	for i, l := range near {
		byVectors[i], hitByID[l.ID] = l.ID, store.Hit{Learning: l}
	}
	byWords := make([]string, len(hits))
	for i, h := range hits {
		byWords[i], hitByID[h.ID] = h.ID, h
	}
	var fused []store.Hit
	for _, id := range rank.Fuse(byWords, byVectors) {
		fused = append(fused, hitByID[id])
	}
	return fused[:min(len(fused), q.Max)], nil
}
