package store

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"time"

	"whence/internal/learning"
	"whence/internal/text"
)

// Query is a search of learnings.
type Query struct {
	Text       string
	Project    string            // its learnings count, and the global ones
	Everywhere bool              // those of all projects do
	Category   learning.Category // "": all
	Retired    bool              // learnings that no longer apply too
	Without    []string          // turns with any of these tags do not count
	Except     string            // turns of this session do not count, nor learnings that it has stored since Since
	Since      time.Time
	NoKinds    []string // turns of these kinds do not count
	Words      int      // the least that a hit must have of what was asked for
	Most       int      // hits to return; 0: all
	Unasked    bool     // no one has asked: only the rarest words are searched for
	Typed      bool     // somebody typed it, and wants what is nearest: see Hit.Named
	Evidence   float64  // the least that a hit must have: 0 is any
}

// MinEvidence is the evidence that a hit needs to be an answer, unless it is [Hit.Named]. On the bank of make eval it answers 1
// of 10 questions that have no answer, and keeps all but 1 of 72 answers that are ranked
// first. In a store of thousands more questions meet words by chance: there it answers 2 to
// 3 of 10, and keeps as many.
const MinEvidence = 0.54

// Hit is a learning that a search has found.
type Hit struct {
	learning.Learning
	Score    float64  // of the ranking, higher is better; comparable within one search
	Evidence float64  // 0..1, see MinEvidence
	Covered  float64  // 0..1: the share of the learning's own words that were asked for, see MinRecallScore
	Words    []string // of the query that it holds, rarest first
	Named    bool     // a query of maxNamedWords or fewer has a word of its name

	seq int64
}

// Search finds learnings by the words that they share with a text, best first. Finding
// nothing is not an error.
func (s *Store) Search(ctx context.Context, q Query) ([]Hit, error) {
	hits, err := reader{s.conn}.search(ctx, q, maxRows, rowsShare)
	if err != nil {
		return nil, fmt.Errorf("search the store: %w", s.explained(err))
	}
	return hits, nil
}

// reader searches a database, or what a transaction sees of it.
type reader struct{ q Conn }

func (r reader) search(ctx context.Context, q Query, rows int, share float64) (hits []Hit, err error) {
	asked, err := r.weigh(ctx, entriesTable, q.Text)
	if err != nil {
		return nil, err
	}
	judged := 0
	err = r.eachBest(ctx, entriesTable, asked, q.rows(asked, rows, share), nil, func(rows []Row) (enough bool, err error) {
		found, err := r.read(ctx, q, rows)
		if err != nil {
			return false, err
		}
		for _, row := range rows {
			l, allowed := found[row.Seq]
			if !allowed {
				continue
			}
			if h := judge(l, row, asked); (h.Evidence >= q.Evidence || q.Typed && h.Named) && len(h.Words) >= q.Words {
				hits = append(hits, h)
			}
			if judged++; q.Most > 0 && (len(hits) == q.Most || judged == judgedPerHit*q.Most) {
				return true, nil
			}
		}
		return false, nil
	})
	return hits, err
}

// How many rows of a full-text index are looked at: at first, at a time, and for each hit
// that is wanted. Rows are sorted: behind many without evidence, none with more is to be
// expected.
const (
	firstRows    = 240
	someRows     = 20
	judgedPerHit = 3
)

// eachBest calls take for the rows that hold any of the words, some at a time, best
// first, until it has enough. About mostRows are ranked. Weigh may change the scores of the
// best; nil leaves them.
func (r reader) eachBest(ctx context.Context, table Table, asked question, mostRows int, weigh func([]Row) error, take func([]Row) (enough bool, err error)) error {
	find, more := asked.searched(mostRows)
	if len(find) == 0 {
		return nil
	}
	either := append(slices.Clone(find), more...)
	taken := map[int64]bool{}
	try := func(find, words []term, most int) (enough, all bool, err error) {
		rows, err := r.q.engine.Best(ctx, r.q, Match{Table: table, Size: asked.size, Find: asked.words(find), Words: asked.words(words), Most: most})
		if err != nil {
			return false, false, err
		}
		all = most == 0 || len(rows) != most
		if weigh != nil {
			if err := weigh(rows); err != nil {
				return false, false, err
			}
			slices.SortStableFunc(rows, func(a, b Row) int { return cmp.Compare(b.Score, a.Score) })
		}
		rows = slices.DeleteFunc(rows, func(next Row) bool { return taken[next.Seq] })
		for some := range slices.Chunk(rows, someRows) {
			if enough, err := take(some); err != nil || enough {
				return enough, all, err
			}
		}
		for _, next := range rows {
			taken[next.Seq] = true
		}
		return false, all, nil
	}
	if len(more) > 0 { // common words alone find too many rows: they only rank those of the others
		if enough, _, err := try(find, slices.Concat(find, either), firstRows); err != nil || enough {
			return err
		}
	}
	for most := firstRows; ; most = 0 { // all of them only where filters have left too few of the best
		if enough, all, err := try(either, either, most); err != nil || enough || all {
			return err
		}
	}
}

func seqsOf(rows []Row) []int64 {
	seqs := make([]int64, len(rows))
	for i, row := range rows {
		seqs[i] = row.Seq
	}
	return seqs
}

// read returns those of some rows that the query allows.
func (r reader) read(ctx context.Context, q Query, some []Row) (map[int64]learning.Learning, error) {
	arguments := []any{q.Everywhere, q.Project, q.Retired, string(q.Category), r.q.engine.List(seqsOf(some))}
	learned := ""
	if q.Except != "" {
		learned = " AND NOT EXISTS (SELECT 1 FROM observations o WHERE o.entry = e.seq AND o.session = $6 AND o.at >= $7)"
		arguments = append(arguments, text.Clean(q.Except), q.Since.UTC().Format(timeLayout))
	}
	rows, err := r.q.QueryContext(ctx, `SELECT `+Columns+` FROM entries e
		WHERE ($1 OR e.source_project IS NULL OR e.source_project = $2) AND ($3 OR e.retired IS NULL) AND $4 IN ('', e.category)
		AND e.seq `+r.q.engine.AnyOf(5)+learned, arguments...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	found := map[int64]learning.Learning{}
	for rows.Next() {
		seq, l, err := scan(rows)
		if err != nil {
			return nil, err
		}
		found[seq] = l
	}
	return found, rows.Err()
}

var entriesTable = Table{"entries", []string{"name", "keywords", "description", "reasoning", parts}, []float64{2, 0.5, 2, 0.7, 0.5}}

// MinRecallScore is the minimum of Evidence times Covered for a learning that is recalled
// without a query, for the words of a prompt or a command. There evidence alone is too little: a long
// text holds a few words of many learnings. On the bank of make eval it brings half
// of the answers, and 3 wrong ones; of 53 prompts of unrelated work it speaks at 3.
const MinRecallScore = 0.16

// MinTurnRecallScore is the minimum of Evidence times the square root of Covered for a turn that
// is recalled without a query. Turns are longer than learnings, hence the root. On the
// sessions of make eval (devmem) it brings 33 of 67 answers, and 5 wrong turns of
// 56; of 85 moments of unrelated work it speaks at none, of 58 real prompts at 5. At 0.25
// these are 39, 6 of 70, none and 10.
const MinTurnRecallScore = 0.3

// maxNamedWords is the number of words up to which one word of a name answers a typed query,
// whatever the other one is. Questions of more words meet words of names by chance.
const maxNamedWords = 2

// judge works out what a learning has of the words that were asked for.
func judge(l learning.Learning, row Row, asked question) Hit {
	h := Hit{Learning: l, Score: row.Score, seq: row.Seq}
	words := asked.stems(l.Name)
	h.Covered = asked.covers(words) / 2
	h.Named = h.Covered > 0 && asked.asked <= maxNamedWords
	maps.Copy(words, asked.stems(l.Description))
	h.Covered += asked.covers(words) / 2
	h.Evidence, h.Words = asked.evidence(words, asked.stems(l.Reasoning))
	return h
}

// covers is the share of some words that were asked for.
func (q question) covers(words map[string]bool) float64 {
	if len(words) == 0 {
		return 0
	}
	n := 0
	for _, t := range q.terms {
		if words[t.stem] {
			n++
		}
	}
	return float64(n) / float64(len(words))
}

// fewWords is the number of words from which on they are more than a chance meeting, and
// manyWords the one from which on a question asks for no more, in rare words.
const (
	fewWords  = 1.5
	manyWords = 16
)

// evidence tells how sure it is that a text answers the question, from 0 to 1, and by
// which words: the weight of those that it holds, beside the mean (the geometric one) of
// the weight of all and that of the rarest one. The share alone would ask too much of a
// text for a long question, the sum too little. It is less the fewer words these are,
// unless they are all. A word that is only beside the text counts half.
func (q question) evidence(text, beside map[string]bool) (evidence float64, words []string) {
	found := 0.0
	for _, t := range q.terms {
		switch {
		case text[t.stem]:
			found += t.weight()
		case beside[t.stem]:
			found += t.weight() / 2
		default:
			continue
		}
		words = append(words, t.text)
	}
	if len(words) == 0 {
		return 0, nil
	}
	whole := min(q.weight, manyWords*q.rarest)
	share := min(1, found/math.Sqrt(whole*min(whole, q.rarest)))
	if len(words) == q.asked {
		return share, words
	}
	return share * (1 - math.Exp(-float64(len(words))/fewWords)), words
}

// stems returns the set of the words of a text, as the full-text index has them.
func (q question) stems(s string) map[string]bool {
	set := map[string]bool{}
	for _, word := range text.Terms(s) {
		set[q.stemmer.Stem(word)] = true
	}
	return set
}
