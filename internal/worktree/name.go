package worktree

import "path/filepath"

// Name is a path as it is known in a folder, with slashes; not inside if it leads out. An
// agent may know either by a link, or by what that leads to.
func Name(dir, path string) (name string, inside bool) {
	if name, inside = relative(dir, path); inside {
		return name, true
	}
	return relative(resolved(dir), resolved(path))
}

func relative(dir, path string) (name string, inside bool) {
	rel, err := filepath.Rel(dir, path)
	if err != nil || !filepath.IsLocal(rel) {
		return "", false
	}
	return filepath.ToSlash(rel), true
}

// resolved is a path without links, as far as there are files.
func resolved(path string) string {
	if found, err := filepath.EvalSymlinks(path); err == nil {
		return found
	}
	if dir := filepath.Dir(path); dir != path {
		return filepath.Join(resolved(dir), filepath.Base(path))
	}
	return path
}
