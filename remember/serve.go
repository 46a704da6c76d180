package remember

import (
	"bytes"
	"context"
	"os"
	"os/signal"
	"strings"
	"syscall"

	urfave "github.com/urfave/cli/v2"

	"whence/internal/cli"
	"whence/internal/home"
	"whence/internal/inert"
	"whence/internal/store"
	"whence/when"
)

// Backend gives a server what its tools need. Each call of a function starts afresh, so that changed
// settings apply immediately, and no failure ends the server.
type Backend struct {
	Service func() (*Service, error)                        // of this repository, without a policy
	Policy  func() (store.Policy, error)                    // an error: nothing may be stored
	When    func(query string) (text string, answered bool) // decisions, and whether there are any
}

// ServeFunc serves tools for agents on the streams of env until its client closes them, or ctx is
// done.
type ServeFunc func(ctx context.Context, env cli.Env, b Backend) error

// serveCommand runs the MCP server, which main provides: programs that do not serve do not link it.
func serveCommand(env cli.Env, parts Parts) *urfave.Command {
	o := learningOptions{unasked: true, Parts: parts}
	return &urfave.Command{
		Name: "serve", Usage: "run the MCP server",
		Description: "Serves the tools store_memory, search_memory, when and forget_memory on standard input and output.",
		Flags:       []urfave.Flag{o.repoFlag(), o.sessionFlag()},
		Action: noArguments(func(cmd *urfave.Context) error {
			if err := checkServed(env, o.dir); err != nil {
				return err
			}
			_, _, placeErr := home.Place(env.Getenv) // ForAgent drops variables, but must not replace the folder they name
			until, stop := signal.NotifyContext(cmd.Context, os.Interrupt, syscall.SIGTERM)
			defer stop()
			env := env.ForAgent()
			return parts.Serve(until, env, Backend{
				Service: func() (*Service, error) {
					if placeErr != nil {
						return nil, placeErr
					}
					return o.service(env)
				},
				Policy: func() (store.Policy, error) { return o.policy(env) },
				When:   func(query string) (string, bool) { return whenText(env, o.repoDir(env), query) },
			})
		}),
	}
}

// checkServed refuses a repository other than that of the working folder, if that is in one: a committed
// MCP file may name any.
func checkServed(env cli.Env, dir string) error {
	if dir == "" || home.OuterTree(env.Dir) == "" {
		return nil
	}
	return env.CheckInside("--repo "+dir, dir)
}

// whenText returns what memory-when prints for an agent in a folder, for one or more lines of queries,
// and reports whether any has an answer. Problems follow the answers. If there are no answers, it returns
// pointers to decisions that may apply, if there are any. It passes the queries on standard input, because
// "list" as an argument would be a command.
func whenText(env cli.Env, dir, query string) (answer string, answered bool) {
	if strings.TrimSpace(query) == "" {
		return "Error: query must be non-empty", false
	}
	run := func(args ...string) (out, problems string) {
		var stdout, stderr bytes.Buffer
		inside := env
		inside.Args = append([]string{"memory-when"}, args...)
		inside.Dir, inside.Stdin, inside.Stdout, inside.Stderr = dir, strings.NewReader(query), inert.NewAgentWriter(&stdout), &stderr
		when.Main(inside)
		return stdout.String(), stderr.String()
	}
	out, problems := run("--quiet", "-")
	if isSection := strings.HasPrefix(strings.TrimSpace(query), "§"); out == "" && !isSection {
		if pointers, _ := run("recall", "--quiet", "-"); pointers != "" {
			return "No trigger and no title is that text. These decisions may apply; ask for one by its trigger:\n" + strings.TrimSpace(pointers), true
		}
	}
	return strings.TrimSpace(out + "\n" + problems), out != ""
}
