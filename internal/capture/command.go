package capture

import "strings"

// mainCommand is what a command line is about: the last of its commands, but for those
// that only change the folder, look, or filter output, without options, redirections and
// what runs before it.
//
//	cd web && CI=1 npm test -- --watch=false 2>&1 | tail -20    npm test
//	timeout 60 go test -race ./...                              go test ./...
//	git add -A && git commit -m "x"                             git commit
func mainCommand(line string) string {
	found := ""
	for _, c := range commands(line) {
		if words := mainWords(c); len(words) > 0 && !isAside(words[0]) {
			found = strings.Join(words[:min(len(words), mostWords)], " ")
		}
	}
	return found
}

// mostWords is how many words of a command are compared.
const mostWords = 6

// isAside tells whether a program is never what a command line is about.
func isAside(program string) bool {
	switch program {
	case "cd", "pushd", "popd", "echo", "printf", "export", "set", "source", ".", "sleep", "true", "wait", "exit":
		return true
	}
	return false
}

// runsAnother tells whether a program runs the one behind it.
func runsAnother(program string) bool {
	switch program {
	case "sudo", "time", "timeout", "env", "nice", "nohup", "exec", "command":
		return true
	}
	return false
}

// commands splits a line into its commands, each of words; of a pipe only the first, and
// nothing of a here-document.
func commands(line string) (all [][]string) {
	var words []string
	var word strings.Builder
	inWord, inPipe := false, false
	endWord := func() {
		if inWord && !inPipe {
			words = append(words, word.String())
		}
		word.Reset()
		inWord = false
	}
	endCommand := func() {
		endWord()
		if len(words) > 0 {
			all = append(all, words)
		}
		words, inPipe = nil, false
	}
	for i := 0; i < len(line); i++ {
		c := line[i]
		switch {
		case c == '\\' && i+1 < len(line):
			i++
			if line[i] != '\n' {
				word.WriteByte(line[i])
				inWord = true
			}
		case c == '\'' || c == '"':
			end := strings.IndexByte(line[i+1:], c)
			if end < 0 {
				end = len(line) - i - 1
			}
			word.WriteString(line[i+1 : i+1+end])
			inWord = true
			i += end + 1
		case c == ' ' || c == '\t':
			endWord()
		case c == '<' && strings.HasPrefix(line[i:], "<<"):
			endCommand()
			return all
		case c == '&' && i > 0 && line[i-1] == '>', c == '&' && strings.HasPrefix(line[i:], "&>"):
			word.WriteByte(c)
			inWord = true
		case c == '|' && !strings.HasPrefix(line[i:], "||"):
			endWord()
			inPipe = true
		case c == ';' || c == '\n' || c == '&' || c == '|':
			endCommand()
			if i+1 < len(line) && line[i+1] == c {
				i++
			}
		default:
			word.WriteByte(c)
			inWord = true
		}
	}
	endCommand()
	return all
}

// mainWords are the words of a command that say what it does.
func mainWords(words []string) (main []string) {
	skip := false
	for _, w := range words {
		switch {
		case skip:
			skip = false
		case w == "-m" || w == "--message" || w == "-F":
			skip = true // words for people
		case strings.ContainsAny(w, "<>") && len(main) > 0:
			skip = strings.HasSuffix(w, ">") || strings.HasSuffix(w, "<")
		case strings.HasPrefix(w, "-") || w == "":
		case len(main) == 0 && (runsAnother(w) || isAssignment(w) || strings.Trim(w, "0123456789.smh") == ""):
		default:
			main = append(main, w)
		}
	}
	return main
}

// isAssignment tells whether a word sets a variable, as in CI=1.
func isAssignment(word string) bool {
	name, _, ok := strings.Cut(word, "=")
	return ok && name != "" && strings.Trim(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_") == ""
}
