package hooks

import (
	"fmt"
	"slices"
	"strings"

	"whence/internal/cli"
	"whence/internal/notes"
	"whence/internal/text"
)

// showNotes prints the notes of the kinds named; of all kinds if none is.
func showNotes(env cli.Env, root string, kinds []string) error {
	switch {
	case len(kinds) == 0:
		kinds = notes.Kinds
	case len(kinds) > 1:
		return cli.Usagef("unexpected argument %q", kinds[1])
	case !slices.Contains(notes.Kinds, kinds[0]):
		return cli.Usagef("unknown kind of notes %q: use %s", kinds[0], strings.Join(notes.Kinds, ", "))
	}
	var texts []string
	for _, kind := range kinds {
		text, err := notes.Show(root, kind)
		if err != nil {
			return err
		}
		if text != "" {
			texts = append(texts, text+"\n")
		}
	}
	if len(texts) == 0 {
		return printNoNotes(env, root)
	}
	_, err := fmt.Fprint(env.Stdout, strings.Join(texts, "\n"))
	return err
}

// printNoNotes prints why there are no notes.
func printNoNotes(env cli.Env, root string) error {
	switch c, err := projectSettings(env, root); {
	case err != nil:
		return cli.SettingsError(err)
	case c.Notes:
		fmt.Fprintf(env.Stdout, "no notes yet: they are on, and begin with the next session of an agent that runs %s (%[1]s doctor lists them)\n", programName)
	default:
		fmt.Fprintf(env.Stdout, "no notes: they are off; to switch them on: %s notes enable\n", programName)
	}
	return cli.ErrFound
}

// printSummary prints what the notes hold, in short.
func printSummary(env cli.Env, root string) error {
	s, err := notes.Summarise(root)
	if err != nil {
		return err
	}
	if !notes.Present(root) {
		return printNoNotes(env, root)
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
}

// printRecent prints lines below a heading.
func printRecent(env cli.Env, head string, lines []string) {
	fmt.Fprintln(env.Stdout, head)
	for _, line := range lines {
		fmt.Fprintf(env.Stdout, "  %s\n", text.Printable(line))
	}
}
