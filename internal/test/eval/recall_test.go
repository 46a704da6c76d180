package eval_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"whence/internal/decision"
	"whence/internal/test/repotest"
)

// moment is something that a developer typed or saw, with the triggers of the
// decisions that apply, judged by people; often none does.
type moment struct {
	ID, Kind, Text string
	Gold           []string
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
