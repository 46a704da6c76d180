package notes

import (
	"path"
	"strings"

	"whence/internal/agent"
)

// deletions are the files that a shell command removes by rm or git rm, where it says so
// in plain words: without variables, patterns, or a change of the folder.
func deletions(command string) (all []agent.Edit) {
	if !strings.Contains(command, "rm ") || len(command) > longestScript {
		return nil
	}
	for _, words := range commands(command) {
		switch {
		case len(words) > 1 && path.Base(words[0]) == "rm":
			words = words[1:]
		case len(words) > 2 && words[0] == "git" && words[1] == "rm":
			words = words[2:]
		case len(words) > 0 && (words[0] == "cd" || words[0] == "pushd"):
			return all // where the rest happens is not plain
		default:
			continue
		}
		for i, word := range words {
			if word == "--" {
				words = append(words[:i:i], words[i+1:]...)
				break
			}
		}
		for _, word := range words {
			if word != "" && !strings.HasPrefix(word, "-") && !strings.ContainsAny(word, "*?[]{}$`~") {
				all = append(all, agent.Edit{Path: word, Deleted: true})
			}
		}
	}
	return all
}

// longestScript is how long a command is that is looked at.
const longestScript = 4096

// commands are the words of the commands of a line, one behind the other. Quotes are
// taken off. What is redirected, or runs inside of another command, is not told apart.
func commands(line string) (all [][]string) {
	var words []string
	var word strings.Builder
	open, quote := false, byte(0)
	end := func() {
		if open {
			words = append(words, word.String())
		}
		word.Reset()
		open = false
	}
	for i := 0; i < len(line); i++ {
		b := line[i]
		switch {
		case quote != 0 && b == quote:
			quote = 0
		case quote == 0 && (b == '\'' || b == '"'):
			quote, open = b, true
		case b == '\\' && quote != '\'' && i+1 < len(line):
			i++
			word.WriteByte(line[i])
			open = true
		case quote != 0:
			word.WriteByte(b)
		case b == ' ' || b == '\t':
			end()
		case b == '\n' || b == ';' || b == '&' || b == '|':
			end()
			if len(words) > 0 {
				all = append(all, words)
			}
			words = nil
		default:
			word.WriteByte(b)
			open = true
		}
	}
	end()
	if len(words) > 0 {
		all = append(all, words)
	}
	return all
}
