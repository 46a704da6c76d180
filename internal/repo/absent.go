package repo

import (
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"whence/internal/shell"
)

// NotCheckedOut returns the files for which wanted holds that git tracks, but leaves out of the worktree, as in
// a sparse checkout: their paths from the root, sorted.
func (r *Repository) NotCheckedOut(wanted func(path string) bool) (absent []string, err error) {
	out, err := r.answer(context.Background(), nil, "ls-files", "-t", "-z", "--full-name", "--", ":/")
	if err != nil {
		return nil, err
	}
	for line := range names(out) {
		tag, name, _ := strings.Cut(line, " ")
		if tag != "S" || !wanted(name) {
			continue
		}
		if _, err := os.Lstat(filepath.Join(r.Root, filepath.FromSlash(name))); err != nil { // else only its changes are ignored
			absent = append(absent, name)
		}
	}
	slices.Sort(absent)
	return absent, nil
}

// CheckOut returns a command that checks out files which git leaves out of the worktree, as it is typed in a
// folder. Afterwards git add takes changes of them: it does not with git checkout --ignore-skip-worktree-bits.
func (r *Repository) CheckOut(paths []string, from string) string {
	git := "git"
	if real, err := filepath.EvalSymlinks(from); err == nil {
		from = real
	}
	if rel, err := filepath.Rel(from, r.Root); err != nil {
		git += " -C " + shell.Word(filepath.ToSlash(r.Root))
	} else if rel != "." {
		git += " -C " + shell.Word(filepath.ToSlash(rel))
	}
	if !r.isSet("core.sparseCheckout") {
		all := words(paths)
		return git + " update-index --no-skip-worktree " + all + " && " + git + " checkout -- " + all
	}
	places := foldersOf(paths)
	if !r.isSet("core.sparseCheckoutCone") {
		for i, place := range places {
			pattern := strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(place)
			if places[i] = pattern + "/**"; slices.Contains(paths, place) {
				places[i] = "/" + pattern
			}
		}
	}
	return git + " sparse-checkout add " + words(places)
}

// isSet reports whether a setting is true.
func (r *Repository) isSet(name string) bool {
	out, err := r.answer(context.Background(), nil, "config", "--type=bool", "--get", name)
	return err == nil && strings.TrimSpace(string(out)) == "true"
}

// UnfetchedError reports that a partial clone has not fetched all of some files. No command of this
// package opens a connection.
type UnfetchedError struct {
	Command string // fetches what is missing
}

func (e *UnfetchedError) Error() string {
	return fmt.Sprintf("this partial clone has not fetched all of it: run \"%s\", which does", e.Command)
}

// errUnfetched names the command that fetches files: in one go all that differs from an empty tree, below
// their folders.
func (r *Repository) errUnfetched(paths []string) error {
	var specs []string // as they work in any folder of the repository
	for _, place := range foldersOf(paths) {
		specs = append(specs, shell.Quote(":/"+place))
	}
	return &UnfetchedError{"git diff --cached --numstat " + r.emptyTree() + " -- " + strings.Join(specs, " ")}
}

// foldersOf returns the folders of files, none inside of another, and the files at the root.
func foldersOf(paths []string) (all []string) {
	var folders []string
	for _, p := range paths {
		if folder := path.Dir(p); folder != "." {
			p = folder
		}
		folders = append(folders, p)
	}
	slices.Sort(folders)
	for _, folder := range slices.Compact(folders) {
		if !slices.ContainsFunc(folders, func(above string) bool { return strings.HasPrefix(folder, above+"/") }) {
			all = append(all, folder)
		}
	}
	return all
}

// words returns the arguments of a command line.
func words(all []string) string {
	quoted := make([]string, len(all))
	for i, argument := range all {
		quoted[i] = shell.Word(argument)
	}
	return strings.Join(quoted, " ")
}
