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

// Program finds a program of this module for a session that works in some folders: the one beside this program, or else
// the one on the PATH.
func Program(name string, folders ...string) (program.Path, error) {
	if beside, err := program.Beside(name); err == nil {
		return beside, nil
	}
	return program.NewSearch(folders...).Program(name)
}

// Command returns a command line of this module, without flags for the memory, as the user types it in a shell.
func Command(env Env, line string) string {
	name, _, _ := strings.Cut(line, " ")
	return shell.Typed{Programs: ProgramsFolder(env, name)}.Program(line)
}

// Typed returns how the user types commands whose only flag for the memory is --repo. Dir is the value that the user
// gave to it.
func Typed(env Env, dir string) shell.Typed {
	t := shell.Typed{Programs: ProgramsFolder(env, "")}
	if dir != "" {
		t.Repo = " --repo " + shell.Word(dir)
	}
	return t
}

// SetFlags returns those of some flags that a command line has set, as they are typed again, each after a space.
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

// RefusePlaceholder returns a usage error if a text is a placeholder of help and messages, such as TEXT. Meant says
// what it means; given is the flag before it, with a space, or "".
func RefusePlaceholder(given, s, meant string) error {
	if !IsPlaceholder(s) {
		return nil
	}
	return Usagef("%s%s stands for %s", given, shell.Quote(strings.TrimSpace(s)), meant)
}

// ProgramsFolder returns the folder of the programs, with slashes, if the user has to type it before the name of a program
// ("" for this one): because the PATH does not lead to the program, leads to a refused one first, or leads to it only in
// the hooks of pre-commit. Otherwise it returns "".
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
