package repo

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// mergeSection is the section of the settings that registers a merge driver of this module, whose
// name in .gitattributes is MergeDriverName.
const mergeSection = "merge." + MergeDriverName

// MergeDriverName is the name of the merge driver in .gitattributes.
const MergeDriverName = "whence"

// MergeDriver returns the command line that is registered as merge driver, "" if none is.
func (r *Repository) MergeDriver() (string, error) { return r.mergeDriver() }

// mergeDriver asks for it with options of "git config" that say which settings count.
func (r *Repository) mergeDriver(scope ...string) (string, error) {
	args := slices.Concat([]string{"config"}, scope, []string{"--get", mergeSection + ".driver"})
	out, err := r.read(context.Background(), args...)
	if exitedWith(err, 1) {
		return "", nil
	}
	return strings.TrimRight(string(out), "\r\n"), err
}

// SetMergeDriver registers a command line as merge driver of this clone, with a description.
func (r *Repository) SetMergeDriver(description, line string) error {
	if _, err := r.write(nil, "config", "--local", mergeSection+".name", description); err != nil {
		return err
	}
	_, err := r.write(nil, "config", "--local", mergeSection+".driver", line)
	return err
}

// RemoveMergeDriver removes it. It returns false if other settings than those of this clone have
// registered it; those stay.
func (r *Repository) RemoveMergeDriver() (removed bool, err error) {
	if line, err := r.mergeDriver("--local", "--no-includes"); err != nil || line == "" {
		return false, err
	}
	_, err = r.write(nil, "config", "--local", "--remove-section", mergeSection)
	return err == nil, err
}

// MergeFile has git merge three files of a folder by lines and write the result, with conflict
// markers of a length, into ours. It reports whether there were conflicts. No repository is needed.
func MergeFile(dir string, markerSize int, base, ours, theirs string) (conflicts bool, err error) {
	_, err = mergeFile(dir, fmt.Sprintf("--marker-size=%d", markerSize), "-L", "ours", "-L", "base", "-L", "theirs", "--", ours, base, theirs)
	var failed *commandError
	if errors.As(err, &failed) && failed.status < 128 {
		return true, nil
	}
	return false, err
}
