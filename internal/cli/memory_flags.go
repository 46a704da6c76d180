package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	urfave "github.com/urfave/cli/v2"

	"whence/internal/config"
	"whence/internal/inert"
	"whence/internal/repo"
	"whence/internal/shell"
	"whence/internal/worktree"
)

// MemoryFlags holds the flags that select the memory.
type MemoryFlags struct {
	dir, index string
	decisions  urfave.StringSlice
}

// Flags returns --repo, --index and --decisions.
func (r *MemoryFlags) Flags() []urfave.Flag {
	return []urfave.Flag{
		&urfave.StringFlag{Name: "repo", Usage: "work in the repository at `DIR`", Destination: &r.dir},
		&urfave.StringFlag{Name: "index", Usage: "the memory index is `FILE`", Destination: &r.index},
		&urfave.StringSliceFlag{Name: "decisions", Usage: "the decision files match `GLOB`; may be repeated", Destination: &r.decisions},
	}
}

// Dir returns the value of --repo.
func (r *MemoryFlags) Dir() string { return r.dir }

// Open opens the folder that --repo names, or else the Root of the working folder, and reads its settings, which flags
// override.
func (r *MemoryFlags) Open(env Env, cmd *urfave.Context) (*worktree.Tree, config.Config, error) {
	if r.dir == "" && cmd.IsSet("repo") {
		return nil, config.Config{}, Usagef("--repo is empty: name a folder, or omit it")
	}
	dir := env.Path(r.dir)
	if r.dir == "" {
		dir = Root(env.Dir)
	}
	tree, err := worktree.Open(dir)
	if r.dir != "" && errors.Is(err, fs.ErrNotExist) && repo.InHook(env.Getenv) { // it is on another branch, or outside a sparse checkout
		fmt.Fprintf(env.Stderr, "%s: %s is not here: nothing to check\n", cmd.App.Name, inert.Printable(r.dir))
		return nil, config.Config{}, errNothing
	}
	if err != nil && r.dir != "" {
		err = Usagef("--repo: %v; name a folder", err)
	}
	if err != nil {
		return nil, config.Config{}, err
	}
	c, err := config.Load(tree, env.Getenv)
	if err == nil && cmd.IsSet("index") {
		err = c.Set("--index", "index", []string{r.index})
	}
	if err == nil && cmd.IsSet("decisions") {
		err = c.Set("--decisions", "decisions", r.decisions.Value())
	}
	if err != nil {
		return nil, c, errors.Join(SettingsError(err), tree.Close())
	}
	c.Typed = r.typed(env, tree.Dir)
	return tree, c, nil
}

// TypedAt returns how the user types paths and commands of the memory in a folder.
func TypedAt(env Env, dir string) shell.Typed { return (&MemoryFlags{}).typed(env, dir) }

// typed returns how the user types paths and commands of the memory in a folder. In a git hook, that is from the folder
// in which the user ran git.
func (r *MemoryFlags) typed(env Env, dir string) shell.Typed {
	from, inHook := env.Dir, repo.InHook(env.Getenv)
	if inHook && env.Getenv("GIT_PREFIX") != "" {
		if opened, err := repo.Open(dir, env.Dir, env.Getenv); err == nil {
			from = opened.StartedIn(env.Dir, env.Getenv)
		}
	}
	t := shell.Typed{
		Dir:         filepath.ToSlash(fromFolder(from, dir)),
		IsElsewhere: !inHook && worktree.Find(from, ".git") != worktree.Find(dir, ".git"),
		Programs:    ProgramsFolder(env, ""),
	}
	if at, _ := worktree.Name(Root(from), dir); at != "." {
		t.Repo = " --repo " + shell.Word(t.Dir)
	}
	if r.index != "" {
		t.Flags += " --index " + shell.Word(r.index)
	}
	for _, glob := range r.decisions.Value() {
		t.Flags += " --decisions " + shell.Word(glob)
	}
	return t
}

// fromFolder returns the path by which a folder is typed in another one.
func fromFolder(from, dir string) string {
	if below, isBelow := worktree.Name(from, dir); isBelow {
		return filepath.FromSlash(below)
	}
	from, err := filepath.Rel(worktree.Resolved(from), worktree.Resolved(dir)) // after a link, ".." is the parent of its target
	if err != nil {
		return dir
	}
	return from
}

// Root returns the nearest folder, from dir upwards, that holds settings, a .git or the index; dir if there is none.
func Root(dir string) string {
	return worktree.Find(dir, config.ProjectFile, ".git", config.DefaultIndex)
}

// SettingsError turns an error about a setting into a UsageError, and returns others unchanged.
func SettingsError(err error) error {
	var bad *config.Error
	if errors.As(err, &bad) {
		return &UsageError{bad.Message}
	}
	return err
}
