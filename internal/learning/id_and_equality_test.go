package learning_test

import (
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/require"
	"golang.org/x/text/unicode/norm"

	"whence/internal/inert"
	"whence/internal/learning"
	"whence/internal/test/repotest"
)

// Equal texts may differ only in spelling.
func TestFolded(t *testing.T) {
	for _, same := range [][2]string{
		{"Always quote in hooks.", "  always  QUOTE in\nhooks"},
		{"Évite les accès concurrents", "E\u0301VITE les acce\u0300s concurrents"},
		{"Die Straße zuerst", "DIE STRASSE ZUERST!"},
		{"退件入库前先核对原始订单状态", "退件入库前先核对原始订单状态。"},
		{"荷主と受取人の両方へ　送る！", "荷主と受取人の両方へ 送る…"},
		{"le scan précède le tri !", "le scan précède le tri\u00a0!"},
		{"ΟΔΟΣ", "οδος"},
		{"部署booking-api时用", "部署 booking-api 时用；"},
		{"close the pool first", "Close the pool first;"},
	} {
		require.Equal(t, learning.Folded(same[0]), learning.Folded(same[1]), same)
	}
	for _, other := range differ {
		require.NotEqual(t, learning.Folded(other[0]), learning.Folded(other[1]), other)
	}
}

// differ lists pairs of similar texts that are two learnings.
var differ = [][2]string{
	// negations
	{"der Seeder darf gegen Staging laufen", "der Seeder darf nicht gegen Staging laufen"},
	{"on relance le calcul des tarifs", "on ne relance pas le calcul des tarifs"},
	{"il corriere deve firmare il registro", "il corriere non deve firmare il registro"},
	{"o motorista pode alterar o endereço", "o motorista não pode alterar o endereço"},
	{"wolno zmieniać plan w nocy", "nie wolno zmieniać plan w nocy"},
	{"повторять запрос можно", "не повторять запрос можно"},
	{"يُسمح للسائق بفتح الطرد", "لا يُسمح للسائق بفتح الطرد"},
	{"מותר לשנות את הטבלה", "לא מותר לשנות את הטבלה"},
	{"परीक्षण रात में चलाएँ", "परीक्षण रात में नहीं चलाएँ"},
	{"de wachtrij wordt geleegd", "de wachtrij wordt niet geleegd"},
	{"kön töms varje natt", "kön töms inte varje natt"},
	{"η ουρά αδειάζει κάθε νύχτα", "η ουρά δεν αδειάζει κάθε νύχτα"},
	{"hàng đợi được xóa mỗi đêm", "hàng đợi không được xóa mỗi đêm"},
	{"antrean dikosongkan tiap malam", "antrean tidak dikosongkan tiap malam"},
	{"대기열을 밤마다 비운다", "대기열을 밤마다 안 비운다"},
	{"always mock the database in unit tests", "never mock the database in unit tests"},
	// one letter or word
	{"включить кэш перед выкладкой", "выключить кэш перед выкладкой"},
	{"den Antrieb vor der Wartung anschalten", "den Antrieb vor der Wartung abschalten"},
	{"失败后重试三次", "失败后重试五次"}, {"发版之前清缓存", "发版之后清缓存"}, {"월요일에 배포한다", "화요일에 배포한다"}, {"キャッシュを有効化する", "キャッシュを無効化する"},
	{"deploy to the eu region first", "deploy to the us region first"}, {"a release needs one approval", "a release needs two approvals"},
	{"keep the cache of the folder", "keep the cache outside the folder"}, {"copy from worker to api", "copy to worker from api"},
	{"the parser of C", "the parser of C#"}, {"retries are limited to three", "retries are limited to three?"}, {"the parser of C", "the parser of C++"},
	// signs
	{"go test ./...", "go test ./"}, {"leave by cd ..", "leave by cd"}, {"x**2 + y**2", "x2 + y2"}, {"--force", "force"}, {"x != y", "x = y"}, {"1.5", "15"}, {"a-b", "a b"}, {"-1", "1"},
	{"...", "!"},
}

// Pairs in fourteen languages, written by others.
func TestSharedPairs(t *testing.T) {
	for _, pair := range repotest.JSONLines[struct {
		A, B, Lang, Why string
		Same            bool
	}](t, repotest.Shared(t, "cases/pairs.jsonl")) {
		require.Equal(t, pair.Same, learning.Folded(pair.A) == learning.Folded(pair.B), "%s: %s", pair.Lang, pair.Why)
	}
}

func FuzzID(f *testing.F) {
	f.Add("\x1b\x1b[31m[31m\x9b \x1b]x\x1b\\")
	f.Add("ΑΣ'Σ İ \x1c\u0345Σ")
	f.Fuzz(func(t *testing.T, s string) {
		if !strings.ContainsFunc(s, func(r rune) bool {
			return unicode.IsControl(r) && !unicode.IsSpace(r) && (r < 0x1c || r > 0x1f) || r == '\ufeff'
		}) {
			require.Equal(t, learning.ID(s), learning.ID(inert.Clean(s)))
		}
		require.Equal(t, learning.ID(s), learning.ID(" "+strings.ReplaceAll(s, " ", " \x1d\u3000")+"\n"))
		require.Equal(t, learning.Folded(norm.NFC.String(s)), learning.Folded(norm.NFD.String(s)))
		require.Len(t, learning.ID(s), 16)
	})
}

func TestValidate(t *testing.T) {
	good := learning.Learning{
		Name: "Quote variables", Description: "always quote shell variables in hooks", Reasoning: "word splitting",
		Category: learning.Patterns, Confidence: learning.Low, Source: learning.SessionCapture,
	}
	require.NoError(t, good.Validate())
	for want, breakIt := range map[string]func(*learning.Learning){
		"name must be non-empty":        func(l *learning.Learning) { l.Name = " \x00" },
		"description must be non-empty": func(l *learning.Learning) { l.Description = "" },
		"reasoning must be non-empty":   func(l *learning.Learning) { l.Reasoning = "\n" },
		"invalid category 'tips'. Must be one of: anti-patterns, heuristics, patterns":             func(l *learning.Learning) { l.Category = "tips" },
		"invalid confidence 'LOW'. Must be one of: high, low, medium":                              func(l *learning.Learning) { l.Confidence = "LOW" },
		"invalid source 'chat'. Must be one of: import, manual, retro, session-capture":            func(l *learning.Learning) { l.Source = "chat" },
		"description too short (min 20 chars)":                                                     func(l *learning.Learning) { l.Description = " nineteen characters\t" },
		"constitution entries are import-only (edit docs/knowledge-bank/constitution.md directly)": func(l *learning.Learning) { l.Category = "constitution" },
	} {
		l := good
		breakIt(&l)
		require.EqualError(t, l.Validate(), want)
	}
	require.True(t, learning.LongEnough(" é234567890123456789\u00e9 "))
	require.False(t, learning.LongEnough("é23456789012345678\u00e9"))
}
