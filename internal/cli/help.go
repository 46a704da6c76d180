package cli

import (
	"strings"

	urfave "github.com/urfave/cli/v2"

	"whence/internal/words"
)

// addHelp takes the help of a program from its manual, the package comment of its doc.go: a sentence,
// the lines that show how it is used, and the text up to the first heading. "help manual" prints all.
func addHelp(app *urfave.App, docGo string) {
	manual := manual(docGo)
	intro, _, _ := strings.Cut(manual, "\n# ")
	sentence, intro, _ := strings.Cut(intro, "\n\n")
	usage, description, _ := strings.Cut(intro, "\n\n")
	app.Usage = strings.TrimSuffix(strings.TrimPrefix(sentence, app.Name+" "), ".")
	app.UsageText = strings.TrimPrefix(strings.ReplaceAll(usage, "\n  ", "\n"), "  ")
	app.Description = strings.TrimSpace(description)
	each(app.Commands, func(command *urfave.Command) {
		command.Description = strings.Join(words.Wrap(command.Description, helpColumns), "\n")
	})
	app.Commands = append(app.Commands, &urfave.Command{
		Name: "manual", Usage: "print the manual", Description: manual, CustomHelpTemplate: "{{.Description}}",
	})
}

// helpColumns is the width of texts in help, which urfave/cli indents by 3.
const helpColumns = 77

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
