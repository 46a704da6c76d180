package hooks

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"

	"whence/internal/cli"
	"whence/internal/config"
	"whence/internal/repo"
	"whence/validate"
)

// checkMerges reports a repository whose merge driver this clone does not run.
func (d *doctor) checkMerges(root string) {
	r, err := repo.Open(root, d.env.Dir, d.env.Getenv)
	if err != nil {
		return // no repository, or one that git refuses too
	}
	repository := " --repo " + cli.Word(root)
	both := validateName + " install-git-hook --merge-driver"
	install := both + " --no-hook" + repository
	s, err := validate.ReadMergeState(r)
	switch {
	case err != nil:
		d.found("merges", "fix what it says", "%v", err)
	case !s.Attributes && s.Line == "":
		d.note("merges", "git merges the memory by lines: %s has it merge entry by entry", both+repository)
	case s.Line == "":
		d.found("merges", install, ".gitattributes has %s merge the memory, but this clone has no merge driver: git merges it by lines", validateName)
	case !s.Attributes:
		d.found("merges", install, "this clone has a merge driver for the memory, but no line of .gitattributes names it: git merges the memory by lines")
	case s.Program == "":
		d.note("merges", "the merge driver was not made by install-git-hook, and is not tried: %s", s.Line)
	default:
		d.checkMergeDriver(s.Program, install)
	}
}

// checkMergeDriver tries the registered program, if it is the user's: the settings of a clone may
// come with it.
func (d *doctor) checkMergeDriver(program, install string) {
	if _, err := exec.LookPath(program); err != nil {
		d.found("merges", install, "%s, which git is to merge the memory with, is not there or cannot be run: git merges it by lines, unless %s is on the PATH", program, validateName)
		return
	}
	if own := cli.Program(validateName); own == "" || filepath.Clean(own) != filepath.Clean(program) {
		d.note("merges", "%s, which git merges the memory with, is not tried: it is neither beside this program nor the first on the PATH", program)
		return
	}
	if err := d.tryMerge(program); err != nil {
		d.found("merges", install+", from a newer whence if it is an old one", "%s does not merge: %v", program, err)
	} else {
		d.ok("merges", "%s merges the memory entry by entry", program)
	}
}

// tryMerge has a program merge three small indexes.
func (d *doctor) tryMerge(program string) (err error) {
	dir, err := os.MkdirTemp("", "whence-doctor-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	const base = "## a.md\n\n/when a | A | x\n"
	for name, text := range map[string]string{
		config.ProjectFile: "index: " + config.DefaultIndex + "\n",
		"base":             base, "ours": base + "/when b | B | x\n", "theirs": base + "/when c | C | x\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			return err
		}
	}
	if _, err := output(d.Context, dir, nil, []string{"WHENCE_INDEX=", "WHENCE_DECISIONS="}, program, "merge-driver", "--", "base", "ours", "theirs", config.DefaultIndex); err != nil {
		return err
	}
	merged, err := os.ReadFile(filepath.Join(dir, "ours"))
	if want := base + "/when b | B | x\n/when c | C | x\n"; err == nil && string(merged) != want {
		err = errors.New("two entries that were added at one place are not both in the result")
	}
	return err
}
