package migrate

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"whence/internal/cli"
	"whence/internal/config"
	"whence/internal/corpus"
	"whence/internal/files"
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
		return files.ReadText(os.DirFS(filepath.Dir(f.path)), filepath.Base(f.path))
	}
	return files.ReadText(f.tree.FS(), f.path)
}

func (f planFile) create(plan Plan) error {
	if f.tree == nil {
		return files.Create(f.path, plan.Table())
	}
	return f.tree.Create(f.path, plan.Table())
}

func (f planFile) replace(base []byte, plan Plan) error {
	if f.tree == nil {
		return files.Replace(f.path, base, plan.Table())
	}
	return f.tree.Replace(f.path, base, plan.Table())
}

// maxAttempts bounds how often a change starts again because another process changed the file. Each
// time one of them succeeds.
const maxAttempts = 200

// update changes the plan. If another process has changed the file meanwhile, it starts again from
// the new plan.
func (f planFile) update(m *corpus.Corpus, change func(Plan) (Plan, error)) error {
	for attempt := 1; ; attempt++ {
		src, plan, err := f.load(m)
		if err != nil {
			return err
		}
		if plan, err = change(plan); err != nil {
			return err
		}
		if err = f.replace(src, plan); err == nil || !errors.Is(err, files.ErrChanged) || attempt == maxAttempts {
			return err
		}
	}
}

// load reads a plan that was made for a memory.
func (f planFile) load(m *corpus.Corpus) (src []byte, plan Plan, err error) {
	if src, err = f.read(); err != nil {
		return nil, Plan{}, err
	}
	if plan, err = parseTable(f.path, src); err == nil {
		err = plan.check(f.path, m)
	}
	if err == nil {
		if err = complete(m, plan); err != nil {
			err = fmt.Errorf("%s is not the plan of this index: %w; to begin anew: mv %s %s", f.path, err, cli.Quote(f.name()), cli.Quote(f.name()+".old"))
		}
	}
	if err != nil {
		err = &config.Error{Message: err.Error()}
	}
	return src, plan, err
}

// makePlan reads the plan of a memory, or makes it if there is none.
func (f planFile) makePlan(m *corpus.Corpus, c config.Config, progress func(done, all int)) (Plan, error) {
	_, kept, err := f.load(m)
	if !errors.Is(err, fs.ErrNotExist) {
		return kept, err
	}
	made := plan(m, c, progress)
	if err = f.create(made); errors.Is(err, fs.ErrExist) { // made by another process meanwhile
		_, made, err = f.load(m)
	}
	return made, err
}

// keep writes the plan to a new file. One that holds the same may be there.
func (f planFile) keep(plan Plan) error {
	err := f.create(plan)
	if errors.Is(err, fs.ErrExist) {
		if kept, readErr := f.read(); readErr == nil && string(kept) == string(plan.Table()) {
			return nil
		}
		return fmt.Errorf("%s exists: move it away, or name another file with --plan", f.name())
	}
	return err
}
