package store

import (
	"bytes"
	"context"
	"os"
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

// indexed returns the terms that the full-text index has of each of some texts.
func indexed(t *testing.T, texts []string) [][]string {
	t.Helper()
	s, err := Open(context.Background(), t.TempDir())
	require.NoError(t, err)
	t.Cleanup(func() { s.Close() })
	tx, err := s.db.Begin()
	require.NoError(t, err)
	for i, text := range texts {
		_, err := tx.Exec(`INSERT INTO turns_fts (rowid, text) VALUES (?, ?)`, i+1, text)
		require.NoError(t, err)
	}
	require.NoError(t, tx.Commit())
	_, err = s.db.Exec(`CREATE VIRTUAL TABLE v USING fts5vocab ('turns_fts', 'instance')`)
	require.NoError(t, err)
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

// The full-text index keeps stems as they are, in any script, and none can be an operator.
func TestTheIndexKeepsStems(t *testing.T) {
	texts := lines(t)
	texts = append(texts, "don't re-open retryCount snake_case x86_64 v1.2.3 AND OR NOT NEAR", "Größe Éclair naïve ﬁne Ⅻ ½ 10²", "日本語の文 и русский ไทย العربية हिन्दी 한국어", "e\u0301te\u0301 a\u0328", "A\x00B", "\u00adsoft", "İstanbul ςσσς ǆ", strings.Repeat("running", 30))
	for r := rune(0x80); r < 0x20000; r++ {
		if unicode.IsLetter(r) {
			texts = append(texts, "x"+string(r)+"x")
		}
	}
	stemmer := text.Stemmer{}
	stems, joined := make([][]string, len(texts)), make([]string, len(texts))
	for i, text := range texts {
		stems[i] = stemmer.Stems(text)
		joined[i] = strings.Join(stems[i], " ")
	}
	for i, got := range indexed(t, joined) {
		if !slices.Equal(stems[i], got) {
			t.Fatalf("%q\n got %q\nwant %q", texts[i], got, stems[i])
		}
	}
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
