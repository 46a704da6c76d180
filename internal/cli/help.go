package cli

import (
	"context"
	"slices"
	"strings"

	urfave "github.com/urfave/cli/v3"

	"whence/internal/text"
)

// manual returns the package comment of a doc.go without comment marks: one text for
// pkg.go.dev and for the help of the program.
func manual(docGo string) string {
	var out strings.Builder
	for line := range strings.Lines(docGo) {
		text, isComment := strings.CutPrefix(line, "//")
		if !isComment {
			break
		}
		out.WriteString(strings.Replace(strings.TrimPrefix(text, " "), "\t", "  ", 1))
	}
	return out.String()
}

// helpCommand prints what --help prints; with the argument manual everything.
func helpCommand(app *urfave.Command, docGo string) *urfave.Command {
	return &urfave.Command{
		Name: "help", Usage: "print the help of a command, or the manual", ArgsUsage: "[COMMAND | manual]",
		Action: func(_ context.Context, cmd *urfave.Command) error {
			names := cmd.Args().Slice()
			if len(names) == 1 && names[0] == "manual" {
				return printHelp(app, fullManual(app, manual(docGo)))
			}
			commands := app.Commands
			for i, name := range names {
				command := named(commands, name)
				if command == nil {
					return Usagef("help: unknown command %q (%s help manual lists the commands)", strings.Join(names[:i+1], " "), app.Name)
				}
				commands = command.Commands
			}
			return printHelp(app, helpPage(app, names, manual(docGo)))
		},
	}
}

func printHelp(app *urfave.Command, page string) error {
	_, err := app.Writer.Write([]byte(page))
	return err
}

// commonFlags are explained in the manual, and only named by the help of a command with subcommands.
var commonFlags = []string{"format", "color", "repo", "session", "quiet"}

// helpPage returns the help of the command with these names. That of the program itself is the
// manual up to its first heading.
func helpPage(app *urfave.Command, names []string, manual string) string {
	if len(names) == 0 {
		page, _, _ := strings.Cut(manual, "\n# ")
		return page
	}
	var command *urfave.Command
	usage, commands := app.Name, app.Commands
	for _, name := range names {
		command = named(commands, name)
		usage, commands = usage+" "+command.Name, command.Commands
	}
	var out strings.Builder
	out.WriteString(strings.Join(text.Wrap(upperFirst(command.Usage)+".", helpColumns), "\n"))
	out.WriteString("\n\n  " + strings.Join(text.Wrap(usage+" "+command.ArgsUsage, helpColumns-6), "\n      ") + "\n")
	if command.Description != "" {
		out.WriteString("\n" + strings.Join(text.Wrap(command.Description, helpColumns), "\n") + "\n")
	}
	writeRows(&out, "\nCommands:\n", commandRows(usage, commands))
	flags, common := command.Flags, []string(nil)
	if len(commands) > 0 { // leave room for them
		flags = slices.DeleteFunc(slices.Clone(flags), func(f urfave.Flag) bool {
			isCommon := slices.Contains(commonFlags, f.Names()[0])
			if isCommon {
				common = append(common, "--"+f.Names()[0])
			}
			return isCommon
		})
	}
	writeRows(&out, "\nFlags:\n", flagRows(flags))
	if len(common) > 0 {
		out.WriteString("  " + strings.Join(common, ", ") + ": see " + app.Name + " help manual\n")
	}
	return out.String()
}

func upperFirst(text string) string {
	return strings.ToUpper(text[:min(1, len(text))]) + text[min(1, len(text)):]
}

// fullManual returns the manual with all commands and the flags of the program itself.
func fullManual(app *urfave.Command, manual string) string {
	var out strings.Builder
	out.WriteString(manual)
	writeRows(&out, "\n# Commands\n\n", commandRows(app.Name, app.Commands))
	writeRows(&out, "\n# Flags without a command\n\n", flagRows(append(app.Flags[:len(app.Flags):len(app.Flags)], urfave.HelpFlag)))
	return out.String()
}

// A row is a command or flag, and what it does.
type row struct{ name, usage string }

func commandRows(prefix string, commands []*urfave.Command) []row {
	var rows []row
	for _, c := range commands {
		name := prefix + " " + c.Name
		rows = append(rows, row{name, c.Usage})
		rows = append(rows, commandRows(name, c.Commands)...)
	}
	return rows
}

func flagRows(flags []urfave.Flag) []row {
	var rows []row
	for _, f := range flags {
		if v, ok := f.(urfave.VisibleFlag); ok && !v.IsVisible() {
			continue
		}
		name, usage, _ := strings.Cut(f.String(), "\t")
		name, _, _ = strings.Cut(name, " [ ") // urfave/cli repeats a flag that may be repeated
		rows = append(rows, row{name, usage})
	}
	return rows
}

// Columns of help.
const (
	helpColumns     = 80
	maxNameColumns  = 36 // a longer name has a line to itself
	columnsBetween  = 2
	columnsIndented = 2
)

// writeRows writes rows in two columns below a title, and nothing if there are no rows.
func writeRows(out *strings.Builder, title string, rows []row) {
	if len(rows) == 0 {
		return
	}
	out.WriteString(title)
	column := 0
	for _, r := range rows {
		if len(r.name) <= maxNameColumns {
			column = max(column, columnsIndented+len(r.name)+columnsBetween)
		}
	}
	column = max(column, columnsIndented+columnsBetween)
	for _, r := range rows {
		line := strings.Repeat(" ", columnsIndented) + r.name
		for i, part := range text.Wrap(r.usage, helpColumns-column) {
			if i > 0 || len(line)+columnsBetween > column {
				out.WriteString(line + "\n")
				line = ""
			}
			line += strings.Repeat(" ", column-len(line)) + part
		}
		out.WriteString(strings.TrimRight(line, " ") + "\n")
	}
}
