package postgres_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"whence/internal/learning"
	"whence/internal/store"
	"whence/internal/store/postgres"
	"whence/internal/test/pgtest"
	"whence/internal/text"
)

// generator makes texts that look like those of people: a few hundred words are most of a
// text, and there are ever more that come once.
type generator struct {
	random *rand.Rand
	zipf   *rand.Zipf
	stems  text.Stemmer
}

// vocabulary is how many words there are.
const vocabulary = 300_000

func newGenerator(seed uint64) *generator {
	random := rand.New(rand.NewPCG(seed, seed))
	return &generator{random, rand.NewZipf(random, 1.07, 4, vocabulary-1), text.Stemmer{}}
}

// common are the words that come most, those without meaning among them.
var common = strings.Fields(`the to of and a in is it that for on with this be as not are we if from or by an at will you
	test file error hook config cache index query build deploy commit branch server client request response timeout was has have but can should
	retry token session store database schema migration lock process thread queue worker event handler so then when which all its no only`)

// word is the one of a rank.
func word(rank uint64) string {
	if rank < uint64(len(common)) {
		return common[rank]
	}
	const consonants, vowels = "bcdfghjklmnprstvwz", "aeiou"
	var b strings.Builder
	for n := rank; ; n /= uint64(len(consonants) * len(vowels)) {
		pair := n % uint64(len(consonants)*len(vowels))
		b.WriteByte(consonants[pair/uint64(len(vowels))])
		b.WriteByte(vowels[pair%uint64(len(vowels))])
		if n < uint64(len(consonants)*len(vowels)) {
			return b.String() + "x"
		}
	}
}

func (g *generator) sentence(words int) string {
	all := make([]string, words)
	for i := range all {
		all[i] = word(g.zipf.Uint64())
	}
	return strings.Join(all, " ")
}

// asked is a question: words of a text that has some rare ones, as questions do.
func (g *generator) asked() string { return g.sentence(14) }

// said is the text of a turn: half of them have 21 words or less, a tenth 125 or more, as
// turns of real sessions.
func (g *generator) said() string {
	return g.sentence(max(2, min(300, int(21*math.Exp(1.39*g.random.NormFloat64())))))
}

// vector returns the same as [postgres.Vector] in a fifth of the time: each word is stemmed once.
// The weights are those of the columns, in tenths.
func (g *generator) vector(weights []int, columns ...string) (vector string, words int) {
	often := map[string]int{}
	for i, column := range columns {
		for word := range strings.FieldsSeq(column) {
			for _, stem := range g.stems.Stems(word) {
				words++
				often[stem] += weights[i]
			}
		}
	}
	var b strings.Builder
	for stem, tenths := range often {
		b.WriteString("'" + stem + "':" + strconv.Itoa(tenths) + " ")
	}
	return b.String(), words
}

// The weights of the columns that are searched, in tenths: of learnings name, keywords,
// description, reasoning; of turns text, nearby.
func entriesWeights() []int { return []int{20, 5, 20, 7} }
func turnsWeights() []int   { return []int{10, 4} }

func stemsOf(columns []string) (stems [][]string) {
	for _, column := range columns {
		stems = append(stems, text.Stemmer{}.Stems(column))
	}
	return stems
}

// The generator's vectors are those of the store.
func TestVectorsOfTheGenerator(t *testing.T) {
	g := newGenerator(1)
	sorted := func(vector string) []string { return slices.Sorted(strings.FieldsSeq(vector)) }
	for i := range 20 {
		l := g.learning(i)
		columns := []string{l.Name, strings.Join(l.Keywords, " "), l.Description, l.Reasoning}
		want, words := postgres.Vector(store.Table{Name: "entries", Weights: []float64{2, 0.5, 2, 0.7}}, store.Text{Stems: stemsOf(columns)})
		got, n := g.vector(entriesWeights(), columns...)
		require.Equal(t, sorted(want), sorted(got))
		require.EqualValues(t, words, n)
		columns = []string{g.said(), g.said()}
		want, words = postgres.Vector(store.Table{Name: "turns", Weights: []float64{1, 0.4}}, store.Text{Stems: stemsOf(columns)})
		got, n = g.vector(turnsWeights(), columns...)
		require.Equal(t, sorted(want), sorted(got))
		require.EqualValues(t, words, n)
	}
}

func (g *generator) learning(i int) learning.Learning {
	text := g.sentence(10 + g.random.IntN(25))
	l := learning.Learning{
		ID: learning.ID(text), Name: learning.Shorten(text), Description: text, Reasoning: "because " + g.sentence(6+g.random.IntN(10)),
		Category: learning.Categories()[i%3], Confidence: learning.Low, Source: learning.SessionCapture, Created: noon.Add(time.Duration(i) * time.Second),
	}
	l.Keywords = learning.Keywords(l.Name, l.Description, l.Reasoning)
	if i%2 == 0 {
		l.Project = projectOf(i)
	}
	return l
}

func projectOf(i int) string { return fmt.Sprintf("/home/somebody/project%d/.git", i%40) }

// place is a database with many rows, and the login that queries it.
type place struct {
	db     *pgtest.Database
	member string // a URL
	login  string
}

// newPlace makes a store with learnings and turns, in sessions of 100. Of ten rows two are
// another team's; of the learnings a tenth is personal; half of the turns are shared, the
// others are those of 20 persons.
func newPlace(t testing.TB, server *pgtest.Server, learnings, turns int) *place {
	t.Helper()
	t.Setenv("PGPASSFILE", server.Passfile())
	p := &place{db: server.Database(t, "scale")}
	owner := p.db.URL(pgtest.Superuser)
	_, err := postgres.Init(context.Background(), owner)
	require.NoError(t, err)
	p.login = server.Login(t, "ann")
	_, err = postgres.Admit(context.Background(), owner, "ferry", p.login, "member")
	require.NoError(t, err)
	p.member = p.db.URL(p.login)
	require.NoError(t, p.fill(context.Background(), owner, learnings, turns))
	return p
}

// open is the store as the member sees it.
func (p *place) open(t testing.TB) *store.Store {
	t.Helper()
	s, err := postgres.Open(context.Background(), p.member)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	return s
}

// super is a connection of the superuser.
func (p *place) super(t testing.TB) *sql.DB {
	t.Helper()
	db := p.db.Open(t, pgtest.Superuser)
	db.SetMaxOpenConns(1)
	_, err := db.Exec(`SET search_path = whence, public`)
	require.NoError(t, err)
	return db
}

// fill puts rows in as they would be after as many calls of the store, by COPY. Indexes are
// made at the end.
func (p *place) fill(ctx context.Context, owner string, learnings, turns int) error {
	conn, err := pgx.Connect(ctx, owner)
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	run := func(statements ...string) error {
		for _, statement := range statements {
			if _, err := conn.Exec(ctx, statement); err != nil {
				return fmt.Errorf("%s: %w", statement, err)
			}
		}
		return nil
	}
	load := func(into string, rows int, row func(i int) []string) error {
		out, in := io.Pipe()
		go func() {
			var err error
			for i := 0; i < rows && err == nil; i++ {
				cells := row(i)
				for j, cell := range cells {
					cells[j] = strings.NewReplacer(`\`, `\\`, "\t", `\t`, "\n", `\n`).Replace(cell)
				}
				_, err = io.WriteString(in, strings.ReplaceAll(strings.Join(cells, "\t"), null, `\N`)+"\n")
			}
			in.CloseWithError(err)
		}()
		_, err := conn.PgConn().CopyFrom(ctx, out, "COPY whence."+into+" FROM STDIN")
		return errors.Join(err, out.Close())
	}
	if err := run(`SET search_path = whence, public`, `SET maintenance_work_mem = '512MB'`, `SET work_mem = '256MB'`, `SET session_replication_role = replica`, withoutIndexes); err != nil {
		return err
	}
	g := newGenerator(1)
	if err := load(`entries (team, owner, personal, id, name, description, reasoning, category, keywords, source, source_project, observation_count, folded, created_at, updated_at, words, tsv)`, learnings, func(i int) []string {
		l := g.learning(i)
		team, who := p.whose(i)
		tsv, words := g.vector(entriesWeights(), l.Name, strings.Join(l.Keywords, " "), l.Description, l.Reasoning)
		at := l.Created.Format(time.RFC3339)
		return []string{team, who, boolean(i/10%10 == 9), l.ID, l.Name, l.Description, l.Reasoning, string(l.Category), `["` + strings.Join(l.Keywords, `","`) + `"]`, string(l.Source), orNull(l.Project),
			fmt.Sprint(1 + i%7), learning.SourceHash(learning.Folded(l.Description)), at, at, fmt.Sprint(words), tsv}
	}); err != nil {
		return err
	}
	said := make([]string, turns)
	for i := range said {
		said[i] = g.said()
	}
	nearby := func(i int) string {
		var all []string
		for j := i - 2; j <= i+2; j++ {
			if j != i && j >= 0 && j < turns && j/100 == i/100 {
				all = append(all, said[j])
			}
		}
		return strings.Join(all, "\n")
	}
	if err := load(`turns (seq, team, owner, personal, session, uuid, role, kind, text, nearby, rank, project, created_at, words, tsv)`, turns, func(i int) []string {
		team, who := p.whose(i / 100)
		beside := nearby(i)
		tsv, words := g.vector(turnsWeights(), said[i], beside)
		return []string{fmt.Sprint(i + 1), team, who, boolean(i/100%2 == 0), fmt.Sprint("session ", i/100), fmt.Sprintf("%08x-0000-4000-8000-%012x", i, i), "assistant", "answer", said[i], beside, fmt.Sprint(i % 5), projectOf(i / 100),
			noon.Add(time.Duration(i) * 10 * time.Second).Format(time.RFC3339), fmt.Sprint(words), tsv}
	}); err != nil {
		return err
	}
	return run(
		`INSERT INTO captured (seq, team, owner, uuid, session, turn, rank, digest) OVERRIDING SYSTEM VALUE SELECT seq, team, owner, uuid, session, seq, rank, hashtextextended(text, seq) FROM turns`,
		`INSERT INTO observations SELECT seq, 'session', created_at FROM entries`,
		`SELECT setval(pg_get_serial_sequence('captured', 'seq'), (SELECT coalesce(max(seq), 1) FROM captured))`,
		`INSERT INTO words SELECT team, reader, 'entries', s, count(*) FROM entries, unnest(tsvector_to_array(tsv)) s GROUP BY 1, 2, 4`,
		`INSERT INTO words SELECT team, reader, 'turns', s, count(*) FROM turns, unnest(tsvector_to_array(tsv)) s GROUP BY 1, 2, 4`,
		`INSERT INTO totals SELECT team, reader, 'entries', count(*), sum(words) FROM entries GROUP BY 1, 2`,
		`INSERT INTO totals SELECT team, reader, 'turns', count(*), sum(words) FROM turns GROUP BY 1, 2`,
		withIndexes, `SET session_replication_role = origin`, `VACUUM ANALYZE`)
}

// whose is the team and the person of a row.
func (p *place) whose(i int) (team, who string) {
	switch {
	case i%10 >= 8:
		return "pier", fmt.Sprint("pat ", i%7)
	case i/2%20 == 0:
		return "ferry", p.login
	}
	return "ferry", fmt.Sprint("bob ", i/2%20)
}

// null stands for NULL.
const null = "\x00"

func orNull(text string) string {
	if text == "" {
		return null
	}
	return text
}

func boolean(b bool) string { return fmt.Sprint(b)[:1] }

// What has no unique index is made again at the end.
const (
	withoutIndexes = `DO $$ DECLARE i record; BEGIN
		CREATE TEMP TABLE later AS SELECT x.indexrelid::regclass::text AS name, pg_get_indexdef(x.indexrelid) AS definition FROM pg_index x JOIN pg_class c ON c.oid = x.indrelid
			WHERE c.relnamespace = 'whence'::regnamespace AND c.relname IN ('entries', 'turns', 'captured', 'words') AND NOT x.indisunique;
		FOR i IN SELECT name FROM later LOOP EXECUTE 'DROP INDEX ' || i.name; END LOOP; END $$`
	withIndexes = `DO $$ DECLARE i record; BEGIN FOR i IN SELECT definition FROM later LOOP EXECUTE i.definition; END LOOP; END $$`
)
