package validate

import (
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"whence/internal/cli"
	"whence/internal/repo"
	"whence/internal/shell"
	"whence/internal/text"
	"whence/internal/textdiff"
)

// A merge driver takes two things, both in the clone alone: a command line in its settings, and lines in
// .git/info/attributes that say which files it merges.

// driverName describes the driver in the settings of git.
const driverName = "the memory, entry by entry"

// driverLine returns the command line that git runs: the program at its present path, or else on
// the PATH, and unless it has merged the file, git's merge by lines. A status from 128, as for a binary file,
// would stop the whole merge. Git expands percent signs.
func driverLine(program string) string {
	return driverHead + strings.ReplaceAll(shell.Quote(filepath.ToSlash(program)), "%", "%%") + driverTail
}

const (
	driverHead = `for p in `
	driverTail = ` memory-validate; do command -v "$p" >/dev/null 2>&1 || continue; ` +
		`"$p" merge-driver -- %O %A %B %P && exit 0; break; done; ` +
		`git merge-file --marker-size=%L -L ours -L base -L theirs -- %A %O %B; s=$?; [ $s -lt 128 ] || s=1; exit $s`
)

// attribute ends our lines of the attributes.
const attribute = " merge=" + repo.MergeDriverName

// whereRegistered is the command that shows which settings register our driver.
const whereRegistered = `"git config --show-origin --get-all merge.` + repo.MergeDriverName + `.driver"`

// installMergeDriver registers the driver for the memory in a folder, and prints what it writes.
func installMergeDriver(env cli.Env, r *repo.Repository, folder, program string) error {
	lines, err := attributeLines(env, r, folder)
	if err != nil {
		return err
	}
	registered, err := r.MergeDriver()
	if err != nil {
		return err
	}
	if registered != "" && !isOurDriver(registered) {
		return fmt.Errorf("another merge driver has the name %s: %s; rename or remove it: %s shows where it is", repo.MergeDriverName, text.Printable(registered), whereRegistered)
	}
	if err := editAttributes(env, r, func(before []byte) []byte { return addAttributes(before, lines) }); err != nil {
		return err
	}
	line := driverLine(program)
	if registered == line {
		return nil
	}
	fmt.Fprintf(env.Stdout, "settings of this clone (git config):\n\tmerge.%s.name = %s\n\tmerge.%[1]s.driver = %[3]s\n", repo.MergeDriverName, driverName, line)
	return r.SetMergeDriver(driverName, line)
}

// uninstallMergeDriver removes the lines and the command line, each even if the other fails.
func uninstallMergeDriver(env cli.Env, r *repo.Repository) error {
	return errors.Join(editAttributes(env, r, removeAttributes), unregisterMergeDriver(env, r))
}

func unregisterMergeDriver(env cli.Env, r *repo.Repository) error {
	registered, err := r.MergeDriver()
	if err != nil {
		return err
	}
	if !isOurDriver(registered) {
		return nil
	}
	removed, err := r.RemoveMergeDriver()
	if err != nil {
		return err
	}
	if !removed {
		fmt.Fprintf(env.Stdout, "merge.%[1]s is not in the settings of this clone and stays: %[2]s shows where it is\n", repo.MergeDriverName, whereRegistered)
		return nil
	}
	fmt.Fprintf(env.Stdout, "removed merge.%s from the settings of this clone\n", repo.MergeDriverName)
	return nil
}

// editAttributes prints and makes a change of the clone's attributes.
func editAttributes(env cli.Env, r *repo.Repository, edit func(before []byte) []byte) error {
	before, after, err := r.EditAttributes(edit)
	if err != nil {
		return err
	}
	return cli.PrintExact(env, textdiff.Unified(r.AttributesFile(), before, after))
}

// attributeLines returns the lines for the memory in a folder, by its settings.
func attributeLines(env cli.Env, r *repo.Repository, folder string) ([]string, error) {
	tree, c, err := openFolder(env, r, folder)
	if err != nil {
		return nil, err
	}
	tree.Close()
	patterns := append([]string{escapePattern(c.Index)}, c.Decisions...)
	for i, pattern := range patterns {
		pattern = path.Join("/", escapePattern(folder), pattern)
		if strings.ContainsAny(pattern, "\r\n") {
			return nil, cli.Usagef("%q holds a line break, which no line of git's attributes can: rename it", pattern)
		}
		patterns[i] = quotePattern(pattern) + attribute
	}
	return patterns, nil
}

// escapePattern makes a path a pattern that matches itself alone.
func escapePattern(name string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(name)
}

// quotePattern quotes a pattern with spaces, tabs or quotes.
func quotePattern(pattern string) string {
	if !strings.ContainsAny(pattern, " \t\"") {
		return pattern
	}
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\t", `\t`).Replace(pattern) + `"`
}

// addAttributes appends the lines that are not there yet.
func addAttributes(src []byte, lines []string) []byte {
	eol, all := text.LineEnd(src), string(src)
	for _, line := range lines {
		if slices.ContainsFunc(strings.Split(all, "\n"), func(there string) bool { return strings.TrimSuffix(there, "\r") == line }) {
			continue
		}
		if all != "" && !strings.HasSuffix(all, "\n") {
			all += eol
		}
		all += line + eol
	}
	return []byte(all)
}

// ourAttribute matches a line as attributeLines makes it.
var ourAttribute = text.Lazy(`^(?:/\S*|"/.*")` + attribute + `\r?\n?$`)

// removeAttributes removes the lines that addAttributes appends.
func removeAttributes(src []byte) []byte {
	var kept strings.Builder
	for line := range strings.Lines(string(src)) {
		if !ourAttribute().MatchString(line) {
			kept.WriteString(line)
		}
	}
	return []byte(kept.String())
}

// isOurDriver reports whether driverLine has made a command line.
func isOurDriver(line string) bool {
	return strings.HasPrefix(line, driverHead) && strings.HasSuffix(line, driverTail)
}
