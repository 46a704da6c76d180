package migrate

import (
	"io/fs"

	"whence/internal/config"
	"whence/internal/corpus"
	"whence/internal/merge"
	"whence/validate"
)

// Run plans and applies the migration of a tree without writing anything. Progress, if not nil, is
// called with the number of entries done and of all.
func Run(tree fs.FS, c config.Config, progress func(done, all int)) (Outcome, error) {
	m, err := load(tree, c)
	if err != nil {
		return Outcome{}, err
	}
	return apply(m, c, plan(m, c, progress))
}

// Apply applies an edited table to a tree without writing anything. The name is the path of the table,
// for errors.
func Apply(tree fs.FS, c config.Config, name string, table []byte) (Outcome, error) {
	m, err := load(tree, c)
	if err != nil {
		return Outcome{}, err
	}
	plan, err := parseTable(name, table)
	if err == nil {
		err = plan.check(name, m)
	}
	if err != nil {
		return Outcome{}, &config.Error{Message: err.Error()}
	}
	outcome, err := apply(m, c, plan)
	outcome.edited = true
	return outcome, err
}

// load reads a memory. An index in which a merge has left a conflict is not migrated.
func load(tree fs.FS, c config.Config) (*corpus.Corpus, error) {
	m, err := validate.Load(tree, c)
	if err == nil && m.Index.Conflicts != nil {
		err = &merge.ConflictError{Path: c.Typed.Path(m.IndexPath), Block: m.Index.Conflicts[0]}
	}
	return m, err
}
