package when

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	urfave "github.com/urfave/cli/v2"

	"whence/internal/cli"
	"whence/internal/dispatch"
	"whence/internal/inert"
	"whence/internal/worktree"
)

// unsetP is the value of --min-p if it is not given: then each kind of text has its own.
const unsetP = -1

// recallFlags returns the flags of recall.
func (o *options) recallFlags() []urfave.Flag {
	return append(o.flags("text or json"),
		&urfave.Float64Flag{Name: "min-p", Usage: "print decisions that apply with a probability of at least `P`; 0 prints the nearest, however improbable",
			DefaultText: fmt.Sprintf("%v; for a change, %v", dispatch.PromptLimits.Decision, dispatch.ChangeLimits.Decision), Value: unsetP, Destination: &o.minP},
		&urfave.BoolFlag{Name: "staged", Usage: "print what governs the change that is staged; TEXT is its message", Destination: &o.staged},
		&urfave.StringFlag{Name: "diff", Usage: "print what governs the change from `REV` to what is staged; TEXT is its message (default: those of its commits)", Destination: &o.diff},
	)
}

// recall prints the decisions that apply to the arguments, or to standard input.
func (o *options) recall(env cli.Env, l *Lookup, args []string) error {
	isChange, limits := o.staged || o.diff != "", dispatch.PromptLimits
	if isChange {
		limits = dispatch.ChangeLimits
	}
	if o.minP == unsetP {
		o.minP = limits.Decision
	}
	if !(o.minP >= 0 && o.minP <= 1) {
		return cli.Usagef("--min-p %v: use a probability from 0 (never abstain) to 1", o.minP)
	}
	if len(args) == 0 && !isChange && cli.IsTerminal(env.Stdin) {
		return cli.Usagef("no text to recall for: pass it as arguments or on standard input")
	}
	query := strings.Join(args, " ") // may be empty: nothing applies to it
	if query == "-" || len(args) == 0 && !isChange {
		src, err := io.ReadAll(io.LimitReader(env.Stdin, worktree.MaxTextBytes))
		if err != nil {
			return cli.Usagef("read the text: %v", err)
		}
		query = string(src)
	}
	var nearest []Recalled
	if isChange {
		var err error
		if nearest, err = o.recallChange(env, l, query); err != nil {
			return err
		}
	} else {
		nearest = l.Recall(query, limits.Items)
	}
	found := slices.DeleteFunc(nearest, func(r Recalled) bool { return r.P < o.minP })
	if o.format == "json" {
		return writePointersJSON(env.Stdout, found)
	}
	return writePointers(env.Stdout, found, l.typed.Path)
}

// pointerJSON is a pointer as editors and scripts read it.
type pointerJSON struct {
	Query string  `json:"query"` // prints the decision
	Title string  `json:"title"`
	File  string  `json:"file"`
	P     float64 `json:"p"` // probability that it applies

	Proposed bool   `json:"proposed,omitempty"` // it may yet be rejected
	Path     string `json:"path,omitempty"`     // the file of a change that speaks for it
}

func writePointersJSON(w io.Writer, found []Recalled) error {
	pointers := []pointerJSON{}
	for _, r := range found {
		pointers = append(pointers, pointerJSON{r.Command(), r.Title, r.File, math.Round(100*r.P) / 100, r.Proposed, r.Path})
	}
	return inert.WriteJSONLine(w, map[string]any{"pointers": pointers})
}

// writePointers prints a line for each decision, with its probability as a comment. Each line is a
// query that prints the decision.
func writePointers(w io.Writer, found []Recalled, shown func(path string) string) error {
	lines, width := make([]string, len(found)), 0
	for i, r := range found {
		lines[i] = inert.Shown(w, fmt.Sprintf("- %s  (%s)", r.Command(), r.shownTitle()))
		width = max(width, utf8.RuneCountInString(lines[i]))
	}
	for i, r := range found {
		speaks := ""
		if r.Path != "" {
			speaks = ", " + shown(r.Path)
		}
		if _, err := fmt.Fprintf(w, "%-*s  # %s%s\n", width, lines[i], probability(r.P), speaks); err != nil {
			return err
		}
	}
	return nil
}

// probability formats a probability, as in "p .83".
func probability(p float64) string {
	return "p " + strings.TrimPrefix(strconv.FormatFloat(p, 'f', 2, 64), "0")
}
