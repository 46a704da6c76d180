package hooks

import (
	"fmt"
	"slices"
	"strings"

	urfave "github.com/urfave/cli/v2"

	"whence/internal/cli"
	"whence/internal/notes"
	"whence/internal/text"
)

// notesShowCommand prints notes.
func notesShowCommand(env cli.Env) *urfave.Command {
	var dir string
	return &urfave.Command{
		Name: "show", Usage: "print the notes, or only KIND: context, findings, decisions, errors", ArgsUsage: "[KIND]",
		Flags: notesFlags(&dir),
		Action: func(ctx *urfave.Context) error {
			kinds := ctx.Args().Slice()
			if len(kinds) > 1 {
				return cli.Usagef("unexpected argument %q", kinds[1])
			}
			if len(kinds) == 1 && !slices.Contains(notes.Kinds, kinds[0]) {
				return cli.Usagef("unknown kind of notes %q: use %s", kinds[0], strings.Join(notes.Kinds, ", "))
			}
			if len(kinds) == 0 {
				kinds = notes.Kinds
			}
			var texts []string
			for _, kind := range kinds {
				text, err := notes.Show(notesRoot(env, dir), kind)
				if err != nil {
					return err
				}
				if text != "" {
					texts = append(texts, text+"\n")
				}
			}
			if len(texts) == 0 {
				return noNotes(env, notesRoot(env, dir))
			}
			_, err := fmt.Fprint(env.Stdout, strings.Join(texts, "\n"))
			return err
		},
	}
}

// noNotes says that there are none, and how some come to be.
func noNotes(env cli.Env, root string) error {
	switch c, err := projectSettings(env, root); {
	case err != nil:
		return cli.SettingsError(err)
	case c.Notes:
		fmt.Fprintf(env.Stdout, "no notes yet: they are on, and begin with the next session of an agent that runs %s (%[1]s status lists them)\n", programName)
	default:
		fmt.Fprintf(env.Stdout, "no notes: they are off; to switch them on: %s notes enable\n", programName)
	}
	return cli.ErrFound
}

// notesSummaryCommand prints what the notes hold, in short.
func notesSummaryCommand(env cli.Env) *urfave.Command {
	var dir string
	return &urfave.Command{
		Name: "summary", Usage: "print recent notes, unresolved errors, and counts", Flags: notesFlags(&dir),
		Action: func(ctx *urfave.Context) error {
			if err := noArguments(ctx); err != nil {
				return err
			}
			root := notesRoot(env, dir)
			s, err := notes.Summarise(root)
			if err != nil {
				return err
			}
			if !notes.Present(root) {
				return noNotes(env, root)
			}
			printRecent(env, cli.Count(s.Decisions, "decision", "decisions"), s.LastDecisions)
			printRecent(env, cli.Count(s.Findings, "finding", "findings"), s.LastFindings)
			open := ", all resolved"
			if len(s.Open) > 0 {
				open = ", open:"
			}
			printRecent(env, cli.Count(s.Failures, "failure", "failures")+open, s.Open)
			fmt.Fprintf(env.Stdout, "%s in %s\n", cli.Count(s.ToolCalls, "tool call", "tool calls"), cli.Count(s.Sessions, "session", "sessions"))
			return nil
		},
	}
}

// printRecent prints some lines below their number.
func printRecent(env cli.Env, head string, lines []string) {
	fmt.Fprintln(env.Stdout, head)
	for _, line := range lines {
		fmt.Fprintf(env.Stdout, "  %s\n", text.Printable(line))
	}
}
