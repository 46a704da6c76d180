package store_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"whence/internal/learning"
	"whence/internal/store"
)

// What somebody has judged good is surer than what was merely captured.
func TestVettingRaisesConfidence(t *testing.T) {
	onEach(t, func(t *testing.T, place newStore) {
		ctx := context.Background()
		s := open(t, place(t))
		ids := put(t, s, "/p", said, "prefer one transaction to ten of them in a loop", "check the clock of the machine before blaming the token")
		confidence := func(i int) learning.Confidence {
			d, err := s.Get(ctx, store.Scope{Everything: true}, ids[i])
			require.NoError(t, err)
			return d.Confidence
		}
		require.Equal(t, learning.Low, confidence(0))
		again := learned(said)
		again.Description = "check the clock of the machine before blaming the token"
		again.Project = "/p"
		decision, out, err := s.Capture(ctx, again, store.Observation{Session: "s"}, store.Policy{Mode: store.Silent, Budget: 5}, store.Unasked)
		require.NoError(t, err)
		require.Equal(t, store.Silently, decision)
		require.Equal(t, learning.Low, out.Confidence, "nobody has judged it")
		_, out, err = s.Capture(ctx, again, store.Observation{Session: "s"}, store.Policy{Mode: store.AskFirst}, store.Approved)
		require.NoError(t, err)
		require.True(t, out.Reinforced)
		require.Equal(t, learning.Medium, out.Confidence)

		new := learned("quote the variables of a shell script in every command")
		_, out, err = s.Capture(ctx, new, store.Observation{}, store.Policy{}, store.Approved)
		require.NoError(t, err)
		require.Equal(t, learning.Low, out.Confidence, "a new one has what was given")
		new = learned("keep the timeouts of a client below those of its server")
		for i, want := range []learning.Confidence{learning.Low, learning.Medium} {
			new.Project = []string{"/p", "/q"}[i]
			out, err = s.Put(ctx, new, store.Observation{Session: new.Project})
			require.NoError(t, err)
			require.Equal(t, want, out.Confidence)
		}
	})
}

func TestNamesAndIDs(t *testing.T) {
	onEach(t, func(t *testing.T, place newStore) {
		ctx := context.Background()
		s := open(t, place(t))
		one := learned("always close the response body of a request")
		one.Name = "Close the body"
		two := learned("never close the connection of a pool by hand")
		two.Name = "close THE body"
		three := learned("prefer one transaction to ten of them in a loop")
		three.Name = learning.ID(one.Description) // as mischief has it
		for _, l := range []learning.Learning{one, two, three} {
			_, err := s.Put(ctx, l, store.Observation{})
			require.NoError(t, err)
		}
		get := func(name string) (string, error) {
			d, err := s.Get(ctx, store.Scope{Everything: true}, name)
			return d.Description, err
		}
		id := learning.ID(one.Description)
		for _, name := range []string{id, id[:4], id[:15]} {
			description, err := get(name)
			require.NoError(t, err)
			require.Equal(t, one.Description, description)
		}
		_, err := get("CLOSE the body")
		require.ErrorIs(t, err, store.ErrAmbiguous)
		for _, name := range []string{"", id[:3], "close", "%", "____", id + "0", "zzzz"} {
			_, err := get(name)
			require.ErrorIs(t, err, store.ErrUnknown, name)
		}

		// What is of a project exists only there, and a name only as often as there.
		four := learned("close all files before the process ends")
		four.Name, four.Project = one.Name, "p"
		out, err := s.Put(ctx, four, store.Observation{})
		require.NoError(t, err)
		for _, name := range []string{out.ID, out.ID[:6]} {
			d, err := s.Get(ctx, store.Scope{Project: "p"}, name)
			require.NoError(t, err)
			require.Equal(t, four.Description, d.Description)
			for _, project := range []string{"", "q"} {
				_, err := s.Get(ctx, store.Scope{Project: project}, name)
				require.EqualError(t, err, strconv.Quote(name)+": "+store.ErrUnknown.Error())
			}
		}
		_, err = s.Forget(ctx, id)
		require.NoError(t, err)
		_, err = s.Forget(ctx, learning.ID(two.Description))
		require.NoError(t, err)
		_, err = s.Get(ctx, store.Scope{Project: "q"}, four.Name)
		require.ErrorIs(t, err, store.ErrUnknown)
		_, err = s.Get(ctx, store.Scope{Project: "p"}, four.Name)
		require.NoError(t, err)

		_, err = s.Import(ctx, manyLike(100), noon)
		require.NoError(t, err)
		ambiguous := 0
		for _, l := range manyLike(100) {
			d, err := s.Get(ctx, store.Scope{Everything: true}, learning.ID(l.Description)[:4])
			if err != nil {
				require.ErrorIs(t, err, store.ErrAmbiguous)
				require.ErrorContains(t, err, "use more of it")
				ambiguous++
				continue
			}
			require.Equal(t, l.Description, d.Description)
		}
		t.Log(ambiguous, "ambiguous")
	})
}

// manyLike are so many learnings.
func manyLike(n int) (all []learning.Learning) {
	for i := range n {
		all = append(all, learned(distinct(9, i)))
	}
	return all
}

func TestEdit(t *testing.T) {
	onEach(t, func(t *testing.T, place newStore) {
		ctx := context.Background()
		s := open(t, place(t))
		all := put(t, s, "/p", "always close the response body of a request", "prefer one transaction to ten of them in a loop")
		edited, err := s.Edit(ctx, all[0], noon.Add(time.Hour), func(l *learning.Learning) error {
			l.Description = "always close and drain the response body of a request\x00"
			l.Observations, l.Recalls, l.Created, l.ID = 99, 99, time.Time{}, "mine"
			return nil
		})
		require.NoError(t, err)
		require.Equal(t, learning.ID("always close and drain the response body of a request"), edited.ID)
		require.Contains(t, edited.Keywords, "drain")
		require.Equal(t, noon.Add(time.Hour), edited.Updated)
		require.Equal(t, noon, edited.Created)
		d, err := s.Get(ctx, store.Scope{Everything: true}, edited.ID)
		require.NoError(t, err)
		require.Equal(t, edited, d.Learning)
		require.Equal(t, 1, edited.Observations)
		_, err = s.Get(ctx, store.Scope{Everything: true}, all[0])
		require.ErrorIs(t, err, store.ErrUnknown)
		require.Len(t, search(t, s, store.Query{Text: "drain", Everywhere: true}), 1)

		before, err := s.List(ctx, store.Filter{Everywhere: true})
		require.NoError(t, err)
		for name, c := range map[string]struct {
			edit func(*learning.Learning) error
			want string
		}{
			"the same as another": {func(l *learning.Learning) error {
				l.Description = "prefer one transaction to ten of them in a loop"
				return nil
			}, all[1]},
			"but for case and a stop": {func(l *learning.Learning) error {
				l.Description = "Prefer ONE transaction to ten of them in a loop."
				return nil
			}, all[1]},
			"a category that there is not":   {func(l *learning.Learning) error { l.Category = "tips"; return nil }, "invalid category"},
			"nothing":                        {func(l *learning.Learning) error { l.Description = " "; return nil }, "description must be non-empty"},
			"an editor that gives up midway": {func(l *learning.Learning) error { l.Description = "half of"; return errors.New("given up") }, "given up"},
		} {
			_, err := s.Edit(ctx, edited.ID, noon.Add(2*time.Hour), c.edit)
			require.ErrorContains(t, err, c.want, name)
			after, err := s.List(ctx, store.Filter{Everywhere: true})
			require.NoError(t, err)
			require.Equal(t, before, after, name)
		}
		edited, err = s.Edit(ctx, edited.ID, noon, func(l *learning.Learning) error {
			l.Keywords = []string{"mine"}
			l.Reasoning = "another reason"
			l.Category, l.Confidence, l.Project = learning.Heuristics, learning.High, ""
			return nil
		})
		require.NoError(t, err)
		require.Equal(t, []string{"mine"}, edited.Keywords)
		require.Equal(t, noon.Add(time.Hour), edited.Updated, "time does not go back")
		found, err := s.List(ctx, store.Filter{Category: learning.Heuristics})
		require.NoError(t, err)
		require.Equal(t, []learning.Learning{edited}, found)
	})
}

func TestForgetLeavesNoTrace(t *testing.T) {
	ctx := context.Background()
	dir := t.TempDir()
	s := open(t, dir)
	put(t, s, "", "always keep the wombat in the cellar of a house")
	id := put(t, s, "", "never keep the wombat in the cellar of a house")[0]
	secret := learned("the password of the staging database is xyzzyplughxyzzy")
	secret.Reasoning = "because plughxyzzyplugh said so"
	out, err := s.Put(ctx, secret, store.Observation{Session: "s"})
	require.NoError(t, err)
	retire(t, s, out.ID, "quuxquux")
	for _, name := range []string{id, out.ID} {
		_, err := s.Forget(ctx, name)
		require.NoError(t, err)
		_, err = s.Get(ctx, store.Scope{Everything: true}, name)
		require.ErrorIs(t, err, store.ErrUnknown)
		_, err = s.Forget(ctx, name)
		require.ErrorIs(t, err, store.ErrUnknown)
	}
	require.Empty(t, search(t, s, store.Query{Text: "password xyzzyplughxyzzy", Retired: true}))
	require.Len(t, search(t, s, store.Query{Text: "wombat"}), 1)
	require.NoError(t, s.Close())
	requireSound(t, dir)
	requireCounts(t, dir, map[string]int{
		`SELECT count(*) FROM entries`:                                 1,
		`SELECT count(*) FROM observations`:                            1,
		`SELECT count(*) FROM entries_words WHERE term LIKE '%xyzzy%'`: 0,
	})
	data, err := os.ReadFile(file(dir))
	require.NoError(t, err)
	for _, word := range []string{"xyzzy", "quux", "plugh"} {
		require.Zero(t, bytes.Count(data, []byte(word)), word)
	}
}

func TestRecalledAndFound(t *testing.T) {
	onEach(t, func(t *testing.T, place newStore) {
		ctx := context.Background()
		dir := place(t)
		s := open(t, dir)
		all := put(t, s, "", "always close the response body of a request", "prefer one transaction to ten of them in a loop")
		require.NoError(t, s.Recalled(ctx, nil, noon))
		require.NoError(t, s.Recalled(ctx, append(all, "unknown"), noon.Add(time.Hour)))
		require.NoError(t, s.Recalled(ctx, all[:1], noon))
		require.NoError(t, s.Found(ctx, all[1:], noon.Add(2*time.Hour)))
		require.NoError(t, s.Found(ctx, all[1:], noon))
		one, err := s.Get(ctx, store.Scope{Everything: true}, all[0])
		require.NoError(t, err)
		require.Equal(t, 2, one.Recalls)
		require.Equal(t, noon.Add(time.Hour), one.LastRecalled)
		require.Zero(t, one.LastUsed)
		two, err := s.Get(ctx, store.Scope{Everything: true}, all[1])
		require.NoError(t, err)
		require.Equal(t, 1, two.Recalls)
		require.Equal(t, noon.Add(2*time.Hour), two.LastUsed)
		require.Equal(t, noon, two.Updated)
		requireCounts(t, dir, map[string]int{`SELECT sum(search_count) FROM entries`: 2})
	})
}

func TestStats(t *testing.T) {
	onEach(t, func(t *testing.T, place newStore) {
		ctx := context.Background()
		dir := place(t)
		s := open(t, dir)
		st, err := s.Stats(ctx, noon)
		require.NoError(t, err)
		require.Nil(t, st.RecalledFromSessions)
		all := put(t, s, "/p", "always close the response body of a request", "prefer one transaction to ten of them in a loop", "never test against the live database of a customer")
		manual := learned("check the clock of the machine before blaming the token")
		manual.Source = learning.Manual
		out, err := s.Put(ctx, manual, store.Observation{At: noon.Add(-90 * 24 * time.Hour)})
		require.NoError(t, err)
		put(t, s, "/p", "test against the live database of a customer")
		require.NoError(t, s.Recalled(ctx, []string{all[0], out.ID}, noon))
		require.NoError(t, s.Found(ctx, all[:1], noon))
		retire(t, s, all[1], "wrong")
		_, err = s.AddCaptured(ctx, store.Captured{Turns: []store.Turn{{Session: "s", UUID: "1", Text: "hello"}}})
		require.NoError(t, err)
		st, err = s.Stats(ctx, noon)
		require.NoError(t, err)
		require.Equal(t, 4, st.Learnings)
		require.InDelta(t, 50, *st.RecalledFromSessions, 0)
		require.Equal(t, 1, st.Turns)
	})
}
