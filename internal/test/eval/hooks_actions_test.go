package eval_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/config"
	"whence/internal/dispatch"
	"whence/internal/learning"
	"whence/internal/store"
	"whence/internal/test/eval"
	"whence/internal/test/repotest"
	"whence/remember"
	"whence/when"
)

// evalActions measures what is shown to an agent that runs commands and reads files, which
// it does all the time: of learnings, for the commands that a bank of them answers; and
// for those of unrelated work in real sessions, where all that is shown is wrong.
func evalActions(t *testing.T) []eval.Figure {
	tree, _ := withSituations(t, realMemory(t))
	l, err := when.Open(tree, config.Default())
	require.NoError(t, err)
	var bank []learning.Learning
	for _, record := range repotest.JSONLines[remember.LearningJSON](t, filepath.Join("testdata", "bank", "learnings.jsonl")) {
		bank = append(bank, record.Learning())
	}
	s, baselines := filledStore(t, bank), newLearningBaselines(t, bank)
	_, texts := textsOf(t, tree)
	full := newFullText(t, texts)

	var n, right, rightFullText, rightLetters float64
	for _, q := range repotest.JSONLines[asked](t, filepath.Join("testdata", "bank", "queries.jsonl")) {
		if q.Kind != "command" {
			continue
		}
		n++
		isRight := func(name string) bool { return slices.Contains(q.Relevant, name) }
		right += count(slices.ContainsFunc(learningsShown(t, s, q.Query, dispatch.ActionLimits), isRight))
		rightFullText += count(slices.ContainsFunc(first(dispatch.ActionLimits.Items, baselines.fullText(t, q.Query)), isRight))
		rightLetters += count(slices.ContainsFunc(first(dispatch.ActionLimits.Items, baselines.letters(q.Query)), isRight))
	}
	actions := unrelatedActions(t)
	var decisions, learnings, fullText, fullTextLearnings float64
	for _, action := range actions {
		found, err := l.Recall(action, 1)
		require.NoError(t, err)
		spoken := len(found) > 0 && found[0].Score >= dispatch.ActionLimits.Decision
		decisions += count(spoken)
		shown := learningsShown(t, s, action, dispatch.ActionLimits)
		learnings += count(len(shown) > 0)
		if spoken || len(shown) > 0 {
			fmt.Fprintf(t.Output(), "unrelated %q: %v %s\n", cut(action, 90), spoken, strings.Join(shown, ", "))
		}
		fullText += count(len(full.rank(t, action, 1)) > 0)
		fullTextLearnings += count(len(baselines.fullText(t, action)) > 0)
	}
	all := float64(len(actions))
	const unrelated = "hooks, unrelated commands and files"
	return []eval.Figure{
		{Evaluation: "hooks, commands that a learning answers", Measure: "one that applies is shown", Questions: int(n), Value: right / n, FullText: rightFullText / n, Letters: rightLetters / n},
		{Evaluation: unrelated, Measure: "a decision is shown", Questions: len(actions), Value: decisions / all, FullText: fullText / all, Letters: math.NaN(), Smaller: true, Aim: 0.05},
		{Evaluation: unrelated, Measure: "a learning is shown", Questions: len(actions), Value: learnings / all, FullText: fullTextLearnings / all, Letters: math.NaN(), Smaller: true, Aim: 0.05},
	}
}

// learningsShown are the names of those that a hook shows for a text.
func learningsShown(t *testing.T, s *store.Store, text string, limits dispatch.Limits) (names []string) {
	for _, h := range answers(t, s, text, limits.Items) {
		if len(h.Words) >= 2 && h.Evidence*h.Covered/store.MinRecallScore >= limits.Learning {
			names = append(names, h.Name)
		}
	}
	return names
}

func first(most int, names []string) []string { return names[:min(most, len(names))] }

// unrelatedActions are the commands and the paths of files, as a hook looks them up, of
// real sessions in other projects than those of the memories.
func unrelatedActions(t *testing.T) (actions []string) {
	files, err := filepath.Glob(repotest.Shared(t, "transcripts") + "/*.jsonl")
	require.NoError(t, err)
	for _, name := range files {
		src, err := os.ReadFile(name)
		require.NoError(t, err)
		for line := range bytes.Lines(src) {
			var record struct {
				Cwd     string
				Message struct{ Content json.RawMessage }
			}
			var parts []struct {
				Type, Name string
				Input      struct {
					Command string
					Path    string `json:"file_path"`
				}
			}
			if json.Unmarshal(line, &record) != nil || json.Unmarshal(record.Message.Content, &parts) != nil {
				continue // some lines are broken, some have no parts
			}
			for _, p := range parts {
				text := ""
				switch {
				case p.Type != "tool_use":
				case p.Name == "Bash":
					text = dispatch.Beginning(p.Input.Command, 500)
				case p.Name == "Read":
					text = strings.TrimPrefix(strings.TrimPrefix(p.Input.Path, record.Cwd), "/")
				}
				if text != "" && !slices.Contains(actions, text) {
					actions = append(actions, text)
				}
			}
		}
	}
	require.NotEmpty(t, actions)
	return actions
}
