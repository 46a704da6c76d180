package dispatch

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	urfave "github.com/urfave/cli/v2"

	"whence/internal/agent"
	"whence/internal/cli"
	"whence/internal/inert"
)

// RunHook answers a command line "hook EVENT [--agent NAME]", as agents run it, and prints errors on
// standard error, too. For any other command line it does nothing, and reports false.
func RunHook(env cli.Env, handlers Handlers) bool {
	if len(env.Args) < 2 || env.Args[1] != "hook" {
		return false
	}
	name, client, ok := EventOf(env.Args[2:])
	if ok {
		if err := Run(env, client, name, handlers); err != nil {
			fmt.Fprintf(env.Stderr, "%s: %s\n", filepath.Base(env.Args[0]), inert.Printable(err.Error()))
		}
	}
	return ok
}

// EventOf parses the arguments with which agents name an event: one word, and no flag except --agent. It accepts a
// known event also under its agent's name for it.
func EventOf(args []string) (name string, client agent.Client, ok bool) {
	given := string(agent.Claude)
	words := slices.Clone(args)
	for at, arg := range args {
		if value, joined := strings.CutPrefix(arg, "--agent="); joined {
			given, words = value, slices.Delete(words, at, at+1)
			break
		}
		if arg == "--agent" && at+1 < len(args) {
			given, words = args[at+1], slices.Delete(words, at, at+2)
			break
		}
	}
	client, isKnown := agent.ParseClient(given)
	if !isKnown || len(words) != 1 {
		return "", "", false
	}
	return words[0], client, isEvent(words[0]) || client.Canonical(words[0]) != words[0]
}

// isEvent reports whether a word names an event, known or not: it begins with a capital letter, unlike any
// command.
func isEvent(word string) bool { return word != "" && word[0] >= 'A' && word[0] <= 'Z' }

// Command returns the command "hook" of a program for --help and mistyped command lines. RunHook
// answers events.
func Command(handlers Handlers) *urfave.Command {
	var names []string
	for _, name := range agent.Names {
		if len(handlers[name]) > 0 {
			names = append(names, name)
		}
	}
	var clients []string
	for _, c := range agent.Clients {
		clients = append(clients, string(c))
	}
	return &urfave.Command{
		Name: "hook", Usage: "answer an event of a coding agent", ArgsUsage: "EVENT",
		Description: "Reads the event as JSON from standard input, and prints the reply. EVENT is one of " + strings.Join(names, ", ") + ".",
		Flags:       []urfave.Flag{&urfave.StringFlag{Name: "agent", Usage: "the event is from `AGENT`: " + strings.Join(clients, ", "), Value: string(agent.Claude)}},
		Action: func(*urfave.Context) error {
			return cli.Usagef("hook: name one event, then the agent if it is another: hook EVENT [--agent %s]; there are %s", strings.Join(clients, "|"), strings.Join(names, ", "))
		},
	}
}
