package validate

import (
	"bytes"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"whence/internal/cli"
	"whence/internal/inert"
	"whence/internal/lazyregexp"
	"whence/internal/repo"
	"whence/internal/shell"
	"whence/internal/words"
)

// A merge driver has two parts, both in the clone only: a command line in git's settings, and lines in
// .git/info/attributes that say which files it merges.

// driverName describes the driver in the settings of git.
const driverName = "the memory, with what both sides add"

// driverLine returns the command line that git runs: the program at its present path, or else on the PATH; if that does
// not merge the file, git's own merge. A status of 128 or more, as for a binary file, would stop the whole merge.
// Percent signs are doubled because git expands them.
func driverLine(program string) string {
	return driverHead + strings.ReplaceAll(shell.Quote(filepath.ToSlash(program)), "%", "%%") + driverTail
}

const (
	driverHead = `for p in `
	driverTail = ` memory-validate; do command -v "$p" >/dev/null 2>&1 || continue; ` +
		`"$p" merge-driver -- %O %A %B %P && exit 0; break; done; ` +
		`git merge-file --marker-size=%L -L ours -L base -L theirs -- %A %O %B; s=$?; [ $s -lt 128 ] || s=1; exit $s`
)

// attribute ends each of our lines in the attributes.
const attribute = " merge=" + repo.MergeDriverName

// installMergeDriver registers the driver for the memory in a folder.
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
		return fmt.Errorf("another merge driver has the name %s: %s; rename or remove it: \"git config --show-origin --get-all merge.%[1]s.driver\" shows where it is", repo.MergeDriverName, inert.Printable(registered))
	}
	if err := r.EditAttributes(func(src []byte) []byte { return addAttributes(src, lines) }); err != nil {
		return err
	}
	if err := r.SetMergeDriver(driverName, driverLine(program)); err != nil {
		return err
	}
	fmt.Fprintf(env.Stdout, "git keeps what both branches add to the memory in this clone (merge.%s in its settings, and %s); \"memory-validate uninstall-git-hook\" undoes that\n", repo.MergeDriverName, inert.Printable(r.AttributesFile()))
	return nil
}

// uninstallMergeDriver removes our lines from the attributes, and our command line from git's settings.
func uninstallMergeDriver(env cli.Env, r *repo.Repository) error {
	if err := r.EditAttributes(removeAttributes); err != nil {
		return err
	}
	registered, err := r.MergeDriver()
	if err != nil || !isOurDriver(registered) {
		return err
	}
	removed, err := r.RemoveMergeDriver()
	if removed {
		fmt.Fprintf(env.Stdout, "removed merge.%s from the settings of this clone\n", repo.MergeDriverName)
	}
	return err
}

// attributeLines returns the lines of the attributes for the memory in a folder, by its settings.
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
			return nil, cli.Usagef("%q has a line break, which git's attributes do not allow: rename the file", pattern)
		}
		patterns[i] = quotePattern(pattern) + attribute
	}
	return patterns, nil
}

// escapePattern returns the pattern that matches only a path.
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
	there := strings.Split(strings.ReplaceAll(string(src), "\r\n", "\n"), "\n")
	eol, all := words.LineEnd(src), string(src)
	for _, line := range lines {
		if slices.Contains(there, line) {
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
var ourAttribute = lazyregexp.New(`^(?:/\S*|"/.*")` + attribute + `\r?\n?$`)

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

// The states of the merge driver of a clone.
const (
	driverAbsent = iota
	driverStale  // git does not run it for all files of the memory
	driverFine   // git runs it for all files, or another driver has its name
)

// driverState returns the state of the merge driver for the memory in a folder, by its present settings.
func driverState(env cli.Env, r *repo.Repository, folder string) (state int, err error) {
	lines, err := attributeLines(env, r, folder)
	if err != nil {
		return driverAbsent, err
	}
	registered, err := r.MergeDriver()
	if err != nil {
		return driverAbsent, err
	}
	src, err := r.Attributes()
	if err != nil {
		return driverAbsent, err
	}
	isComplete := bytes.Equal(addAttributes(src, lines), src)
	switch {
	case registered != "" && !isOurDriver(registered):
		return driverFine, nil
	case bytes.Equal(removeAttributes(src), src):
		return driverAbsent, nil
	case registered == "" || !isComplete:
		return driverStale, nil
	}
	return driverFine, nil
}

// isOurDriver reports whether driverLine has made a command line.
func isOurDriver(line string) bool {
	return strings.HasPrefix(line, driverHead) && strings.HasSuffix(line, driverTail)
}
