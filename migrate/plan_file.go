package migrate

import (
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"

	"whence/internal/cli"
	"whence/internal/config"
	"whence/internal/worktree"
)

// planFile is the file that keeps a plan: beside the index, or where --plan says.
type planFile struct {
	tree *worktree.Tree // nil for a file that --plan names
	path string         // in the tree, or on disk
}

// planBeside is the file that keeps the plan if none is named.
func planBeside(index string) string {
	return strings.TrimSuffix(index, path.Ext(index)) + ".plan.tsv"
}

// keptAt returns the file that keeps the plan.
func (o *options) keptAt(env cli.Env, tree *worktree.Tree, c config.Config) planFile {
	if o.planFile != "" && o.planFile != "-" {
		return planFile{nil, env.Path(o.planFile)}
	}
	return planFile{tree.Strict(), planBeside(c.Index)}
}

// name is the path on disk.
func (f planFile) name() string {
	if f.tree == nil {
		return f.path
	}
	return filepath.Join(f.tree.Dir, filepath.FromSlash(f.path))
}

func (f planFile) read() ([]byte, error) {
	if f.tree == nil {
		return worktree.ReadText(os.DirFS(filepath.Dir(f.path)), filepath.Base(f.path))
	}
	return worktree.ReadText(f.tree.FS(), f.path)
}

func (f planFile) create(plan Plan) error {
	if f.tree != nil {
		return f.tree.Replace(f.path, nil, plan.Table())
	}
	folder, err := worktree.Open(filepath.Dir(f.path))
	if err != nil {
		return err
	}
	defer folder.Close()
	return folder.Replace(filepath.Base(f.path), nil, plan.Table())
}

// keep writes the plan to a new file. One that holds the same may be there.
func (f planFile) keep(plan Plan) error {
	err := f.create(plan)
	if errors.Is(err, worktree.ErrChanged) {
		if kept, readErr := f.read(); readErr == nil && string(kept) == string(plan.Table()) {
			return nil
		}
		return fmt.Errorf("%s exists: move it away, or name another file with --plan", f.name())
	}
	return err
}
