package repo

import (
	"bytes"
	"context"
	"fmt"
	"strings"

	"whence/internal/shell"
)

// UnfetchedError reports that a partial clone has not fetched all of some files. No command of this
// package opens a connection.
type UnfetchedError struct {
	Command string // fetches what is missing
}

func (e *UnfetchedError) Error() string {
	return fmt.Sprintf("this partial clone has not fetched all of it: run \"%s\", which does", e.Command)
}

// Fetched returns an [UnfetchedError] if a partial clone lacks one of the files of the staged tree.
func (t *Tree) Fetched(paths []string) error {
	r := t.objects.repository
	if !r.isPartialClone() {
		return nil
	}
	var hashes bytes.Buffer
	for _, p := range paths {
		if at, found := t.find(p); found {
			fmt.Fprintln(&hashes, t.entries[at].hash)
		}
	}
	out, err := r.answer(context.Background(), hashes.Bytes(), "cat-file", "--batch-check=%(objectname)")
	if err == nil && !bytes.Contains(out, []byte(" missing\n")) { // git before 2.44 fails instead
		return nil
	}
	return &UnfetchedError{"git diff --cached --numstat " + r.emptyTree() + " -- " + strings.Join(pathspecs(paths), " ")}
}

// pathspecs returns the folders of files, quoted for sh, as they work in any folder of the repository. Git
// fetches all that differs from an empty tree in one go.
func pathspecs(paths []string) (specs []string) {
	for _, place := range foldersOf(paths) {
		specs = append(specs, shell.Quote(":/"+place))
	}
	return specs
}
