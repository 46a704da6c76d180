package worktree

import "path/filepath"

// Name is a path as it is known in a folder, with slashes; not inside if it leads out. An
// agent may know the folder by its real path, and the path by a link to it.
func Name(dir, path string) (name string, inside bool) {
	if name, inside = relative(dir, path); inside {
		return name, true
	}
	real, err := filepath.EvalSymlinks(dir)
	if err != nil || real == dir {
		return "", false
	}
	return relative(real, path)
}

func relative(dir, path string) (name string, inside bool) {
	rel, err := filepath.Rel(dir, path)
	if err != nil || !filepath.IsLocal(rel) {
		return "", false
	}
	return filepath.ToSlash(rel), true
}
