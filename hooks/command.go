package hooks

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"

	urfave "github.com/urfave/cli/v2"

	"whence/internal/agent"
	"whence/internal/cli"
	"whence/internal/dispatch"
	"whence/migrate"
	"whence/remember"
	"whence/validate"
	"whence/when"
)

//go:embed doc.go
var docGo string

// Main runs memory-hooks and returns its exit status.
func Main(env cli.Env) int {
	if name, client, ok := dispatch.EventOf(env.Args[min(1, len(env.Args)):]); ok && isKnown(client, name) {
		cli.LetHeapGrow()
		_ = dispatch.Run(env, client, name, handlers()) // errors are in the log
		return cli.OK
	}
	env = cli.InShellTool(env)
	var client string
	commands := []*urfave.Command{initCommand(env), installCommand(env), uninstallCommand(env), doctorCommand(env), lastCommand(env), reportCommand(env)}
	for _, c := range commands {
		c.Before = noArguments
	}
	return cli.Main(env, cli.Confined(env, &urfave.App{
		Name:     "memory-hooks",
		Flags:    []urfave.Flag{&urfave.StringFlag{Name: "agent", Usage: "the event is from `AGENT`: " + names(agent.Clients), Value: string(agent.Claude), Destination: &client}},
		Commands: commands,
		Action:   func(cmd *urfave.Context) error { return answerOther(env, cmd, client) },
	}), docGo)
}

// answerOther answers a command line that is neither a command nor a known event in the form that agents use. It
// ignores an unknown event, which a later version of an agent may have, unless it is typed on a terminal. Anything else
// is an error.
func answerOther(env cli.Env, cmd *urfave.Context, given string) error {
	client, known := agent.ParseClient(given)
	if !known {
		return cli.Usagef("--agent %q: use %s", given, names(agent.Clients))
	}
	var commands []string
	for _, c := range cmd.App.Commands {
		commands = append(commands, c.Name)
	}
	all := fmt.Sprintf("commands: %s; events: %s", strings.Join(commands, ", "), strings.Join(agent.Names, ", "))
	word := cmd.Args().First()
	if word == "" {
		return cli.Usagef("name a command or an event (%s)", all)
	}
	_, _, isEvent := dispatch.EventOf([]string{word, "--agent", given})
	isTyped := cli.IsTerminal(env.Stdin) && !isKnown(client, word)
	if !isEvent || isTyped || slices.Contains(commands, strings.ToLower(word)) {
		return cli.Usagef("unknown command or event %q (%s).%s", word, all, cli.DidYouMean(cmd.App.Commands, strings.ToLower(word)))
	}
	if cmd.NArg() > 1 {
		return cli.Usagef("%s: unexpected argument %q", word, cmd.Args().Get(1))
	}
	_ = dispatch.Run(env, client, word, handlers()) // errors are in the log
	return nil
}

// handlers returns the handlers of all programs, in the order of their parts of a reply. Recall comes last. Events
// without a handler are ignored.
func handlers() dispatch.Handlers {
	return dispatch.Combine(settingsHooks(), consentHooks(), remember.Sessions(), validate.Hooks(), migrate.Hooks(), notesHooks(), when.Sessions(), dispatch.RecallHandlers(when.AnswerQueries, when.Find, remember.Find))
}

// isKnown reports whether an event of an agent is one of agent.Names.
func isKnown(client agent.Client, event string) bool {
	return slices.Contains(agent.Names, client.Canonical(event))
}

func noArguments(cmd *urfave.Context) error {
	if cmd.Args().Present() {
		return cli.Usagef("unexpected argument %q", cmd.Args().First())
	}
	return nil
}

func repoFlag(dir *string) urfave.Flag {
	return &urfave.StringFlag{Name: "repo", Usage: "the project is in `DIR`", Destination: dir}
}

func boolFlag(name, usage string, value *bool) urfave.Flag {
	return &urfave.BoolFlag{Name: name, Usage: usage, Destination: value}
}

// agrees asks the user a question, unless the flag --yes answers it. If the user does not agree, or cannot be asked, it
// prints the refusal.
func agrees(env cli.Env, yes bool, question, refusal string) bool {
	switch {
	case yes:
		return true
	case !cli.IsTerminal(env.Stdin):
		refusal += ": there is no terminal to ask on, so add --yes"
	case cli.Confirm(env, question):
		return true
	}
	fmt.Fprintln(env.Stdout, refusal)
	return false
}

// names joins names for a sentence.
func names[T ~string](all []T) string {
	var words []string
	for _, name := range all {
		words = append(words, string(name))
	}
	return strings.Join(words, ", ")
}
