package cli

import (
	"os"
	"os/exec"
	"path/filepath"
)

// Program returns the path of a program of this module: the one beside this program, or the one
// on the PATH; "" if there is none.
func Program(name string) string {
	if this, err := os.Executable(); err == nil {
		if beside, err := exec.LookPath(filepath.Join(filepath.Dir(this), name)); err == nil {
			return beside
		}
	}
	found, err := exec.LookPath(name)
	if err != nil {
		return ""
	}
	return found
}

// Command returns how a program of this module is typed in a shell: by its name if that is on the PATH,
// else by its path, quoted if it has to be; "" if there is no such program.
func Command(name string) string {
	if _, err := exec.LookPath(name); err == nil {
		return name
	}
	if path := Program(name); path != "" {
		return Word(path)
	}
	return ""
}
