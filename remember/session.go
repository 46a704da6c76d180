package remember

import (
	"strings"

	urfave "github.com/urfave/cli/v2"

	"whence/internal/agent/usertext"
	"whence/internal/cli"
	"whence/internal/text"
)

// sessionCommand prints what was said in a session. Agents may run it without asking, so it takes no
// flags, reads only, and only what belongs to the repository in which it runs.
func sessionCommand(env cli.Env, parts Parts) *urfave.Command {
	o := learningOptions{Parts: parts, format: "text"}
	return &urfave.Command{
		Name: "session", Usage: "print what was said in a session", ArgsUsage: "ID",
		Description: "A line of a hook or of search has the ID; the number of a turn may follow it, as in ID/12.",
		Action: func(cmd *urfave.Context) error {
			id := cmd.Args().First()
			if cmd.Args().Len() != 1 || strings.TrimSpace(id) == "" {
				return cli.Usagef("name one session, by its id: memory-remember session ID (memory-remember search TEXT finds sessions by what was said)")
			}
			svc, err := o.service(env)
			if err != nil {
				return err
			}
			said, found, err := svc.ReadSession(cmd.Context, id)
			if err != nil {
				return err
			}
			if !found {
				return reportFailure(env, "no session of this repository has the id "+text.Quoted(id)+": memory-remember search, with words that were said, finds it")
			}
			text.SayWhose(env.Stdout, usertext.Stored)
			p := o.printer(env, svc.Now())
			p.line(said.Text)
			if len(said.Later) > 0 {
				p.line("Later sessions on the same subject, which may have amended this:")
			}
			for _, line := range said.Later {
				p.line(line)
			}
			return p.flush()
		},
	}
}
