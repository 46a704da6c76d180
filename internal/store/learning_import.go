package store

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"time"

	"whence/internal/learning"
)

// Imported counts what an import did.
type Imported struct {
	Added   int
	Updated int // known, and changed in their file
	Known   int // and unchanged
	Kept    []Kept
}

// Add adds other counts.
func (i *Imported) Add(other Imported) {
	i.Added += other.Added
	i.Updated += other.Updated
	i.Known += other.Known
	i.Kept = append(i.Kept, other.Kept...)
}

// Kept is a learning that the store keeps against a change in its file.
type Kept struct{ ID, Name, Why string }

// Import adds learnings as they are, with their counts and times. A known one, by its origin, id
// or words, follows its file field by field: changes in the file are taken, changes in the store
// stay, and if both have changed, the store's value stays and is reported in Kept. Counts
// stay. Importing twice changes nothing. If Put would refuse one of them, nothing is
// imported.
func (s *Store) Import(ctx context.Context, all []learning.Learning, at time.Time) (done Imported, err error) {
	done, _, err = s.imports(ctx, all, at, nil)
	if err == nil && s.db != nil && done.Added+done.Updated >= maxIndexRows {
		_ = s.compact(ctx, entriesTable) // if it fails, Expire tries again
	}
	return done, err
}

// TryImport returns what Import would, with the learnings that it would add or update, and changes nothing.
func (s *Store) TryImport(ctx context.Context, all []learning.Learning, at time.Time) (done Imported, changed []learning.Learning, err error) {
	undo := errors.New("undo")
	done, changed, err = s.imports(ctx, all, at, undo)
	if errors.Is(err, undo) {
		err = nil
	}
	return done, changed, err
}

// imports imports learnings in a transaction that fails with end if that is not nil.
func (s *Store) imports(ctx context.Context, all []learning.Learning, at time.Time, end error) (done Imported, changed []learning.Learning, err error) {
	err = s.write(ctx, LearningsLock, func(tx Conn) error {
		i := importer{ctx: ctx, tx: tx, at: storedTime(at), inImport: map[string]bool{}}
		if err := i.readOrigins(); err != nil {
			return err
		}
		for _, l := range all {
			i.inImport[originKey(l.Origin)] = true
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
		done, changed = i.done, i.changed
		return end
	})
	switch {
	case err == nil:
		return done, changed, nil
	case end == nil:
		done = Imported{}
	}
	return done, changed, fmt.Errorf("import learnings: %w", err)
}

// ImportedFrom returns the learnings with their origins that were imported from files (Origin.File) and
// are not retired.
func (s *Store) ImportedFrom(ctx context.Context, files map[string]bool) (all []learning.Learning, err error) {
	err = s.conn.Each(ctx, `SELECT `+learningColumns+`, e.source_hash FROM entries e WHERE e.source_hash IS NOT NULL AND e.retired IS NULL ORDER BY e.seq`, nil, func(row Scanner) error {
		var hash string
		l, err := scanLearning(row, &hash)
		key, _, _ := strings.Cut(hash, ":")
		if from, entry, _ := strings.Cut(key, "."); files[from] {
			l.Origin = learning.Origin{File: from, Entry: entry}
			all = append(all, l.Learning)
		}
		return err
	})
	return all, s.explained(err)
}

// importer is one import. The column source_hash of an imported row has the key of its origin and
// a hash of each field as the file had it: "file.entry:field,field".
type importer struct {
	ctx        context.Context
	tx         Conn
	at         time.Time
	seqs       map[string]int64 // rows by the key of their origin
	sourceHash map[int64]string // by row
	inImport   map[string]bool  // keys of the origins of this import
	done       Imported
	changed    []learning.Learning // added or updated
}

func originKey(o learning.Origin) string {
	if o.File == "" {
		return ""
	}
	return o.File + "." + o.Entry
}

func (i *importer) readOrigins() error {
	i.seqs, i.sourceHash = map[string]int64{}, map[int64]string{}
	return i.tx.Each(i.ctx, `SELECT seq, source_hash FROM entries WHERE source_hash IS NOT NULL`, nil, func(row Scanner) error {
		var seq int64
		var hash string
		err := row.Scan(&seq, &hash)
		key, _, _ := strings.Cut(hash, ":")
		i.seqs[key], i.sourceHash[seq] = seq, hash
		return err
	})
}

// take adds a learning, or updates the row that it has already.
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
		i.changed = append(i.changed, l)
		return i.note(seq, l.Origin, hashes(l))
	}
	row, err := i.tx.learning(i.ctx, seq)
	if err != nil {
		return err
	}
	return i.follow(seq, row.Learning, l)
}

// find returns the row of a learning, 0 if there is none: by its origin; else by its words; else by
// the id in its file; else by its name, if it was imported before origins were stored.
func (i *importer) find(l learning.Learning) (seq int64, err error) {
	key := originKey(l.Origin)
	if seq := i.seqs[key]; key != "" && seq != 0 {
		return seq, nil
	}
	seq, err = i.tx.sameSeq(i.ctx, l.ID, folded(l.Description), idFirst)
	switch {
	case err != nil || seq != 0 || key == "":
	case l.Origin.ID != "":
		_, err = i.tx.get(i.ctx, `SELECT seq FROM entries WHERE id = $1 AND coalesce(source_project, '') = $2`, []any{l.Origin.ID, l.Project}, &seq)
	default:
		_, err = i.tx.get(i.ctx, `SELECT e.seq FROM entries e WHERE `+i.tx.engine.LowerName()+` = $1 AND e.source = $2 AND coalesce(e.source_project, '') = $3 AND e.source_hash IS NULL ORDER BY e.seq`,
			[]any{lowerASCII(l.Name), string(l.Source), l.Project}, &seq)
	}
	return seq, err
}

// follow updates a row with what has changed in the file.
func (i *importer) follow(seq int64, row, l learning.Learning) error {
	base, imported := i.base(seq, row, l)
	switch {
	case !imported:
		i.done.Known++
		return nil
	case row.Project != l.Project:
		i.done.Known++
		if row.ID != l.ID && row.Project == "" { // nothing of another project is shown
			i.keep(row, "it holds in other repositories too")
		}
		return nil
	}
	next, now := row, hashes(l)
	var both []string
	for n, f := range importedFields() {
		inFile, inStore := f.text(&l), f.text(&row)
		switch {
		case *inFile == *inStore || now[n] == base[n]:
		case fieldHash(*inStore) == base[n]:
			*f.text(&next) = *inFile
		default:
			both = append(both, f.name)
			now[n] = base[n]
		}
	}
	if last := len(now) - 1; now[last] != base[last] {
		next.Keywords, next.References = union(row.Keywords, l.Keywords), union(row.References, l.References)
	}
	if next.Description != row.Description {
		next.ID = learning.ID(next.Description)
		taken, err := i.tx.get(i.ctx, `SELECT 1 FROM entries WHERE (id = $1 OR folded = $2) AND seq <> $3`, []any{next.ID, folded(next.Description), seq}, new(int))
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
		if err := recordDeletion(i.ctx, i.tx, row); err != nil {
			return err
		}
	}
	if err := update(i.ctx, i.tx, seq, next, embeddedText(row)); err != nil {
		return err
	}
	i.changed = append(i.changed, next)
	return i.note(seq, l.Origin, now)
}

func (i *importer) keep(row learning.Learning, why string) {
	i.done.Kept = append(i.done.Kept, Kept{row.ID, row.Name, why})
}

// base returns the hashes of the fields as the file had them last. Imported is false if the row
// was not imported from this entry but says the same.
func (i *importer) base(seq int64, row, l learning.Learning) (base []string, imported bool) {
	key := originKey(l.Origin)
	rowKey, hash, noted := strings.Cut(i.sourceHash[seq], ":")
	switch {
	case key == "", noted && rowKey != key && i.inImport[rowKey]:
		return nil, false
	case noted:
		if base = strings.Split(hash, ","); len(base) == len(hashes(l)) {
			return base, true
		}
	case !l.Updated.IsZero() && l.Updated.Equal(row.Updated): // unchanged since the export
		return hashes(row), true
	case row.Source != l.Source:
		return nil, false
	}
	base = hashes(l) // differences are changes in the store, except the description:
	switch {
	case l.Origin.ID == row.ID:
		base[0] = fieldHash(row.Description)
	case l.ID != row.ID:
		base[0] = ""
	}
	return base, true
}

// note stores the origin of a row and the hashes of the fields in the file.
func (i *importer) note(seq int64, o learning.Origin, now []string) error {
	key := originKey(o)
	text := key + ":" + strings.Join(now, ",")
	if key == "" || i.sourceHash[seq] == text {
		return nil
	}
	if before, _, _ := strings.Cut(i.sourceHash[seq], ":"); before != "" {
		delete(i.seqs, before)
	}
	i.seqs[key], i.sourceHash[seq] = seq, text
	return i.tx.exec(i.ctx, `UPDATE entries SET source_hash = $1 WHERE seq = $2`, text, seq)
}

// importedField is a field in which a row follows its file.
type importedField struct {
	name string
	text func(*learning.Learning) *string
}

// importedFields returns the fields except keywords and references, which only grow. The
// description is the first.
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

// hashes returns those of importedFields, and last that of keywords and references together.
func hashes(l learning.Learning) (all []string) {
	for _, f := range importedFields() {
		all = append(all, fieldHash(*f.text(&l)))
	}
	return append(all, fieldHash(listText(l.Keywords)+listText(l.References)))
}

func fieldHash(text string) string { return learning.SourceHash(text)[:8] }
