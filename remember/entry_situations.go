package remember

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	urfave "github.com/urfave/cli/v2"

	"whence/internal/cli"
	"whence/internal/index"
	"whence/internal/text"
	"whence/internal/wording"
	"whence/validate"
)

func situationsCommand(env cli.Env) *urfave.Command {
	var o options
	minSituations, maxEntries := 1, 0
	return &urfave.Command{
		Name: "situations", Usage: "list entries with too few situations", ArgsUsage: "[--format json]",
		Flags: append([]urfave.Flag{
			&urfave.IntFlag{Name: "fewer-than", Usage: "list entries with fewer than `N` situations", Value: minSituations, Destination: &minSituations},
			&urfave.IntFlag{Name: "max", Usage: "list at most `N` entries; 0 lists all", Destination: &maxEntries},
		}, o.readFlags()...),
		Action: func(cmd *urfave.Context) error {
			if cmd.Args().Present() {
				return cli.Usagef("unexpected argument %q: entry situations lists; entry situations add TRIGGER PHRASE... adds", cmd.Args().First())
			}
			if maxEntries < 0 {
				return cli.Usagef("--max %d: use 0 or more", maxEntries)
			}
			return o.listSituations(env, cmd, minSituations, maxEntries)
		},
		Subcommands: []*urfave.Command{addSituationsCommand(env)},
	}
}

// sparseEntry is an entry whose heading has too few situations, with the text from which to write
// more.
type sparseEntry struct {
	Operator    string   `json:"operator"`
	Trigger     string   `json:"trigger"`
	Header      string   `json:"header"`
	Description string   `json:"description"`
	File        string   `json:"file"`
	Line        int      `json:"line"`
	Situations  []string `json:"situations"`
	Wanted      int      `json:"wanted"` // how many more
	Text        string   `json:"text"`   // of the section, without the heading
}

func (o *options) listSituations(env cli.Env, cmd *urfave.Context, minSituations, maxEntries int) error {
	s, err := o.open(env, cmd)
	if err != nil {
		return err
	}
	defer s.tree.Close()
	if _, err := s.load(); err != nil {
		return cli.SettingsError(err)
	}
	sparse, all := s.listSparse(minSituations)
	left := len(sparse)
	if maxEntries > 0 {
		sparse = sparse[:min(left, maxEntries)]
	}
	if o.format == "json" {
		return text.WriteJSON(env.Stdout, struct {
			Wanted  int           `json:"wanted"`
			Left    int           `json:"left"` // entries with too few, those listed among them
			All     int           `json:"all"`
			Entries []sparseEntry `json:"entries"`
		}{wording.WantedSituations, left, all, sparse})
	}
	for _, n := range sparse {
		_, err := fmt.Fprintf(env.Stdout, "%s  # %s:%d, %d of %d situations\n",
			text.Printable("/"+n.Operator+" "+n.Trigger), text.Printable(n.File), n.Line, len(n.Situations), wording.WantedSituations)
		if err != nil {
			return err
		}
	}
	if len(sparse) > 0 && !o.quiet {
		for _, line := range []string{
			fmt.Sprintf("%d of %s too few situations, so they are recalled less often", left, cli.Count(all, "entry has", "entries have")),
			toAddSituations("/" + sparse[0].Operator + " " + sparse[0].Trigger),
			`for all, with an agent: the plugin's skill /situations; or write a line {"trigger": "...", "situations": ["...", ...]} for each entry of --format json, and pass the lines to memory-remember entry situations add --stdin`,
		} {
			fmt.Fprintf(env.Stderr, "memory-remember: %s\n", text.Printable(line))
		}
	}
	return nil
}

// toAddSituations returns the command that adds situations to the entry of a query.
func toAddSituations(query string) string {
	return fmt.Sprintf("to add %d to %d, each what someone types, does or sees when it applies: memory-remember entry situations add %s 'ONE SITUATION' 'ANOTHER'",
		wording.WantedSituations/2, wording.WantedSituations, cli.Quote(query))
}

// phrases returns the situations of a heading.
func (s *entryEditor) phrases(at validate.Place) []string {
	file, _ := s.Heading(at)
	return append([]string{}, file.Phrases(at.Heading)...)
}

// listSparse lists the entries of headings with fewer situations than given, those with the fewest
// first, and counts all entries that have a heading.
func (s *entryEditor) listSparse(minSituations int) (sparse []sparseEntry, all int) {
	sparse = []sparseEntry{}
	for i, line := range s.Index().Lines {
		at, known := s.Target(i)
		if line.Kind != index.EntryLine || !known {
			continue
		}
		all++
		file, h := s.Heading(at)
		phrases := s.phrases(at)
		if len(phrases) < minSituations {
			sparse = append(sparse, sparseEntry{
				line.Entry.Operator, line.Entry.Trigger.Text, h.Title, line.Entry.Description.Text, file.Path, h.Line,
				phrases, max(0, wording.WantedSituations-len(phrases)), strings.TrimSpace(file.WithoutSituations(h.Body, h.End)),
			})
		}
	}
	slices.SortStableFunc(sparse, func(a, b sparseEntry) int { return cmp.Compare(len(a.Situations), len(b.Situations)) })
	return sparse, all
}
