package eval_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/dispatch"
	"whence/internal/learning"
	"whence/internal/store"
	"whence/internal/test/repotest"
	"whence/internal/words"
)

// evalActions measures what is shown to an agent that runs commands and reads files, which
// it does all the time: of learnings, for the commands that a bank of them answers; and
// for those of unrelated work in real sessions, where all that is shown is wrong.
func evalActions(t *testing.T) []figure {
	var bank []learning.Learning
	for _, l := range repotest.JSONLines[learning.Learning](t, filepath.Join("testdata", "bank", "learnings.jsonl")) {
		bank = append(bank, learning.Imported(l))
	}
	s, baselines := filledStore(t, bank), newLearningBaselines(t, bank)

	var n, right, rightFullText float64
	for _, q := range repotest.JSONLines[asked](t, filepath.Join("testdata", "bank", "queries.jsonl")) {
		if q.Kind != "command" {
			continue
		}
		n++
		isRight := func(name string) bool { return slices.Contains(q.Relevant, name) }
		right += count(slices.ContainsFunc(learningsShown(t, s, q.Query, dispatch.ActionLimits), isRight))
		rightFullText += count(slices.ContainsFunc(first(dispatch.ActionLimits.Items, baselines.fullText(t, q.Query)), isRight))
	}
	actions := unrelatedActions(t)
	var learnings, byResult, fullTextLearnings float64
	for _, a := range actions {
		shown := learningsShown(t, s, a.head, dispatch.ActionLimits)
		learnings += count(len(shown) > 0)
		byResult += count(len(learningsShown(t, s, a.text(), dispatch.ActionLimits)) > 0)
		if len(shown) > 0 {
			fmt.Fprintf(t.Output(), "unrelated %q: %s\n", cut(a.head, 90), strings.Join(shown, ", "))
		}
		fullTextLearnings += count(len(baselines.fullText(t, a.head)) > 0)
	}
	fmt.Fprintf(t.Output(), "looked up with what was printed or read, learnings would be shown at %.0f of %d unrelated commands and files\n", byResult, len(actions))
	all := float64(len(actions))
	const unrelated = "hooks, unrelated commands and files"
	return []figure{
		{Evaluation: "hooks, commands that a learning answers", Measure: "one that applies is shown", Questions: int(n), Value: right / n, FullText: rightFullText / n},
		{Evaluation: unrelated, Measure: "a learning is shown", Questions: len(actions), Value: learnings / all, FullText: fullTextLearnings / all, Smaller: true, Aim: 0.05},
	}
}

// learningsShown are the names of those that a hook shows for a text.
func learningsShown(t *testing.T, s *store.Store, text string, limits dispatch.Limits) (names []string) {
	for _, h := range answers(t, s, text, limits.Items) {
		if len(h.Words) >= 2 && h.P >= limits.Learning {
			names = append(names, h.Name)
		}
	}
	return names
}

func first(most int, names []string) []string { return names[:min(most, len(names))] }

// unrelatedActions are the commands with their output, and the files with their content, of
// real sessions in other projects than those of the memories.
func unrelatedActions(t *testing.T) (actions []action) {
	files, err := filepath.Glob(repotest.Shared(t, "transcripts") + "/*.jsonl")
	require.NoError(t, err)
	for _, name := range files {
		src, err := os.ReadFile(name)
		require.NoError(t, err)
		uses := map[string]int{} // actions, by the id of their use
		for line := range bytes.Lines(src) {
			var record struct {
				Cwd     string
				Message struct{ Content json.RawMessage }
				Result  struct {
					Stdout, Stderr string
					File           struct{ Content string }
				} `json:"toolUseResult"`
			}
			var parts []struct {
				Type, Name, ID string
				Use            string `json:"tool_use_id"`
				Input          struct {
					Command string
					Path    string `json:"file_path"`
				}
			}
			if !decodes(line, &record) || !decodes(record.Message.Content, &parts) {
				continue // some lines are broken, some have no parts
			}
			for _, p := range parts {
				if i, used := uses[p.Use]; used && p.Type == "tool_result" {
					actions[i].result = record.Result.Stdout + record.Result.Stderr + record.Result.File.Content
				}
				head := ""
				switch {
				case p.Type != "tool_use":
				case p.Name == "Bash":
					head = words.Beginning(p.Input.Command, 500)
				case p.Name == "Read":
					head = strings.TrimPrefix(strings.TrimPrefix(p.Input.Path, record.Cwd), "/")
				}
				if head != "" && !slices.ContainsFunc(actions, func(a action) bool { return a.head == head }) {
					uses[p.ID] = len(actions)
					actions = append(actions, action{tool: p.Name, head: head})
				}
			}
		}
	}
	require.NotEmpty(t, actions)
	return actions
}

// decodes reports whether a JSON text could be read into v, except fields of another type.
func decodes(src []byte, v any) bool {
	err := json.Unmarshal(src, v)
	var field *json.UnmarshalTypeError
	return err == nil || errors.As(err, &field) && field.Field != ""
}
