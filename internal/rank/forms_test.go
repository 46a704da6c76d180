package rank_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/rank"
)

// Any word can be recalled, and finds the document that holds it and another word of the text.
func FuzzWord(f *testing.F) {
	suffixes := []string{"", "s", "ed", "ing", "ies", "ly", "y", "ying", "ational", "'s"}
	for i, word := range []string{"a", "o", "e", "d", "s", "y", "retr", "über", "日本", "x1", "_a_"} {
		f.Add(word, uint(i))
	}
	f.Fuzz(func(t *testing.T, word string, suffix uint) {
		word += suffixes[suffix%uint(len(suffixes))]
		documents := []rank.Document{{Trigger: "quorum " + word, Title: word, Situations: []string{word}, Body: word}, {Title: "votes"}}
		if len(word) < 1000 && len(recall(t, word+" quorum", documents, 2)) != 1 {
			t.Fatalf("%q is not found", word)
		}
	})
}

// Words whose stem would be a single letter once crashed the program.
func TestWordsWithoutAStem(t *testing.T) {
	for _, word := range []string{"aed", "aing", "oed", "eing", "ies", "ing", "ed", "ying", "aly"} {
		documents := []rank.Document{{Trigger: word + " things", Title: "Title", Description: "x y z"}}
		require.Len(t, recall(t, "what is "+word+" here", documents, 3), 1, word)
	}
}

func TestPluralsFindTheSingular(t *testing.T) {
	documents := []rank.Document{
		{Trigger: "gravar um telefone", Title: "O telefone tem o prefixo do país", Body: "O fornecedor não aceita outros formatos"},
		{Trigger: "registar uma ação", Title: "Cada ação tem um autor", Body: "Sem isso a auditoria falha"},
	}
	for document, prompts := range [][]string{{"telefones", "meus telefones"}, {"os autores"}} {
		for _, prompt := range prompts {
			matches := recall(t, prompt, documents, 1)
			require.Len(t, matches, 1, prompt)
			require.Equal(t, document, matches[0].Document, prompt)
		}
	}
}
