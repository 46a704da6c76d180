package when

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"whence/internal/cli"
	"whence/internal/finding"
	"whence/internal/textfile"
)

// check reports the queries without an answer that Markdown files mention.
func (o *options) check(env cli.Env, l *Library, names []string) error {
	if len(names) == 0 {
		return cli.Usagef("nothing to check: name Markdown files")
	}
	color, err := cli.Color(env, "auto", env.Stdout)
	if err != nil {
		return err
	}
	report := finding.Report{Tool: "memory-when", Version: cli.Version, Rules: []finding.Rule{mentionRule}}
	for _, name := range names {
		folder, _ := filepath.Split(name)
		dir, base := filepath.Split(env.Path(name))
		src, err := textfile.Read(os.DirFS(dir), base)
		if errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("%s: there is no such file: name Markdown files as seen from here", name)
		}
		if err != nil { // which begins with the base name
			return fmt.Errorf("%s%w", folder, err)
		}
		found, err := l.Check(filepath.ToSlash(name), src)
		if err != nil {
			return err
		}
		report.Findings = append(report.Findings, found...)
	}
	finding.Sort(report.Findings)
	if err := finding.Write(env.Stdout, o.format, report, color); err != nil {
		return err
	}
	if len(report.Findings) > 0 {
		return cli.ErrFound
	}
	return nil
}
