package remember

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	urfave "github.com/urfave/cli/v2"

	"whence/internal/cli"
	"whence/internal/knowledge"
	"whence/internal/learning"
	"whence/internal/store"
)

// exportCommand prints learnings in a form that can be imported.
func exportCommand(env cli.Env) *urfave.Command {
	var o learningOptions
	everywhere := false
	as := "jsonl"
	return &urfave.Command{
		Name: "export", Usage: "print the learnings, retired ones too, as JSON lines or as a Markdown knowledge bank",
		Flags: o.flags(
			&urfave.StringFlag{Name: "as", Usage: "print as `FORM`: jsonl or markdown", Value: as, Destination: &as},
			&urfave.BoolFlag{Name: "everywhere", Usage: "the learnings of all repositories", Destination: &everywhere, DisableDefaultText: true},
		),
		Action: func(ctx *urfave.Context) error {
			if ctx.Args().Present() {
				return cli.Usagef("unexpected argument %q", ctx.Args().First())
			}
			if as != "jsonl" && as != "markdown" {
				return cli.Usagef("--as %q: use jsonl or markdown", as)
			}
			b, err := o.base(env)
			if err != nil {
				return err
			}
			var all []learning.Learning
			err = b.Read(background(ctx), func(s *store.Store) error {
				all, err = s.List(background(ctx), store.Filter{Project: b.Project, Everywhere: everywhere, Retired: as == "jsonl"})
				return err
			})
			if err != nil && !errors.Is(err, store.ErrNone) {
				return err
			}
			if as == "jsonl" {
				return knowledge.WriteRecords(env.Stdout, all)
			}
			_, err = env.Stdout.Write(learning.FormatBank(all))
			return err
		},
	}
}

// longestFile is how many bytes of a file are imported.
const longestFile = 256 << 20

// importCommand adds learnings of files.
func importCommand(env cli.Env) *urfave.Command {
	var o learningOptions
	var category string
	global := false
	return &urfave.Command{
		Name: "import", Usage: "add the learnings of JSON lines, or of a Markdown knowledge bank (a folder: its *.md); what is known stays as it is", ArgsUsage: "FILE...",
		Flags: o.flags(
			&urfave.StringFlag{Name: "category", Usage: "Markdown entries that do not say it are of `CATEGORY`; else the name of the file tells", Destination: &category},
			&urfave.BoolFlag{Name: "global", Usage: "they hold in all repositories", Destination: &global, DisableDefaultText: true},
		),
		Action: func(ctx *urfave.Context) error {
			if !ctx.Args().Present() {
				return cli.Usagef("name a file to import, or - for JSON lines on standard input")
			}
			if category != "" {
				if _, err := learning.ParseCategory(category); err != nil {
					return cli.Usagef("--category: %v", err)
				}
			}
			b, err := o.base(env)
			if err != nil {
				return err
			}
			var all []learning.Learning
			for _, name := range ctx.Args().Slice() {
				more, err := readLearnings(env, name, learning.Category(category))
				if err != nil {
					return err
				}
				all = append(all, more...)
			}
			for i := range all {
				if global {
					all[i].Project = ""
				} else if all[i].Project == "" && all[i].Created.IsZero() { // not exported by us
					all[i].Project = b.Project
				}
			}
			added, redacted, err := b.Import(background(ctx), all)
			if err != nil {
				return err
			}
			if text := knowledge.RedactedText(redacted); text != "" {
				o.remarks(env, []string{text})
			}
			if o.format == "json" {
				return json.NewEncoder(env.Stdout).Encode(map[string]int{"added": added, "known": len(all) - added})
			}
			_, err = fmt.Fprintf(env.Stdout, "Imported %s, %d known already\n", count(added, "learning", "learnings"), len(all)-added)
			return err
		},
	}
}

// readLearnings reads a file or a folder of Markdown, or standard input for "-".
func readLearnings(env cli.Env, name string, category learning.Category) ([]learning.Learning, error) {
	if name == "-" {
		return readRecords("standard input", io.LimitReader(env.Stdin, longestFile))
	}
	path := env.Path(name)
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return readFile(path, name, category)
	}
	var all []learning.Learning
	files, err := fs.Glob(os.DirFS(path), "*.md")
	for _, file := range files {
		more, err := readFile(filepath.Join(path, file), filepath.Join(name, file), category)
		if err != nil {
			return nil, err
		}
		all = append(all, more...)
	}
	return all, err
}

func readFile(path, name string, category learning.Category) ([]learning.Learning, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	if !strings.EqualFold(filepath.Ext(path), ".md") {
		return readRecords(name, io.LimitReader(file, longestFile))
	}
	src, err := io.ReadAll(io.LimitReader(file, longestFile))
	if err != nil {
		return nil, err
	}
	if category == "" {
		base := strings.TrimSuffix(strings.ToLower(filepath.Base(path)), ".md")
		if c, err := learning.ParseCategory(base); err == nil {
			category = c
		}
	}
	all, err := learning.ParseBank(src, category)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return all, nil
}

// readRecords reads JSON lines. What is no record is an error with its line.
func readRecords(name string, from io.Reader) ([]learning.Learning, error) {
	src, err := io.ReadAll(from)
	if err != nil {
		return nil, err
	}
	var all []learning.Learning
	number := 0
	for line := range bytes.Lines(src) {
		number++
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		var r knowledge.Record
		decoder := json.NewDecoder(bytes.NewReader(line))
		decoder.DisallowUnknownFields()
		if err := decoder.Decode(&r); err != nil {
			return nil, fmt.Errorf("%s:%d: no learning: %w (one JSON object a line, as export prints them; nothing was imported)", name, number, err)
		}
		if !learning.LongEnough(r.Description) {
			return nil, fmt.Errorf("%s:%d: the description is shorter than %d characters; nothing was imported", name, number, learning.MinLength)
		}
		all = append(all, r.Learning())
	}
	return all, nil
}
