package shell

import (
	"path"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// Bounds of a line that is parsed. The parser recurses for each bracket, with up to 8 KB of stack.
const (
	maxLineBytes = 32 << 10
	maxBrackets  = 1000
)

// command is a simple command of a line.
type command struct {
	words  []string // assignments, arguments, then <file or <<text for its input
	dir    string   // the folder in which it runs
	pipe   int      // the number of its pipeline; 0: none
	masked bool     // the line may succeed although this command fails or is not run
}

// Commands returns the words of each command that a line runs and waits for; none if the line does not parse.
// A redirected input is a word that begins with <, a here-document a word that begins with <<.
func Commands(line string) (all [][]string) {
	r, _ := read(line, "")
	for _, c := range r.commands {
		all = append(all, c.words)
	}
	return all
}

// QuotedArguments returns the arguments of a program that a line begins with, up to the first argument that does
// not begin with a quotation mark. The rest of the line need not parse. It returns nil if the line begins with
// another program.
func QuotedArguments(line, program string) (all []string) {
	r := reader{line: line}
	if !isBounded(line) {
		return nil
	}
	isProgram := false
	for word, err := range syntax.NewParser().WordsSeq(strings.NewReader(line)) {
		if err != nil || !isProgram && word.Lit() != program {
			break
		}
		if !isProgram {
			isProgram = true
			continue
		}
		if first := r.source(word)[:1]; first != "'" && first != `"` {
			break
		}
		all = append(all, r.text(word.Parts))
	}
	return all
}

// isBounded reports whether a line is small enough to be parsed.
func isBounded(line string) bool {
	brackets := strings.Count(line, "(") + strings.Count(line, "[") + strings.Count(line, "{")
	return len(line) <= maxLineBytes && brackets <= maxBrackets
}

// reader collects the commands of a line.
type reader struct {
	line     string
	dir      string // the working folder at the end of the line
	commands []command
	pipes    int  // the number of pipelines
	changes  bool // a redirection writes into a file, or a command was skipped
}

// read reads a line that begins in a folder; ok is false if the line does not parse.
func read(line, dir string) (r reader, ok bool) {
	r = reader{line: line, dir: dir}
	if !isBounded(line) {
		return r, false
	}
	file, err := syntax.NewParser().Parse(strings.NewReader(line), "")
	if err != nil {
		return r, false
	}
	r.statements(file.Stmts, place{dir: &r.dir})
	return r, true
}

// place holds what the commands in one part of a line share.
type place struct {
	dir    *string
	pipe   int
	masked bool
}

func (r *reader) statements(list []*syntax.Stmt, at place) {
	for i, s := range list {
		here := at
		here.masked = at.masked || i < len(list)-1
		r.statement(s, here)
	}
}

func (r *reader) statement(s *syntax.Stmt, at place) {
	if s.Negated || s.Background { // nothing shows whether it succeeds
		r.changes = true
		return
	}
	inputs := r.redirections(s.Redirs)
	switch c := s.Cmd.(type) {
	case nil, *syntax.FuncDecl: // a function does nothing until it is called
	case *syntax.CallExpr:
		r.add(append(r.words(c), inputs...), at)
	case *syntax.DeclClause: // export A=1
		r.add(strings.Fields(r.source(c)), at)
	case *syntax.BinaryCmd:
		left, right := at, at
		isPipe := c.Op == syntax.Pipe || c.Op == syntax.PipeAll
		if isPipe && at.pipe == 0 {
			r.pipes++
			left.pipe, right.pipe = r.pipes, r.pipes
		}
		right.masked = at.masked || c.Op == syntax.OrStmt
		left.masked = right.masked || isPipe && !strings.Contains(r.line, "pipefail")
		r.statement(c.X, left)
		r.statement(c.Y, right)
	case *syntax.Block:
		r.statements(c.Stmts, at)
	case *syntax.Subshell:
		dir := *at.dir
		at.dir = &dir
		r.statements(c.Stmts, at)
	default: // time, a condition, a loop
		_, isTime := c.(*syntax.TimeClause)
		at.masked = at.masked || !isTime
		syntax.Walk(c, func(n syntax.Node) bool {
			inner, is := n.(*syntax.Stmt)
			if is {
				r.statement(inner, at)
			}
			return !is
		})
	}
}

// add adds a command, and tracks the folder that cd and pushd change.
func (r *reader) add(words []string, at place) {
	if len(words) > 1 && (words[0] == "cd" || words[0] == "pushd") {
		to := words[len(words)-1]
		if to == "-" { // the previous folder, which is not recorded
			to = "."
		}
		if !path.IsAbs(to) && !strings.HasPrefix(to, "~") {
			to = path.Join(*at.dir, to)
		}
		*at.dir = path.Clean(to)
	}
	r.commands = append(r.commands, command{words: words, dir: *at.dir, pipe: at.pipe, masked: at.masked})
}

// redirections returns the inputs of a command, and sets r.changes if it writes into a file.
func (r *reader) redirections(list []*syntax.Redirect) (inputs []string) {
	for _, d := range list {
		switch d.Op {
		case syntax.RdrIn, syntax.WordHdoc:
			inputs = append(inputs, "<"+r.text(d.Word.Parts))
		case syntax.Hdoc, syntax.DashHdoc:
			if d.Hdoc != nil {
				inputs = append(inputs, "<<"+r.text(d.Hdoc.Parts))
			}
		case syntax.RdrOut, syntax.AppOut, syntax.RdrClob, syntax.RdrAll, syntax.AppAll:
			r.changes = r.changes || r.text(d.Word.Parts) != "/dev/null"
		}
	}
	return inputs
}

// words returns the assignments and arguments of a command.
func (r *reader) words(c *syntax.CallExpr) (words []string) {
	for _, a := range c.Assigns {
		words = append(words, r.source(a))
	}
	for _, w := range c.Args {
		words = append(words, r.text(w.Parts))
	}
	return words
}

// text returns a word without quotation marks. Variables and substitutions are not expanded.
func (r *reader) text(parts []syntax.WordPart) (text string) {
	for _, part := range parts {
		switch p := part.(type) {
		case *syntax.Lit:
			text += unescaped(p.Value, "")
		case *syntax.SglQuoted:
			text += p.Value
		case *syntax.DblQuoted:
			for _, inner := range p.Parts {
				if lit, isLit := inner.(*syntax.Lit); isLit {
					text += unescaped(lit.Value, "\\\"`$\n")
				} else {
					text += r.source(inner)
				}
			}
		default:
			text += r.source(p)
		}
	}
	return text
}

// unescaped removes each backslash that precedes one of some characters, or any character if none are given.
func unescaped(s, before string) string {
	var out strings.Builder
	for {
		plain, rest, found := strings.Cut(s, `\`)
		out.WriteString(plain)
		if !found {
			return out.String()
		}
		if before != "" && (rest == "" || !strings.Contains(before, rest[:1])) {
			out.WriteByte('\\')
		}
		size := min(1, len(rest))
		out.WriteString(rest[:size])
		s = rest[size:]
	}
}

func (r *reader) source(n syntax.Node) string {
	end := min(int(n.End().Offset()), len(r.line))
	return r.line[min(int(n.Pos().Offset()), end):end]
}
