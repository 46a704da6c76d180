package when

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"whence/internal/cli"
	"whence/internal/files"
	"whence/internal/finding"
	"whence/internal/worktree"
)

// check reports the queries without an answer that Markdown files mention, or the triggers of the
// index that are hard to find.
func (o *options) check(env cli.Env, l *Library, names []string) error {
	switch {
	case o.triggers && len(names) > 0:
		return cli.Usagef("--triggers checks the index: name no files, or leave it out to check files")
	case o.triggers:
		found, err := l.CheckTriggers()
		if err != nil {
			return err
		}
		return o.report(env, []finding.Rule{misleadingTrigger, unreachedTrigger}, found)
	case len(names) == 0:
		return cli.Usagef("nothing to check: name Markdown files, or use --triggers to check the index")
	}
	var all []finding.Finding
	for _, name := range names {
		src, err := readNamed(env.Path(name))
		if foreign := (*worktree.ForeignError)(nil); errors.Is(err, fs.ErrNotExist) && !errors.As(err, &foreign) {
			return fmt.Errorf("%s: no such file: name Markdown files relative to the working folder", name)
		}
		if err != nil { // which begins with the base name
			folder, _ := filepath.Split(name)
			return fmt.Errorf("%s%w", folder, err)
		}
		found, err := l.Check(filepath.ToSlash(name), src)
		if err != nil {
			return err
		}
		all = append(all, found...)
	}
	finding.Sort(all)
	return o.report(env, []finding.Rule{mentionRule}, all)
}

// report prints findings, and fails if there are any.
func (o *options) report(env cli.Env, rules []finding.Rule, found []finding.Finding) error {
	color, err := cli.Color(env, "auto", env.Stdout)
	if err != nil {
		return err
	}
	report := finding.Report{Tool: "memory-when", Version: cli.Version, Rules: rules, Findings: found}
	if err := finding.Write(env.Stdout, o.format, report, color); err != nil {
		return err
	}
	if len(found) > 0 {
		return cli.ErrFound
	}
	return nil
}

// readNamed reads a file that the command line names, following no link: hook managers pass any path
// that git has.
func readNamed(name string) ([]byte, error) {
	folder, base := filepath.Split(name)
	tree, err := worktree.Open(cli.Root(filepath.Clean(folder)))
	if err != nil {
		return nil, err
	}
	defer tree.Close()
	below, inside := worktree.Name(tree.Dir, filepath.Clean(folder))
	if !inside {
		return nil, fmt.Errorf("%s is not in %s", base, tree.Dir)
	}
	dir, err := fs.Sub(tree.Strict().FS(), below)
	if err != nil {
		return nil, err
	}
	return files.ReadText(dir, base)
}
