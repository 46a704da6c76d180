package remember

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	urfave "github.com/urfave/cli/v2"

	"whence/internal/cli"
	"whence/internal/config"
	"whence/internal/home"
	"whence/internal/store"
	"whence/internal/team"
	"whence/internal/text"
	"whence/internal/worktree"
)

// learningOptions are the flags of the commands on learnings.
type learningOptions struct {
	format, color, dir, session string
	quiet                       bool
	server                      *team.Server // of a team; nil: none can be asked

	told sync.Once // the remark on the store
}

func (o *learningOptions) flags(own ...urfave.Flag) []urfave.Flag {
	return append(own,
		&urfave.StringFlag{Name: "format", Usage: "print as `FORMAT`: text or json", Value: "text", Destination: &o.format},
		&urfave.StringFlag{Name: "color", Usage: "colour: `WHEN` is auto, always or never", Value: "auto", Destination: &o.color},
		o.repoFlag(), o.sessionFlag(),
		&urfave.BoolFlag{Name: "quiet", Usage: "no remarks", Destination: &o.quiet, DisableDefaultText: true},
	)
}

// check refuses flags with a value that they cannot have.
func (o *learningOptions) check(env cli.Env) error {
	if err := cli.Format(o.format, "text", "json"); err != nil {
		return err
	}
	if o.color != "" { // a hook has no flags
		_, err := cli.Color(env, o.color, env.Stdout)
		return err
	}
	return nil
}

func (o *learningOptions) repoFlag() urfave.Flag {
	return &urfave.StringFlag{Name: "repo", Usage: "work in the repository at `DIR`", Destination: &o.dir}
}

func (o *learningOptions) sessionFlag() urfave.Flag {
	return &urfave.StringFlag{Name: "session", Usage: "`ID` of the agent session (default: from the environment)", Destination: &o.session}
}

// place is the folder in which to work.
func (o *learningOptions) place(env cli.Env) string {
	if o.dir == "" {
		return env.Dir
	}
	return env.Path(o.dir)
}

// base is what the repository may do with learnings, by the environment and the flags,
// without a policy.
func (o *learningOptions) base(env cli.Env) (*Service, error) {
	if err := o.check(env); err != nil {
		return nil, err
	}
	b, err := Open(o.place(env), env.Dir, variables(env), o.session, time.Now())
	if err != nil {
		return nil, err
	}
	if b.Remark != "" {
		o.told.Do(func() { o.remarks(env, []string{b.Remark}) })
	}
	b.Server, b.Tell = o.server, func(line string) { o.remarks(env, []string{line}) }
	useEmbeddings(env, b)
	return b, nil
}

// storeDir is the folder of the store.
func storeDir(env cli.Env) (string, error) { return home.Dir(variables(env)) }

// variables is the environment, in which a relative WHENCE_HOME is one from the working
// folder.
func variables(env cli.Env) func(string) string {
	return func(name string) string {
		value := env.Getenv(name)
		if name == "WHENCE_HOME" && value != "" {
			return env.Path(value)
		}
		return value
	}
}

// policy is what the settings allow an agent to store of its own accord.
func (o *learningOptions) policy(env cli.Env) (store.Policy, error) {
	c, err := settingsOf(cli.Root(o.place(env)), env)
	return PolicyOf(c), err
}

// settingsOf reads the settings of the repository at a folder.
func settingsOf(root string, env cli.Env) (config.Config, error) {
	tree, err := worktree.Open(root)
	if err != nil {
		return config.Config{}, err
	}
	defer tree.Close()
	c, err := config.Load(tree, env.Getenv)
	return c, cli.SettingsError(err)
}

// textOf joins the arguments, or reads standard input for "-".
func textOf(env cli.Env, ctx *urfave.Context) (string, error) {
	args := ctx.Args().Slice()
	if len(args) != 1 || args[0] != "-" {
		return strings.Join(args, " "), nil
	}
	src, err := readInput("the text on standard input", env.Stdin)
	return string(src), err
}

// longestInput is how many bytes a text for one learning has at most.
const longestInput = 1 << 20

// readInput reads a text for one learning, which is refused, not cut, if it is too long.
func readInput(name string, from io.Reader) ([]byte, error) {
	src, err := io.ReadAll(io.LimitReader(from, longestInput+1))
	if err == nil && len(src) > longestInput {
		err = cli.Usagef("%s is longer than %d bytes: shorten it", name, longestInput)
	}
	return src, err
}

// one is the only argument of a command.
func one(ctx *urfave.Context, what string) (string, error) {
	if ctx.Args().Len() != 1 || strings.TrimSpace(ctx.Args().First()) == "" {
		return "", cli.Usagef("name %s, its id or its name (in quotes)", what)
	}
	return ctx.Args().First(), nil
}

// named is the learning that a command is about, by id or name, and the base that may hold it.
func (o *learningOptions) named(env cli.Env, ctx *urfave.Context, what string) (b *Service, name string, err error) {
	if name, err = one(ctx, what); err == nil {
		b, err = o.base(env)
	}
	return b, name, err
}

// knownError makes an error of one learning that is not there an answer: exit 1.
func knownError(env cli.Env, err error) error {
	if !errors.Is(err, store.ErrUnknown) && !errors.Is(err, store.ErrAmbiguous) && !errors.Is(err, store.ErrNone) {
		return err
	}
	where := ""
	if errors.Is(err, store.ErrUnknown) {
		where = " (memory-remember list --brief prints those of this repository)"
	}
	fmt.Fprintf(env.Stderr, "memory-remember: %s%s\n", text.Printable(err.Error()), where)
	return cli.ErrFound
}

// remarks prints what else is to be known.
func (o *learningOptions) remarks(env cli.Env, notes []string) {
	if o.quiet {
		return
	}
	for _, note := range notes {
		fmt.Fprintf(env.Stderr, "memory-remember: %s\n", printableLines(note))
	}
}

// unexpected is the mistake of arguments where a command takes none: mostly a text to
// remember that begins with the name of the command.
func unexpected(ctx *urfave.Context) error {
	return cli.Usagef("%s takes no argument, but there is %q (a text to remember stands in quotes)", ctx.Command.Name, ctx.Args().First())
}

// background is the context of all commands: they end with their process.
func background(ctx *urfave.Context) context.Context {
	if ctx.Context != nil {
		return ctx.Context
	}
	return context.Background()
}
