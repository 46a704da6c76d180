package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"whence/internal/learning"
)

// Imported counts what an import did.
type Imported struct {
	Added   int
	Updated int // known, and changed as their file was
	Known   int // and as they were
	Kept    []Kept
}

// Add counts more.
func (i *Imported) Add(more Imported) {
	i.Added += more.Added
	i.Updated += more.Updated
	i.Known += more.Known
	i.Kept = append(i.Kept, more.Kept...)
}

// Kept is a learning of which the store keeps something that its file has changed.
type Kept struct{ ID, Name, Why string }

// Import adds learnings as they are, with their counts and times. One that is known, by its origin,
// its id or its words, follows its file field by field: what has changed there is taken, what was
// changed here stays, and where both have changed, what is here is kept and returned. Feedback
// and counts stay. Importing twice changes nothing. What Put refuses is an error, and nothing
// is imported.
func (s *Store) Import(ctx context.Context, all []learning.Learning, at time.Time) (done Imported, err error) {
	return s.imports(ctx, all, at, nil)
}

// TryImport returns what Import would, and changes nothing.
func (s *Store) TryImport(ctx context.Context, all []learning.Learning, at time.Time) (done Imported, err error) {
	undo := errors.New("undo")
	done, err = s.imports(ctx, all, at, undo)
	if errors.Is(err, undo) {
		err = nil
	}
	return done, err
}

// imports imports learnings in one transaction, which ends with an error.
func (s *Store) imports(ctx context.Context, all []learning.Learning, at time.Time, end error) (done Imported, err error) {
	err = s.write(ctx, Learnings, func(tx Conn) error {
		i := importer{ctx: ctx, tx: tx, at: moment(at), named: map[string]bool{}}
		if err := i.readOrigins(); err != nil {
			return err
		}
		for _, l := range all {
			i.named[originKey(l.Origin)] = true
		}
		for _, l := range all {
			l, err := storable(l)
			if err == nil {
				err = i.take(l)
			}
			if err != nil {
				return fmt.Errorf("%q: %w", l.Name, err)
			}
		}
		done = i.done
		return end
	})
	if err != nil {
		err = fmt.Errorf("import learnings: %w", err)
		if end == nil {
			done = Imported{}
		}
	}
	return done, err
}

// ImportedFrom returns the learnings that were imported from the file of an origin and apply, with
// their origins.
func (s *Store) ImportedFrom(ctx context.Context, file string) (all []learning.Learning, err error) {
	rows, err := s.conn.QueryContext(ctx, `SELECT `+Columns+`, e.source_hash FROM entries e WHERE e.source_hash IS NOT NULL AND e.retired IS NULL ORDER BY e.seq`)
	if err != nil {
		return nil, s.explained(err)
	}
	defer rows.Close()
	for rows.Next() {
		var hash string
		_, l, err := scan(rows, &hash)
		if err != nil {
			return nil, err
		}
		key, _, _ := strings.Cut(hash, ":")
		if from, entry, _ := strings.Cut(key, "."); from == file {
			l.Origin = learning.Origin{File: from, Entry: entry}
			all = append(all, l)
		}
	}
	return all, rows.Err()
}

// importer is one import. The column source_hash of a row that was imported names its origin,
// and has a hash of each field as the file had it: "file.entry:field,field".
type importer struct {
	ctx   context.Context
	tx    Conn
	at    time.Time
	seqs  map[string]int64 // rows by the key of their origin
	known map[int64]string // source_hash by row
	named map[string]bool  // origins of this import
	done  Imported
}

func originKey(o learning.Origin) string {
	if o.File == "" {
		return ""
	}
	return o.File + "." + o.Entry
}

func (i *importer) readOrigins() error {
	i.seqs, i.known = map[string]int64{}, map[int64]string{}
	return each(i.ctx, i.tx, `SELECT seq, source_hash FROM entries WHERE source_hash IS NOT NULL`, nil, func(scan func(...any) error) error {
		var seq int64
		var hash string
		err := scan(&seq, &hash)
		key, _, _ := strings.Cut(hash, ":")
		i.seqs[key], i.known[seq] = seq, hash
		return err
	})
}

// take adds a learning, or brings the row that it is up to date.
func (i *importer) take(l learning.Learning) error {
	seq, err := i.find(l)
	if err != nil {
		return err
	}
	if seq == 0 {
		i.done.Added++
		if seq, err = insert(i.ctx, i.tx, &l, Observation{At: i.at}); err != nil {
			return err
		}
		return i.note(seq, l.Origin, hashes(l))
	}
	_, row, err := scan(i.tx.QueryRowContext(i.ctx, `SELECT `+Columns+` FROM entries e WHERE seq = $1`, seq))
	if err != nil {
		return err
	}
	return i.follow(seq, row, l)
}

// find is the row of a learning, 0 if there is none: that of its origin; else with the same words;
// else with the id that its entry gives, or its name, if that was imported before origins were
// kept.
func (i *importer) find(l learning.Learning) (seq int64, err error) {
	key := originKey(l.Origin)
	if seq := i.seqs[key]; key != "" && seq != 0 {
		return seq, nil
	}
	type lookup struct {
		where     string
		arguments []any
	}
	ways := []lookup{{`e.id = $1 OR e.folded = $2 ORDER BY e.id <> $3`, []any{l.ID, folded(l.Description), l.ID}}}
	switch {
	case key == "":
	case l.Origin.ID != "":
		ways = append(ways, lookup{`e.id = $1 AND coalesce(e.source_project, '') = $2`, []any{l.Origin.ID, l.Project}})
	default:
		ways = append(ways, lookup{i.tx.engine.LowerName() + ` = $1 AND e.source = $2 AND coalesce(e.source_project, '') = $3 AND e.source_hash IS NULL ORDER BY e.seq`,
			[]any{lower(l.Name), string(l.Source), l.Project}})
	}
	for _, way := range ways {
		err := i.tx.QueryRowContext(i.ctx, `SELECT e.seq FROM entries e WHERE `+way.where+` LIMIT 1`, way.arguments...).Scan(&seq)
		if err == nil || !errors.Is(err, sql.ErrNoRows) {
			return seq, err
		}
	}
	return 0, nil
}

// follow brings a row up to date with what the file has of it now.
func (i *importer) follow(seq int64, row, l learning.Learning) error {
	base, fromThere := i.base(seq, row, l)
	if !fromThere {
		i.done.Known++
		return nil
	}
	if row.Project != l.Project {
		i.done.Known++
		if row.ID != l.ID {
			i.keep(row, "it holds in other repositories too")
		}
		return nil
	}
	next, now := row, hashes(l)
	var both []string
	for n, f := range importedFields() {
		there, here := f.text(&l), f.text(&row)
		switch {
		case *there == *here || now[n] == base[n]:
		case fieldHash(*here) == base[n]:
			*f.text(&next) = *there
		default:
			both = append(both, f.name)
			now[n] = base[n]
		}
	}
	if last := len(now) - 1; now[last] != base[last] {
		next.Keywords, next.References = joined(slices.Clip(row.Keywords), l.Keywords), joined(slices.Clip(row.References), l.References)
	}
	if next.Description != row.Description {
		next.ID = learning.ID(next.Description)
		taken := false
		err := i.tx.QueryRowContext(i.ctx, `SELECT EXISTS (SELECT 1 FROM entries WHERE (id = $1 OR folded = $2) AND seq <> $3)`, next.ID, folded(next.Description), seq).Scan(&taken)
		if err != nil {
			return err
		}
		if taken {
			i.done.Known++
			i.keep(row, "another learning has its new description")
			return nil
		}
		if next.Keywords = l.Keywords; len(next.Keywords) == 0 {
			next.Keywords = learning.Keywords(next.Name, next.Description, next.Reasoning)
		}
	}
	next.Observations = max(row.Observations, l.Observations)
	if len(both) > 0 {
		i.keep(row, strings.Join(both, ", ")+" changed here and there")
	}
	if reflect.DeepEqual(next, row) {
		i.done.Known++
		return i.note(seq, l.Origin, now)
	}
	i.done.Updated++
	next.Updated = later(row.Updated, i.at)
	if next.ID != row.ID {
		if err := noteGone(i.ctx, i.tx, row.ID, row.Personal); err != nil {
			return err
		}
	}
	if err := update(i.ctx, i.tx, seq, next, embeddedText(row)); err != nil {
		return err
	}
	return i.note(seq, l.Origin, now)
}

func (i *importer) keep(row learning.Learning, why string) {
	i.done.Kept = append(i.done.Kept, Kept{row.ID, row.Name, why})
}

// base are the hashes of the fields as the file had them last; false if the row is not that of the
// entry, but merely says the same.
func (i *importer) base(seq int64, row, l learning.Learning) (base []string, fromThere bool) {
	key := originKey(l.Origin)
	was, hash, imported := strings.Cut(i.known[seq], ":")
	switch {
	case key == "", imported && was != key && i.named[was]:
		return nil, false
	case imported:
		if base = strings.Split(hash, ","); len(base) == len(hashes(l)) {
			return base, true
		}
	case !l.Updated.IsZero() && l.Updated.Equal(row.Updated): // nothing has changed here since the export
		return hashes(row), true
	case row.Source != l.Source:
		return nil, false
	}
	base = hashes(l) // what is different was changed here, except the description:
	switch {
	case l.Origin.ID == row.ID:
		base[0] = fieldHash(row.Description)
	case l.ID != row.ID:
		base[0] = ""
	}
	return base, true
}

// note keeps the origin of a row, and what the file has of it.
func (i *importer) note(seq int64, o learning.Origin, now []string) error {
	key := originKey(o)
	text := key + ":" + strings.Join(now, ",")
	if key == "" || i.known[seq] == text {
		return nil
	}
	if was, _, _ := strings.Cut(i.known[seq], ":"); was != "" {
		delete(i.seqs, was)
	}
	i.seqs[key], i.known[seq] = seq, text
	_, err := i.tx.ExecContext(i.ctx, `UPDATE entries SET source_hash = $1 WHERE seq = $2`, text, seq)
	return err
}

// importedField is a field in which a row follows its file.
type importedField struct {
	name string
	text func(*learning.Learning) *string
}

// importedFields begin with the description. Keywords and references only grow, see follow.
func importedFields() []importedField {
	return []importedField{
		{"description", func(l *learning.Learning) *string { return &l.Description }},
		{"name", func(l *learning.Learning) *string { return &l.Name }},
		{"reasoning", func(l *learning.Learning) *string { return &l.Reasoning }},
		{"category", func(l *learning.Learning) *string { return (*string)(&l.Category) }},
		{"confidence", func(l *learning.Learning) *string { return (*string)(&l.Confidence) }},
		{"retired", func(l *learning.Learning) *string { return &l.Retired }},
	}
}

// hashes are those of the fields of a learning, and last that of its keywords and references.
func hashes(l learning.Learning) (all []string) {
	for _, f := range importedFields() {
		all = append(all, fieldHash(*f.text(&l)))
	}
	return append(all, fieldHash(listText(l.Keywords)+listText(l.References)))
}

func fieldHash(text string) string { return learning.SourceHash(text)[:8] }
