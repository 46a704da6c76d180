package store

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"whence/internal/test/repotest"
	"whence/internal/text"
)

// termsOfSQLite are the terms that the full-text index makes of each of some texts.
func termsOfSQLite(t *testing.T, texts []string) [][]string {
	t.Helper()
	s, err := Open(context.Background(), t.TempDir())
	require.NoError(t, err)
	t.Cleanup(func() { s.Close() })
	_, err = s.db.Exec(`CREATE VIRTUAL TABLE w USING fts5 (word, tokenize = 'porter unicode61 remove_diacritics 2'); CREATE VIRTUAL TABLE v USING fts5vocab ('w', 'instance')`)
	require.NoError(t, err)
	tx, err := s.db.Begin()
	require.NoError(t, err)
	for i, text := range texts {
		_, err := tx.Exec(`INSERT INTO w (rowid, word) VALUES (?, ?)`, i+1, text)
		require.NoError(t, err)
	}
	require.NoError(t, tx.Commit())
	terms := make([][]string, len(texts))
	rows, err := s.db.Query(`SELECT doc, term FROM v ORDER BY doc, offset`)
	require.NoError(t, err)
	defer rows.Close()
	for rows.Next() {
		var i int
		var term string
		require.NoError(t, rows.Scan(&i, &term))
		terms[i-1] = append(terms[i-1], term)
	}
	require.NoError(t, rows.Err())
	return terms
}

// wordsOf are the distinct words of the files in a folder, at most so many.
func wordsOf(t *testing.T, dir, suffix string, most int) []string {
	t.Helper()
	var words []string
	known := map[string]bool{}
	_ = filepath.WalkDir(dir, func(name string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(name, suffix) {
			return nil
		}
		data, err := os.ReadFile(name)
		if err != nil || bytes.IndexByte(data, 0) >= 0 || !utf8.Valid(data) {
			return nil
		}
		for _, word := range text.Terms(string(data)) {
			if !known[word] && !strings.Contains(word, "_") {
				known[word] = true
				words = append(words, word)
			}
		}
		if len(words) > most {
			return filepath.SkipAll
		}
		return nil
	})
	return words
}

// isOdd tells whether SQLite takes a letter for something else: marks split words, and
// some letters are too new for it.
func isOdd(r rune) bool {
	return unicode.IsMark(r) && (r < 0x300 || r > 0x331) || r >= 0x19b0 && r <= 0x19c9 || r >= 0x1c80 && r <= 0x1c88 || r == 0x1cf2 || r == 0x1cf3
}

// requireStems requires that stem agrees with the full-text index.
func requireStems(t *testing.T, words []string) {
	t.Helper()
	differ := 0
	for i, terms := range termsOfSQLite(t, words) {
		if len(terms) == 1 && terms[0] == stem(words[i]) || strings.ContainsFunc(words[i], isOdd) {
			continue
		}
		if differ++; differ < 40 {
			t.Errorf("%q (%+q): %q, SQLite has %q", words[i], words[i], stem(words[i]), terms)
		}
	}
	require.Zero(t, differ, "of %d", len(words))
}

func TestStemsAreThoseOfTheIndex(t *testing.T) {
	most := 15000
	if testing.Short() {
		most = 500
	}
	root, err := exec.Command("go", "env", "GOROOT").Output()
	require.NoError(t, err)
	for name, dir := range map[string]string{"strings": "strings", "net": "net", "text": "text", "cmd": "cmd/compile"} {
		t.Run(name, func(t *testing.T) {
			words := wordsOf(t, filepath.Join(strings.TrimSpace(string(root)), "src", dir), ".go", most)
			if len(words) == 0 {
				t.Skip("the source of the standard library is not installed")
			}
			t.Log(len(words), "words")
			requireStems(t, words)
		})
	}
	if testing.Short() {
		return
	}
	for _, name := range []string{"corpora", "facts", "transcripts"} {
		t.Run("shared "+name, func(t *testing.T) {
			words := wordsOf(t, repotest.Shared(t, name), "", 2*most)
			require.NotEmpty(t, words)
			t.Log(len(words), "words")
			requireStems(t, words)
		})
	}
}

func TestStemsOfOddWords(t *testing.T) {
	words := []string{
		"a", "is", "ies", "sss", "yyy", "eed", "feed", "agreed", "ing", "sing", "ted", "bled", "fizzed", "hopping", "sky", "happy", "ses",
		strings.Repeat("a", 60) + "ings", strings.Repeat("a", 61) + "ings", strings.Repeat("b", 64), strings.Repeat("running", 30),
		"größe", "größen", "müllers", "éclairs", "naïvely", "naïveté", "straßen", "İstanbul", "ςσσς", "Ωmega", "ångström", "ǆ", "ﬁnding", "ﬁle",
		"日本語", "кошками", "ёлки", "йод", "한국어", "ไทย", "العربية", "ñandúes", "123", "0xff", "1e9", "x86", "k8s", "running9",
	}
	requireStems(t, words)
}

func TestEveryLetterIsFoldedAsInTheIndex(t *testing.T) {
	if testing.Short() {
		t.Skip("66,000 letters")
	}
	var words []string
	for r := rune(0x80); r < 0x20000; r++ {
		if word := "x" + strings.ToLower(string(r)) + "x"; unicode.IsLetter(r) && len(text.Terms(word)) == 1 {
			words = append(words, word)
		}
	}
	requireStems(t, words)
}

// Stems cuts the texts that people have written as SQLite does.
func TestStemsAreThoseOfSQLite(t *testing.T) {
	if testing.Short() {
		t.Skip("nothing here runs side by side")
	}
	texts := lines(t)
	texts = append(texts, "", "don't re-open retryCount snake_case x86_64 v1.2.3", "Größe Éclair naïve ﬁne Ⅻ ½ 10²", "日本語の文 и русский", "e\u0301te\u0301 a\u0328", "A\x00B", "\u00adsoft")
	wrong := 0
	for i, want := range termsOfSQLite(t, texts) {
		if got := slices.Collect(Stems(texts[i])); !slices.Equal(got, want) {
			require.False(t, isASCII(texts[i]), "%q\n got %q\nwant %q", texts[i], got, want)
			wrong++ // SQLite has an old Unicode, in which some signs are letters
		}
	}
	t.Logf("%d of %d texts are cut in another way", wrong, len(texts))
	require.LessOrEqual(t, wrong, len(texts)/1000)
}

// lines are those of the documents here, and of the shared material where that is.
func lines(t *testing.T) (all []string) {
	t.Helper()
	for _, dir := range []string{repotest.Root(t), filepath.Join(repotest.Root(t), "..", "shared")} {
		_ = filepath.WalkDir(dir, func(name string, entry os.DirEntry, err error) error {
			if err != nil || entry.IsDir() || filepath.Ext(name) != ".md" {
				return nil
			}
			data, err := os.ReadFile(name)
			if err == nil && utf8.Valid(data) && bytes.IndexByte(data, 0) < 0 {
				for line := range strings.Lines(string(data)) {
					all = append(all, strings.TrimSpace(line))
				}
			}
			return nil
		})
	}
	return all
}
