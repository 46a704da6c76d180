package remember_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"whence/internal/agent"
	"whence/internal/cli"
	"whence/internal/dispatch"
	"whence/internal/store"
	"whence/internal/test/repotest"
	"whence/internal/turns"
	"whence/remember"
)

// recalling is a new session in a folder whose earlier sessions are in a store.
type recalling struct{ dir, home string }

// store opens the store of the folder.
func (r recalling) store(t *testing.T) *store.Store {
	t.Helper()
	s, err := store.Open(t.Context(), r.home)
	require.NoError(t, err)
	t.Cleanup(func() { s.Close() })
	return s
}

// recall returns what is found for a prompt.
func (r recalling) recall(t *testing.T, prompt string) []dispatch.Item {
	t.Helper()
	repotest.ClaimHome(t, r.home)
	req, err := dispatch.Open(cli.Env{Dir: r.dir, Getenv: func(name string) string { return map[string]string{"WHENCE_HOME": r.home}[name] }},
		agent.Event{Name: agent.UserPromptSubmit, Session: "new", Cwd: r.dir, Prompt: prompt}, time.Now())
	require.NoError(t, err)
	defer req.Close()
	items, err := remember.Find(t.Context(), req, prompt, dispatch.PromptLimits)
	require.NoError(t, err)
	return items
}

// A question of an earlier session is not shown by itself: its answer is, or nothing.
func TestQuestionsAreShownWithTheirAnswers(t *testing.T) {
	r := recalling{t.TempDir(), t.TempDir()}
	s := r.store(t)
	add := func(session string, turns ...store.Turn) {
		for i := range turns {
			turns[i].Session, turns[i].UUID, turns[i].Project, turns[i].At = session, fmt.Sprint(session, i), r.dir, time.Now()
		}
		_, err := s.AddCaptured(t.Context(), store.Captured{Turns: turns})
		require.NoError(t, err)
	}
	says := func(text string) store.Turn {
		return store.Turn{Role: turns.User, Kind: string(turns.Prompt), Text: text, Rank: 70}
	}
	answers := func(text string, rank int) store.Turn {
		return store.Turn{Role: turns.Assistant, Kind: string(turns.Answer), Text: text, Rank: rank}
	}
	const merlin, answered = "which radio channel does the dredger Merlin listen on?", "It is channel 14, says the harbour handbook; 12 is for the pilots alone."
	add("answered", says(merlin), answers("Let me look at the handbook of the harbour.", 25), answers(answered, 45), says("thanks, now the tide tables"), answers("The tide tables are in docs/tides.md, one file a year.", 45))
	add("unanswered", says("what does the lock keeper Agatha charge after midnight?"), answers("Let me look at the list of charges:", 25))
	add("mixed", says("The pilot boat Esmeralda has new radar. What frequency is it on?"), answers("The radar of the pilot boat Esmeralda is on 9.4 GHz, as the manual of the maker says.", 45))
	add("asks back", says("which buoy marks the wreck of the Sophronia?"), answers("Do you mean the wreck of the Sophronia off the northern mole, or the one in the estuary?", 45))
	add("last", says("when is the swing bridge Leonora closed to yachts?"))
	add("statement", says("the swing bridge Leonora is closed to yachts from November to March"))

	found := r.recall(t, "on which radio channel does the dredger Merlin listen?")
	require.Len(t, found, 1)
	require.Equal(t, answered+"\n(asked: "+merlin+")", found[0].Text)
	require.Contains(t, found[0].Source, "said by the agent")
	require.Contains(t, found[0].Source, "turn 3/5")
	require.Empty(t, r.recall(t, "what does the lock keeper Agatha charge after midnight?"))
	require.Empty(t, r.recall(t, "which buoy marks the wreck of the Sophronia?"))
	found = r.recall(t, "what frequency is the radar of the pilot boat Esmeralda on?")
	require.Len(t, found, 1)
	require.Equal(t, "The pilot boat Esmeralda has new radar. What frequency is it on?\n(answered: The radar of the pilot boat Esmeralda is on 9.4 GHz, as the manual of the maker says.)", found[0].Text)
	found = r.recall(t, "when is the swing bridge Leonora closed to yachts?")
	require.Len(t, found, 1)
	require.Equal(t, "the swing bridge Leonora is closed to yachts from November to March", found[0].Text)
}

// Of real sessions, as those of one project, no question is shown without what was answered.
func TestQuestionsOfRealSessions(t *testing.T) {
	if testing.Short() {
		t.Skip("nothing here runs side by side")
	}
	r := recalling{t.TempDir(), t.TempDir()}
	s := r.store(t)
	names, err := filepath.Glob(filepath.Join(repotest.Shared(t, "transcripts"), "*.jsonl"))
	require.NoError(t, err)
	for _, name := range names {
		require.NoError(t, turns.ReadTranscript(t.Context(), s, turns.Reading{Transcript: name, Session: filepath.Base(name), Project: r.dir}))
	}
	hits, err := s.SearchTurns(t.Context(), store.Query{Text: "the how what which can you why is it do we please add file test", Everywhere: true})
	require.NoError(t, err)
	prompts, questions, shown, pairs, bare := 0, 0, 0, 0, 0
	for _, h := range hits {
		if h.Role != turns.User {
			continue
		}
		prompts++
		if turns.IsQuestion(h.Text) {
			questions++
			t.Logf("? %s", dispatch.Clip(dispatch.OneLine(h.Text), 150))
		}
		for _, i := range r.recall(t, h.Text) {
			shown++
			if strings.Contains(i.Source, "said by the user") && turns.IsQuestion(i.Text) {
				bare++
			}
			if strings.Contains(i.Text, "\n(asked: ") {
				pairs++
				t.Logf("%s\n→ [%s] %s", dispatch.Clip(dispatch.OneLine(h.Text), 150), i.Source, i.Text)
			}
		}
	}
	t.Logf("%d prompts, %d of them questions: %d items shown, %d of them answers with their question, %d bare questions", prompts, questions, shown, pairs, bare)
	require.Zero(t, bare)
	require.Positive(t, questions)
	require.Positive(t, pairs)
}
