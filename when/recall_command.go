package when

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	urfave "github.com/urfave/cli/v2"

	"whence/internal/cli"
	"whence/internal/files"
	"whence/internal/text"
)

// recallOptions are the flags of recall alone.
type recallOptions struct {
	max, budget int
	minEvidence float64
	explain     bool
}

func (o *recallOptions) flags() []urfave.Flag {
	return []urfave.Flag{
		&urfave.IntFlag{Name: "max", Usage: "print at most `N` decisions", Value: DefaultMax, Destination: &o.max},
		&urfave.IntFlag{Name: "budget", Usage: "print at most `N` characters of text", Value: DefaultBudget, Destination: &o.budget},
		&urfave.Float64Flag{Name: "min-evidence", Usage: "print decisions whose evidence is at least `X`; 0 prints the nearest in any case", Value: 1, Destination: &o.minEvidence},
		&urfave.BoolFlag{Name: "explain", Usage: "print evidence and matching words of the nearest decisions", Destination: &o.explain, DisableDefaultText: true},
	}
}

// recall prints the decisions that apply to the arguments, or to standard input.
func (o *options) recall(env cli.Env, l *Library, args []string) error {
	switch {
	case o.recalls.max < 1:
		return cli.Usagef("--max %d: use 1 or more", o.recalls.max)
	case o.recalls.budget < 0:
		return cli.Usagef("--budget %d: use 0 (print queries only) or more", o.recalls.budget)
	case !(o.recalls.minEvidence >= 0):
		return cli.Usagef("--min-evidence %v: use 0 (never abstain) or more", o.recalls.minEvidence)
	}
	if len(args) == 0 && cli.IsTerminal(env.Stdin) {
		return cli.Usagef("no text to recall for: pass it as arguments or on standard input")
	}
	query := strings.Join(args, " ") // may be empty: nothing applies to it
	if query == "-" || len(args) == 0 {
		src, err := io.ReadAll(io.LimitReader(env.Stdin, files.MaxTextBytes))
		if err != nil {
			return cli.Usagef("read the text: %v", err)
		}
		query = string(src)
	}
	nearest, err := l.Recall(query, o.recalls.max)
	if err != nil {
		return err
	}
	if !o.quiet {
		for _, warning := range l.conflicts() {
			fmt.Fprintf(env.Stderr, "memory-when: %s\n", text.Printable(warning))
		}
	}
	found := slices.DeleteFunc(slices.Clone(nearest), func(r Recalled) bool { return r.Score < o.recalls.minEvidence })
	if o.format == "json" {
		return writeRecalledJSON(env.Stdout, found, nearest, o.recalls)
	}
	if o.recalls.explain {
		explain(env.Stdout, nearest, o.recalls.minEvidence)
	}
	return writeRecalled(env.Stdout, found, o.recalls.budget)
}

// explain prints why the nearest decisions are recalled or not.
func explain(w io.Writer, nearest []Recalled, minEvidence float64) {
	if len(nearest) == 0 {
		fmt.Fprint(w, "No decision shares a word with the text.\n\n")
		return
	}
	for _, r := range nearest {
		verdict := "recalled"
		if r.Score < minEvidence {
			verdict = "not recalled"
		}
		fmt.Fprintf(w, "%s: %s, evidence %.2f:", text.Printable(r.Command()), verdict, r.Score)
		for _, word := range r.Words {
			fmt.Fprintf(w, " %s %.2f", text.Printable(word.Text), word.Score)
		}
		fmt.Fprintln(w)
	}
	fmt.Fprintln(w)
}

// writeRecalled prints decisions with at most budget characters of text. Longer text is cut,
// followed by the query that prints all of it.
func writeRecalled(w io.Writer, found []Recalled, budget int) error {
	var printed []string
	for _, r := range found {
		head := fmt.Sprintf("# %s\n\n%s  # %s:%d\n", r.Title, r.Command(), r.File, r.Line)
		body, more := r.Text, 0
		if utf8.RuneCountInString(body) > budget {
			body, more = fit(body, budget)
			if utf8.RuneCountInString(body) < minTextChars {
				body, more = "", strings.Count(r.Text, "\n")+1
			}
		}
		budget -= utf8.RuneCountInString(body)
		if body != "" {
			head += "\n" + body + "\n"
		}
		if more > 0 {
			head += fmt.Sprintf("\n(%s: %s)\n", cli.Count(more, "more line", "more lines"), r.Command())
		}
		printed = append(printed, head)
	}
	_, err := io.WriteString(w, text.PrintableLines(strings.Join(printed, "\n---\n\n")))
	return err
}

type jsonRecalled struct {
	Operator string     `json:"operator"`
	Trigger  string     `json:"trigger"`
	Header   string     `json:"header"`
	File     string     `json:"file"`
	Line     int        `json:"line"`
	Score    float64    `json:"score"`
	Words    []string   `json:"words"`
	Weights  []jsonWord `json:"weights,omitempty"`
}

type jsonWord struct {
	Word  string  `json:"word"`
	Score float64 `json:"score"`
}

// writeRecalledJSON prints an object with the array "results", and with --explain also
// "nearest" and the weights of all words.
func writeRecalledJSON(w io.Writer, found, nearest []Recalled, o recallOptions) error {
	out := struct {
		Results []jsonRecalled `json:"results"`
		Nearest []jsonRecalled `json:"nearest,omitempty"`
	}{toJSON(found, o.explain), nil}
	if o.explain {
		out.Nearest = toJSON(nearest, true)
	}
	return text.WriteJSON(w, out)
}

func toJSON(recalled []Recalled, explain bool) []jsonRecalled {
	all := []jsonRecalled{}
	for _, r := range recalled {
		j := jsonRecalled{r.Operator, r.Trigger, r.Title, r.File, r.Line, r.Score, []string{}, nil}
		for _, word := range r.Words {
			j.Words = append(j.Words, word.Text)
			if explain {
				j.Weights = append(j.Weights, jsonWord{word.Text, word.Score})
			}
		}
		all = append(all, j)
	}
	return all
}
