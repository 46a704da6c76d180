package team

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"whence/internal/store"
	"whence/internal/text"
)

// Hit is a turn of the team that shares words with a question.
type Hit struct {
	Login   string // whose session it was
	Session string
	Role    string
	Kind    string
	Text    string
	At      time.Time
	Score   float64 // higher is better; comparable within one search
}

// Bounds of what the server indexes and is asked.
const (
	maxTurnWords     = 5000
	maxQuestionWords = 12
	maxStemBytes     = 200
)

// Search returns the turns of a repository, as its team shares them, that have words of a question, best
// first. Only a command that the user types may call it: it waits for the server.
func Search(ctx context.Context, t store.Team, question string, maxHits int) (hits []Hit, err error) {
	words := questionWords(t, question)
	if len(words) == 0 {
		return nil, nil
	}
	err = administer(ctx, t.URL, func(ctx context.Context, tx pgx.Tx) error {
		if _, err := roleOf(ctx, tx, t.Team); err != nil {
			return err
		}
		rows, err := tx.Query(ctx, `SELECT login, session, role, kind, text, at, score FROM whence.search($1, $2, $3::text[], $4)`,
			t.Team, t.Scope, words, maxHits)
		if err != nil {
			return err
		}
		hits, err = pgx.CollectRows(rows, pgx.RowToStructByPos[Hit])
		return err
	})
	return hits, err
}

// wordsOf returns the distinct words of a turn, as the index has them.
func wordsOf(t store.Team, turn string) []string {
	stemmer := text.Stemmer{}
	return keys(t, slices.Concat(stemmer.Stems(turn), stemmer.Parts(turn)), maxTurnWords)
}

// questionWords returns the words of a question that carry evidence.
func questionWords(t store.Team, question string) []string {
	stemmer := text.Stemmer{}
	var stems []string
	for _, word := range text.Terms(question) {
		if !strings.Contains(word, "_") { // its parts follow
			stems = append(stems, stemmer.Stem(word))
		}
	}
	return keys(t, stems, maxQuestionWords)
}

// keys puts a hash of team and scope before stems: so a search reads no rows of others.
func keys(t store.Team, stems []string, maxKeys int) []string {
	sum := sha256.Sum256([]byte(t.Team + " " + t.Scope))
	prefix := hex.EncodeToString(sum[:4])
	known, all := map[string]bool{}, []string{}
	for _, stem := range stems {
		stem = strings.ToValidUTF8(stem, "")
		if stem == "" || len(stem) > maxStemBytes || known[stem] || len(all) == maxKeys {
			continue
		}
		known[stem] = true
		all = append(all, prefix+stem)
	}
	return all
}
