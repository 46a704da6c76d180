package cli

import (
	"errors"
	"path/filepath"

	"whence/internal/repo"
)

// Scope names what the learnings and turns of a folder belong to.
type Scope struct {
	Project string // the git directory that all worktrees of the repository share; "" without a repository
	Turns   string // Project or, without a repository, the folder: turns are never global
}

// ScopeOf returns the scope of a folder; cwd is as for repo.Open. Variables of git do not decide whose
// learnings are shown. The files of a repository that git refuses do not decide which repository
// it is.
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
