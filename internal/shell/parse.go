package shell

import "strings"

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
	line   string
	at     int
	all    []step
	words  []string
	word   strings.Builder
	inWord bool
	quoted bool     // part of the word is quoted
	target string   // the redirection that the next word belongs to
	ends   []string // of here-documents that begin on this line
	depth  int
	group  int
	nested int
	not    bool
	unseen bool
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
		end := strings.IndexByte(rest, '\n')
		if end < 0 {
			end = len(rest)
		}
		s.at += end
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
		s.endStep(map[string]string{"|&": "|", ";;": ";"}[joint], joint)
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
		s.depth++
		s.group++
	case c == ')' && s.depth > 0:
		s.endStep("")
		s.depth--
	default: // part of a function or a pattern
		s.add(string(c))
	}
}

// redirect reads the operator of a redirection.
func (s *parser) redirect(rest string) {
	if len(rest) > 1 && rest[1] == '(' { // process substitution
		end := 1 + quoteEnd("$"+rest[1:]) - 1
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
		s.unseen = s.unseen || !isErrors && sign != ">&"
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
		s.words = append(s.words, "<"+word)
	case "<<":
		s.ends = append(s.ends, word)
	default:
		if len(s.words) == 0 && !quoted {
			switch word {
			case "if", "while", "until":
				s.nested++
				return
			case "!":
				s.not = !s.not
				return
			case "then", "else", "elif", "do", "{":
				return
			case "for", "case", "select":
				s.nested++
			case "done", "fi", "esac":
				s.nested = max(0, s.nested-1)
			}
		}
		s.words = append(s.words, word)
	}
}

// endStep ends a command; the first joint that is not empty is the operator behind it.
func (s *parser) endStep(joints ...string) {
	s.endWord()
	joint := ""
	for _, j := range joints {
		if joint == "" {
			joint = j
		}
	}
	if len(s.words) > 0 {
		s.all = append(s.all, step{words: s.words, joint: joint, depth: s.depth, group: s.group, nested: s.nested > 0, not: s.not, unseen: s.unseen})
		s.not, s.unseen = false, false
	} else if n := len(s.all); n > 0 && s.all[n-1].joint == "" { // after a subshell
		s.all[n-1].joint = joint
	}
	s.words = nil
}

// skipBodies reads the here-documents of a line. Their text becomes a word of the command.
func (s *parser) skipBodies() {
	for _, end := range s.ends {
		from := s.at
		to := len(s.line)
		for at := from; at < len(s.line); {
			text, _, _ := strings.Cut(s.line[at:], "\n")
			if strings.TrimSpace(text) == end {
				to = at
				s.at = min(len(s.line), at+len(text)+1)
				break
			}
			at += len(text) + 1
		}
		if to == len(s.line) {
			s.at = to
		}
		if n := len(s.all); n > 0 {
			s.all[n-1].words = append(s.all[n-1].words, "<<"+s.line[min(from, to):to])
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
