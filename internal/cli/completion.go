package cli

import (
	"context"
	_ "embed"
	"regexp"
	"slices"
	"strings"

	urfave "github.com/urfave/cli/v3"

	"whence/internal/text"
)

var (
	//go:embed completion/completion.bash
	completionBash string
	//go:embed completion/completion.zsh
	completionZsh string
	//go:embed completion/completion.fish
	completionFish string
	//go:embed completion/completion.ps1
	completionPowerShell string
)

// completionCommand prints a script that completes the program's commands, flags and values. The
// script holds all of them, so that pressing TAB starts no program.
func completionCommand(app *urfave.Command) *urfave.Command {
	return &urfave.Command{
		Name: "completion", Usage: "print a script for TAB completion in a shell", ArgsUsage: "bash|zsh|fish|powershell",
		Description: "For bash and fish, write it to the folder that they search for completions: ~/.local/share/bash-completion/completions/" + app.Name + " or ~/.config/fish/completions/" + app.Name + ".fish. For zsh, write it to a file _" + app.Name + " in a folder of $fpath, before compinit runs. For PowerShell, append it to $PROFILE.",
		Action: func(_ context.Context, cmd *urfave.Command) error {
			script, quotes := "", ""
			switch cmd.Args().First() {
			case "bash":
				script, quotes = completionBash, `'\''`
			case "zsh":
				script, quotes = completionZsh, `'\''`
			case "fish":
				script, quotes = completionFish, `\'`
			case "powershell":
				script, quotes = completionPowerShell, `''`
			}
			if script == "" || cmd.NArg() != 1 {
				return Usagef("completion: name one shell: bash, zsh, fish or powershell")
			}
			words := strings.Join(completions(app.Name, app.Commands, app.Flags), "\n")
			_, err := text.Exact(app.Writer).Write([]byte(strings.NewReplacer(
				"@PROGRAM@", app.Name, "@FUNCTION@", strings.ReplaceAll(app.Name, "-", "_"), "@WORDS@", strings.ReplaceAll(words, "'", quotes),
			).Replace(script)))
			return err
		},
	}
}

// completions returns a line for each word that may follow a command, which path names from the
// program on: "path|word|kind|values|usage". Kinds are command, argument, flag, and value: a flag
// that takes one. Its values are FILE, DIR, or those that are allowed, with spaces between them.
func completions(path string, commands []*urfave.Command, flags []urfave.Flag) (lines []string) {
	add := func(word, kind, values, usage string) {
		usage = strings.NewReplacer("`", "", "\\", "", "\n", " ").Replace(usage) // fish would read a backslash
		lines = append(lines, strings.Join([]string{path, word, kind, values, usage}, "|"))
	}
	for _, c := range commands {
		add(c.Name, "command", "", c.Usage)
	}
	for _, f := range append(slices.Clone(flags), urfave.HelpFlag) {
		if v, ok := f.(urfave.VisibleFlag); ok && !v.IsVisible() {
			continue
		}
		usage, kind := f.(urfave.DocGenerationFlag).GetUsage(), "flag"
		if _, isBool := f.(*urfave.BoolFlag); !isBool {
			kind = "value"
		}
		for _, name := range f.Names() {
			dashes := "--"
			if len(name) == 1 {
				dashes = "-"
			}
			add(dashes+name, kind, valuesOf(usage), usage)
		}
	}
	for _, c := range commands {
		below := completions(path+" "+c.Name, c.Commands, c.Flags)
		for _, argument := range argumentsOf(c.ArgsUsage) {
			lines = append(lines, path+" "+c.Name+"|"+argument+"|argument||")
		}
		lines = append(lines, below...)
	}
	return lines
}

// valuesOf returns the values that the usage of a flag lists after its metavar, as in
//
//	use this `SCOPE`: user, project (shared) or local; may be repeated
//
// or FILE or DIR if that is the metavar; "" if any text is allowed.
func valuesOf(usage string) string {
	_, usage, _ = strings.Cut(usage, "`")
	metavar, usage, _ := strings.Cut(usage, "`")
	if metavar == "FILE" || metavar == "DIR" {
		return metavar
	}
	list, isList := strings.CutPrefix(usage, ": ")
	if !isList {
		return ""
	}
	list, _, _ = strings.Cut(list, ";")
	list = regexp.MustCompile(` \([^)]*\)`).ReplaceAllString(list, "")
	if !regexp.MustCompile(`^[a-z-]+(, [a-z-]+)*,? or [a-z-]+$`).MatchString(list) {
		return ""
	}
	return strings.Join(strings.Fields(strings.NewReplacer(",", " ", " or ", " ").Replace(list)), " ")
}

// argumentsOf returns the words of a usage that are allowed as an argument, as in "NAME helped|wrong".
func argumentsOf(usage string) []string {
	found := regexp.MustCompile(`[a-z]+(?:\|[a-z]+)+`).FindString(usage)
	return strings.FieldsFunc(found, func(r rune) bool { return r == '|' })
}
