package postgres_test

import (
	"context"
	"fmt"
	"math/rand"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"whence/internal/learning"
	"whence/internal/store"
	"whence/internal/store/postgres"
	"whence/internal/test/pgtest"
)

var noon = time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)

// member is the store of a team as a new member of it sees it.
func member(t testing.TB, db *pgtest.Database, team, name string) *store.Store {
	t.Helper()
	ctx := context.Background()
	login := db.Server.Login(t, name)
	t.Setenv("PGPASSFILE", db.Server.Passfile())
	_, err := postgres.Admit(ctx, db.URL(pgtest.Superuser), team, login, "member")
	require.NoError(t, err)
	s, err := postgres.Open(ctx, db.URL(login))
	require.NoError(t, err)
	t.Cleanup(func() { s.Close() })
	return s
}

func database(t *testing.T) *pgtest.Database {
	t.Helper()
	server := pgtest.Start(t)
	t.Setenv("PGPASSFILE", server.Passfile())
	return storeOn(t, server)
}

// storeOn is a database with an empty store.
func storeOn(t testing.TB, server *pgtest.Server) *pgtest.Database {
	t.Helper()
	return server.FromTemplate(t, "store", func(owner string) error {
		_, err := postgres.Init(t.Context(), owner)
		return err
	}, "store")
}

func file(t *testing.T) *store.Store {
	t.Helper()
	s, err := store.Open(context.Background(), t.TempDir())
	require.NoError(t, err)
	t.Cleanup(func() { s.Close() })
	return s
}

// held is all that a store holds, as one record.
func held(t *testing.T, s *store.Store) (whole store.Records) {
	t.Helper()
	for r, err := range s.Dump(context.Background(), store.Scope{Everything: true}) {
		require.NoError(t, err)
		whole.Learnings = append(whole.Learnings, r.Learnings...)
		whole.Sessions = append(whole.Sessions, r.Sessions...)
	}
	return whole
}

func copyAll(t *testing.T, from, to *store.Store) (loaded store.Loaded) {
	t.Helper()
	for r, err := range from.Dump(context.Background(), store.Scope{Everything: true}) {
		require.NoError(t, err)
		some, err := to.Load(context.Background(), r)
		require.NoError(t, err)
		loaded.Add(some)
	}
	return loaded
}

func fact(i int) string {
	return []string{
		"always quote shell variables in hooks", "never quote shell variables in hooks", "the queue retries each message three times",
		"migrations run before the deploy", "fares are integers in cents of the currency", "the pool keeps nine idle connections open",
	}[i]
}

// fill does so many random things to a store. The sessions are those of one person, by the
// first letter of the name.
func fill(t *testing.T, s *store.Store, random *rand.Rand, name string, steps int) {
	t.Helper()
	ctx := context.Background()
	for step := range steps {
		at := noon.Add(time.Duration(random.Intn(100)) * time.Minute)
		text, session := fact(random.Intn(6)), name[:1]+string(rune('a'+random.Intn(3)))
		switch random.Intn(8) {
		case 0, 1:
			_, err := s.Put(ctx, learning.Learning{
				Name: learning.InferName(text), Description: text, Reasoning: "it was seen", Category: learning.InferCategory(text), Confidence: learning.Low, Source: learning.SessionCapture,
				Project: []string{"", "/x/.git"}[random.Intn(2)], References: []string{fmt.Sprint("file", random.Intn(3))},
			}, store.Observation{At: at, Session: session, Revive: random.Intn(2) == 0})
			require.NoError(t, err)
		case 2:
			_, err := s.Edit(ctx, learning.ID(text), at, func(l *learning.Learning) error {
				l.Retired = []string{"", "wrong"}[random.Intn(2)]
				return nil
			})
			if err != nil {
				require.ErrorIs(t, err, store.ErrUnknown)
			}
			require.NoError(t, s.Found(ctx, []string{learning.ID(text)}, at))
			require.NoError(t, s.Recalled(ctx, []string{learning.ID(text)}, at))
		case 3:
			if random.Intn(4) == 0 {
				_, err := s.Prune(ctx, store.PruneOptions{Session: session, Everywhere: true, Before: at})
				require.NoError(t, err)
			}
		default:
			c := store.Captured{Session: session, Project: "/x/.git", Shared: random.Intn(3) == 0, Never: random.Intn(8) == 0, Change: []string{"", "cache"}[random.Intn(2)]}
			for i := range 1 + random.Intn(5) {
				said := store.Turn{UUID: fmt.Sprint(name, step, "/", i), Role: "user", Text: name + " speaks of " + text, At: at, Rank: random.Intn(4)}
				if random.Intn(3) == 0 {
					said.Fold = fmt.Sprint("fold", random.Intn(3))
				}
				c.Turns = append(c.Turns, said)
			}
			if random.Intn(4) == 0 {
				c.Answer = &store.Turn{Role: "assistant", Text: fmt.Sprint("an answer of ", random.Intn(5)), At: at}
			}
			_, err := s.AddCaptured(ctx, c)
			require.NoError(t, err)
		}
	}
}

func requireSound(t *testing.T, s *store.Store) {
	t.Helper()
	c, err := s.Check(context.Background(), noon.AddDate(1, 0, 0))
	require.NoError(t, err)
	require.Empty(t, c.Faults)
}

// What goes to a server and comes back is the same, and to do it again changes nothing.
func TestACopyThroughAServer(t *testing.T) {
	db := database(t)
	for seed := range int64(6) {
		random := rand.New(rand.NewSource(seed))
		a, b, c := file(t), member(t, db, fmt.Sprint("team", seed), "ann"), file(t)
		fill(t, a, random, "a", 60)
		first := copyAll(t, a, b)
		require.Zero(t, first.KnownLearnings+first.KnownTurns)
		requireSound(t, b)
		copyAll(t, b, c)
		requireSound(t, c)
		require.Equal(t, held(t, a), held(t, c))
		again := copyAll(t, a, b)
		require.Equal(t, store.Loaded{Learnings: first.Learnings, KnownLearnings: first.Learnings, Turns: first.Turns, KnownTurns: first.Turns}, again)
		require.Equal(t, held(t, a), held(t, b))
	}
}

// A store that has grown apart from that on the server comes together with it, and what is a
// colleague's stays so.
func TestACopyIntoWhatIsThere(t *testing.T) {
	ctx := context.Background()
	db := database(t)
	ann, bob := member(t, db, "ferry", "ann"), member(t, db, "ferry", "bob")
	for seed := range int64(4) {
		random := rand.New(rand.NewSource(seed))
		a := file(t)
		fill(t, a, random, fmt.Sprint("a both", seed), 30)
		copyAll(t, a, ann)
		fill(t, a, random, fmt.Sprint("a here", seed), 30)
		fill(t, ann, random, fmt.Sprint("a there", seed), 30)
		fill(t, bob, random, fmt.Sprint("bob", seed), 20)
		his := held(t, bob).Sessions
		before := held(t, ann)
		copyAll(t, a, ann)
		requireSound(t, ann)
		after := held(t, ann)
		copyAll(t, a, ann)
		require.Equal(t, after, held(t, ann), "again")
		uuids := func(r store.Records) (all []string) {
			for _, session := range r.Sessions {
				for _, turn := range session.Turns {
					if !strings.HasPrefix(turn.UUID, "told:") {
						all = append(all, turn.UUID)
					}
				}
			}
			slices.Sort(all)
			return slices.Compact(all)
		}
		require.Subset(t, uuids(after), uuids(before))
		require.Subset(t, uuids(after), uuids(held(t, a)))
		require.Equal(t, his, held(t, bob).Sessions)
		hits, err := ann.SearchTurns(ctx, store.Query{Text: "migrations before the deploy", Everywhere: true})
		require.NoError(t, err)
		require.NotEmpty(t, hits)
	}
	requireSound(t, bob)
}

// A check says who is connected, and what row-level security does not hold back.
func TestCheck(t *testing.T) {
	ctx := context.Background()
	db := database(t)
	ann := member(t, db, "ferry", "ann")
	fill(t, ann, rand.New(rand.NewSource(1)), "a", 40)
	c, err := ann.Check(ctx, noon.AddDate(1, 0, 0))
	require.NoError(t, err)
	require.Empty(t, c.Faults)
	facts := map[string]string{}
	for _, f := range c.Facts {
		facts[f.Name] = f.Value
	}
	require.Equal(t, "ferry", facts["team"])
	require.Equal(t, "member", facts["role"])
	require.Equal(t, "1", facts["schema"])
	require.Equal(t, "on for all tables", facts["row-level security"])
	require.Equal(t, "agree with the rows", facts["words of turns"])
	require.True(t, strings.HasPrefix(facts["engine"], "PostgreSQL "))
	require.NotEmpty(t, facts["pgvector"])

	owner := db.Open(t, pgtest.Superuser)
	for statement, want := range map[string]string{
		`ALTER TABLE whence.sessions DISABLE ROW LEVEL SECURITY`:                                        "1 tables are without row-level security",
		`UPDATE whence.words SET rows = rows + 1 WHERE kind = 'entries'`:                                "the counts of words do not agree with the rows of entries",
		`UPDATE whence.turns SET tsv = NULL, words = 0 WHERE seq = (SELECT max(seq) FROM whence.turns)`: "1 rows of turns have no words",
		`UPDATE whence.totals SET words = words + 1 WHERE kind = 'turns'`:                               "of turns",
	} {
		_, err := owner.Exec(statement)
		require.NoError(t, err)
		c, err = ann.Check(ctx, noon.AddDate(1, 0, 0))
		require.NoError(t, err)
		require.Contains(t, strings.Join(c.Faults, "\n"), want)
	}
	_, err = postgres.Admit(ctx, db.URL(pgtest.Superuser), "ferry", pgtest.Superuser, "admin")
	require.NoError(t, err)
	s, err := postgres.Open(ctx, db.URL(pgtest.Superuser))
	require.NoError(t, err)
	defer s.Close()
	c, err = s.Check(ctx, noon.AddDate(1, 0, 0))
	require.NoError(t, err)
	require.Contains(t, strings.Join(c.Faults, "\n"), "row-level security does not hold")
}

// Init says what it did, or nothing.
func TestServers(t *testing.T) {
	ctx := context.Background()
	db := database(t)
	servers := postgres.Servers()
	done, err := servers.Init(ctx, db.URL(pgtest.Superuser))
	require.NoError(t, err)
	require.NotContains(t, strings.Join(done, "\n"), "schema")
	ann := db.Server.Login(t, "ann")
	made, err := servers.Admit(ctx, db.URL(pgtest.Superuser), "ferry", ann, "reader")
	require.NoError(t, err)
	require.False(t, made)
	require.NoError(t, servers.Dismiss(ctx, db.URL(pgtest.Superuser), "ferry", ann))
	_, err = servers.Open(ctx, db.URL(ann))
	require.ErrorIs(t, err, postgres.ErrNoTeam)
}
