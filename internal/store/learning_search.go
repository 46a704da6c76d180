package store

import (
	"cmp"
	"context"
	"maps"
	"math"
	"slices"
	"time"

	"whence/internal/learning"
	"whence/internal/text"
)

// Query is a search of learnings or turns.
type Query struct {
	Text       string
	Project    string            // searched with what is global
	Everywhere bool              // all projects
	Category   learning.Category // "": all
	Retired    bool              // includes retired learnings
	Without    []string          // excludes turns with any of these tags
	Except     string            // excludes turns of this session, and learnings that it has stored since Since
	Since      time.Time
	NoKinds    []string // excludes turns of these kinds
	Words      int      // minimum of words that a hit shares with Text
	Most       int      // maximum number of hits; 0: all
	Unasked    bool     // recall without a question: searches for the rarest words only
	Typed      bool     // typed by a user, who wants the nearest: see Hit.Named
	Evidence   float64  // minimum
}

// MinEvidence is the evidence that a hit needs to be an answer, unless it is [Hit.Named]. On the
// bank of make eval it answers 1 of 10 questions that have no answer, and keeps all but 1 of 72
// answers that are ranked first. In a store of thousands more words are shared by chance: there it
// answers 2 to 3 of 10, and keeps as many.
const MinEvidence = 0.54

// Hit is a learning found by a search.
type Hit struct {
	learning.Learning
	Score    float64  // higher is better; comparable within one search
	Evidence float64  // 0..1, see MinEvidence
	Covered  float64  // 0..1: the share of the learning's own words that are in the query
	P        float64  // 0..1: the probability that it applies
	Words    []string // of the query that it has, rarest first
	Named    bool     // a query of maxNamedWords or fewer has a word of its name
}

// Search returns the learnings that share words with a text, best first. Finding nothing is not
// an error.
func (s *Store) Search(ctx context.Context, q Query) ([]Hit, error) {
	hits, err := s.conn.search(ctx, q)
	return hits, wrap("search the store", s.explained(err))
}

func (c Conn) search(ctx context.Context, q Query) (hits []Hit, err error) {
	asked, err := c.weigh(ctx, entriesTable, q.Text)
	if err != nil {
		return nil, err
	}
	judged := 0
	err = c.eachBest(ctx, entriesTable, q, asked, q.rows(asked, maxRows), firstRows, q.possible(asked), nil, func(rows []Row) (enough bool, err error) {
		found, err := c.readFound(ctx, q, rows)
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

// possible returns the function for [Match]: whether the words that a row may have are enough for the
// evidence and the words that the query demands of a learning. It returns nil if any row may be a hit.
func (q Query) possible(asked question) func(missing []string) bool {
	if q.Evidence == 0 && q.Words < 2 || q.Typed && asked.asked <= maxNamedWords {
		return nil
	}
	all := map[string]bool{}
	for _, t := range asked.terms {
		all[t.stem] = true
	}
	return func(missing []string) bool {
		has := maps.Clone(all)
		for _, stem := range missing {
			delete(has, stem)
		}
		evidence, words := asked.evidence(has, nil)
		return evidence >= q.Evidence && len(words) >= q.Words
	}
}

// How many rows of a full-text index are looked at: at first, at a time, and for each wanted hit.
// Rows are sorted: after many without evidence, no better ones are to be expected. Those that are
// ruled out may be of other projects.
const (
	firstRows      = 30
	moreRows       = 240
	rowsAtATime    = 20
	judgedPerHit   = 3
	ruledOutPerHit = 5
)

// eachBest ranks about maxRows rows that have any of the words, and calls take for some at a time,
// best first, until it has enough. Possible is as for [Match]; rescore, if not nil, may change the
// scores of rows.
func (c Conn) eachBest(ctx context.Context, table Table, q Query, asked question, maxRows, first int, possible func(missing []string) bool, rescore func([]Row) error, take func([]Row) (enough bool, err error)) error {
	find, common := asked.searched(maxRows)
	if len(find) == 0 {
		return nil
	}
	either := slices.Concat(find, common)
	taken, ruledOut := map[int64]bool{}, 0
	match := func(find, words []term) (func(most int) ([]Row, error), error) {
		return c.engine.Best(ctx, c, Match{
			Table: table, Size: asked.size, Find: asked.words(find), Words: asked.words(words), Rows: maxRows,
			Question: asked.words(asked.terms), Possible: possible, Project: q.Project, Everywhere: q.Everywhere,
		})
	}
	try := func(best func(most int) ([]Row, error), most int) (all, enough bool, err error) {
		rows, err := best(most)
		if err != nil {
			return false, false, err
		}
		all = most == 0 || len(rows) != most
		if rescore != nil {
			if err := rescore(rows); err != nil {
				return false, false, err
			}
			slices.SortStableFunc(rows, func(a, b Row) int { return cmp.Compare(b.Score, a.Score) })
		}
		rows = slices.DeleteFunc(rows, func(row Row) bool {
			if row.RuledOut && !taken[row.Seq] {
				taken[row.Seq] = true
				ruledOut++
			}
			return taken[row.Seq]
		})
		for part := range slices.Chunk(rows, rowsAtATime) {
			if enough, err := take(part); err != nil || enough {
				return all, enough, err
			}
		}
		for _, row := range rows {
			taken[row.Seq] = true
		}
		return all, q.Most > 0 && ruledOut >= ruledOutPerHit*q.Most, nil
	}
	if len(common) > 0 { // common words find too many rows: at first they only rank
		best, err := match(find, slices.Concat(find, either))
		if err != nil {
			return err
		}
		all, enough, err := try(best, first)
		if err != nil || enough || all && possible != nil && !possible(stemsOf(asked.words(find))) { // the other rows have only common words
			return err
		}
	}
	best, err := match(either, either)
	if err != nil {
		return err
	}
	for _, most := range []int{first, moreRows, 0} { // all only if filters have left too few of the best
		if all, enough, err := try(best, most); err != nil || enough || all {
			return err
		}
	}
	return nil
}

func seqsOf(rows []Row) []int64 {
	seqs := make([]int64, len(rows))
	for i, row := range rows {
		seqs[i] = row.Seq
	}
	return seqs
}

// readFound returns the given rows as far as the query allows them.
func (c Conn) readFound(ctx context.Context, q Query, rows []Row) (map[int64]learning.Learning, error) {
	arguments := []any{q.Everywhere, q.Project, q.Retired, string(q.Category), c.engine.List(seqsOf(rows))}
	except := ""
	if q.Except != "" {
		except = " AND NOT EXISTS (SELECT 1 FROM observations o WHERE o.entry = e.seq AND o.session = $6 AND o.at >= $7)"
		arguments = append(arguments, text.Clean(q.Except), q.Since.UTC().Format(timeLayout))
	}
	all, err := c.learnings(ctx, `WHERE `+visible(1)+` AND ($3 OR e.retired IS NULL) AND $4 IN ('', e.category)
		AND e.seq `+c.engine.AnyOf(5)+except, arguments...)
	found := map[int64]learning.Learning{}
	for _, row := range all {
		found[row.seq] = row.Learning
	}
	return found, err
}

var entriesTable = Table{"entries", []string{"name", "keywords", "description", "reasoning", parts}, []float64{2, 0.5, 2, 0.7, 0.5}}

// maxNamedWords is the length of a typed query that one word of a name answers. Longer ones have
// words of names by chance.
const maxNamedWords = 2

// judge scores a learning by the words of the question that it has.
func judge(l learning.Learning, row Row, asked question) Hit {
	h := Hit{Learning: l, Score: row.Score}
	words := asked.stems(l.Name)
	h.Covered = asked.covers(words) / 2
	h.Named = h.Covered > 0 && asked.asked <= maxNamedWords
	said := asked.stems(l.Description)
	maps.Copy(words, said)
	h.Covered += asked.covers(words) / 2
	h.Evidence, h.Words = asked.evidence(words, asked.found(l.Reasoning))
	h.P = learningGate.probability(h.Evidence, h.Covered, len(h.Words), asked.asked)
	if len(said) >= minSaidWords && asked.covers(said) == 1 {
		h.P = max(h.P, saidP)
	}
	return h
}

// A text that has all words of a description says the same, however long the text is.
const (
	minSaidWords = 3
	saidP        = 0.5
)

// covers returns the share of words that are in the question.
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

// Fewer shared words than fewWords may be chance. A question of more words than manyWords, if they
// are rare, needs no more evidence.
const (
	fewWords  = 1.5
	manyWords = 16
)

// evidence returns, from 0 to 1, how surely a text answers the question, and by which words: the
// weight of the words that it has, divided by the geometric mean of the weight of all and that of
// the rarest. A share of all would be too strict with long questions, a sum too lax. Few words
// count less, unless they are all. A word that is only beside the text counts half.
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

// found returns the words of the question that a text has, as a set of stems, maybe with others.
func (q question) found(s string) map[string]bool {
	set := map[string]bool{}
	text.EachWord(s, func(word []byte) {
		if q.mayHave(word) && !text.IsSmallWord(word) {
			set[q.stemmer.Stem(string(word))] = true
		}
	})
	return set
}

// stems returns the stems of a text as a set.
func (q question) stems(s string) map[string]bool {
	set := map[string]bool{}
	for _, word := range text.Terms(s) {
		set[q.stemmer.Stem(word)] = true
	}
	return set
}
