package repo

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"time"
)

// UntrustedError reports a repository that git refuses to work in, because it belongs to
// another user.
type UntrustedError struct {
	Dir string // the folder that holds .git
	Err error  // of git
}

func (e *UntrustedError) Error() string {
	text := fmt.Sprintf("git does not trust the repository %s, which belongs to another user: if you do, run git config --global --add safe.directory '%s'",
		e.Dir, strings.ReplaceAll(filepath.ToSlash(e.Dir), "'", `'\''`))
	if noGit(e.Err) || !strings.Contains(e.Err.Error(), "safe.directory") {
		text += fmt.Sprintf(" (%v)", e.Err)
	}
	return text
}

func (e *UntrustedError) Unwrap() error { return e.Err }

// maxTrustTime bounds the check whether git trusts a repository: agents wait for it.
const maxTrustTime = time.Second

// checkOwner returns an UntrustedError if git would refuse the repository whose .git is in top. It
// runs git only if one of the three folders that git checks belongs to someone else: the user may
// allow that by safe.directory.
func checkOwner(top, gitDir string, getenv func(string) string) error {
	if owned(top, getenv) && owned(filepath.Join(top, ".git"), getenv) && owned(gitDir, getenv) {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), maxTrustTime)
	defer cancel()
	r := &Repository{top: top, env: environment(top, nil)}
	if _, err := r.read(ctx, "rev-parse", "--git-dir"); err != nil {
		return &UntrustedError{Dir: top, Err: err}
	}
	return nil
}
