package eval_test

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"whence/internal/config"
	"whence/internal/decision"
	"whence/internal/rank"
	"whence/internal/test/eval"
	"whence/internal/test/repotest"
	"whence/when"
)

// moment is something that a developer typed or saw, with the triggers of the
// decisions that apply, judged by people; often none does.
type moment struct {
	ID, Kind, Text string
	Gold           []string
}

// moments are sums over moments: what was ranked, and what of it was printed.
type moments struct {
	n, withGold, at3, at10 float64 // recall, added up over the moments with a decision
	given, right, gold     float64 // printed, rightly printed, applicable
	silent, spoken         float64 // moments without a decision; those where something was printed
}

func (s *moments) add(m moment, ranked, given []string) {
	s.n++
	for i, trigger := range ranked {
		if !slices.Contains(m.Gold, trigger) {
			continue
		}
		if i < 3 {
			s.at3 += 1 / float64(len(m.Gold))
		}
		if i < 10 {
			s.at10 += 1 / float64(len(m.Gold))
		}
	}
	s.given += float64(len(given))
	for _, trigger := range given {
		if slices.Contains(m.Gold, trigger) {
			s.right++
		}
	}
	s.gold += float64(len(m.Gold))
	if len(m.Gold) > 0 {
		s.withGold++
		return
	}
	s.silent++
	if len(given) > 0 {
		s.spoken++
	}
}

// row prints the shares.
func (s *moments) row(name string) string {
	row := fmt.Sprintf("%-10s %4.0f", name, s.n)
	for _, share := range []float64{s.at3 / s.withGold, s.at10 / s.withGold, s.right / s.given, s.right / s.gold, s.spoken / s.silent} {
		if math.IsNaN(share) {
			row += "      –"
		} else {
			row += fmt.Sprintf("  %5.3f", share)
		}
	}
	return row
}

const momentsHead = "              n     @3    @10 precis. recall  wrong"

// evalRecall measures recall over a real memory of 374 entries, with and without
// situations. The baselines print their first three, since they have no opinion.
func evalRecall(t *testing.T) (figures []eval.Figure) {
	asked := readMoments(t)
	bare := realMemory(t)
	full, written := withSituations(t, bare, 8)
	require.GreaterOrEqual(t, written, 370)
	for _, run := range []struct {
		name                       string
		tree                       fstest.MapFS
		at3, precis, recall, wrong float64 // aims
	}{
		{"recall, no situations", bare, 0, 0.65, 0, 0.05},
		{"recall, eight situations", full, 0.80, 0.65, 0.60, 0.05},
	} {
		fmt.Fprintf(t.Output(), "\n%s\n", run.name)
		ours, fullText, letters := measureMoments(t, run.tree, asked)
		for _, f := range []struct {
			measure string
			smaller bool
			aim     float64
			of      func(moments) (share, questions float64)
		}{
			{"of what applies, among the first 3", false, run.at3, func(s moments) (float64, float64) { return s.at3 / s.withGold, s.withGold }},
			{"of what applies, among the first 10", false, 0, func(s moments) (float64, float64) { return s.at10 / s.withGold, s.withGold }},
			{"of what is printed, applies", false, run.precis, func(s moments) (float64, float64) { return s.right / s.given, s.given }},
			{"of what applies, printed", false, run.recall, func(s moments) (float64, float64) { return s.right / s.gold, s.gold }},
			{"speaks where nothing applies", true, run.wrong, func(s moments) (float64, float64) { return s.spoken / s.silent, s.silent }},
		} {
			share, questions := f.of(ours)
			byFullText, _ := f.of(fullText)
			byLetters, _ := f.of(letters)
			figures = append(figures, eval.Figure{
				Evaluation: run.name, Measure: f.measure, Questions: int(questions), Smaller: f.smaller, Aim: f.aim,
				Value: share, FullText: byFullText, Letters: byLetters,
			})
		}
	}
	return figures
}

// measureMoments recalls for all moments, and prints the kinds and the worst of them.
func measureMoments(t *testing.T, tree fstest.MapFS, asked []moment) (ours, fullText, letters moments) {
	l, err := when.Open(tree, config.Default())
	require.NoError(t, err)
	triggers, texts := textsOf(t, tree)
	full := newFullText(t, texts)
	kinds := map[string]*moments{}
	var cases []hardCase
	for _, m := range asked {
		found, err := l.Recall(m.Text, len(triggers))
		require.NoError(t, err)
		var ranked, given []string
		for i, r := range found {
			ranked = append(ranked, strings.ToLower(r.Trigger))
			if i < when.DefaultMax && r.Score >= 1 {
				given = append(given, strings.ToLower(r.Trigger))
			}
		}
		ours.add(m, ranked, given)
		byFullText, byLetters := named(triggers, full.rank(t, m.Text, 10)), named(triggers, eval.RankLetters(m.Text, triggers))
		fullText.add(m, byFullText, byFullText[:min(3, len(byFullText))])
		letters.add(m, byLetters, byLetters[:min(3, len(byLetters))])
		if kinds[m.Kind] == nil {
			kinds[m.Kind] = &moments{}
		}
		kinds[m.Kind].add(m, ranked, given)
		if len(m.Gold) > 0 {
			cases = append(cases, newHardCase(m, found, ranked))
		}
	}
	out := t.Output()
	fmt.Fprintf(out, "%s\n%s\n", momentsHead, ours.row("all"))
	for _, kind := range []string{"prompt", "bash", "failure", "read"} {
		fmt.Fprintln(out, kinds[kind].row("  "+kind))
	}
	diagnoses := map[string]int{}
	for _, c := range cases {
		diagnoses[c.diagnosis]++
	}
	fmt.Fprintf(out, "the first decision that applies: %d %s, %d %s, %d %s, %d %s\n", diagnoses[printed], printed, diagnoses[doubted], doubted,
		diagnoses[outranked], outranked, diagnoses[unmet], unmet)
	slices.SortStableFunc(cases, func(a, b hardCase) int { return cmp.Compare(b.rank, a.rank) })
	fmt.Fprintln(out, "the ten worst: the rank of the first decision that applies")
	for _, c := range cases[:10] {
		fmt.Fprint(out, c)
	}
	return ours, fullText, letters
}

// What became of the first decision that applies to a moment.
const (
	printed   = "printed"
	doubted   = "too little evidence"
	outranked = "outranked"
	unmet     = "no word in common"
)

// hardCase is a moment with a decision, and why it was not printed.
type hardCase struct {
	moment
	rank           int
	diagnosis      string
	nearest, first *when.Recalled // the decision that applies; the one that came first
}

func newHardCase(m moment, found []when.Recalled, ranked []string) hardCase {
	c := hardCase{moment: m, rank: len(found) + 1, diagnosis: unmet}
	if len(found) > 0 {
		c.first = &found[0]
	}
	if i := slices.IndexFunc(ranked, func(s string) bool { return slices.Contains(m.Gold, s) }); i >= 0 {
		c.rank, c.nearest = i+1, &found[i]
		switch {
		case i >= when.DefaultMax:
			c.diagnosis = outranked
		case found[i].Score < 1:
			c.diagnosis = doubted
		default:
			c.diagnosis = printed
		}
	}
	return c
}

func (c hardCase) String() string {
	s := fmt.Sprintf("  %3d  %s %q\n       applies: %s: %s\n", c.rank, c.ID, cut(c.Text, 90), strings.Join(c.Gold, ", "), c.diagnosis)
	for _, r := range []struct {
		name string
		of   *when.Recalled
	}{{"nearest", c.nearest}, {"first", c.first}} {
		if r.of != nil {
			s += fmt.Sprintf("       %s: %s, evidence %.2f, by %s\n", r.name, r.of.Trigger, r.of.Score, weightiest(r.of.Words))
		}
	}
	return s
}

// weightiest names the first words of some.
func weightiest(words []rank.Word) string {
	var names []string
	for _, w := range words[:min(len(words), 4)] {
		names = append(names, fmt.Sprintf("%s %.2f", w.Text, w.Score))
	}
	return strings.Join(names, " ")
}

func cut(text string, n int) string {
	text = strings.Join(strings.Fields(text), " ")
	if r := []rune(text); len(r) > n {
		return string(r[:n]) + "…"
	}
	return text
}

func readMoments(t *testing.T) []moment {
	all := repotest.JSONLines[moment](t, repotest.Shared(t, "eval/prompts.jsonl"))
	for _, m := range all {
		for i, trigger := range m.Gold {
			m.Gold[i] = strings.ToLower(strings.ReplaceAll(trigger, ":", "")) // no sign of a trigger
		}
	}
	return all
}

// withSituations writes the first situations of the evaluation under the headings.
func withSituations(t *testing.T, tree fstest.MapFS, situations int) (fstest.MapFS, int) {
	phrases := map[string][]string{}
	for _, s := range repotest.JSONLines[struct {
		Key        string
		Situations []string
	}](t, repotest.Shared(t, "eval/situations.jsonl")) {
		phrases[strings.ReplaceAll(strings.ToLower(s.Key), ":", "")] = s.Situations // a trigger lost a colon in the migration
	}
	comments := map[string]string{} // by file and title key
	for _, e := range entriesOf(tree) {
		comments[e.file+decision.Key(e.Title.Text)] = commentOf(phrases[strings.ReplaceAll(strings.ToLower(e.Trigger.Text), ":", "")], situations)
	}
	return insertComments(tree, comments)
}
