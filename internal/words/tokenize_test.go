package words_test

import (
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/text/unicode/norm"

	"whence/internal/words"
)

func TestEachWord(t *testing.T) {
	for in, want := range map[string][]string{
		"Retry the CALL":      {"retry", "the", "call"},
		"retryCount":          {"retrycount", "retry", "count"},
		"HTTPServer":          {"httpserver", "http", "server"},
		"parseHTTPBody":       {"parsehttpbody", "parse", "http", "body"},
		"max_retries":         {"max_retries", "max", "retries"},
		"__init__.py":         {"init", "py"},
		"PLR0915":             {"plr0915", "plr", "0915"},
		"E501 C901":           {"e501", "501", "c901", "901"},
		"src/api/cursor.go":   {"src", "api", "cursor", "go"},
		"JSON APIs":           {"json", "apis", "api"},
		"don't":               {"don"},
		"a b c":               nil,
		"größe Straße":        {"größe", "straße"},
		"naïve_code":          {"naïve_code", "naïve", "code"},
		"日本 語":                {"日本", "語"},
		"x_1":                 {"x_1"},
		"\xff\xfe ab \xff":    {"ab"},
		"e-mail":              {"mail"},
		"2024-11-21":          {"2024", "11", "21"},
		"don\u2019t🙂stop":     {"don", "stop"},
		"_private":            {"private"},
		"snake_caseAndCamel9": {"snake_caseandcamel9", "snake", "case", "and", "camel"},
	} {
		t.Run(in, func(t *testing.T) {
			var got []string
			words.EachWord(in, func(word []byte) { got = append(got, string(word)) })
			require.Equal(t, want, got)
		})
	}
}

func wordsOf(s string) (all []string) {
	words.EachWord(s, func(word []byte) { all = append(all, string(word)) })
	return all
}

func TestWordsOfOtherScripts(t *testing.T) {
	for in, want := range map[string][]string{
		"修改lock_timeout配置":   {"修改", "lock_timeout", "lock", "timeout", "配置"},
		"锁表影响":               {"锁表", "表影", "影响"},
		"車を60秒止める":           {"車", "60", "秒止", "める"},
		"デプロイしない":            {"デプ", "プロ", "ロイ", "しな", "ない"},
		"サーバー":               {"サー", "ーバ", "バー"},
		"비밀번호는":              {"비밀번호", "비밀"},
		"수정해줘요":              {"수정"},
		"store에 문자로":         {"store", "에", "문자"},
		"PostgreSQL에서":       {"postgresql", "postgre", "sql", "에서"},
		"ไม่ใช้":             {"ไม่", "ม่ใ", "ใช้"},
		"l’écran d’accueil":  {"écran", "accueil"},
		"می\u200cخواهم":      {"میخواهم"},
		"क्\u200dष परीक्षण":  {"क्ष", "परीक्षण"},
		"İstanbul ISTANBUL":  {"istanbul", "istanbul"},
		"Ｆｕｌｌ　ｗｉｄｔｈ":         {"full", "width"},
		"e\u0301cran й й":    {"écran"},
		"Redisом":            {"redis", "ом"},
		"C++ code":           {"cplusplus", "code"},
		"in C#, F#.":         {"in", "csharp", "fsharp"},
		".NET 8 example.net": {"net", "dotnet", "example", "net"},
		"C++17 i+1 issue#3":  {"cplusplus", "17", "issue"},
	} {
		t.Run(in, func(t *testing.T) { require.Equal(t, want, wordsOf(in)) })
	}
}

// SetOf and stems have whole characters, and are the same for a text and its composed form.
func FuzzWordsAreText(f *testing.F) {
	for _, s := range []string{"गलत सर्वर पर परीक्षण", "도착 시각은 분 단위로", "เซิร์ฟเวอร์ทดสอบ", "データも人任第", "ⅷ ㍿ ﬁ", "a\u0301\u0308 \xff", "የሙከራ አገልጋይ", "ទិន្នន័យ"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		stemmer := words.Stemmer{}
		for _, word := range wordsOf(s) {
			require.True(t, utf8.ValidString(word), "%q", word)
			for _, l := range []words.Language{words.English, words.French, words.Spanish, words.Swedish, words.Norwegian, words.Hungarian, words.German, words.Dutch, words.Portuguese, words.Italian, words.NotLatin} {
				require.True(t, utf8.ValidString(l.Stem(word)) && l.Stem(word) != "", "%q", word)
			}
		}
		for _, stem := range append(stemmer.Stems(s), stemmer.Parts(s)...) {
			require.True(t, utf8.ValidString(stem) && stem != "", "%q", s)
		}
		if utf8.ValidString(s) {
			require.Equal(t, wordsOf(norm.NFC.String(s)), wordsOf(norm.NFD.String(s)))
		}
	})
}

func TestFunctionWords(t *testing.T) {
	for _, s := range []string{
		"le chat dort sur la table de la cuisine", "der Hund und die Katze sind jetzt in dem Haus", "el gato no está en la mesa",
		"o gato não está na mesa", "il gatto non è sulla tavola", "de kat zit niet op het dak", "kot nie jest na stole", "kedi ve köpek için bir ev var",
		"кошка не на столе и это всё", "猫在这个桌子上吗", "これはそのままではありません", "고양이는 그리고 여기 있다", "القط على هذا الكرسي", "แมวและหมาอยู่ที่นี่",
	} {
		language := words.LanguageOf(s)
		small, all := 0, 0
		words.EachWord(s, func(word []byte) {
			all++
			if language.IsSmall(word) {
				small++
			}
		})
		require.GreaterOrEqual(t, small, min(3, all/2), s)
	}
	for s, want := range map[string]words.Language{
		"le chat dort sur la table de la cuisine": words.French, "der Hund und die Katze": words.German, "el gato está en la mesa": words.Spanish,
		"kan ikke starte, hvis jeg har en gammel versjon": words.Norwegian, "den startar inte när jag har och en": words.Swedish,
		"the die is cast on no account": words.English, "run the tests": words.English, "docker compose up": words.English, "": words.English,
		"кошка на столе": words.NotLatin, "修改lock_timeout配置之前先通知值班同学": words.NotLatin,
	} {
		require.Equal(t, want, words.LanguageOf(s), s)
	}
	for _, word := range []string{"die", "no", "os", "sole", "port", "algo", "jest", "mint", "sans", "nas", "till"} { // as in English
		require.Equal(t, []string{word}, words.Terms(word))
	}
	require.Equal(t, []string{"kot", "stole"}, words.Terms("kot nie jest na stole"))
	require.Equal(t, []string{"docstring", "sem"}, words.Terms("add a docstring to sem")[1:], "a and one word of Portuguese don't show it")
	require.Equal(t, []string{"해"}, words.Terms("이거 좀 해 줘, 해줘요, 해줄래? 줄래요"))
	for _, word := range []string{"べて", "見"} { // no evidence, but can be searched for
		require.True(t, words.NotLatin.IsSmall([]byte(word)), word)
		require.Equal(t, []string{word}, words.Terms(word))
	}
}

func TestStemsOfOtherLanguages(t *testing.T) {
	for _, same := range []struct {
		language words.Language
		words    []string
	}{
		{words.French, []string{"livraison", "livraisons"}}, {words.French, []string{"déploiement", "deploiements"}},
		{words.Spanish, []string{"canción", "canciones"}}, {words.Swedish, []string{"ändring", "ändringar"}}, {words.Hungarian, []string{"adatok", "adatokat"}},
		{words.English, []string{"миграции", "миграцию"}}, {words.English, []string{"учёт", "учета"}}, {words.English, []string{"الخدمة", "خدمة"}},
		{words.German, []string{"straße", "strasse", "straßen"}}, {words.German, []string{"bestellung", "bestellungen"}},
		{words.German, []string{"haus", "häuser"}}, {words.German, []string{"ergebnis", "ergebnisse"}}, {words.Turkish, []string{"kitap", "kitaplar"}},
		{words.Dutch, []string{"naam", "namen"}}, {words.Dutch, []string{"server", "servers"}},
		{words.Portuguese, []string{"telefone", "telefones"}},
		{words.Italian, []string{"ordine", "ordini"}}, {words.Italian, []string{"banca", "banche"}},
		{words.Italian, []string{"negozio", "negozi"}}, {words.English, []string{"éclairs", "eclair"}},
	} {
		for _, word := range same.words {
			assert.Equal(t, same.language.Stem(same.words[0]), same.language.Stem(word), word)
		}
	}
	require.NotEqual(t, words.English.Stem("включить"), words.English.Stem("выключить"))
	require.NotEqual(t, words.Italian.Stem("vie"), words.Italian.Stem("via")) // little would be left of these
}

// Characters that say as much as three letters count as three. The minimum for learnings is 20.
func TestLength(t *testing.T) {
	for s, want := range map[string]int{"部署前必须清空缓存": 27, "データを消す": 18, "배포 전에 확인": 20, "déployer": 8, "รหัสผ่าน": 8, "": 0} {
		require.Equal(t, want, words.Length(s), s)
	}
}
