package when

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	urfave "github.com/urfave/cli/v2"

	"whence/internal/cli"
	"whence/internal/dispatch"
	"whence/internal/rank"
	"whence/internal/text"
	"whence/internal/worktree"
)

// recallFlags returns the flags of recall.
func (o *options) recallFlags() []urfave.Flag {
	return append(o.commonFlags(),
		&urfave.Float64Flag{Name: "min-p", Usage: "print decisions that apply with a probability of at least `P`; 0 prints the nearest in any case", Value: dispatch.PromptLimits.Decision, Destination: &o.minP},
		&urfave.BoolFlag{Name: "explain", Usage: "print why the nearest decisions are printed or not", Destination: &o.explain},
	)
}

// recall prints the decisions that apply to the arguments, or to standard input.
func (o *options) recall(env cli.Env, l *Library, args []string) error {
	if !(o.minP >= 0 && o.minP <= 1) {
		return cli.Usagef("--min-p %v: use a probability from 0 (never abstain) to 1", o.minP)
	}
	if len(args) == 0 && cli.IsTerminal(env.Stdin) {
		return cli.Usagef("no text to recall for: pass it as arguments or on standard input")
	}
	query := strings.Join(args, " ") // may be empty: nothing applies to it
	if query == "-" || len(args) == 0 {
		src, err := io.ReadAll(io.LimitReader(env.Stdin, worktree.MaxTextBytes))
		if err != nil {
			return cli.Usagef("read the text: %v", err)
		}
		query = string(src)
	}
	nearest := l.Recall(query, dispatch.PromptLimits.Items)
	if !o.quiet {
		for _, warning := range l.skipped() {
			fmt.Fprintf(env.Stderr, "memory-when: %s\n", text.Printable(warning))
		}
	}
	if o.explain {
		o.writeReasons(env.Stdout, nearest)
	}
	found := slices.DeleteFunc(nearest, func(r Recalled) bool { return r.P < o.minP })
	return writePointers(env.Stdout, found)
}

// writeReasons prints why the nearest decisions are printed or not.
func (o *options) writeReasons(w io.Writer, nearest []Recalled) {
	if len(nearest) == 0 {
		fmt.Fprint(w, "No decision shares a word with the text.\n\n")
		return
	}
	for _, r := range nearest {
		verdict := "printed"
		if r.P < o.minP {
			verdict = "not printed"
		}
		fmt.Fprintf(w, "%s: %s, %s\n", text.Printable(r.Command()), verdict, Probability(r.P))
		fmt.Fprint(w, "  features:")
		for i, name := range rank.FeatureNames() {
			fmt.Fprintf(w, " %s %.2f", name, r.Features[i])
			if i < len(r.Features)-1 {
				fmt.Fprint(w, ",")
			}
		}
		fmt.Fprint(w, "\n  words:")
		for _, word := range r.Words {
			fmt.Fprintf(w, " %s %.2f", text.Printable(word.Text), word.Score)
		}
		fmt.Fprintln(w)
	}
	fmt.Fprintln(w)
}

// writePointers prints a line for each decision, with its probability as a comment. Each line is a
// query that prints the decision.
func writePointers(w io.Writer, found []Recalled) error {
	lines, width := make([]string, len(found)), 0
	for i, r := range found {
		lines[i] = text.Shown(w, fmt.Sprintf("- %s  (%s)", r.Command(), r.Title))
		width = max(width, utf8.RuneCountInString(lines[i]))
	}
	for i, r := range found {
		if _, err := fmt.Fprintf(w, "%-*s  # %s\n", width, lines[i], Probability(r.P)); err != nil {
			return err
		}
	}
	return nil
}

// Probability formats a probability, as in "p .83".
func Probability(p float64) string {
	return "p " + strings.TrimPrefix(strconv.FormatFloat(p, 'f', 2, 64), "0")
}
