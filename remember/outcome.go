package remember

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"whence/internal/cli"
	"whence/internal/corpus"
	"whence/internal/finding"
	"whence/internal/index"
	"whence/internal/text"
	"whence/internal/textdiff"
	"whence/when"
)

// editResult is what a command has worked out on a memory, before anything is written.
type editResult struct {
	changes []entryChange
	notes   []string          // what else is to be known
	refused []finding.Finding // why nothing may be written
	left    []finding.Finding // what is left to do, although it is written
	missed  *when.NotFound    // what was asked for is not there
	after   *corpus.Corpus    // the memory as it is to be; nil where nothing changes

	files   []fileChange // what the files are to be
	written bool
}

// change is one thing that is done, as it is said.
type entryChange struct {
	Action     string   `json:"action"` // "added", "removed", "changed" or "known"
	Line       string   `json:"line,omitempty"`
	Was        string   `json:"was,omitempty"` // of a changed line
	File       string   `json:"file,omitempty"`
	Header     string   `json:"header,omitempty"`
	Situations []string `json:"situations,omitempty"`
}

// verbs are the words for actions: of what was done, and of what would be.
var verbs = map[string][2]string{
	"added":   {"Added", "Would add"},
	"removed": {"Removed", "Would remove"},
	"changed": {"Changed", "Would change"},
	"known":   {"Already there", "Already there"},
}

// text says in one line what is done.
func (c entryChange) text(done bool) string {
	verb := verbs[c.Action][1]
	if done {
		verb = verbs[c.Action][0]
	}
	switch {
	case c.Situations != nil:
		return fmt.Sprintf("%s: %s to %q (%s)", verb, cli.Count(len(c.Situations), "situation", "situations"), c.Header, c.File)
	case c.Was != "":
		return fmt.Sprintf("%s: %s (was: %s)", verb, c.Line, c.Was)
	}
	return verb + ": " + c.Line
}

// report says what was done, or what stands against it, and returns the exit status.
func (o *options) report(env cli.Env, result editResult) error {
	var err error
	switch {
	case o.format == "json":
		err = writeJSON(env.Stdout, result)
	case o.diff && len(result.refused) == 0:
		for _, file := range result.files {
			if err = cli.PrintExact(env, textdiff.Unified(file.path, file.before, file.after)); err != nil {
				return err
			}
		}
	case len(result.refused) == 0:
		for _, c := range result.changes {
			if _, err = fmt.Fprintln(env.Stdout, text.Printable(c.text(result.written))); err != nil {
				return err
			}
		}
	}
	if err == nil && o.format == "text" && !o.diff {
		err = finding.Write(env.Stdout, "text", finding.Report{Findings: result.left}, false)
	}
	if err != nil {
		return err
	}
	if !o.quiet {
		defer func() { // below what is refused, as they say what to do then
			for _, note := range result.notes {
				fmt.Fprintf(env.Stderr, "memory-remember: %s\n", text.Printable(note))
			}
		}()
	}
	switch {
	case result.missed != nil:
		fmt.Fprintf(env.Stderr, "memory-remember: %s\n", text.Printable(result.missed.What))
		for _, s := range result.missed.Suggestions {
			fmt.Fprintf(env.Stderr, "- %s\n", text.Printable(suggestion(s)))
		}
	case len(result.refused) > 0:
		fmt.Fprintln(env.Stderr, "memory-remember: nothing is written, since memory-validate would reject the result:")
		if err := finding.Write(env.Stderr, "text", finding.Report{Findings: result.refused}, false); err != nil {
			return err
		}
	case len(result.left) == 0:
		return nil
	}
	return cli.ErrFound
}

func suggestion(s when.Suggestion) string {
	if s.Why == "" {
		return s.Command
	}
	return s.Command + "  # " + s.Why
}

// writeJSON prints an editResult as one object.
func writeJSON(w io.Writer, result editResult) error {
	type found struct {
		Path    string `json:"path"`
		Line    int    `json:"line"`
		Column  int    `json:"column"`
		Rule    string `json:"rule"`
		Message string `json:"message"`
	}
	object := struct {
		Written     bool              `json:"written"`
		Changes     []entryChange     `json:"changes"`
		Findings    []found           `json:"findings"`
		Error       string            `json:"error,omitempty"`
		Suggestions []when.Suggestion `json:"suggestions,omitempty"`
		Notes       []string          `json:"notes,omitempty"`
	}{Written: result.written, Changes: []entryChange{}, Findings: []found{}, Notes: result.notes}
	if len(result.refused) == 0 {
		object.Changes = append(object.Changes, result.changes...)
	}
	for _, f := range slices.Concat(result.refused, result.left) {
		object.Findings = append(object.Findings, found{f.Path, f.Line, f.Column, f.Rule, f.Message})
	}
	if result.missed != nil {
		object.Error, object.Suggestions = result.missed.What, result.missed.Suggestions
	}
	return text.WriteJSON(w, object)
}

// command is an entry as it can be asked for.
func command(e index.Entry) string { return "/" + e.Operator + " " + e.Trigger.Text }

// printable tells whether text is UTF-8 in one line, without control characters.
func printable(text string) bool {
	return utf8.ValidString(text) && !strings.ContainsFunc(text, func(r rune) bool {
		return unicode.IsControl(r) && r != '\t' || r == '\u2028' || r == '\u2029'
	})
}
