package team

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/store"
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
