package team

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"whence/internal/store"
	"whence/internal/text"
)

// Hit is a turn of a team. A higher Score is better, within one search.
type Hit struct {
	Login, Session, Role, Kind, Text string
	At                               time.Time
	Score                            float64
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
	words := wordsOf(t, question, maxQuestionWords)
	if len(words) == 0 {
		return nil, nil
	}
	err = asMember(ctx, t.URL, t.Team, func(ctx context.Context, tx pgx.Tx, _ string) error {
		rows, err := tx.Query(ctx, `SELECT * FROM whence.search($1, $2, $3::text[], $4)`, t.Team, t.Scope, words, maxHits)
		if err != nil {
			return err
		}
		hits, err = pgx.CollectRows(rows, pgx.RowToStructByPos[Hit])
		return err
	})
	return hits, err
}

// wordsOf returns the distinct stems of a text, each behind a hash of team and scope. So a search reads no
// rows of others, and learns nothing of how common their words are.
func wordsOf(t store.Team, s string, maxWords int) []string {
	sum := sha256.Sum256([]byte(t.Team + " " + t.Scope))
	prefix := base64.StdEncoding.EncodeToString(sum[:9])
	stemmer, known, words := text.Stemmer{}, map[string]bool{}, []string{}
	for _, word := range text.Terms(s) {
		stem := strings.ToValidUTF8(stemmer.Stem(word), "")
		isWhole := strings.Contains(word, "_") // its parts follow
		if isWhole || stem == "" || len(stem) > maxStemBytes || known[stem] || len(words) == maxWords {
			continue
		}
		known[stem] = true
		words = append(words, prefix+stem)
	}
	return words
}
