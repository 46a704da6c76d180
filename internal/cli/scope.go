package cli

import (
	"errors"
	"path/filepath"

	"whence/internal/repo"
)

// Scope says what the learnings and turns of a folder belong to.
type Scope struct {
	Project string // the git directory that all worktrees of the repository share; "" without a repository
	Turns   string // Project or, without a repository, a folder: turns are never global
}

// ScopeOf returns the scope of a folder; for cwd see repo.Open. Git's variables do not decide whose learnings are
// shown. A repository that git refuses is identified by its folder, not by its files.
func ScopeOf(dir, cwd string) (Scope, error) {
	r, err := repo.Open(dir, cwd, func(string) string { return "" })
	var refused *repo.RefusedError
	if errors.Is(err, repo.ErrNoRepository) {
		return Scope{Turns: Root(filepath.Clean(dir))}, nil
	}
	if errors.As(err, &refused) {
		return Scope{refused.Dir, refused.Dir}, nil
	}
	if err != nil {
		return Scope{}, err
	}
	return Scope{r.Identity(), r.Identity()}, nil
}
