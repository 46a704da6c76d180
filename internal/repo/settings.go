package repo

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/go-git/go-git/v5/plumbing/format/config"

	"whence/internal/worktree"
)

// readSettings reads a settings file of git, without the files that it includes. A missing file has no settings.
func readSettings(name string) (settings *config.Config, err error) {
	defer recovered(&err)
	settings = config.New()
	src, err := worktree.ReadText(os.DirFS(filepath.Dir(name)), filepath.Base(name))
	if errors.Is(err, fs.ErrNotExist) {
		return settings, nil
	}
	if err != nil {
		return nil, err
	}
	return settings, config.NewDecoder(bytes.NewReader(src)).Decode(settings)
}

// recovered turns a panic of go-git, which may read damaged files, into an error. Callers then fall back to git.
func recovered(err *error) {
	if fault := recover(); fault != nil {
		*err = fmt.Errorf("go-git: %v", fault)
	}
}
