package when

import (
	_ "embed"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	urfave "github.com/urfave/cli/v2"

	"whence/internal/cli"
	"whence/internal/dispatch"
	"whence/internal/finding"
	"whence/internal/inert"
	"whence/internal/memory"
	"whence/internal/repo"
)

//go:embed doc.go
var docGo string

// Main runs memory-when and returns its exit status.
func Main(env cli.Env) int {
	if dispatch.RunHook(env, hooksFor(env)) {
		return cli.OK
	}
	env = cli.InShellTool(env)
	var o options
	return cli.Main(env, confine(env, &urfave.App{
		Name:   "memory-when",
		Flags:  o.flags("text or json; with check, also sarif or github"),
		Action: o.lookUp(env),
		Commands: []*urfave.Command{
			{Name: "recall", Usage: "print the decisions that apply to a text", ArgsUsage: "[TEXT...]", Flags: o.recallFlags(), Action: o.action(env, command{formats: textOrJSON, run: o.recall})},
			{Name: "check", Usage: "report queries in Markdown files that have no answer", ArgsUsage: "FILE...", Flags: o.flags("text, json, sarif or github"), Action: o.action(env, command{formats: finding.Formats, run: o.check, checks: true})},
			dispatch.Command(Hooks()),
		},
	}, "memory-when", "recall"), docGo)
}

// options are the flags of the command line.
type options struct {
	format     string
	quiet      bool
	minP       float64
	staged     bool
	diff       string
	repository cli.MemoryFlags

	dir   string                               // of the repository
	known func([]unresolved) map[mentioned]int // counts what was unresolved before the commit that git is making
}

func (o *options) flags(formats string) []urfave.Flag {
	format := &urfave.StringFlag{Name: "format", Usage: "print as `FORMAT`: " + formats, Value: "text", Destination: &o.format}
	return append(o.commonFlags(), format)
}

func (o *options) commonFlags() []urfave.Flag {
	return append(o.repository.Flags(), cli.QuietFlag(&o.quiet))
}

// textOrJSON are the formats of most commands.
var textOrJSON = []string{"text", "json"}

// command is a command of the program that uses the memory.
type command struct {
	formats []string // that it prints
	run     func(cli.Env, *Lookup, []string) error
	checks  bool // it prints findings, not decisions; without a memory there are none
}

// action returns the action of a command: it opens the memory, warns about what is skipped, runs the command, and
// closes the memory.
func (o *options) action(env cli.Env, c command) urfave.ActionFunc {
	return func(cmd *urfave.Context) error {
		if err := cli.Format(o.format, c.formats...); err != nil {
			return err
		}
		tree, settings, err := o.repository.Open(env, cmd)
		if err != nil {
			return err
		}
		defer tree.Close()
		var l *Lookup
		source, err := cli.CommitMemory(env, tree, settings)
		if err == nil {
			l, err = Open(source, settings)
		}
		if c.checks && hasNothing(err, env) {
			fmt.Fprintf(env.Stderr, "memory-when: nothing to check: %s\n", inert.Printable(err.Error()))
			return nil
		}
		if err != nil {
			return err
		}
		o.dir = tree.Dir
		o.known = func(all []unresolved) map[mentioned]int { return knownMentions(env, tree, settings, all) }
		if !o.quiet {
			for _, warning := range l.Warnings() {
				fmt.Fprintf(env.Stderr, "memory-when: %s\n", inert.Printable(warning))
			}
		}
		if o.format == "text" && !c.checks {
			inert.SayWhose(env.Stdout, inert.FromDecisions)
		}
		return c.run(env, l, cmd.Args().Slice())
	}
}

// hasNothing reports whether an error says that there is no memory to check. It is not limited to hooks, since hook
// managers don't always say that they run a program. A memory that is refused, though, is an error outside of hooks.
func hasNothing(err error, env cli.Env) bool {
	if memory.IsRefusal(err) {
		return repo.InHook(env.Getenv)
	}
	return errors.Is(err, errNoIndex) || errors.Is(err, memory.ErrNoMemory)
}

// lookUp is resolve, except that the query null works without a memory.
func (o *options) lookUp(env cli.Env) urfave.ActionFunc {
	resolve := o.action(env, command{formats: textOrJSON, run: o.resolve})
	return func(cmd *urfave.Context) error {
		q, err := ParseQuery(strings.Join(cmd.Args().Slice(), " "))
		if err != nil || q.Kind != NullQuery {
			err := resolve(cmd)
			word := cmd.Args().First()
			if meant := cli.DidYouMean(cmd.App.Commands, word); meant != "" && errors.Is(err, cli.ErrFound) {
				fmt.Fprintf(env.Stderr, "memory-when: %q is not a command.%s\n", word, meant)
			}
			return err
		}
		if err := cli.Format(o.format, textOrJSON...); err != nil {
			return err
		}
		if o.format == "json" {
			return writeJSON(env.Stdout, []Answer{{Query: q.Text, Kind: q.Kind, Related: []Related{}}}, nil)
		}
		return nil
	}
}

// resolve answers the queries of the command line, or of standard input for "-".
func (o *options) resolve(env cli.Env, l *Lookup, args []string) error {
	queries, err := readQueries(env, l.join(args))
	if err != nil {
		return err
	}
	var answers []Answer
	var failures []failure
	for _, query := range queries {
		q, err := ParseQuery(query)
		var a Answer
		if err == nil {
			a, err = l.Resolve(q)
		}
		if err != nil {
			failures = append(failures, newFailure(query, err))
			continue
		}
		answers = append(answers, a)
	}
	if o.format == "json" {
		err = writeJSON(env.Stdout, answers, failures)
	} else if err = writeText(env.Stdout, answers); err == nil {
		for _, f := range failures {
			writeFailure(env.Stderr, f)
		}
	}
	if err == nil && len(failures) > 0 {
		err = cli.ErrFound
	}
	return err
}

// maxQueriesBytes bounds what is read of standard input.
const maxQueriesBytes = 1 << 20

// readQueries returns the queries in the arguments; "-", or no argument at all, stands for the
// lines of standard input.
func readQueries(env cli.Env, args []string) ([]string, error) {
	var queries []string
	if len(args) == 0 && !cli.IsTerminal(env.Stdin) {
		args = []string{"-"}
	}
	for _, arg := range args {
		if arg != "-" {
			queries = append(queries, queriesOf(arg)...)
			continue
		}
		src, err := io.ReadAll(io.LimitReader(env.Stdin, maxQueriesBytes+1))
		if err != nil {
			return nil, cli.Usagef("read queries: %v", err)
		}
		if len(src) > maxQueriesBytes {
			return nil, cli.Usagef("the queries on standard input are longer than %d bytes: ask less at once", maxQueriesBytes)
		}
		queries = append(queries, Queries(string(src))...)
	}
	if len(queries) == 0 {
		return nil, cli.Usagef("nothing to look up: pass a trigger, or triggers on standard input, one a line")
	}
	return queries, nil
}

// queriesOf returns the queries of an argument, or the argument itself if there are none: it is then reported as empty.
func queriesOf(arg string) []string {
	if queries := Queries(arg); len(queries) > 0 {
		return queries
	}
	return []string{arg}
}

// join joins arguments that are one query without quotes: together they have an answer, or they are single words of
// which none has one.
func (l *Lookup) join(args []string) []string {
	joined := strings.Join(args, " ")
	if len(args) < 2 || slices.Contains(args, "-") || strings.Contains(joined, "  ") || strings.Contains(joined, "\n") {
		return args
	}
	if l.answers(joined) {
		return []string{joined}
	}
	for _, arg := range args {
		if strings.Contains(arg, " ") || l.answers(arg) {
			return args
		}
	}
	return []string{joined}
}

// answers reports whether a query has an answer.
func (l *Lookup) answers(query string) bool {
	q, err := ParseQuery(query)
	if err == nil {
		_, err = l.Resolve(q)
	}
	return err == nil
}
