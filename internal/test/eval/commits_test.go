package eval_test

import (
	"cmp"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"whence/internal/learning"
	"whence/internal/store"
	"whence/internal/test/eval"
	"whence/internal/test/repotest"
	"whence/internal/text"
)

// How many commits are stored, the words that body and subject of each have at
// least, and how many subjects are asked.
const (
	storedCommits   = 10_000
	minBodyWords    = 20
	minSubjectWords = 4 // fewer say nothing: "More fixes"
	askedSubjects   = 2000
)

// evalCommits measures the search for a known item among many: the bodies of commits,
// without their subjects, are stored as a user would, and the subjects asked.
// $WHENCE_EVAL_REPOS is a list of git repositories, bare or not. Everybody has others, so
// the figures are not recorded. The floors are for the histories of some thirty tools and
// libraries in C, a third of which name files and functions in the body, and the matter
// in the subject alone.
func evalCommits(t *testing.T) []eval.Figure {
	dirs := filepath.SplitList(os.Getenv("WHENCE_EVAL_REPOS"))
	if len(dirs) == 0 {
		repotest.Missing(t, "repos", "set WHENCE_EVAL_REPOS to git repositories with 10,000 commits that have a body")
	}
	commits := explainedCommits(t, dirs)
	if len(commits) < storedCommits {
		repotest.Missing(t, "repos", "the repositories in WHENCE_EVAL_REPOS have too few commits with a body")
	}
	commits = spread(commits, storedCommits)
	all := make([]learning.Learning, len(commits))
	bodies := make([]string, len(commits))
	for i, c := range commits {
		all[i], bodies[i] = inferred(c.body), c.body
	}
	s, search := filledStore(t, all), newFullText(t, bodies)
	var ranked, given, fullText ranks
	var times []time.Duration
	for _, c := range spread(commits, askedSubjects) {
		isRight := func(h store.Hit) bool { return learning.Folded(h.Description) == learning.Folded(c.body) }
		start := time.Now()
		answers := answers(t, s, c.subject, 5)
		times = append(times, time.Since(start))
		given.add(1 + slices.IndexFunc(answers, isRight))
		hits, err := s.Search(t.Context(), store.Query{Text: c.subject, Scope: store.Scope{Everywhere: true}, Max: 10})
		require.NoError(t, err)
		ranked.add(1 + slices.IndexFunc(hits, isRight))
		fullText.add(1 + slices.IndexFunc(search.rank(t, c.subject, 10), func(i int) bool { return commits[i] == c }))
	}
	slices.Sort(times)
	fmt.Fprintf(t.Output(), "%s\n%s\n%s\n", ranksHead, ranked.row("ranked, never abstaining"), given.row("answers (5 at most)"))
	fmt.Fprintf(t.Output(), "one search: median %v, 95 %% within %v\n", times[len(times)/2], times[len(times)*95/100])
	require.GreaterOrEqual(t, ranked.first/ranked.n, 0.46)
	require.GreaterOrEqual(t, ranked.five/ranked.n, 0.63)
	require.GreaterOrEqual(t, given.five/given.n, 0.59)
	figures := []eval.Figure{
		{Measure: "the commit is first", Value: ranked.first / ranked.n, FullText: fullText.first / fullText.n},
		{Measure: "among the first 5", Value: ranked.five / ranked.n, FullText: fullText.five / fullText.n},
		{Measure: "among the first 5 answers", Value: given.five / given.n, FullText: fullText.five / fullText.n},
	}
	for i := range figures {
		f := &figures[i]
		f.Evaluation, f.Questions, f.Local = "commits", int(ranked.n), true
	}
	return figures
}

type commit struct{ subject, body string }

// explainedCommits are those with a body, in the order of the repositories. Trailers are
// not part of it. Equal bodies or subjects count once, as they cannot be told apart.
func explainedCommits(t *testing.T, dirs []string) (all []commit) {
	subjects, bodies := map[string]bool{}, map[string]bool{}
	for _, dir := range dirs {
		out, err := exec.Command("git", "-C", dir, "log", "--all", "--no-merges", "--format=%s%x1f%b%x1e").Output()
		require.NoError(t, err, dir)
		for _, record := range strings.Split(string(out), "\x1e") {
			subject, body, _ := strings.Cut(strings.TrimSpace(record), "\x1f")
			body = text.Clean(withoutTrailers(body))
			key := learning.Folded(body)
			if len(strings.Fields(body)) < minBodyWords || len(strings.Fields(subject)) < minSubjectWords || subjects[subject] || bodies[key] {
				continue
			}
			subjects[subject], bodies[key] = true, true
			all = append(all, commit{subject, body})
		}
	}
	return all
}

// withoutTrailers cuts off the last paragraph if it names people.
func withoutTrailers(body string) string {
	body = strings.TrimSpace(body)
	i := strings.LastIndex(body, "\n\n")
	if last := body[i+1:]; strings.Contains(last, "-by: ") || strings.Contains(last, "Change-Id: ") {
		return body[:max(i, 0)]
	}
	return body
}

// spread takes n items at equal distances.
func spread[T any](items []T, n int) []T {
	n = cmp.Or(min(n, len(items)), 1)
	some := make([]T, n)
	for i := range some {
		some[i] = items[i*len(items)/n]
	}
	return some
}
