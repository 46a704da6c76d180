package repo

import (
	"context"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"whence/internal/shell"
	"whence/internal/worktree"
)

// NotCheckedOut returns the wanted files that git tracks but leaves out of the worktree, as in a sparse checkout: their
// paths from the root, sorted.
func (r *Repository) NotCheckedOut(wanted func(path string) bool) (absent []string, err error) {
	out, err := r.read(context.Background(), "ls-files", "-t", "-z", "--full-name", "--", ":/")
	if err != nil {
		return nil, err
	}
	for line := range names(out) {
		tag, name, _ := strings.Cut(line, " ")
		if tag != "S" || !wanted(name) {
			continue
		}
		if _, err := os.Lstat(filepath.Join(r.Root, filepath.FromSlash(name))); err != nil { // if it exists, git only ignores its changes
			absent = append(absent, name)
		}
	}
	slices.Sort(absent)
	return absent, nil
}

// CheckOutCommand returns a command, to be typed in the folder from, that checks out files which git leaves out of the
// worktree. Afterwards git add stages their changes, which it would not after git checkout --ignore-skip-worktree-bits.
func (r *Repository) CheckOutCommand(paths []string, from string) string {
	git := "git"
	if rel, err := filepath.Rel(worktree.Resolved(from), r.Root); err != nil {
		git += " -C " + shell.Word(filepath.ToSlash(r.Root))
	} else if rel != "." {
		git += " -C " + shell.Word(filepath.ToSlash(rel))
	}
	out, err := r.read(context.Background(), "config", "--type=bool", "--get", "core.sparseCheckout")
	if err != nil || strings.TrimSpace(string(out)) != "true" {
		all := words(paths)
		return git + " update-index --no-skip-worktree " + all + " && " + git + " checkout -- " + all
	}
	return git + " sparse-checkout add " + words(foldersOf(paths)) // a folder is also a pattern
}

// foldersOf returns the folders of files, without those inside another one, and the files at the root.
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

// words returns arguments, quoted if necessary, for a command line.
func words(all []string) string {
	quoted := make([]string, len(all))
	for i, argument := range all {
		quoted[i] = shell.Word(argument)
	}
	return strings.Join(quoted, " ")
}
