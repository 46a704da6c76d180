package store

import (
	"cmp"
	"context"
	"database/sql"
	"slices"
	"strings"
	"time"

	"whence/internal/inert"
	"whence/internal/rank"
	"whence/internal/words"
)

// Commit is a commit of a repository's history. One without Text gives no reason, and no search finds it.
type Commit struct {
	Hash    string
	At      time.Time
	Subject string
	Text    string // the rest of the message
}

// Commits returns the hashes of the commits of a repository that are stored.
func (s *Store) Commits(ctx context.Context, project string) (known map[string]bool, err error) {
	known = map[string]bool{}
	err = s.conn.each(ctx, `SELECT hash FROM commits WHERE project = @project`, params{"project": project}, func(row *sql.Rows) error {
		var hash string
		err := row.Scan(&hash)
		known[hash] = true
		return err
	})
	return known, s.wrap("read the history", err)
}

// AddCommits stores commits of a repository that are new.
func (s *Store) AddCommits(ctx context.Context, project string, commits []Commit) error {
	stemmer := words.Stemmer{}
	stems := make([]string, len(commits))
	for i, c := range commits {
		if c.Text != "" {
			stems[i] = strings.Join(stemmer.Stems(inert.Clean(c.Subject+"\n"+c.Text)), " ")
		}
	}
	err := s.write(ctx, func(tx conn) error {
		for i, c := range commits {
			var seq int64
			added, err := tx.get(ctx, `INSERT INTO commits (project, hash, subject, words, created_at) VALUES (@project, @hash, @subject, @words, @at)
				ON CONFLICT DO NOTHING RETURNING seq`,
				params{"project": project, "hash": c.Hash, "subject": inert.Clean(c.Subject), "words": stems[i], "at": c.At}, &seq)
			if err == nil && added && stems[i] != "" {
				err = tx.exec(ctx, `INSERT INTO commits_fts (rowid, words) VALUES (@seq, @words)`, params{"seq": seq, "words": ownStems(stems[i], project)})
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
	return s.wrap("store the history", err)
}

// CompactCommits merges the parts of the index into one, so that a search need not read each. After thousands of
// commits this takes some hundredths of a second.
func (s *Store) CompactCommits(ctx context.Context) error {
	return s.wrap("store the history", s.compact(ctx, "commits"))
}

// DropCommits deletes commits that are no longer in the history of a repository.
func (s *Store) DropCommits(ctx context.Context, project string, hashes []string) error {
	err := s.write(ctx, func(tx conn) error {
		return tx.exec(ctx, `DELETE FROM commits WHERE project = @project AND hash IN (SELECT value FROM json_each(@hashes))`, params{"project": project, "hashes": hashes})
	})
	return s.wrap("store the history", err)
}

// CommitHit is a commit found by a search.
type CommitHit struct {
	rank.Commit
	Hash    string
	At      time.Time
	Subject string
}

// maxReadCommits is the maximum number of commits to rate: those with the weightiest words.
const maxReadCommits = 60

// SearchCommits returns the commits whose messages share words with a text, best first.
func (s *Store) SearchCommits(ctx context.Context, q Query) (hits []CommitHit, err error) {
	tx, err := s.db.BeginTx(ctx, nil) // prepares the statement once for all words
	if err != nil {
		return nil, s.wrap("search the history", err)
	}
	defer tx.Rollback()
	c := conn{transaction{tx, map[string]*sql.Stmt{}}}
	asked, err := c.ask(ctx, "commits", q)
	if err != nil || len(asked.Terms) == 0 {
		return nil, s.wrap("search the history", err)
	}
	seqs := candidates(asked)
	p := params{"seqs": seqs[:min(len(seqs), maxReadCommits)]}
	var messages []string
	err = c.each(ctx, `SELECT hash, subject, words, created_at FROM json_each(@seqs) j CROSS JOIN commits ON seq = j.value ORDER BY j.key`, p, func(row *sql.Rows) error {
		var h CommitHit
		var stems string
		var at sql.NullString
		err := row.Scan(&h.Hash, &h.Subject, &stems, &at)
		h.At = parseTime(at)
		hits, messages = append(hits, h), append(messages, stems)
		return err
	})
	for i, rated := range asked.Commits(messages) {
		hits[i].Commit = rated
	}
	slices.SortStableFunc(hits, func(a, b CommitHit) int { return cmp.Or(cmp.Compare(b.Score, a.Score), b.At.Compare(a.At)) })
	if q.Max > 0 {
		hits = hits[:min(len(hits), q.Max)]
	}
	return hits, s.wrap("search the history", err)
}
