package cli

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	urfave "github.com/urfave/cli/v2"

	"whence/internal/program"
	"whence/internal/shell"
)

// Program finds a program of this module for a session that works in some folders: the one beside this program, or the
// one on the PATH.
func Program(name string, folders ...string) (program.Path, error) {
	if beside, err := program.Beside(name); err == nil {
		return beside, nil
	}
	return program.NewSearch(folders...).Program(name)
}

// Command returns a command of this module, without flags, as it is typed in a shell.
func Command(env Env, line string) string {
	name, _, _ := strings.Cut(line, " ")
	return shell.Typed{Programs: ProgramsFolder(env, name)}.Program(line)
}

// Typed returns how the user types commands that take the flag --repo alone, with the value that they gave it.
func Typed(env Env, dir string) shell.Typed {
	t := shell.Typed{Programs: ProgramsFolder(env, "")}
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
	if !IsPlaceholder(s) {
		return nil
	}
	return Usagef("%s%s stands for %s", given, shell.Quote(strings.TrimSpace(s)), meant)
}

// ProgramsFolder returns the folder of the programs, with slashes, if the user cannot type the name of one ("": of this
// one): the PATH does not lead to it, or first to one that is not run here, or pre-commit has put it there for its hooks
// alone.
func ProgramsFolder(env Env, name string) string {
	this, err := os.Executable()
	if err != nil || !strings.HasPrefix(filepath.Base(this), "memory-") {
		return ""
	}
	isFirst := program.NewSearch(env.Dir).IsFirst(cmp.Or(name, filepath.Base(this)))
	if isFirst && env.Getenv("PRE_COMMIT") != "1" {
		return ""
	}
	return filepath.ToSlash(filepath.Dir(this))
}
