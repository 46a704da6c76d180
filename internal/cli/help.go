package cli

import (
	"strings"

	urfave "github.com/urfave/cli/v2"

	"whence/internal/words"
)

// addHelp takes the help of a program from its manual, the package comment of its doc.go: the first sentence, the usage
// lines, and the text up to the first heading. It adds a command "manual", whose help is the whole manual.
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

// helpColumns is the width of descriptions in the help; urfave/cli indents them by 3 columns.
const helpColumns = 77

// manual returns the package comment of a doc.go without comment marks, so that pkg.go.dev and the help of the program
// show the same text.
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
