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

// Get returns one learning, by id or name. An id, or its beginning, matches in all repositories; a
// name only in this one, since others may use it for something else.
func (svc *Service) Get(ctx context.Context, name string) (d store.Detail, err error) {
	err = svc.read(ctx, func(ctx context.Context, s *store.Store) error {
		d, err = svc.get(ctx, s, name)
		return err
	})
	return d, err
}

func (svc *Service) get(ctx context.Context, s *store.Store, name string) (store.Detail, error) {
	d, err := s.Get(ctx, name)
	switch {
	case err != nil && (errors.Is(err, store.ErrAmbiguousID) || !errors.Is(err, store.ErrAmbiguous)):
		return d, err
	case err == nil && (d.Project == "" || d.Project == svc.Project || strings.HasPrefix(d.ID, strings.ToLower(name))):
		return d, nil
	}
	all, err := s.List(ctx, store.Filter{Project: svc.Project, Retired: true})
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

<<<<<<< HEAD
// sees tells whether a learning is one of this repository, or global.
func (b *Service) sees(l learning.Learning) bool { return l.Project == "" || l.Project == b.Project }

// Forget deletes a learning, by id or name (see Find), and returns it as it was.
func (b *Service) Forget(ctx context.Context, name string) (l learning.Learning, err error) {
	return b.changeKnown(ctx, name, store.Operation{Kind: store.OpForget})
=======
// Forget deletes a learning, by id or name as for Get, and returns it as it was.
func (svc *Service) Forget(ctx context.Context, name string) (l learning.Learning, err error) {
	return svc.applyTo(ctx, name, team.Operation{Kind: team.Forget})
>>>>>>> 62fec1e (remember: join service and commands, and name their types)
}

// RecordFeedback records a verdict on a learning, by id or name as for Get.
func (svc *Service) RecordFeedback(ctx context.Context, name string, verdict store.Verdict, reason string) (l learning.Learning, err error) {
	if err := checkTexts("reason", maxReasonChars, reason); err != nil {
		return l, err
	}
<<<<<<< HEAD
	hidden := learning.Learning{Description: reason}
	clean(&hidden)
	said := store.Feedback{Verdict: verdict, Reason: hidden.Description, Session: b.Session, At: b.Now()}
	return b.changeKnown(ctx, name, store.Operation{Kind: store.OpFeedback, Feedback: &said})
=======
	cleaned := learning.Learning{Description: reason}
	clean(&cleaned)
	feedback := store.Feedback{Verdict: verdict, Reason: cleaned.Description, Session: svc.Session, At: svc.Now()}
	return svc.applyTo(ctx, name, team.Operation{Kind: team.Feedback, Feedback: &feedback})
>>>>>>> 62fec1e (remember: join service and commands, and name their types)
}

// Edit changes a learning, by id or name as for Get, and returns the kinds of secrets that it
// removed from the new text.
func (svc *Service) Edit(ctx context.Context, name string, edit func(*learning.Learning)) (l learning.Learning, redacted []string, err error) {
	d, err := svc.Get(ctx, name)
	if err != nil {
		return l, nil, err
	}
	edited := d.Learning
	edited.Keywords, edited.References = slices.Clone(d.Keywords), slices.Clone(d.References)
	edit(&edited)
	if redacted, err = prepare(&edited); err != nil {
		return l, redacted, err
	}
<<<<<<< HEAD
	if !longEnough(edited.Description, redacted) {
		return l, redacted, learning.ErrTooShort
	}
	l, err = b.changeFound(ctx, d.Learning, store.Operation{Kind: store.OpEdit, Edit: store.EditOf(d.Learning, edited)})
=======
	l, err = svc.apply(ctx, d.Learning, team.Operation{Kind: team.Change, Edit: team.EditOf(d.Learning, edited)})
>>>>>>> 62fec1e (remember: join service and commands, and name their types)
	if err == nil {
		svc.stored()
	}
	return l, redacted, err
}

<<<<<<< HEAD
// changeKnown does an operation on a learning. Where there is none of this name nothing is
// written, not even a new store.
func (b *Service) changeKnown(ctx context.Context, name string, op store.Operation) (learning.Learning, error) {
	d, err := b.Find(ctx, name)
=======
// applyTo applies an operation to a named learning. If there is none, nothing is written, not even
// a new store.
func (svc *Service) applyTo(ctx context.Context, name string, op team.Operation) (l learning.Learning, err error) {
	d, err := svc.Get(ctx, name)
>>>>>>> 62fec1e (remember: join service and commands, and name their types)
	if err != nil {
		return l, err
	}
	return svc.apply(ctx, d.Learning, op)
}

<<<<<<< HEAD
func (b *Service) changeFound(ctx context.Context, found learning.Learning, op store.Operation) (learning.Learning, error) {
	op.ID, op.Before = found.ID, &found
	r, kept, err := b.commit(ctx, op, nil)
=======
func (svc *Service) apply(ctx context.Context, before learning.Learning, op team.Operation) (learning.Learning, error) {
	op.ID, op.Before = before.ID, &before
	r, delayed, err := svc.commit(ctx, op, nil)
>>>>>>> 62fec1e (remember: join service and commands, and name their types)
	if err == nil {
		svc.warn(delayed)
	}
	return r.Outcome.Learning, err
}
<<<<<<< HEAD

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
=======
>>>>>>> 62fec1e (remember: join service and commands, and name their types)
