package rank_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/rank"
)

// documents is a small memory. The first document is the one of the worked example of Index.Recall.
var documents = []rank.Document{
	{
		Trigger: "retrying a call", Title: "Retries", Description: "attempts, jitter, upper bound",
		Situations: []string{"the client hammers the server after a timeout"}, Body: "Three attempts.",
	},
	{
		Trigger: "listing many rows", Title: "Paging", Description: "cursor, page size, stable order",
		Situations: []string{"users see a row twice"}, Body: "Pages are named by a cursor.",
	},
	{
		Trigger: "rounding money", Title: "Cents", Description: "integers, never floats",
		Situations: []string{"the total is one cent off"}, Body: "Amounts are integers in cents.",
	},
}

// recall ranks documents for a text.
func recall(t testing.TB, text string, docs []rank.Document, maxMatches int) []rank.Match {
	t.Helper()
	return rank.NewIndex(docs).Recall(text, maxMatches)
}

func TestRecall(t *testing.T) {
	for name, test := range map[string]struct {
		text string
		want []int
	}{
		"situation":            {"users see rows twice", []int{1}},
		"other forms":          {"retried calls", []int{0}},
		"identifier":           {"RetryPolicy.maxAttempts = 3", []int{0}},
		"letters wrong":        {"roundign money", []int{2}},
		"a word of two":        {"the cursor is one cent off", []int{2, 1}},
		"nothing in common":    {"xyzzy plugh", nil},
		"small words alone":    {"and this is what it was", nil},
		"signs alone":          {"?!  ... --- 🙂", nil},
		"empty":                {"", nil},
		"other script":         {"повторить вызов", nil},
		"invalid UTF-8":        {"retry \xff\xfe call", []int{0}},
		"one word of the body": {"amounts", []int{2}},
	} {
		t.Run(name, func(t *testing.T) {
			var got []int
			for _, m := range recall(t, test.text, documents, 3) {
				got = append(got, m.Document)
			}
			require.Equal(t, test.want, got)
		})
	}
	require.Empty(t, recall(t, "retry", nil, 3))
}

// A decision is found by texts in its own language, whatever that is, and by texts in others only through identifiers.
// Function words find nothing.
func TestRecallInOtherLanguages(t *testing.T) {
	for language, test := range map[string]struct {
		document          rank.Document
		title, asked, not string
		identifier        string
	}{
		"Japanese": {rank.Document{Trigger: "本番へデプロイする", Title: "金曜日にはデプロイしない", Description: "release_freeze 週末 障害対応"}, "金曜日にはデプロイしない", "週末にデプロイしてもいいですか", "猫がそのまま寝ているのですが", "what is the release_freeze for"},
		"Chinese":  {rank.Document{Trigger: "处理支付回调", Title: "支付回调必须先保存幂等键", Description: "重复回调 幂等键 idem_key"}, "支付回调必须先保存幂等键", "回调重复了要怎么处理", "这个是不是就可以了", "where is idem_key"},
		"Korean":   {rank.Document{Trigger: "보관함 비밀번호를 만들 때", Title: "비밀번호는 일회용으로 발급한다", Description: "PinService 난수"}, "비밀번호는 일회용으로 발급한다", "비밀번호가 보관함에서 안 열려요", "그냥 이것 좀 해주세요", "PinService is slow"},
		"Russian":  {rank.Document{Trigger: "повтор вызова", Title: "Повторы", Description: "три попытки pay_api"}, "Повторы", "Надо повторить вызовы с попытками", "а это было уже там", "pay_api fails"},
		"French":   {rank.Document{Trigger: "déployer la nuit", Title: "Les déploiements attendent le matin", Description: "astreinte bot-deploy"}, "Les déploiements attendent le matin", "peut-on déployer une astreinte cette nuit", "le chat dort sur la table de la cuisine", "restart bot-deploy"},
		"Thai":     {rank.Document{Trigger: "เปลี่ยนรหัสลูกค้า", Title: "รหัสลูกค้าไม่ซ้ำกัน", Description: "customer_code ฐานข้อมูล"}, "รหัสลูกค้าไม่ซ้ำกัน", "ฐานข้อมูลมีรหัสลูกค้าซ้ำ", "และนี้ก็แล้ว", "print customer_code"},
		"Turkish":  {rank.Document{Trigger: "önbelleği temizlerken", Title: "Önbellek dağıtımdan önce temizlenir", Description: "redis_flush eski ayar"}, "Önbellek dağıtımdan önce temizlenir", "eski önbellek temizlenir mi", "bu da bir şey değil ve çok", "run redis_flush"},
	} {
		t.Run(language, func(t *testing.T) {
			docs := append([]rank.Document{test.document}, documents...)
			for _, text := range []string{test.title, test.asked, test.identifier} {
				matches := recall(t, text, docs, 1)
				require.Len(t, matches, 1, text)
				require.Equal(t, 0, matches[0].Document, text)
			}
			require.Greater(t, recall(t, test.title, docs, 1)[0].P, 0.15)
			require.Greater(t, recall(t, test.asked, docs, 1)[0].P, 0.05)
			require.Empty(t, recall(t, test.not, docs, 1))
		})
	}
}

// Both ends of a long text are used: a command precedes its output, and the error is at the end.
func TestLongText(t *testing.T) {
	noise := strings.Repeat("lorem ipsum dolor sit amet\n", 40_000)
	for _, text := range []string{"the client retries\n" + noise, noise + "\nthe client retries"} {
		matches := recall(t, text, documents, 3)
		require.NotEmpty(t, matches)
		require.Equal(t, 0, matches[0].Document)
	}
}

// Documents that share nothing with a text do not change the order, and the result is deterministic.
func TestOrderIsStable(t *testing.T) {
	docs := documents
	for i := range 200 {
		docs = append(docs, rank.Document{Trigger: fmt.Sprintf("quorum of %d", i), Title: "Quorum", Description: "votes"})
	}
	first := recall(t, "users see the total of retries twice", docs, 10)
	require.Len(t, first, 3)
	for range 20 {
		require.Equal(t, first, recall(t, "users see the total of retries twice", docs, 10))
	}
}

func FuzzRecall(f *testing.F) {
	f.Add("retryCount HTTPServer __init__ PLR0915", "foo_bar-baz x2y \xff", "ünï 日本")
	f.Add("_", "__", "a_")
	f.Add("aed oed aing", "eing", "ying ies's")
	f.Fuzz(func(t *testing.T, text, trigger, body string) {
		docs := append([]rank.Document{{Trigger: trigger, Title: text, Description: body, Situations: []string{body, text}, Body: body}}, documents...)
		for _, m := range recall(t, text, docs, 2) {
			if !(m.Score > 0) || !(m.P >= 0) || m.Document < 0 || m.Document >= len(docs) {
				t.Fatalf("%+v", m)
			}
		}
	})
}
