package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"slices"
	"strings"

	"whence/internal/learning"
	"whence/internal/words"
)

// learningColumns are the columns that scanLearning reads, of the table entries as e.
const learningColumns = `e.seq, e.words, e.id, e.name, e.description, e.reasoning, e.category, e.keywords,
	e.source, e.source_project, e."references", e.observation_count, e.confidence, e.recall_count, e.last_recalled_at,
	e.last_used_at, e.created_at, e.updated_at`

// learningRow is a learning with the columns that only the store uses.
type learningRow struct {
	learning.Learning
	seq   int64
	words string // as in schema.sql
}

func scanLearning(row *sql.Rows) (l learningRow, err error) {
	var keywords, references string
	var project, recalled, used, created, updated sql.NullString
	err = row.Scan(&l.seq, &l.words, &l.ID, &l.Name, &l.Description, &l.Reasoning, &l.Category, &keywords,
		&l.Source, &project, &references, &l.Observations, &l.Confidence, &l.Recalls, &recalled, &used, &created, &updated)
	l.Keywords, l.References = parseList(keywords), parseList(references)
	l.Project = project.String
	l.LastRecalled, l.LastUsed, l.Created, l.Updated = parseTime(recalled), parseTime(used), parseTime(created), parseTime(updated)
	return l, err
}

// parseList reads a JSON list.
func parseList(src string) (list []string) {
	_ = json.Unmarshal([]byte(src), &list) // only another program writes anything else
	return list
}

// learnings reads learnings; the clauses follow FROM entries e.
func (c conn) learnings(ctx context.Context, clauses string, p params) (all []learningRow, err error) {
	err = c.each(ctx, `SELECT `+learningColumns+` FROM entries e `+clauses, p, func(row *sql.Rows) error {
		l, err := scanLearning(row)
		all = append(all, l)
		return err
	})
	return all, err
}

// learningParams returns the columns of a learning as parameters, without seq and words.
func learningParams(l learning.Learning) params {
	return params{
		"id": l.ID, "name": l.Name, "description": l.Description, "reasoning": l.Reasoning, "category": string(l.Category),
		"keywords": append([]string{}, l.Keywords...), "source": string(l.Source), "project": l.Project,
		"references": append([]string{}, l.References...), "observations": l.Observations, "confidence": string(l.Confidence),
		"recalls": l.Recalls, "recalled": timeText(l.LastRecalled), "used": timeText(l.LastUsed),
		"folded": folded(l.Description), "created": timeText(l.Created), "updated": timeText(l.Updated),
	}
}

// writeRow inserts a row and indexes its words, or updates both if seq is not nil. An update keeps source,
// creation time, recalls and uses, and deletes the embedding if the words have changed.
func writeRow(ctx context.Context, tx conn, seq any, l learning.Learning) (written int64, err error) {
	p, stems := learningParams(l), learningWords(l)
	p["seq"], p["words"] = seq, stems
	_, err = tx.get(ctx, `INSERT INTO entries (seq, id, name, description, reasoning, category, keywords, source, source_project,
			"references", observation_count, confidence, recall_count, last_recalled_at, last_used_at, folded, words, created_at, updated_at)
		VALUES (@seq, @id, @name, @description, @reasoning, @category, @keywords, @source, nullif(@project, ''),
			@references, @observations, @confidence, @recalls, @recalled, @used, @folded, @words, @created, @updated)
		ON CONFLICT (seq) DO UPDATE SET id = @id, name = @name, description = @description, reasoning = @reasoning,
			category = @category, keywords = @keywords, source_project = nullif(@project, ''), "references" = @references,
			observation_count = @observations, confidence = @confidence, folded = @folded, words = @words, updated_at = @updated,
			embedding = CASE words WHEN @words THEN embedding END, embedding_model = CASE words WHEN @words THEN embedding_model END
		RETURNING seq`, p, &written)
	if err != nil {
		return 0, err
	}
	return written, tx.exec(ctx, `INSERT OR REPLACE INTO entries_fts (rowid, words) VALUES (@seq, @words)`,
		params{"seq": written, "words": ownStems(stems, l.Project)})
}

// learningWords returns the stems of a learning: one line each for its name, keywords, description and
// reasoning, and one for the parts of identifiers in all of them. It leaves out function words: no question
// contains them, so a learning with them would never count as covered.
func learningWords(l learning.Learning) string {
	stemmer := words.Stemmer{}
	fields := []string{l.Name, strings.Join(l.Keywords, " "), l.Description, l.Reasoning}
	lines := make([]string, len(fields)+1)
	for i, field := range fields {
		carries := map[string]bool{}
		for _, term := range words.Terms(field) {
			carries[stemmer.Stem(term)] = true
		}
		lines[i] = strings.Join(slices.DeleteFunc(stemmer.Stems(field), func(stem string) bool { return !carries[stem] }), " ")
	}
	lines[len(fields)] = strings.Join(stemmer.Parts(strings.Join(fields, " ")), " ")
	return strings.Join(lines, "\n")
}

// folded returns the hash by which equal descriptions are found.
func folded(description string) string {
	return learning.SourceHash(learning.Folded(description))
}
