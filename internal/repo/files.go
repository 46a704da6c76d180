package repo

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
)

// Files returns the files of a folder on disk that git tracks or would track, sorted: their paths in
// the folder, with slashes. Without git it returns [ErrNoRepository].
func (r *Repository) Files(ctx context.Context, dir string) ([]string, error) {
	folder, err := r.Rel(dir)
	if err != nil {
		return nil, err
	}
	args := []string{"ls-files", "-z", "--cached", "--others", "--exclude-standard"}
	if folder += "/"; folder == "./" {
		folder = ""
	} else {
		args = append(args, "--", fromTop(folder))
	}
	out, err := r.read(ctx, args...)
	if noGit(err) {
		return nil, ErrNoRepository
	}
	if err != nil {
		return nil, err
	}
	var found []string
	for name := range names(out) {
		if rest, inside := strings.CutPrefix(name, folder); inside && filepath.IsLocal(rest) && !strings.HasSuffix(rest, "/") {
			found = append(found, rest)
		}
	}
	slices.Sort(found)
	return slices.Compact(found), nil // a file in conflict is listed once for each side
}
