package remember

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	urfave "github.com/urfave/cli/v2"

	"whence/internal/cli"
	"whence/internal/config"
	"whence/internal/inert"
	"whence/internal/learning"
	"whence/internal/store"
	"whence/internal/worktree"
)

// learningOptions are the flags of the commands on learnings.
type learningOptions struct {
	format, dir, session string
	quiet                bool
	unasked              bool // an agent has started the command, not the user
	Parts
}

func (o *learningOptions) flags(own ...urfave.Flag) []urfave.Flag {
	return append(own,
		o.repoFlag(),
		cli.QuietFlag(&o.quiet),
	)
}

func (o *learningOptions) formatFlag() urfave.Flag {
	return &urfave.StringFlag{Name: "format", Usage: "print as `FORMAT`: text or json", Value: "text", Destination: &o.format}
}

func (o *learningOptions) repoFlag() urfave.Flag {
	return &urfave.StringFlag{Name: "repo", Usage: "work in the repository at `DIR`", Destination: &o.dir}
}

func (o *learningOptions) sessionFlag() urfave.Flag {
	return &urfave.StringFlag{Name: "session", Usage: "the `ID` of the agent session", Destination: &o.session}
}

func (o *learningOptions) repoDir(env cli.Env) string {
	if o.dir == "" {
		return env.Dir
	}
	return env.Path(o.dir)
}

// service checks the flags and opens the service of the repository, without a policy.
func (o *learningOptions) service(env cli.Env) (*Service, error) {
	if o.format != "" {
		if err := cli.Format(o.format, "text", "json"); err != nil {
			return nil, err
		}
	}
	if !o.unasked {
		if _, err := env.Home(); err != nil {
			return nil, err
		}
	}
	svc, err := Open(o.repoDir(env), env.Dir, env.Getenv, o.session, time.Now())
	if err == nil {
		o.useEmbeddings(env, svc)
	}
	return svc, err
}

// action makes the action of a command that takes no arguments.
func (o *learningOptions) action(env cli.Env, run func(context.Context, *Service) error) urfave.ActionFunc {
	return noArguments(func(cmd *urfave.Context) error {
		svc, err := o.service(env)
		if err != nil {
			return err
		}
		return run(cmd.Context, svc)
	})
}

func (o *learningOptions) policy(env cli.Env) (store.Policy, error) {
	c, err := settingsOf(cli.Root(o.repoDir(env)), env)
	return policyOf(c), err
}

// remark prints remarks on a result to stderr, unless the user wants none.
func (o *learningOptions) remark(env cli.Env, remarks ...string) {
	if o.quiet {
		return
	}
	for _, remark := range remarks {
		fmt.Fprintf(env.Stderr, "memory-remember: %s\n", inert.PrintableLines(remark))
	}
}

func settingsOf(root string, env cli.Env) (config.Config, error) {
	tree, err := worktree.Open(root)
	if err != nil {
		return config.Config{}, err
	}
	defer tree.Close()
	c, err := config.Load(tree, env.Getenv)
	return c, cli.SettingsError(err)
}

// textOf joins words, or reads standard input for "-".
func textOf(env cli.Env, words []string) (string, error) {
	if len(words) != 1 || words[0] != "-" {
		return strings.Join(words, " "), checkUTF8("the text", words...)
	}
	src, err := readInput("the text on standard input", env.Stdin, maxInputBytes)
	return string(src), err
}

const (
	maxInputBytes  = 1 << 20 // of one learning, before it is parsed
	maxImportBytes = 64 << 20
)

// checkUTF8 refuses bytes that are not text, so that texts are stored as they were given.
func checkUTF8(what string, texts ...string) error {
	if err := CheckUTF8(what, texts...); err != nil {
		return cli.Usagef("%v", err)
	}
	return nil
}

// readInput reads a text. It refuses a text that is too long, rather than cutting it.
func readInput(name string, from io.Reader, maxBytes int) ([]byte, error) {
	src, err := io.ReadAll(io.LimitReader(from, int64(maxBytes)+1))
	if err != nil {
		return nil, err
	}
	if len(src) > maxBytes {
		return nil, cli.Usagef("%s is longer than %d bytes: shorten it", name, maxBytes)
	}
	return src, checkUTF8(name, string(src))
}

// jsonLine is a line of JSON Lines that is not empty.
type jsonLine struct {
	number int // 1-based
	src    []byte
}

func jsonLines(src []byte) (lines []jsonLine) {
	number := 0
	for line := range bytes.Lines(bytes.TrimPrefix(src, []byte("\uFEFF"))) {
		number++
		if line = bytes.TrimSpace(line); len(line) > 0 {
			lines = append(lines, jsonLine{number, line})
		}
	}
	return lines
}

// learningAction makes the action of a command on one learning, whose name or id is its first argument.
func (o *learningOptions) learningAction(env cli.Env, run func(cmd *urfave.Context, svc *Service, name string, more []string) error) urfave.ActionFunc {
	return func(cmd *urfave.Context) error {
		svc, err := o.service(env)
		if err != nil {
			return err
		}
		name := cmd.Args().First()
		if strings.TrimSpace(name) == "" {
			return unnamedError(cmd)
		}
		return o.notFound(env, run(cmd, svc, name, cmd.Args().Tail()))
	}
}

func unnamedError(cmd *urfave.Context) error {
	return cli.Usagef("name one learning: memory-remember %s %s (a name in quotes); \"memory-remember list --brief\" prints them", cmd.Command.Name, cmd.Command.ArgsUsage)
}

// typed returns a command on the learnings of this repository as the user types it.
func (o *learningOptions) typed(env cli.Env, line string) string {
	return cli.Typed(env, o.dir).Command(line)
}

// notFound handles an error that there is not exactly one learning with a name: it prints the error and what
// to type, and returns the error for exit status 1. It returns any other error unchanged.
func (o *learningOptions) notFound(env cli.Env, err error) error {
	if errors.Is(err, store.ErrUnknown) {
		return reportFailure(env, fmt.Sprintf("%v: \"%s\" prints those of this repository", err, o.typed(env, "memory-remember list --brief")))
	}
	if several := (*store.AmbiguousError)(nil); errors.As(err, &several) || errors.Is(err, store.ErrNone) {
		return reportFailure(env, err.Error())
	}
	return err
}

// reportFailure prints why there is no result, and returns the error for exit status 1.
func reportFailure(env cli.Env, why string) error {
	fmt.Fprintf(env.Stderr, "memory-remember: %s\n", inert.Printable(why))
	return cli.ErrFound
}

// noArguments makes an action refuse arguments.
func noArguments(action urfave.ActionFunc) urfave.ActionFunc {
	return func(cmd *urfave.Context) error {
		if cmd.Args().Present() {
			return cli.Usagef("%s takes no argument, but got %q: put quotes around a text to remember, and around the value of a flag", cmd.Command.Name, cmd.Args().First())
		}
		return action(cmd)
	}
}

// checkCategory checks the flag --category, which may be missing.
func checkCategory(category learning.Category) error {
	if category != "" {
		if _, err := learning.ParseCategory(string(category)); err != nil {
			return cli.Usagef("--category: %v", err)
		}
	}
	return nil
}
