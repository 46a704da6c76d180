package when

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"unicode/utf8"

	"whence/internal/cli"
	"whence/internal/finding"
	"whence/internal/text"
	"whence/internal/worktree"
)

// check reports the queries without an answer that Markdown files mention.
func (o *options) check(env cli.Env, l *Library, names []string) error {
	if len(names) == 0 {
		return cli.Usagef("nothing to check: name Markdown files")
	}
	var all []finding.Finding
	for _, name := range names {
		if !utf8.ValidString(name) { // hook managers pass any path that git has
			fmt.Fprintf(env.Stderr, "memory-when: %s is not checked: its name is not UTF-8\n", text.Quoted(name))
			continue
		}
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
	report := finding.Report{Tool: "memory-when", Version: cli.Version, Rules: []finding.Rule{mentionRule}, Findings: all}
	if err := finding.Write(env.Stdout, o.format, report, cli.Color(env, env.Stdout)); err != nil {
		return err
	}
	if len(all) > 0 {
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
	return worktree.ReadText(dir, base)
}
