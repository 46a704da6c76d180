package cli

import (
	"fmt"
	"strings"

	urfave "github.com/urfave/cli/v3"
)

// manPage returns the manual with the help of all commands as a page for man: roff with the macros
// of man(7), section 1. The same version gives the same bytes.
func manPage(app *urfave.Command, manual string) string {
	var out strings.Builder
	about := strings.TrimPrefix(manual[:max(0, strings.IndexAny(manual, ",.:"))], app.Name+" ")
	fmt.Fprintf(&out, ".TH %s 1 \"\" \"whence %s\"\n", strings.ToUpper(app.Name), Version)
	fmt.Fprintf(&out, ".SH NAME\n%s \\- %s\n", roff(app.Name), roff(about))
	fmt.Fprintf(&out, ".SH SYNOPSIS\n.B %s\n[COMMAND] [FLAG...] [ARGUMENT...]\n.SH DESCRIPTION\n", roff(app.Name))
	writeManual(&out, manual)
	out.WriteString(".SH COMMANDS\n")
	writeCommands(&out, app.Name, app.Commands)
	out.WriteString(".SH FLAGS WITHOUT A COMMAND\n")
	writeFlags(&out, append(app.Flags[:len(app.Flags):len(app.Flags)], urfave.HelpFlag))
	return out.String()
}

// writeManual writes text as package comments have it: headings after "# ", paragraphs, and
// indented lines, which stay as they are. It begins below a heading.
func writeManual(out *strings.Builder, manual string) {
	separator := ""
	for block := range strings.SplitSeq(strings.Trim(manual, "\n"), "\n\n") {
		heading, isHeading := strings.CutPrefix(block, "# ")
		isIndented := strings.HasPrefix(block, " ")
		switch {
		case isHeading:
			out.WriteString(".SH " + roff(strings.ToUpper(heading)) + "\n")
			separator = ""
			continue
		case isIndented:
			out.WriteString(separator + ".RS\n.EX\n" + roffLines(block) + ".EE\n.RE\n")
		default:
			out.WriteString(separator + roffLines(block))
		}
		separator = ".PP\n"
	}
}

func roffLines(block string) string {
	var out strings.Builder
	for line := range strings.Lines(block) {
		out.WriteString(roff(strings.TrimPrefix(strings.TrimSuffix(line, "\n"), "  ")) + "\n")
	}
	return out.String()
}

func writeCommands(out *strings.Builder, prefix string, commands []*urfave.Command) {
	for _, c := range commands {
		name := prefix + " " + c.Name
		fmt.Fprintf(out, ".SS \"%s\"\n%s.\n", roff(strings.TrimSpace(name+" "+c.ArgsUsage)), roff(upperFirst(c.Usage)))
		if c.Description != "" {
			out.WriteString(".PP\n" + roff(c.Description) + "\n")
		}
		writeFlags(out, c.Flags)
		writeCommands(out, name, c.Commands)
	}
}

func writeFlags(out *strings.Builder, flags []urfave.Flag) {
	for _, r := range flagRows(flags) {
		fmt.Fprintf(out, ".TP\n.B %s\n%s\n", roff(r.name), roff(r.usage))
	}
}

// roff returns text that means only itself, also at the beginning of a line.
func roff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`, `"`, `\(dq`, "'", `\(aq`, "`", "\\`", "^", `\(ha`, "~", `\(ti`).Replace(text)
	if strings.HasPrefix(text, ".") {
		text = `\&` + text
	}
	return text
}
