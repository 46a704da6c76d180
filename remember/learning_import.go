package remember

import (
	"errors"
	"fmt"

	urfave "github.com/urfave/cli/v2"

	"whence/internal/cli"
	"whence/internal/learning"
	"whence/internal/text"
)

// importOptions are the flags of the command import.
type importOptions struct {
	learningOptions
	category                learning.Category
	global, everywhere, dry bool
}

func importCommand(env cli.Env, l linked) *urfave.Command {
	o := importOptions{learningOptions: learningOptions{linked: l}}
	return &urfave.Command{
		Name: "import", Usage: "import learnings from files", ArgsUsage: "PATH...",
		Description: "A PATH is a file of JSON lines or a Markdown knowledge bank, a folder of such banks, or .wt-tools. " +
			"Importing again updates the learnings that have changed. The files stay unchanged.",
		Flags: o.flags(
			&urfave.StringFlag{Name: "category", Usage: "the `CATEGORY` of Markdown entries that have none", Destination: (*string)(&o.category)},
			&urfave.BoolFlag{Name: "global", Usage: "they apply in all repositories", Destination: &o.global},
			&urfave.BoolFlag{Name: "everywhere", Usage: "put each into the repository from which it was exported", Destination: &o.everywhere},
			&urfave.BoolFlag{Name: "dry-run", Usage: "list what would be imported, write nothing", Destination: &o.dry},
		),
		Action: func(cmd *urfave.Context) error {
			paths := cmd.Args().Slice()
			if err := o.check(paths); err != nil {
				return err
			}
			svc, err := o.service(env)
			if err != nil {
				return err
			}
			read, err := o.read(env, svc, paths)
			if err != nil {
				return err
			}
			done, err := svc.Import(cmd.Context, o.placed(read.entries, svc.Project), o.dry)
			var wrong *ImportError
			if errors.As(err, &wrong) {
				return fmt.Errorf("%s: %w; nothing was imported", read.entries[wrong.At].source, wrong.Err)
			}
			if err != nil {
				return err
			}
			o.remark(env, append(read.remarks, importRemarks(done)...)...)
			return o.printImported(env, svc, done, read.skipped)
		},
	}
}

// check checks the flags.
func (o *importOptions) check(paths []string) error {
	switch {
	case len(paths) == 0:
		return cli.Usagef("name a file to import, or - for JSON lines on standard input")
	case o.global && o.everywhere:
		return cli.Usagef("--global and --everywhere contradict each other")
	}
	return checkCategory(o.category)
}

// read reads what is to be imported.
func (o *importOptions) read(env cli.Env, svc *Service, paths []string) (*imported, error) {
	read := &imported{env: env, project: svc.Project, root: cli.Root(o.repoDir(env)), category: o.category}
	for _, name := range paths {
		if err := read.add(name); err != nil {
			return nil, err
		}
	}
	return read, nil
}

// placed returns the learnings with the project in which they apply: that of the repository, unless a flag
// or the entry itself says otherwise.
func (o *importOptions) placed(entries []importedEntry, project string) []learning.Learning {
	all := make([]learning.Learning, len(entries))
	for i, e := range entries {
		switch {
		case o.global:
			e.Project = ""
		case !e.placed || !o.everywhere && e.Project != "":
			e.Project = project
		}
		all[i] = e.Learning
	}
	return all
}

func (o *importOptions) printImported(env cli.Env, svc *Service, done ImportResult, skipped int) error {
	if o.format == "json" {
		counts := map[string]any{
			"added": done.Added, "updated": done.Updated, "known": done.Known, "kept": len(done.Kept), "missing": len(done.Missing), "skipped": skipped,
		}
		if o.dry {
			learnings := make([]LearningJSON, len(done.Changed))
			for i, l := range done.Changed {
				learnings[i] = LearningJSON(l)
			}
			counts["learnings"] = learnings
		}
		return text.WriteJSONLine(env.Stdout, counts)
	}
	p := o.printer(env, svc.Now())
	for _, l := range done.Changed {
		p.title(l)
		for _, reference := range l.References {
			p.detail(reference)
		}
	}
	verb := "Imported"
	if o.dry {
		verb = "Would import"
	}
	updated := ""
	if done.Updated > 0 {
		updated = fmt.Sprintf(", %d updated", done.Updated)
	}
	p.line(fmt.Sprintf("%s %s%s, %d known already", verb, cli.Count(done.Added, "learning", "learnings"), updated, done.Known))
	return p.flush()
}

func importRemarks(done ImportResult) (remarks []string) {
	for _, k := range done.Kept {
		remarks = append(remarks, fmt.Sprintf("%q is kept as it is here (%s): memory-remember show %s", k.Name, k.Why, k.ID[:8]))
	}
	for _, l := range done.Missing {
		remarks = append(remarks, fmt.Sprintf("%q is no longer in its file, but was kept: memory-remember forget %s deletes it", l.Name, l.ID[:8]))
	}
	if text := redactedText(done.Redacted); text != "" {
		remarks = append(remarks, text)
	}
	return remarks
}
