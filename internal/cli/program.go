package cli

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	urfave "github.com/urfave/cli/v2"

	"whence/internal/home"
	"whence/internal/shell"
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
	return shell.Word(path)
}

// Typed returns how the user types commands that take the flag --repo alone, with the value that they gave it.
func Typed(env Env, dir string) shell.Typed {
	t := shell.Typed{Programs: programsFolder(env)}
	if dir != "" {
		t.Repo = " --repo " + shell.Word(dir)
	}
	return t
}

// SetFlags returns the flags of a command line as they are typed again, each after a space.
func SetFlags(cmd *urfave.Context, flags []urfave.Flag) string {
	var out strings.Builder
	for _, f := range flags {
		name := f.Names()[0]
		if !cmd.IsSet(name) {
			continue
		}
		switch f.(type) {
		case *urfave.BoolFlag:
			out.WriteString(" --" + name)
		case *urfave.StringSliceFlag:
			for _, value := range cmd.StringSlice(name) {
				out.WriteString(" --" + name + " " + shell.Word(value))
			}
		default:
			out.WriteString(" --" + name + " " + shell.Word(fmt.Sprint(cmd.Value(name))))
		}
	}
	return out.String()
}

// RefusePlaceholder returns a usage error for a text that help and messages put in place of what users write,
// such as TEXT: meant is what it stands for, and given the flag before it, with a space, or "".
func RefusePlaceholder(given, s, meant string) error {
	if !text.IsPlaceholder(s) {
		return nil
	}
	return Usagef("%s%s stands for %s", given, shell.Quote(strings.TrimSpace(s)), meant)
}

// programsFolder returns the folder of the programs, with slashes, if the user cannot type their names: the
// PATH does not lead to this one, or pre-commit has put it there for its hooks alone.
func programsFolder(env Env) string {
	this, err := os.Executable()
	name := filepath.Base(this)
	if err != nil || !strings.HasPrefix(name, "memory-") {
		return ""
	}
	if _, err := home.LookPath(name, env.Dir); err == nil && env.Getenv("PRE_COMMIT") != "1" {
		return ""
	}
	return filepath.ToSlash(filepath.Dir(this))
}
