package cli

import (
	"os"
	"os/exec"
	"path/filepath"

	"whence/internal/home"
	"whence/internal/text"
	"whence/internal/worktree"
)

// Program returns the path of a program of this module: the one beside this program, or the one
// on the PATH; "" if there is none.
func Program(name string) string {
	if this, err := os.Executable(); err == nil {
		if beside, err := exec.LookPath(filepath.Join(filepath.Dir(this), name)); err == nil {
			return beside
		}
	}
	found, err := home.LookPath(name, here())
	if err != nil {
		return ""
	}
	return found
}

// here returns the working folder.
func here() string {
	dir, _ := os.Getwd()
	return dir
}

// Command returns how a program of this module is typed in a shell: by its name if the PATH leads to it,
// else by its path, quoted if it has to be; "" if there is no such program.
func Command(name string) string {
	path := Program(name)
	if path == "" {
		return ""
	}
	if found, err := home.LookPath(name, here()); err == nil && worktree.Same(found, path) {
		return name
	}
	return text.ShellWord(path)
}
