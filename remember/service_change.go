package remember

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"whence/internal/learning"
	"whence/internal/store"
	"whence/internal/team"
)

// Find returns one learning, by id or name. An id, or its beginning, finds it wherever it
// was made; a name only where this repository sees it: another repository may use the
// same name for something else.
func (b *Service) Find(ctx context.Context, name string) (d store.Detail, err error) {
	err = b.Ask(ctx, func(ctx context.Context, s *store.Store) error {
		d, err = b.find(ctx, s, name)
		return err
	})
	return d, err
}

func (b *Service) find(ctx context.Context, s *store.Store, name string) (store.Detail, error) {
	d, err := s.Get(ctx, name)
	switch {
	case err != nil && (errors.Is(err, store.ErrAmbiguousID) || !errors.Is(err, store.ErrAmbiguous)):
		return d, err
	case err == nil && (b.sees(d.Learning) || strings.HasPrefix(d.ID, strings.ToLower(name))):
		return d, nil
	}
	all, err := s.List(ctx, store.Filter{Project: b.Project, Retired: true})
	if err != nil {
		return d, err
	}
	all = slices.DeleteFunc(all, func(l learning.Learning) bool { return !strings.EqualFold(l.Name, name) })
	switch len(all) {
	case 0:
		return store.Detail{}, fmt.Errorf("%q: %w in this repository", name, store.ErrUnknown)
	case 1:
		return s.Get(ctx, all[0].ID)
	}
	return store.Detail{}, fmt.Errorf("%q: %w", name, store.ErrAmbiguous)
}

// sees tells whether a learning is one of this repository, or global.
func (b *Service) sees(l learning.Learning) bool { return l.Project == "" || l.Project == b.Project }

// Forget deletes a learning, by id or name (see Find), and returns it as it was.
func (b *Service) Forget(ctx context.Context, name string) (l learning.Learning, err error) {
	return b.changeKnown(ctx, name, store.Operation{Kind: store.OpForget})
}

// Say records what somebody says of a learning, by id or name (see Find).
func (b *Service) Say(ctx context.Context, name string, verdict store.Verdict, reason string) (l learning.Learning, err error) {
	if err := checkTexts("reason", longestReason, reason); err != nil {
		return l, err
	}
	hidden := learning.Learning{Description: reason}
	clean(&hidden)
	said := store.Feedback{Verdict: verdict, Reason: hidden.Description, Session: b.Session, At: b.Now()}
	return b.changeKnown(ctx, name, store.Operation{Kind: store.OpFeedback, Feedback: &said})
}

// Edit changes a learning, by id or name (see Find). What was taken out of the new text is
// told.
func (b *Service) Edit(ctx context.Context, name string, edit func(*learning.Learning)) (l learning.Learning, redacted []string, err error) {
	d, err := b.Find(ctx, name)
	if err != nil {
		return l, nil, err
	}
	edited := d.Learning
	edited.Keywords, edited.References = slices.Clone(d.Keywords), slices.Clone(d.References)
	edit(&edited)
	if err := checkLength(edited); err != nil {
		return l, nil, err
	}
	redacted = clean(&edited)
	if err := edited.Validate(); err != nil {
		return l, redacted, err
	}
	if !longEnough(edited.Description, redacted) {
		return l, redacted, learning.ErrTooShort
	}
	l, err = b.changeFound(ctx, d.Learning, store.Operation{Kind: store.OpEdit, Edit: store.EditOf(d.Learning, edited)})
	if err == nil {
		b.stored()
	}
	return l, redacted, err
}

// changeKnown does an operation on a learning. Where there is none of this name nothing is
// written, not even a new store.
func (b *Service) changeKnown(ctx context.Context, name string, op store.Operation) (learning.Learning, error) {
	d, err := b.Find(ctx, name)
	if err != nil {
		return learning.Learning{}, err
	}
	return b.changeFound(ctx, d.Learning, op)
}

func (b *Service) changeFound(ctx context.Context, found learning.Learning, op store.Operation) (learning.Learning, error) {
	op.ID, op.Before = found.ID, &found
	r, kept, err := b.commit(ctx, op, nil)
	if err == nil {
		b.tell(kept)
	}
	return r.Outcome.Learning, err
}

// Imports is what became of learnings that were imported.
type Imports struct {
	store.Imported
	Missing  []learning.Learning // that their files no longer have; they stay
	Redacted []string            // kinds of secrets that were removed before
}

// Import adds learnings as they are, cleaned; known ones follow their files (store.Import). A
// dry run changes nothing; of a team's store it asks the copy.
func (b *Service) Import(ctx context.Context, all []learning.Learning, dry bool) (done Imports, err error) {
	for i := range all {
		for _, kind := range clean(&all[i]) {
			done.Redacted = joined(done.Redacted, kind)
		}
		complete(&all[i])
		if err := all[i].Validate(); err != nil {
			return done, &ImportError{Name: all[i].Name, At: i, Err: err}
		}
	}
	if len(all) == 0 {
		return done, nil
	}
	if dry {
		done.Imported, err = b.tryImport(ctx, all)
	} else {
		done.Imported, err = b.importAll(ctx, all)
	}
	if err != nil {
		return done, err
	}
	if !dry && done.Added+done.Updated > 0 {
		b.stored()
	}
	done.Missing, err = b.missing(ctx, all)
	return done, err
}

// tryImport is what importAll would do.
func (b *Service) tryImport(ctx context.Context, all []learning.Learning) (done store.Imported, err error) {
	s, err := store.OpenExisting(ctx, b.Dir)
	if errors.Is(err, store.ErrNone) {
		distinct := map[string]bool{}
		for _, l := range all {
			distinct[learning.ID(l.Description)] = true
		}
		return store.Imported{Added: len(distinct), Known: len(all) - len(distinct)}, nil
	}
	if err != nil {
		return done, err
	}
	done, err = s.TryImport(ctx, all, b.Now())
	return done, errors.Join(err, s.Close())
}

// missing are the learnings that were imported from the files of some, and are not among these. A
// file whose entries give their ids need not have all.
func (b *Service) missing(ctx context.Context, all []learning.Learning) (missing []learning.Learning, err error) {
	there, files := map[learning.Origin]bool{}, map[string]bool{}
	for _, l := range all {
		if there[l.Origin] = true; l.Origin.ID == "" && l.Origin.File != "" {
			files[l.Origin.File] = true
		}
	}
	if len(files) == 0 {
		return nil, nil
	}
	err = b.AskAny(ctx, func(ctx context.Context, s *store.Store) error {
		missing = nil
		for file := range files {
			some, err := s.ImportedFrom(ctx, file)
			if err != nil {
				return err
			}
			missing = append(missing, slices.DeleteFunc(some, func(l learning.Learning) bool { return there[l.Origin] })...)
		}
		return nil
	})
	slices.SortFunc(missing, func(a, b learning.Learning) int { return strings.Compare(a.Name+a.ID, b.Name+b.ID) })
	return missing, err
}

// importAll imports learnings: all of them or none, but into the store of a team piece by piece.
func (b *Service) importAll(ctx context.Context, all []learning.Learning) (done store.Imported, err error) {
	pieces := [][]learning.Learning{all}
	if b.Replica != nil {
		if pieces, err = team.Pieces(all); err != nil {
			return done, err
		}
	}
	for _, piece := range pieces {
		r, kept, err := b.commit(ctx, store.Operation{Kind: store.OpImport, Learnings: piece}, nil)
		if done.Add(r.Imported); err != nil {
			return done, err
		}
		b.tell(kept)
	}
	return done, nil
}

// ImportError is a learning that cannot be imported. Nothing is.
type ImportError struct {
	Name string
	At   int // its place among the learnings, from 0
	Err  error
}

func (e *ImportError) Error() string { return "learning " + e.Name + ": " + e.Err.Error() }
func (e *ImportError) Unwrap() error { return e.Err }

func joined(list []string, item string) []string {
	if slices.Contains(list, item) {
		return list
	}
	return append(list, item)
}
