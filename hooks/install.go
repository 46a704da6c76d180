package hooks

import (
	"context"
	"fmt"

	urfave "github.com/urfave/cli/v2"

	"whence/internal/agent"
	"whence/internal/cli"
)

// installCommand makes agents run this program at their events.
func installCommand(env cli.Env) *urfave.Command {
	o := registerOptions{env: env}
	return &urfave.Command{
		Name: "install", Usage: "have coding agents run memory-hooks at their events",
		Flags: append(o.flags("claude"),
			boolFlag("mcp", "print how to add the MCP server, too", &o.mcp),
			boolFlag("no-capture", "capture no sessions", &o.noCapture),
			boolFlag("yes", "do not ask", &o.yes)),
		Action: func(cmd *urfave.Context) error {
			if err := o.install(cmd.Context, cmd.StringSlice("agent")); err != nil || o.dryRun {
				return err
			}
			fmt.Fprintf(env.Stdout, "Next: run %s doctor, then begin a new session (a running one may keep its old settings)\n", cli.Typed(env, "").Program(programName))
			return nil
		},
	}
}

func (o *registerOptions) install(ctx context.Context, agents []string) (err error) {
	if err := o.verify(agents); err != nil {
		return err
	}
	if err := o.findPresent(); err != nil {
		return err
	}
	if o.program, err = programAsCalled(o.env, o.scope); err != nil {
		return err
	}
	for _, command := range []string{agent.ReadingProgram, agent.SessionCommand} {
		o.reading = append(o.reading, commandFor(o.env, o.scope, command))
	}
	var edits []editFunc
	for _, c := range o.clients {
		edits = append(edits,
			func() (change, error) {
				return o.editSettings(c, "already registered", func(f *settingsFile) (after []byte, outcome string, err error) {
					after, err = f.with(o.program, o.reading)
					return after, f.added(), err
				})
			},
			func() (change, error) { return o.editRule(c, agent.Rule(o.reading...), "written") })
		edits = append(edits, o.editSkills(c, false)...)
	}
	if err := verifyAll(edits); err != nil {
		return err
	}
	agreed, captures := o.agreesToCapture()
	if !agreed {
		return cli.ErrFound
	}
	if _, err := o.applyAll(edits); err != nil {
		return err
	}
	if captures && !o.dryRun {
		if err := o.giveConsent(ctx); err != nil {
			return fmt.Errorf("nothing is captured, since your consent cannot be recorded: %w", err)
		}
	}
	for _, c := range o.clients {
		o.remarks(c)
	}
	return nil
}

// remarks prints what else the user can or must do for an agent.
func (o *registerOptions) remarks(c agent.Client) {
	if line := o.skillsLine(c); line != "" {
		fmt.Fprintln(o.env.Stdout, line)
	}
	if o.mcp {
		server := cli.Command(o.env, agent.ServerProgram)
		if o.scope == agent.Project {
			server = agent.ServerProgram
		}
		fmt.Fprintf(o.env.Stdout, "To add the MCP server to %s: %s\n", c.Title(), c.ServerCommand(o.scope, server))
	}
	if c == agent.Codex {
		fmt.Fprintln(o.env.Stdout, trustCodexHooks)
	}
	o.printOtherScopes(c, "also registered in %s, so it runs twice now; to remove that one: %s\n")
}

// trustCodexHooks is a remark for users of Codex.
const trustCodexHooks = "Codex runs a hook only after you have trusted it: type /hooks in Codex"
