package store_test

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"whence/internal/store"
)

// row holds the stored fields of a turn.
type row struct {
	Session, UUID, Text string
	Count, Rank         int
	Change              string
}

// rows are all that are kept, in their order.
func rows(t *testing.T, dir string) (all []row) {
	t.Helper()
	db := raw(t, dir)
	defer db.Close()
	found, err := db.Query(`SELECT session, uuid, text, count, rank, change FROM turns ORDER BY seq`)
	require.NoError(t, err)
	defer found.Close()
	for found.Next() {
		var r row
		require.NoError(t, found.Scan(&r.Session, &r.UUID, &r.Text, &r.Count, &r.Rank, &r.Change))
		all = append(all, r)
	}
	require.NoError(t, found.Err())
	return all
}

func capture(t *testing.T, s *store.Store, c store.Captured) (added int) {
	t.Helper()
	added, err := s.AddCaptured(context.Background(), c)
	require.NoError(t, err)
	return added
}

// piece returns a turn with a UUID, text, fold and rank.
func piece(uuid, text, fold string, rank int) store.Turn {
	return store.Turn{UUID: uuid, Role: "assistant", Kind: "answer", Text: text, Fold: fold, Rank: rank, At: noon}
}

func TestWhatIsKeptOfTurns(t *testing.T) {
	onEach(t, func(t *testing.T, place newStore) {
		told := func(text string) *store.Turn {
			return &store.Turn{Role: "assistant", Kind: "answer", Text: text, At: noon}
		}
		turns := func(all ...store.Turn) store.Captured { return store.Captured{Session: "s", Turns: all} }
		for name, test := range map[string]struct {
			calls []store.Captured
			added []int
			want  []string // text × count
		}{
			"once, whatever the session": {
				[]store.Captured{turns(piece("a", "one", "", 0)), {Session: "fork", Turns: []store.Turn{piece("a", "one", "", 0), piece("b", "two", "", 0)}}},
				[]int{1, 1}, []string{"s one ×1", "fork two ×1"}},
			"an answer that has grown": {
				[]store.Captured{turns(piece("a", "one", "", 0), piece("b", "two", "", 0), piece("a", "one and more", "", 0)), turns(piece("a", "one", "", 0))},
				[]int{2, 0}, []string{"s one and more ×1", "s two ×1"}},
			"another text": {
				[]store.Captured{turns(piece("a", "one", "", 0)), turns(piece("a", "no", "", 0))},
				[]int{1, 0}, []string{"s no ×1"}},
			"nearly the same": {
				[]store.Captured{turns(piece("a", "one", "1", 0), piece("b", "ONE", "1", 0)), turns(piece("b", "ONE", "1", 0), piece("a", "one", "1", 0))},
				[]int{2, 0}, []string{"s one ×2"}},
			"nearly the same in another session": {
				[]store.Captured{turns(piece("a", "one", "1", 0)), {Session: "other", Turns: []store.Turn{piece("b", "ONE", "1", 0)}}},
				[]int{1, 1}, []string{"s one ×1", "other ONE ×1"}},
			"no longer the same": {
				[]store.Captured{turns(piece("a", "one", "1", 0), piece("b", "ONE", "1", 0), piece("c", "three", "", 0), piece("b", "ONE more", "2", 0))},
				[]int{3}, []string{"s one ×1", "s ONE more ×1", "s three ×1"}},
			"the first is no longer the same": {
				[]store.Captured{turns(piece("a", "one", "1", 0), piece("b", "ONE", "1", 0), piece("a", "one more", "2", 0))},
				[]int{2}, []string{"s one more ×1", "s one ×1"}},
			"the first becomes the same as a later one": {
				[]store.Captured{turns(piece("a", "one", "1", 0), piece("b", "two", "2", 0), piece("a", "ONE two", "2", 0))},
				[]int{2}, []string{"s ONE two ×2"}},
			"the first of equal ones grows": {
				[]store.Captured{turns(piece("a", "one", "1", 0), piece("b", "ONE", "1", 0), piece("a", "one.", "1", 0))},
				[]int{2}, []string{"s one. ×2"}},
			"nothing": {
				[]store.Captured{turns(piece("a", " \n", "", 0)), {}, {Answer: told("")}}, []int{0, 0, 0}, nil},
			"without a UUID": {
				[]store.Captured{turns(piece("", "one", "", 0), piece("", "two", "", 0), piece("", "one", "", 0))}, []int{2}, []string{"s one ×1", "s two ×1"}},
			"an answer before its record": {
				[]store.Captured{{Session: "s", Answer: told("one")}, {Session: "s", Answer: told("one")}, turns(piece("b", "two", "", 0), piece("a", "one", "", 0)), {Session: "s", Answer: told("one")}},
				[]int{1, 0, 1, 0}, []string{"s two ×1", "s one ×1"}},
			"an answer in its call": {
				[]store.Captured{{Session: "s", Turns: []store.Turn{piece("a", "one", "", 0)}, Answer: told("one")}}, []int{1}, []string{"s one ×1"}},
			"an answer whose record never comes": {
				[]store.Captured{{Session: "s", Answer: told("one")}, turns(piece("b", "two", "", 0))}, []int{1, 1}, []string{"s one ×1", "s two ×1"}},
			"the last part of an answer": {
				[]store.Captured{{Session: "s", Answer: told("its end")}, turns(piece("a", "one, and its end", "", 0)), {Session: "s", Answer: told("its end")}},
				[]int{1, 0, 0}, []string{"s one, and its end ×1"}},
			"an answer of which a part was there": {
				[]store.Captured{turns(piece("a", "one", "", 0)), {Session: "s", Answer: told("one, and its end")}, turns(piece("a", "one, and its end", "", 0))},
				[]int{1, 1, 0}, []string{"s one, and its end ×1"}},
			"an answer that was said before": {
				[]store.Captured{turns(piece("a", "one", "1", 0)), {Session: "s", Answer: told("one")}, turns(piece("b", "one", "1", 0))}, []int{1, 0, 1}, []string{"s one ×2"}},
			"an answer of another session": {
				[]store.Captured{turns(piece("a", "one", "", 0)), {Session: "other", Answer: told("one")}}, []int{1, 1}, []string{"s one ×1", "other one ×1"}},
			"the words of another": {
				[]store.Captured{{Session: "s", Answer: told("one")}, turns(store.Turn{UUID: "a", Role: "user", Text: "did you say one?"})}, []int{1, 1}, []string{"s one ×1", "s did you say one? ×1"}},
		} {
			t.Run(name, func(t *testing.T) {
				dir := place(t)
				s := open(t, dir)
				for i, c := range test.calls {
					require.Equal(t, test.added[i], capture(t, s, c), "call %d", i)
				}
				var got []string
				for _, r := range rows(t, dir) {
					got = append(got, fmt.Sprintf("%s %s ×%d", r.Session, r.Text, r.Count))
				}
				require.Equal(t, test.want, got)
				requireSound(t, dir)
			})
		}
	})
}

func TestTheBestOfASessionAreKept(t *testing.T) {
	onEach(t, func(t *testing.T, place newStore) {
		ctx := context.Background()
		dir := place(t)
		s := open(t, dir)
		add := func(uuid string, rank int) {
			t.Helper()
			_, err := s.AddCapturedWithin(ctx, store.Captured{Session: "s", Turns: []store.Turn{piece(uuid, "text of "+uuid, "", rank)}}, 3)
			require.NoError(t, err)
		}
		kept := func() (all string) {
			for _, r := range rows(t, dir) {
				all += r.UUID
			}
			return all
		}
		for i, rank := range []int{2, 1, 1} {
			add(string(rune('a'+i)), rank)
		}
		require.Equal(t, "abc", kept())
		add("d", 1)
		require.Equal(t, "abc", kept(), "of equal ones the first")
		add("e", 3)
		require.Equal(t, "abe", kept())
		add("c", 1)
		add("d", 1)
		require.Equal(t, "abe", kept(), "what was dropped stays known")
		add("c", 2)
		require.Equal(t, "ace", kept(), "in its old place")
		_, err := s.AddCapturedWithin(ctx, store.Captured{Session: "s", Answer: &store.Turn{Text: "told"}}, 3)
		require.NoError(t, err)
		require.Equal(t, "ace", kept())
		requireSound(t, dir)
	})
}

func TestATranscriptIsReadOnByOne(t *testing.T) {
	onEach(t, func(t *testing.T, place newStore) {
		ctx := context.Background()
		dir := place(t)
		s := open(t, dir)
		state := func() []byte {
			t.Helper()
			state, err := s.TranscriptState(ctx, "t.jsonl")
			require.NoError(t, err)
			return state
		}
		refused := func(before []byte) {
			t.Helper()
			_, err := s.AddCaptured(ctx, store.Captured{Transcript: "t.jsonl", Before: before, After: []byte("x"), Change: "x", Session: "s", Turns: []store.Turn{piece("x", "x", "", 0)}})
			require.ErrorIs(t, err, store.ErrMoved)
			require.Empty(t, rows(t, dir))
		}
		require.Nil(t, state())
		refused([]byte("old"))
		capture(t, s, store.Captured{Transcript: "t.jsonl"})
		require.Nil(t, state())
		capture(t, s, store.Captured{Transcript: "t.jsonl", After: []byte("one")})
		require.Equal(t, []byte("one"), state())
		refused(nil)
		refused([]byte{})
		refused([]byte("two"))
		other, err := s.TranscriptState(ctx, "other.jsonl")
		require.NoError(t, err)
		require.Nil(t, other)
	})
}

func TestTheChangeOfASession(t *testing.T) {
	onEach(t, func(t *testing.T, place newStore) {
		ctx := context.Background()
		dir := place(t)
		s := open(t, dir)
		first := func(text string) store.Turn {
			t.Helper()
			hits, err := s.SearchTurns(ctx, store.Query{Text: text, Most: 1})
			require.NoError(t, err)
			require.Len(t, hits, 1, text)
			return hits[0].Turn
		}
		capture(t, s, store.Captured{Session: "s", Turns: []store.Turn{piece("a", "the wombat sleeps", "", 0), piece("b", "the zebra runs", "", 0)}})
		capture(t, s, store.Captured{Session: "other", Turns: []store.Turn{piece("c", "the walrus swims", "", 0)}})
		require.Equal(t, "[session:unknown, turn 2/2]", first("zebra").Prefix())
		require.Equal(t, []string{"raw", "phase:auto-extract", "source:hook"}, first("zebra").Tags)

		capture(t, s, store.Captured{Session: "s", Change: "reticulate,  [splines]", Turns: []store.Turn{piece("d", "the yak eats", "", 0)}})
		for text, prefix := range map[string]string{"wombat": "1/3", "zebra": "2/3", "yak": "3/3"} {
			require.Equal(t, "[session:reticulate-splines, turn "+prefix+"]", first(text).Prefix())
			require.Equal(t, []string{"raw", "phase:auto-extract", "source:hook", "change:reticulate-splines"}, first(text).Tags)
		}
		require.Equal(t, "[session:unknown, turn 1/1]", first("walrus").Prefix())
		require.Equal(t, "s", first("reticulating").Session, "it is found by its change")
		hits, err := s.SearchTurns(ctx, store.Query{Text: "splines walrus", Without: []string{"x", "change:reticulate-splines"}})
		require.NoError(t, err)
		require.Len(t, hits, 1)
		hits, err = s.SearchTurns(ctx, store.Query{Text: "wombat zebra walrus", Without: []string{"raw"}})
		require.NoError(t, err)
		require.Empty(t, hits)

		for _, change := range []string{"", "zoo", "aardvark", "reticulate", " ,"} { // the first by the alphabet stays
			capture(t, s, store.Captured{Session: "s", Change: change})
		}
		require.Equal(t, "aardvark", first("wombat").Change)
		hits, err = s.SearchTurns(ctx, store.Query{Text: "splines"})
		require.NoError(t, err)
		require.Empty(t, hits, "the old name is gone")
		requireSound(t, dir)
	})
}

// conversation makes transcripts: turns, some of which grow, or are nearly the same; the
// later transcripts begin as forks of the first ones.
type conversation struct {
	random      *rand.Rand
	transcripts [][]store.Turn
	growing     bool // ranks rise with the text, and no two are nearly the same
	n           int
}

func converse(seed int64, growing bool) *conversation {
	c := &conversation{random: rand.New(rand.NewSource(seed)), growing: growing}
	for i := range 1 + c.random.Intn(4) {
		var all []store.Turn
		if i > 0 && c.random.Intn(2) == 0 {
			from := c.transcripts[c.random.Intn(i)]
			all = slices.Clone(from[:c.random.Intn(len(from)+1)])
		}
		for range 1 + c.random.Intn(25) {
			all = append(all, c.say()...)
		}
		for j := range all {
			all[j].Session = fmt.Sprint("session ", i%3)
		}
		c.transcripts = append(c.transcripts, all)
	}
	return c
}

// say makes a turn in one or more states.
func (c *conversation) say() (all []store.Turn) {
	c.n++
	uuid := fmt.Sprint("u", c.n)
	text := fmt.Sprint("text ", c.random.Intn(12))
	if c.growing {
		text = fmt.Sprint("text of ", c.n)
	}
	parts := 1
	if c.random.Intn(3) == 0 {
		parts = 1 + c.random.Intn(3)
	}
	rank := c.random.Intn(4)
	for part := range parts {
		if part > 0 {
			text += fmt.Sprint(" and ", c.random.Intn(2))
		}
		fold := text
		if c.growing {
			fold = ""
			rank += c.random.Intn(3)
		} else if strings.HasPrefix(text, "text 1") {
			fold = ""
		}
		all = append(all, piece(uuid, text, fold, rank))
	}
	return all
}

// expected returns what must be stored after all calls. It follows from the order in which turns
// came first and from their last states, and from nothing else.
func expected(calls []store.Captured, most int) (all []row) {
	first := map[string]int{}
	var last []store.Turn
	change := map[string]string{}
	for _, c := range calls {
		for _, t := range c.Turns {
			i, known := first[t.UUID]
			if !known {
				i = len(last)
				first[t.UUID] = i
				last = append(last, t)
			}
			if len(t.Text) >= len(last[i].Text) {
				t.Session = last[i].Session
				last[i] = t
			}
		}
		if c.Change != "" && (change[c.Session] == "" || c.Change < change[c.Session]) {
			change[c.Session] = c.Change
		}
	}
	merged := map[[2]string]int{}
	for _, t := range last {
		if i, equal := merged[[2]string{t.Session, t.Fold}]; equal && t.Fold != "" {
			all[i].Count++
			all[i].Rank = max(all[i].Rank, t.Rank)
			continue
		}
		merged[[2]string{t.Session, t.Fold}] = len(all)
		all = append(all, row{t.Session, t.UUID, t.Text, 1, t.Rank, change[t.Session]})
	}
	var kept []row
	for i, r := range all {
		better := 0
		for j, other := range all {
			if other.Session == r.Session && (other.Rank > r.Rank || other.Rank == r.Rank && j < i) {
				better++
			}
		}
		if better < most {
			kept = append(kept, r)
		}
	}
	return kept
}

// However transcripts are cut into pieces, repeated, forked and read in turns, and whatever
// an event tells before: what is kept is the same.
func TestWhatIsKeptDoesNotDependOnTheReading(t *testing.T) {
	onEach(t, func(t *testing.T, place newStore) {
		ctx := context.Background()
		rounds := 60
		if onServer(place(t)) { // where each takes a database of its own
			rounds = 6
		}
		start := time.Now().UnixNano()
		for round := range rounds {
			seed := start + int64(round)
			growing := round%2 == 0
			c := converse(seed, growing)
			random := c.random
			most := 1000
			if growing {
				most = 1 + random.Intn(12)
			}
			dir := place(t)
			s := open(t, dir)
			read := make([]int, len(c.transcripts))
			var calls []store.Captured
			for {
				i := random.Intn(len(read))
				all := c.transcripts[i]
				if read[i] == len(all) {
					if slices.EqualFunc(read, c.transcripts, func(n int, all []store.Turn) bool { return n == len(all) }) {
						break
					}
					continue
				}
				from, to := read[i], read[i]+1+random.Intn(min(len(all)-read[i], 10))
				if random.Intn(5) == 0 { // it was written anew: from an earlier place
					from = random.Intn(from + 1)
				}
				before, err := s.TranscriptState(ctx, fmt.Sprint(i))
				require.NoError(t, err)
				call := store.Captured{
					Transcript: fmt.Sprint(i), Before: before, After: []byte(strconv.Itoa(to)), Session: fmt.Sprint("session ", i%3),
					Turns: all[from:to],
				}
				if random.Intn(4) == 0 {
					call.Change = []string{"add-login", "fix-build", "zoo"}[random.Intn(3)]
				}
				if to < len(all) && most == 1000 && random.Intn(2) == 0 {
					last := all[to+random.Intn(len(all)-to)]
					call.Answer = &store.Turn{Role: last.Role, Text: last.Text, Rank: last.Rank}
				}
				_, err = s.AddCapturedWithin(ctx, call, most)
				require.NoError(t, err)
				read[i] = to
				calls = append(calls, call)
			}
			got, want := rows(t, dir), expected(calls, most)
			bySession := func(a, b row) int { return cmp.Compare(a.Session, b.Session) }
			slices.SortStableFunc(got, bySession)
			slices.SortStableFunc(want, bySession)
			require.Equal(t, want, got, "seed %d, growing %v, at most %d", seed, growing, most)
			requireSound(t, dir)
			requireNearby(t, dir)
		}
	})
}

// requireNearby requires that each turn is indexed with the two before it and the two after.
func requireNearby(t *testing.T, dir string) {
	t.Helper()
	db := raw(t, dir)
	defer db.Close()
	found, err := db.Query(`SELECT session, text, nearby FROM turns ORDER BY session, seq`)
	require.NoError(t, err)
	defer found.Close()
	texts, nearby := map[string][]string{}, map[string][]string{}
	for found.Next() {
		var session, text, near string
		require.NoError(t, found.Scan(&session, &text, &near))
		texts[session], nearby[session] = append(texts[session], text), append(nearby[session], near)
	}
	require.NoError(t, found.Err())
	for session, all := range texts {
		for i := range all {
			want := slices.Concat(all[max(0, i-2):i], all[i+1:min(len(all), i+3)])
			require.Equal(t, strings.Join(want, "\n"), nearby[session][i], "%s %d", session, i)
		}
	}
}

// captureAll reads all transcripts of a conversation to their ends, piece by piece, beside
// others that do the same.
func captureAll(dir string, args []string) error {
	ctx := context.Background()
	c := converse(int64(number(args[1])), true)
	random := rand.New(rand.NewSource(int64(number(args[0]))))
	s, err := openAt(ctx, dir)
	if err != nil {
		return err
	}
	for done := map[int]bool{}; len(done) < len(c.transcripts); {
		i := random.Intn(len(c.transcripts))
		name := fmt.Sprint(i)
		before, err := s.TranscriptState(ctx, name)
		if err != nil {
			return err
		}
		at := 0
		if before != nil {
			if err := json.Unmarshal(before, &at); err != nil {
				return err
			}
		}
		all := c.transcripts[i]
		if at == len(all) {
			done[i] = true
			continue
		}
		to := at + 1 + random.Intn(min(3, len(all)-at))
		call := store.Captured{Transcript: name, Before: before, After: []byte(strconv.Itoa(to)), Session: all[0].Session, Change: "change-" + args[1], Turns: all[at:to]}
		if to < len(all) {
			call.Answer = &store.Turn{Role: "assistant", Text: all[to].Text, Rank: all[to].Rank}
		}
		if _, err := s.AddCaptured(ctx, call); err != nil && !errors.Is(err, store.ErrMoved) {
			return err
		}
	}
	return s.Close()
}

// requireCaptured requires that each turn of a conversation is kept once, in its last state,
// in a session that has it, and those of each transcript in their order.
func requireCaptured(t *testing.T, dir string, seed int) {
	t.Helper()
	type state struct {
		text     string
		sessions []string
	}
	want := map[string]*state{}
	c := converse(int64(seed), true)
	for _, all := range c.transcripts {
		for _, turn := range all {
			if want[turn.UUID] == nil {
				want[turn.UUID] = &state{}
			}
			w := want[turn.UUID]
			if len(turn.Text) > len(w.text) {
				w.text = turn.Text
			}
			w.sessions = append(w.sessions, turn.Session)
		}
	}
	place := map[string]int{}
	for i, r := range rows(t, dir) {
		require.Contains(t, want, r.UUID)
		require.NotContains(t, place, r.UUID)
		place[r.UUID] = i
		require.Equal(t, want[r.UUID].text, r.Text)
		require.Contains(t, want[r.UUID].sessions, r.Session)
		require.Equal(t, 1, r.Count)
	}
	require.ElementsMatch(t, slices.Collect(maps.Keys(want)), slices.Collect(maps.Keys(place)))
	requireSound(t, dir)
	requireNearby(t, dir)
}

func TestManyProcessesCaptureTheSameTranscripts(t *testing.T) {
	onEach(t, func(t *testing.T, place newStore) {
		for _, round := range []int{0, 3, 6} {
			dir := place(t)
			run(t, 2+round%7, "transcripts", dir, strconv.Itoa(round))
			requireCaptured(t, dir, round)
		}
	})
}

func TestKilledCaptures(t *testing.T) {
	onEach(t, func(t *testing.T, place newStore) {
		const rounds, kills = 4, 8
		random := rand.New(rand.NewSource(time.Now().UnixNano()))
		for round := range rounds {
			dir := place(t)
			for range kills {
				one, two := child("transcripts", dir, fmt.Sprint(random.Int31()), strconv.Itoa(round)), child("transcripts", dir, fmt.Sprint(random.Int31()), strconv.Itoa(round))
				require.NoError(t, one.Start())
				require.NoError(t, two.Start())
				time.Sleep(time.Duration(random.Intn(30)) * time.Millisecond)
				_, _ = one.Process.Kill(), two.Process.Kill()
				_, _ = one.Wait(), two.Wait()
			}
			run(t, 2, "transcripts", dir, strconv.Itoa(round))
			requireCaptured(t, dir, round)
		}
	})
}
