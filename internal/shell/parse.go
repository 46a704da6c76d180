package shell

import (
	"cmp"
	"strings"
)

// step is a simple command of a command line.
type step struct {
	words  []string // without redirections of output; an input is a word that begins with <
	joint  string   // the operator behind it: && || | & ; or ""
	depth  int      // number of subshells around it
	group  int      // number of the last subshell that began
	nested bool     // it is in a condition or loop
	not    bool     // negated by !
	unseen bool     // its output goes to a file
}

// Commands returns the words of each simple command of a line, without redirections of output.
func Commands(line string) (all [][]string) {
	for _, s := range commands(line) {
		all = append(all, s.words)
	}
	return all
}

// commands splits a command line into its simple commands.
func commands(line string) []step {
	s := parser{line: line}
	for s.at < len(line) {
		s.next()
	}
	s.endStep("")
	return s.all
}

// parser reads a command line. It expands nothing.
type parser struct {
	line    string
	at      int
	all     []step
	current step
	nesting int // number of conditions and loops around the current step
	word    strings.Builder
	inWord  bool
	quoted  bool     // part of the word is quoted
	target  string   // the redirection that the next word belongs to
	ends    []string // of here-documents that begin on this line
}

// next reads a character, a quoted text or an operator.
func (s *parser) next() {
	rest := s.line[s.at:]
	switch c := rest[0]; {
	case c == '\\':
		if len(rest) > 1 && rest[1] != '\n' {
			s.add(rest[1:2])
		}
		s.at += 2
	case c == '\'' || c == '"' || c == '`' || strings.HasPrefix(rest, "$("):
		end := quoteEnd(rest)
		s.quoted = s.quoted || c == '\'' || c == '"'
		if c == '\'' || c == '"' {
			s.add(strings.TrimSuffix(rest[1:end], rest[:1]))
		} else {
			s.add(rest[:end])
		}
		s.at += end
	case strings.HasPrefix(rest, RedactedMark) && strings.Contains(rest, "]"):
		end := strings.IndexByte(rest, ']') + 1
		s.add(rest[:end])
		s.at += end
	case c == ' ' || c == '\t' || c == '\r':
		s.endWord()
		s.at++
	case c == '#' && !s.inWord:
		comment, _, _ := strings.Cut(rest, "\n")
		s.at += len(comment)
	case c == '>' || c == '<' || strings.HasPrefix(rest, "&>"):
		s.redirect(rest)
	case c == '(' || c == ')':
		s.parenthesis(c)
	case c == '\n':
		s.at++
		s.endStep(";")
		s.skipBodies()
	case c == ';' || c == '&' || c == '|':
		joint := rest[:1]
		for _, two := range []string{"&&", "||", "|&", ";;"} {
			if strings.HasPrefix(rest, two) {
				joint = two
			}
		}
		s.at += len(joint)
		s.endStep(cmp.Or(map[string]string{"|&": "|", ";;": ";"}[joint], joint))
	default:
		s.add(rest[:1])
		s.at++
	}
}

func (s *parser) add(text string) {
	s.word.WriteString(text)
	s.inWord = true
}

// parenthesis begins or ends a subshell.
func (s *parser) parenthesis(c byte) {
	s.at++
	switch {
	case c == '(' && !s.inWord:
		s.endStep("")
		s.current.depth++
		s.current.group++
	case c == ')' && s.current.depth > 0:
		s.endStep("")
		s.current.depth--
	default: // part of a function or a pattern
		s.add(string(c))
	}
}

// redirect reads a process substitution or the operator of a redirection.
func (s *parser) redirect(rest string) {
	if len(rest) > 1 && rest[1] == '(' { // process substitution
		end := quoteEnd("$" + rest[1:])
		s.add(rest[:end])
		s.at += end
		return
	}
	isErrors := false
	if s.inWord && strings.Trim(s.word.String(), "0123456789") == "" {
		isErrors = s.word.String() == "2"
		s.word.Reset()
		s.inWord = false
	}
	s.endWord()
	sign := rest[:len(rest)-len(strings.TrimLeft(rest, "<>&|-"))]
	s.at += len(sign)
	switch {
	case strings.HasPrefix(sign, "<<<"), sign == "<":
		s.target = "<"
	case strings.HasPrefix(sign, "<<"):
		s.target = "<<"
	default:
		s.target = ">"
		s.current.unseen = s.current.unseen || !isErrors && sign != ">&"
		if strings.HasSuffix(sign, "-") { // closes a file
			s.target = ""
		}
	}
}

// endWord ends a word.
func (s *parser) endWord() {
	if !s.inWord {
		return
	}
	word := s.word.String()
	s.word.Reset()
	target, quoted := s.target, s.quoted
	s.inWord, s.quoted, s.target = false, false, ""
	switch target {
	case ">":
	case "<":
		s.current.words = append(s.current.words, "<"+word)
	case "<<":
		s.ends = append(s.ends, word)
	default:
		if len(s.current.words) == 0 && !quoted {
			switch word {
			case "if", "while", "until":
				s.nesting++
				return
			case "!":
				s.current.not = !s.current.not
				return
			case "then", "else", "elif", "do", "{":
				return
			case "for", "case", "select":
				s.nesting++
			case "done", "fi", "esac":
				s.nesting = max(0, s.nesting-1)
			}
		}
		s.current.words = append(s.current.words, word)
	}
}

// endStep ends a command before an operator.
func (s *parser) endStep(joint string) {
	s.endWord()
	if len(s.current.words) > 0 {
		ended := s.current
		ended.joint, ended.nested = joint, s.nesting > 0
		s.all = append(s.all, ended)
		s.current = step{depth: ended.depth, group: ended.group}
	} else if n := len(s.all); n > 0 && s.all[n-1].joint == "" { // after a subshell
		s.all[n-1].joint = joint
	}
}

// skipBodies reads the here-documents of a line. Their text becomes a word of the command.
func (s *parser) skipBodies() {
	for _, end := range s.ends {
		body := s.line[min(s.at, len(s.line)):]
		s.at = len(s.line)
		length := 0
		for line := range strings.Lines(body) {
			if strings.TrimSpace(line) == end {
				s.at -= len(body) - length - len(line)
				body = body[:length]
				break
			}
			length += len(line)
		}
		if n := len(s.all); n > 0 {
			s.all[n-1].words = append(s.all[n-1].words, "<<"+body)
		}
	}
	s.ends = nil
}

// quoteEnd returns the end of a quoted text or a command substitution at the start of a text.
func quoteEnd(text string) int {
	switch {
	case text[0] == '\'':
		if end := strings.IndexByte(text[1:], '\''); end >= 0 {
			return end + 2
		}
	case strings.HasPrefix(text, "$("):
		depth := 0
		for i := 1; i < len(text); i++ {
			switch text[i] {
			case '\\':
				i++
			case '(':
				depth++
			case ')':
				if depth--; depth == 0 {
					return i + 1
				}
			case '\'':
				if end := strings.IndexByte(text[i+1:], '\''); end >= 0 && !isLetter(text[i-1]) { // no apostrophe
					i += end + 1
				}
			}
		}
	default:
		for i := 1; i < len(text); i++ {
			switch {
			case text[i] == '\\':
				i++
			case text[i] == text[0]:
				return i + 1
			case text[0] == '"' && strings.HasPrefix(text[i:], "$("):
				i += quoteEnd(text[i:]) - 1
			}
		}
	}
	return len(text)
}

func isLetter(c byte) bool { return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' }

// RedactedMark begins the mark that package redact leaves for a secret. A mark is one word.
const RedactedMark = "[redacted: "
