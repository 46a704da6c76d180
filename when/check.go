package when

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"whence/internal/cli"
	"whence/internal/decision"
	"whence/internal/finding"
	"whence/internal/inert"
	"whence/internal/merge"
	"whence/internal/shell"
	"whence/internal/worktree"
)

// check reports the queries in Markdown files that have no answer.
func (o *options) check(env cli.Env, l *Lookup, names []string) error {
	if len(names) == 0 {
		return cli.Usagef("nothing to check: name Markdown files")
	}
	var all []unresolved
	for _, name := range names {
		if !utf8.ValidString(name) { // hook managers pass any path that git has
			fmt.Fprintf(env.Stderr, "memory-when: %s is not checked: its name is not UTF-8\n", inert.Quoted(name))
			continue
		}
		src, err := readNamed(env.Path(name))
		if foreign := (*worktree.ForeignError)(nil); errors.Is(err, fs.ErrNotExist) && !errors.As(err, &foreign) {
			return fmt.Errorf("%s: no such file: name Markdown files relative to the working folder", name)
		}
		if err != nil { // the error begins with the base name
			folder, _ := filepath.Split(name)
			return fmt.Errorf("%s%w", folder, err)
		}
		found, err := l.check(filepath.ToSlash(name), src)
		if err != nil {
			return err
		}
		all = append(all, found...)
	}
	found, before := o.fresh(all)
	finding.Sort(found)
	report := finding.Report{Tool: "memory-when", Version: cli.Version, Rules: []finding.Rule{mentionRule}, Findings: found}
	if err := finding.Write(env.Stdout, o.format, report, cli.Color(env, env.Stdout)); err != nil {
		return err
	}
	if before > 0 && !o.quiet {
		fmt.Fprintf(env.Stderr, "memory-when: %s\n", cli.Count(before, "query was unresolved before this commit and does not stop it", "queries were unresolved before this commit and do not stop it"))
	}
	if len(found) > 0 {
		return cli.ErrFound
	}
	return nil
}

// readNamed reads a file that the command line names. It follows no link: hook managers pass any path that git has.
func readNamed(name string) ([]byte, error) {
	folder, base := filepath.Split(name)
	tree, err := worktree.Open(cli.Root(filepath.Clean(folder)))
	if err != nil {
		return nil, err
	}
	defer tree.Close()
	below, inside := worktree.Name(tree.Dir, filepath.Clean(folder))
	if !inside {
		return nil, fmt.Errorf("%s is not in %s", base, tree.Dir)
	}
	dir, err := fs.Sub(tree.Strict().FS(), below)
	if err != nil {
		return nil, err
	}
	return worktree.ReadText(dir, base)
}

// mentionRule is the rule of the findings of Check.
var mentionRule = finding.Rule{
	Name: "unresolved-query", Summary: "a query that a document mentions has no answer",
}

// unresolved is a query in a file that has no answer.
type unresolved struct {
	mentioned
	finding finding.Finding
}

// Check returns a finding for each query that a Markdown text mentions and that has no answer, in
// the order of the text. docs/recall.md defines mentions.
func (l *Lookup) Check(path string, src []byte) (found []finding.Finding, err error) {
	all, err := l.check(path, src)
	for _, u := range all {
		found = append(found, u.finding)
	}
	return found, err
}

func (l *Lookup) check(path string, src []byte) ([]unresolved, error) {
	text := decision.NewMarkdown(src)
	if text.TooDeep > 0 {
		return nil, fmt.Errorf("%s:%d is nested too deeply: flatten its lists or quotes", path, text.TooDeep)
	}
	var found []unresolved
	for _, m := range mentions(text) {
		q, err := ParseQuery(m.query)
		if err == nil {
			_, err = l.Resolve(q)
		}
		if err == nil {
			continue
		}
		message := err.Error()
		if missing := (*NotFound)(nil); errors.As(err, &missing) && missing.Near {
			message += ": nearest is " + missing.Suggestions[0].Command
		}
		f := finding.Finding{Path: path, Line: m.line, Column: m.column, Rule: mentionRule.Name, Message: message}
		found = append(found, unresolved{mentioned{path, m.query}, f})
	}
	return found, nil
}

// mention is a query in a Markdown text, at the code span or line that it begins.
type mention struct {
	query        string
	line, column int // from 1, the column in code points
}

// mentions returns the queries in code spans and in lines of code blocks, in the order of the text. Prose does not
// count, because a false mention stops a commit.
func mentions(text decision.Markdown) (found []mention) {
	codes := text.CodeSpans()
	for _, b := range text.Blocks() {
		if b.Kind != decision.CodeBlock {
			continue
		}
		isPrompt := func(l merge.Span) bool { return bytes.HasPrefix(text.Source[l.Start:l.End], []byte(prompt)) }
		prompted := slices.ContainsFunc(b.Lines, isPrompt)
		for _, l := range b.Lines {
			if isPrompt(l) == prompted { // lines without the prompt are output of commands
				codes = append(codes, decision.CodeSpan{Text: string(text.Source[l.Start:l.End]), Start: l.Start, Line: text.LineAt(l.Start)})
			}
		}
	}
	slices.SortFunc(codes, func(a, b decision.CodeSpan) int { return a.Start - b.Start })
	at, line, column := 0, 0, 0
	for _, code := range codes {
		queries := queriesIn(code.Text)
		if len(queries) == 0 {
			continue
		}
		if code.Line != line {
			at, line, column = bytes.LastIndexByte(text.Source[:code.Start], '\n')+1, code.Line, 1
		}
		column += utf8.RuneCount(text.Source[at:code.Start])
		at = code.Start
		for _, query := range queries {
			found = append(found, mention{query, line, column})
		}
	}
	return found
}

// prompt begins the commands of a console session.
const prompt = "$ "

// queriesIn returns the queries that a code span, or a line of code, begins with: /when, /how, or the quoted arguments
// of memory-when. A prompt may precede them.
func queriesIn(code string) (queries []string) {
	code = strings.TrimPrefix(strings.TrimSpace(code), prompt)
	if strings.HasPrefix(code, "/when ") || strings.HasPrefix(code, "/how ") {
		queries = append(queries, code)
	}
	if strings.HasPrefix(code, "memory-when ") {
		queries = shell.QuotedArguments(code, "memory-when")
	}
	for _, query := range queries {
		if isExample(query) {
			return nil
		}
	}
	return queries
}

// isExample reports whether a query only shows how queries are written, as "/when <trigger>" and
// "/when …" do, or is a whole entry of an index.
func isExample(query string) bool {
	return strings.ContainsAny(query, "<>{}[]$*|…") || strings.Contains(query, "...")
}
