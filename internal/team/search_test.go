package team

import (
	"fmt"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"whence/internal/store"
	"whence/internal/test/pgtest"
)

// scripts are a learning in each of twelve scripts, and a word of it that finds the turn that says it.
var scripts = []struct{ text, word string }{
	{"The booking table is locked while the harbour imports tides", "locked"},
	{"Таблица бронирования заблокирована во время импорта приливов", "заблокирована"},
	{"Ο πίνακας κρατήσεων κλειδώνεται κατά την εισαγωγή των παλιρροιών", "κλειδώνεται"},
	{"جدول الحجز مقفل أثناء استيراد بيانات المد والجزر", "مقفل"},
	{"טבלת ההזמנות נעולה בזמן ייבוא נתוני הגאות והשפל", "נעולה"},
	{"ज्वार के आयात के दौरान बुकिंग तालिका बंद रहती है", "तालिका"},
	{"জোয়ারের তথ্য আমদানির সময় বুকিং টেবিল বন্ধ থাকে", "টেবিল"},
	{"அலைகளை இறக்குமதி செய்யும் போது முன்பதிவு அட்டவணை பூட்டப்படும்", "அட்டவணை"},
	{"导入潮汐数据时预订表被锁定 lock_timeout 太短", "lock_timeout"},
	{"潮汐のインポート中は予約テーブルがロックされる timeout を延ばす", "timeout"},
	{"조석 데이터를 가져오는 동안 예약 테이블이 잠깁니다", "테이블이"},
	{"ตารางการจองถูกล็อกขณะนำเข้าข้อมูลน้ำขึ้นน้ำลง timeout", "timeout"},
}

func TestScripts(t *testing.T) {
	o := newOffice(t)
	ann, bea := o.member(t, o.Address()), o.member(t, o.Address())
	turns := []store.Turn{}
	for i, s := range scripts {
		ann.add(s.text)
		turns = append(turns, store.Turn{UUID: fmt.Sprint(i), Session: "s1", Role: "user", Kind: "prompt", Text: s.text, At: ann.now})
	}
	team := o.turns(t, ann, turns...)
	require.Empty(t, ann.sync())
	require.Empty(t, bea.sync())
	require.Len(t, bea.learnings(), len(scripts))
	require.Equal(t, ann.learnings(), bea.learnings())
	for _, s := range scripts {
		hits, err := Search(t.Context(), team, s.word, 20)
		require.NoError(t, err)
		require.True(t, slices.ContainsFunc(hits, func(h Hit) bool { return h.Text == s.text && h.Login == ann.login }), "%s: %v", s.word, hits)
	}
	n := 0
	require.NoError(t, o.db.Open(t, bea.login).QueryRow(`SELECT count(*) FROM whence.turns`).Scan(&n))
	require.Equal(t, len(scripts), n)
	mine, err := bea.Session(t.Context(), project, "s1")
	require.NoError(t, err)
	require.Empty(t, mine, "turns are not pulled")
}

// The rarest words decide, and a turn that has grown is stored once.
func TestSearchRanksByRarity(t *testing.T) {
	o := newOffice(t)
	ann := o.member(t, o.Address())
	var turns []store.Turn
	for i := range 30 {
		turns = append(turns, store.Turn{UUID: fmt.Sprint(i), Session: "s1", Role: "user", Kind: "prompt", Text: fmt.Sprintf("the deploy of day %d failed", i), At: ann.now})
	}
	turns[20].Text = "the colima socket was missing"
	team := o.turns(t, ann, turns...)
	require.Empty(t, ann.sync())
	turns[20].Text += " since docker had moved it"
	o.turns(t, ann, turns[20])
	require.Empty(t, ann.sync())
	hits, err := Search(t.Context(), team, "why has the deploy failed with colima?", 5)
	require.NoError(t, err)
	require.Len(t, hits, 5)
	require.Equal(t, turns[20].Text, hits[0].Text)
	require.Greater(t, hits[0].Score, hits[1].Score)
	hits, err = Search(t.Context(), team, "xyzzy", 5)
	require.NoError(t, err)
	require.Empty(t, hits)
	hits, err = Search(t.Context(), team, "", 5)
	require.NoError(t, err)
	require.Empty(t, hits)
}

// With a million rows, searches and pulls stay fast.
func TestMillionRows(t *testing.T) {
	if os.Getenv("WHENCE_LONG") == "" {
		t.Skip("WHENCE_LONG is not set")
	}
	const rows, learnings = 1_000_000, 100_000
	o := newOffice(t)
	ann := o.member(t, o.Address())
	db := o.db.Open(t, pgtest.Superuser)
	prefix := wordsOf(ann.team, "xx", 1)[0]
	prefix = prefix[:len(prefix)-2]
	begin := time.Now()
	// Words are as frequent as in a language: the n-th has a share of 1/n.
	_, err := db.Exec(`DROP INDEX whence.turns_words`)
	require.NoError(t, err)
	_, err = db.Exec(`INSERT INTO whence.turns (team, scope, uuid, session, role, kind, text, at, words)
		SELECT 'ferry', 'app', n::text, (n / 50)::text, 'user', 'prompt', repeat('what was said ', 20), now(), w.words
		FROM generate_series(1, $1::int) n, LATERAL (SELECT array_agg(DISTINCT $2 || 'w' || floor(exp(random() * ln(100000)))::int) AS words
			FROM generate_series(1, 40 + n % 2)) w`, rows, prefix)
	require.NoError(t, err)
	_, err = db.Exec(`CREATE INDEX turns_words ON whence.turns USING gin (words) WITH (fastupdate = off)`)
	require.NoError(t, err)
	_, err = db.Exec(`INSERT INTO whence.learnings (team, scope, id, learning, origin)
		SELECT 'ferry', 'app', n::text, jsonb_build_object('description', repeat('what was learned ', 20)), '' FROM generate_series(1, $1::int) n`, learnings)
	require.NoError(t, err)
	for _, statement := range []string{`VACUUM ANALYZE whence.turns`, `VACUUM ANALYZE whence.learnings`} {
		_, err = db.Exec(statement)
		require.NoError(t, err)
	}
	t.Logf("made in %s", time.Since(begin).Round(time.Second))

	questions := []string{
		"w90000", "w1 w2 w3", "w1 w2 w3 w4 w5 w6 w7 w8 w9 w10 w11 w12", "w50 w500 w5000", "w20 w30 w40 w70000", "w100 w200 w300 w400",
		"w2 w80000 w7", "w15 w25 w35 w45 w55 w65", "w1000 w2000 w3000 w4000 w5000 w6000 w7000 w8000 w9000 w10000 w11000 w12000",
	}
	var times []time.Duration
	for i := range 80 {
		begin := time.Now()
		hits, err := Search(t.Context(), ann.team, questions[i%len(questions)], 20)
		times = append(times, time.Since(begin))
		require.NoError(t, err)
		require.NotEmpty(t, hits)
		if i < len(questions) {
			t.Logf("%s: %s, best %.1f", questions[i], times[i].Round(time.Millisecond), hits[0].Score)
		}
	}
	slices.Sort(times)
	t.Logf("search: median %s, p95 %s, most %s", times[40], times[76], times[79])
	require.Less(t, times[76], 500*time.Millisecond)

	e := &exchange{team: ann.team}
	e.conn, err = connect(t.Context(), ann.team.URL)
	require.NoError(t, err)
	var last int64
	require.NoError(t, db.QueryRow(`SELECT max(revision) FROM whence.learnings`).Scan(&last))
	begin = time.Now()
	_, upTo, err := e.pull(t.Context(), last-100, false)
	require.NoError(t, err)
	require.Equal(t, last, upTo)
	t.Logf("pull of 100 changes: %s", time.Since(begin))
	require.Less(t, time.Since(begin), 100*time.Millisecond)
	require.NoError(t, e.conn.Close(t.Context()))
}
