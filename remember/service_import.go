package remember

import (
	"context"
	"errors"
	"slices"
	"strings"

	"whence/internal/learning"
	"whence/internal/store"
	"whence/internal/team"
)

// ImportResult reports what Import did.
type ImportResult struct {
	store.Imported
	Changed  []learning.Learning // added or updated; of a dry run only
	Missing  []learning.Learning // no longer in their files, but kept
	Redacted []string            // kinds of secrets that were removed
}

// ImportError reports a learning that cannot be imported; then none is.
type ImportError struct {
	Name string
	At   int // its place among the learnings, from 0
	Err  error
}

func (e *ImportError) Error() string { return "learning " + e.Name + ": " + e.Err.Error() }
func (e *ImportError) Unwrap() error { return e.Err }

// Import adds learnings as they are, cleaned; known ones follow their files (store.Import). A dry
// run changes nothing; for a team's store it reads the replica.
func (svc *Service) Import(ctx context.Context, all []learning.Learning, dryRun bool) (done ImportResult, err error) {
	for i := range all {
		done.Redacted = appendNew(done.Redacted, clean(&all[i])...)
		complete(&all[i])
		if err := all[i].Validate(); err != nil {
			return done, &ImportError{Name: all[i].Name, At: i, Err: err}
		}
	}
	if len(all) == 0 {
		return done, nil
	}
	if dryRun {
		done.Imported, done.Changed, err = svc.previewImport(ctx, all)
	} else {
		done.Imported, err = svc.importAll(ctx, all)
	}
	if err != nil {
		return done, err
	}
	if !dryRun && done.Added+done.Updated > 0 {
		svc.stored()
	}
	done.Missing, err = svc.missingFromFiles(ctx, all)
	return done, err
}

// previewImport returns what importAll would.
func (svc *Service) previewImport(ctx context.Context, all []learning.Learning) (done store.Imported, changed []learning.Learning, err error) {
	s, err := store.OpenExisting(ctx, svc.Dir)
	if errors.Is(err, store.ErrNone) {
		distinct := map[string]bool{}
		for _, l := range all {
			if l.ID = learning.ID(l.Description); !distinct[l.ID] {
				distinct[l.ID], changed = true, append(changed, l)
			}
		}
		return store.Imported{Added: len(changed), Known: len(all) - len(changed)}, changed, nil
	}
	if err != nil {
		return done, nil, err
	}
	done, changed, err = s.TryImport(ctx, all, svc.Now())
	return done, changed, errors.Join(err, s.Close())
}

// importAll imports all learnings or none; a team's store imports them in pieces.
func (svc *Service) importAll(ctx context.Context, all []learning.Learning) (done store.Imported, err error) {
	pieces := [][]learning.Learning{all}
	if svc.Replica != nil {
		if pieces, err = team.Pieces(all); err != nil {
			return done, err
		}
	}
	for _, piece := range pieces {
		r, delayed, err := svc.commit(ctx, store.Operation{Kind: store.OpImport, Learnings: piece}, nil)
		if done.Add(r.Imported); err != nil {
			return done, err
		}
		svc.warn(delayed)
	}
	return done, nil
}

// missingFromFiles returns the learnings that were imported from the same files earlier and are not
// among these. A file whose entries have ids need not be complete.
func (svc *Service) missingFromFiles(ctx context.Context, all []learning.Learning) (missing []learning.Learning, err error) {
	present, files := map[learning.Origin]bool{}, map[string]bool{}
	for _, l := range all {
		if present[l.Origin] = true; l.Origin.ID == "" && l.Origin.File != "" {
			files[l.Origin.File] = true
		}
	}
	if len(files) == 0 {
		return nil, nil
	}
	err = svc.read(ctx, func(ctx context.Context, s *store.Store) error {
		all, err := s.ImportedFrom(ctx, files)
		missing = slices.DeleteFunc(all, func(l learning.Learning) bool { return present[l.Origin] })
		return err
	})
	slices.SortFunc(missing, func(a, b learning.Learning) int { return strings.Compare(a.Name+a.ID, b.Name+b.ID) })
	return missing, exceptNone(err)
}
