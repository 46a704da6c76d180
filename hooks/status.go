package hooks

import (
	"context"
	"fmt"
	"os/exec"
	"strings"

	urfave "github.com/urfave/cli/v3"

	"whence/internal/agent"
	"whence/internal/cli"
	"whence/internal/dispatch"
	"whence/internal/text"
)

// statusCommand lists what is registered where.
func statusCommand(env cli.Env) *urfave.Command {
	var dir string
	return &urfave.Command{
		Name: "status", Usage: "list what is registered, captured and switched off",
		Flags: []urfave.Flag{repoFlag(&dir)},
		Action: func(context.Context, *urfave.Command) error {
			runs := false
			for _, c := range agent.Clients {
				fmt.Fprintf(env.Stdout, "%s\n", c.Title())
				for _, f := range settingsFiles(env, c, project(env, dir)) {
					runs = runs || len(f.ours) > 0 || f.plugin != ""
					f.print(env)
				}
				printServers(env, c, project(env, dir))
			}
			rules := findRules(project(env, dir))
			printRules(env, rules)
			if err := printCapture(env, cli.Root(project(env, dir)), runs); err != nil {
				return err
			}
			if dispatch.IsDisabled(env.Getenv) {
				fmt.Fprintln(env.Stdout, "WHENCE_DISABLE=1 switches everything off; to switch it on: unset WHENCE_DISABLE")
			}
			if !runs && len(rules) == 0 {
				fmt.Fprintf(env.Stdout, "no agent runs %s; to register it: %[1]s install\n", programName)
				return cli.ErrFound
			}
			return nil
		},
	}
}

func (f *settingsFile) print(env cli.Env) {
	fmt.Fprintf(env.Stdout, "  %-8s %s: ", f.scope, text.Printable(f.path))
	switch {
	case f.err != nil:
		fmt.Fprintf(env.Stdout, "cannot be used: %s\n", text.Printable(f.err.Error()))
		return
	case !f.exists:
		fmt.Fprintln(env.Stdout, "no such file")
		return
	case len(f.ours) == 0:
		fmt.Fprintln(env.Stdout, "nothing registered")
	default:
		fmt.Fprintln(env.Stdout, strings.Join(f.events(), ", "))
	}
	if f.stale {
		fmt.Fprintf(env.Stdout, "           this file is of another version of %s; to replace it: %s\n", programName, f.installCommand())
	}
	for _, path := range f.programs() {
		state := ""
		if _, err := exec.LookPath(path); err != nil && !strings.HasPrefix(path, "$") { // a variable of the agent
			state = ", which does not exist; to register this program instead: " + f.installCommand()
		}
		fmt.Fprintf(env.Stdout, "           runs %s%s\n", text.Printable(path), state)
	}
	if f.permits() {
		fmt.Fprintf(env.Stdout, "           lets it run %s without asking you\n", agent.ReadingProgram)
	}
	if f.server.IsOurs {
		fmt.Fprintf(env.Stdout, "           lists the MCP server, which runs %s\n", text.Printable(f.server.Program))
	}
	if f.plugin != "" {
		fmt.Fprintf(env.Stdout, "           runs the plugin %s\n", text.Printable(f.plugin))
	}
	if f.off != "" {
		fmt.Fprintf(env.Stdout, "           but hooks are switched off: %s\n", text.Printable(f.off))
	}
}

// printServers prints the files apart from the settings in which an agent lists our MCP server.
func printServers(env cli.Env, c agent.Client, project string) {
	for _, scope := range agent.Scopes {
		if f, err := openServers(env, c, scope, project); err == nil && f != nil && f.entry.IsOurs {
			fmt.Fprintf(env.Stdout, "  %-8s %s: the MCP server, which runs %s\n", scope, text.Printable(f.path), text.Printable(f.entry.Program))
		}
	}
}
