package repo

import (
	"context"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"whence/internal/worktree"
)

// Files returns the files of a folder on disk, or only those of some folders and files below it. The keys are
// slash-separated paths relative to the folder; the value is true if git tracks the file, and false if git would track
// it. If ignored is set, files that git ignores are included (false). Files of other repositories, such as submodules,
// are omitted.
func (r *Repository) Files(ctx context.Context, dir string, below []string, ignored bool) (map[string]bool, error) {
	folder, err := r.Rel(dir)
	if err != nil {
		return nil, err
	}
	paths := []string{folder}
	for _, name := range below {
		paths = append(paths, path.Join(folder, name))
	}
	if err := r.checkIgnoreFiles(paths); err != nil {
		return nil, err
	}
	args := []string{"ls-files", "-z", "-t", "--cached", "--others"} // -t: a letter and a space before each name
	if !ignored {
		args = append(args, "--exclude-standard")
	}
	args = append(args, "--")
	if len(below) > 0 {
		paths = paths[1:]
	}
	for _, name := range paths {
		args = append(args, fromTop(name))
	}
	out, err := r.read(ctx, args...)
	if err != nil {
		return nil, err
	}
	found := map[string]bool{}
	for line := range names(out) {
		tag, name, _ := strings.Cut(line, " ")
		name, inside := Below(folder, name)
		if inside && filepath.IsLocal(name) && !strings.HasSuffix(name, "/") {
			found[name] = found[name] || tag != "?"
		}
	}
	return found, nil
}

// FilesDependOn returns what else, apart from the names of files, determines the result of [Repository.Files]: paths of
// files on disk, and variables. Folders are slash-separated paths from the root; settings is the result of
// IgnoreSettings.
func (r *Repository) FilesDependOn(folders, settings []string) (paths, variables []string) {
	paths = append(paths, r.IndexFile, filepath.Join(r.GitDir, "config.worktree"), filepath.Join(r.CommonDir, "config"), filepath.Join(r.CommonDir, "info", "exclude"), "/etc/gitconfig")
	for _, folder := range folders {
		paths = append(paths, filepath.Join(r.Root, filepath.FromSlash(folder), ".gitignore"))
	}
	variables = []string{r.Root, r.GitDir, r.CommonDir}
	for _, v := range r.env {
		name, value, _ := strings.Cut(v, "=")
		if name == "HOME" {
			paths = append(paths, filepath.Join(value, ".gitconfig"), filepath.Join(value, ".config", "git", "config"), filepath.Join(value, ".config", "git", "ignore"))
		}
		if name == "HOME" || strings.HasPrefix(name, "GIT_") {
			variables = append(variables, v)
		}
	}
	return append(paths, settings...), variables
}

// IgnoreSettings returns the files that git reads settings from, and the one that core.excludesFile names. It returns
// false if it cannot determine them.
func (r *Repository) IgnoreSettings(ctx context.Context) (paths []string, known bool) {
	out, err := r.read(ctx, "config", "--list", "--null", "--show-origin", "--name-only")
	if err != nil {
		return nil, false
	}
	for field := range names(out) { // the origin of a setting, then its name
		if strings.HasPrefix(field, "include") { // an included file may be created later
			return nil, false
		}
		if name, isFile := strings.CutPrefix(field, "file:"); isFile {
			paths = append(paths, worktree.Absolute(r.top, name))
		}
	}
	excludes, err := r.read(ctx, "config", "--type=path", "--get", "core.excludesFile")
	if err == nil {
		paths = append(paths, worktree.Absolute(r.top, strings.TrimSuffix(string(excludes), "\n")))
	}
	slices.Sort(paths)
	return slices.Compact(paths), err == nil || exitedWith(err, 1)
}

// Tracks reports whether git tracks a file of a folder; the name has slashes. Letter case is ignored, as by some file
// systems. A name that leads through a link counts as tracked, because git may track the file that the link leads to.
// So does a file in a submodule, since it came with that repository.
func (r *Repository) Tracks(dir, name string) (bool, error) {
	dir, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return false, err
	}
	path := filepath.Join(dir, filepath.FromSlash(name))
	if real, err := filepath.EvalSymlinks(path); err != nil || !strings.EqualFold(real, path) {
		return true, err
	}
	if name, err = filepath.Rel(r.Root, path); err != nil || !filepath.IsLocal(name) {
		return false, fmt.Errorf("%s is outside the worktree %s", path, r.Root)
	}
	name = filepath.ToSlash(name)
	tree, err := r.Staged()
	if err == nil && len(tree.entries) == 0 { // nothing checked out or added yet
		tree, err = r.Head()
	}
	if err != nil {
		return false, err
	}
	return slices.ContainsFunc(tree.entries, func(e entry) bool { // the file or its submodule
		return strings.EqualFold(e.path, name) || len(name) > len(e.path) && name[len(e.path)] == '/' && strings.EqualFold(e.path, name[:len(e.path)])
	}), nil
}
