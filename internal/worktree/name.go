package worktree

import "path/filepath"

// Name returns a path relative to a folder, with slashes, and whether it is inside the folder.
// Both may contain links.
func Name(dir, path string) (name string, inside bool) {
	if name, inside = relative(dir, path); inside {
		return name, true
	}
	return relative(Resolved(dir), Resolved(path))
}

func relative(dir, path string) (name string, inside bool) {
	rel, err := filepath.Rel(dir, path)
	if err != nil || !filepath.IsLocal(rel) {
		return "", false
	}
	return filepath.ToSlash(rel), true
}

// Resolved returns a path with links resolved; its elements need not all exist.
func Resolved(path string) string {
	if found, err := filepath.EvalSymlinks(path); err == nil {
		return found
	}
	if dir := filepath.Dir(path); dir != path {
		return filepath.Join(Resolved(dir), filepath.Base(path))
	}
	return path
}
