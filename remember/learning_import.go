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

func importCommand(env cli.Env, parts Parts) *urfave.Command {
	o := importOptions{learningOptions: learningOptions{Parts: parts}}
	return &urfave.Command{
		Name: "import", Usage: "import learnings from files", ArgsUsage: "PATH...",
		Description: "A PATH is a file of JSON lines or a Markdown knowledge bank, or a folder of such banks. " +
			"What is known already stays as it is. The files stay unchanged.",
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
			all := o.placed(read.entries, svc.Project)
			added, redacted, err := svc.Import(cmd.Context, all, o.dry)
			var wrong *ImportError
			if errors.As(err, &wrong) {
				return fmt.Errorf("%s: %w; nothing was imported", read.entries[wrong.At].source, wrong.Err)
			}
			if err != nil {
				return err
			}
			o.remark(env, read.remarks...)
			if svc.Project == "" && !o.global && !o.everywhere && len(added) > 0 {
				o.remark(env, noRepository)
			}
			if len(redacted) > 0 {
				o.remark(env, redactedText(redacted))
			}
			return o.printImported(env, svc, added, len(all)-len(added), read.skipped)
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

func (o *importOptions) printImported(env cli.Env, svc *Service, added []learning.Learning, known, skipped int) error {
	if o.format == "json" {
		counts := map[string]any{"added": len(added), "known": known, "skipped": skipped}
		if o.dry {
			counts["learnings"] = append([]learning.Learning{}, added...)
		}
		return text.WriteJSONLine(env.Stdout, counts)
	}
	p := o.printer(env, svc.Now())
	verb := "Imported"
	if o.dry {
		verb = "Would import"
		for _, l := range added {
			p.title(l)
			for _, reference := range l.References {
				p.detail(reference)
			}
		}
	}
	p.line(fmt.Sprintf("%s %s, %d known already", verb, cli.Count(len(added), "learning", "learnings"), known))
	return p.flush()
}
