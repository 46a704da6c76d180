package eval_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/agent"
	"whence/internal/config"
	"whence/internal/dispatch"
	"whence/internal/test/eval"
	"whence/when"
)

// evalHooks measures what an agent is shown, which is the success of the whole: of the
// moments to which a decision applies, those in which one that does is put before it. The
// hooks see less of a moment than people who judge it (the ends of an output, the beginning of a file) and ask for more evidence where an agent only goes on.
func evalHooks(t *testing.T) (figures []eval.Figure) {
	asked := readMoments(t)
	tree, _ := withSituations(t, realMemory(t), 8)
	l, err := when.Open(tree, config.Default())
	require.NoError(t, err)
	triggers, texts := textsOf(t, tree)
	full := newFullText(t, texts)
	var total baselines
	for _, kind := range []struct {
		name   string
		limits dispatch.Limits
		of     []string
	}{
		{"hooks, prompts", dispatch.PromptLimits, []string{"prompt"}},
		{"hooks, failures", dispatch.FailureLimits, []string{"failure"}},
		{"hooks, commands and files", dispatch.ActionLimits, []string{"bash", "read"}},
	} {
		var of baselines
		for _, m := range asked {
			if !slices.Contains(kind.of, m.Kind) {
				continue
			}
			text := seenByHook(m)
			found, err := l.Recall(text, kind.limits.Items)
			require.NoError(t, err)
			var shown []string
			for _, r := range found {
				if r.P >= kind.limits.Decision {
					shown = append(shown, strings.ToLower(r.Trigger))
				}
			}
			byFullText, byLetters := named(triggers, full.rank(t, text, kind.limits.Items)), named(triggers, eval.RankLetters(text, triggers))
			byLetters = byLetters[:min(kind.limits.Items, len(byLetters))]
			of.add(m, shown, byFullText, byLetters)
			total.add(m, shown, byFullText, byLetters)
		}
		figures = append(figures, of.figures(kind.name, 0)...)
	}
	return append(figures, total.figures("hooks, all moments", 0.05)...)
}

// baselines compares what is shown with what the baselines would show.
type baselines struct{ ours, fullText, letters helped }

func (b *baselines) add(m moment, ours, fullText, letters []string) {
	b.ours.add(m, ours)
	b.fullText.add(m, fullText)
	b.letters.add(m, letters)
}

func (b *baselines) figures(name string, mostWrong float64) []eval.Figure {
	return []eval.Figure{
		{
			Evaluation: name, Measure: "what applies is shown", Questions: int(b.ours.moments),
			Value: b.ours.right / b.ours.moments, FullText: b.fullText.right / b.fullText.moments, Letters: b.letters.right / b.letters.moments,
		},
		{
			Evaluation: name, Measure: "nothing applies, yet something is shown", Questions: int(b.ours.silent), Smaller: true, Aim: mostWrong,
			Value: b.ours.spoken / b.ours.silent, FullText: b.fullText.spoken / b.fullText.silent, Letters: b.letters.spoken / b.letters.silent,
		},
	}
}

// helped are sums over moments.
type helped struct {
	moments, right float64 // with a decision; of these, where one that applies was shown
	silent, spoken float64 // without one; of these, where something was shown
}

func (h *helped) add(m moment, shown []string) {
	if len(m.Gold) == 0 {
		h.silent++
		h.spoken += count(len(shown) > 0)
		return
	}
	h.moments++
	h.right += count(slices.ContainsFunc(shown, func(s string) bool { return slices.Contains(m.Gold, s) }))
}

// seenByHook returns the text that a hook looks up for decisions: a command with the ends of its output,
// the path and beginning of a file, and all of anything else.
func seenByHook(m moment) string {
	a := action{}
	switch m.Kind {
	case "read":
		path, content, _ := strings.Cut(m.Text, "\n")
		a = action{"Read", path, content}
	case "bash":
		a.tool = "Bash"
		for line := range strings.Lines(m.Text) {
			if command, is := strings.CutPrefix(line, "$ "); is {
				a.head += command
			} else {
				a.result += line
			}
		}
	default:
		return m.Text
	}
	return a.text()
}

// action is a command or the path of a file, with what it has printed or what is in it.
type action struct{ tool, head, result string }

// text returns the text that a hook looks up for decisions.
func (a action) text() string {
	if a.result == "" { // the file itself is not here
		return a.head
	}
	r := dispatch.Request{Event: agent.Event{Name: agent.PostToolUse, Tool: a.tool, Path: "file", Content: a.result, Output: a.result}}
	return r.WithResult(a.head)
}

// named are some of all names, by their numbers.
func named(all []string, order []int) (names []string) {
	for _, i := range order {
		names = append(names, all[i])
	}
	return names
}
