package report

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"whence/internal/agent/usertext"
)

// queriesIn returns the queries in a user's message: lines that begin with /when or /how, and the
// arguments of these commands.
func queriesIn(m usertext.Message) (queries []string) {
	for line := range strings.Lines(m.Words) {
		line = strings.TrimSpace(line)
		if operator, trigger, _ := strings.Cut(line, " "); isQuery(operator) && strings.TrimSpace(trigger) != "" {
			queries = append(queries, line)
		}
	}
	command := m.Command[strings.LastIndexAny(m.Command, ":/")+1:] // a plugin's has its name before it
	if trigger := strings.TrimSpace(m.Arguments); isQuery("/"+command) && trigger != "" {
		queries = append(queries, "/"+command+" "+trigger)
	}
	return queries
}

func isQuery(operator string) bool { return operator == "/when" || operator == "/how" }

// isRecallTool reports whether a tool of whence's server looks something up.
func isRecallTool(name string) bool {
	return strings.HasPrefix(name, "mcp__") && (strings.HasSuffix(name, "__when") || strings.HasSuffix(name, "__search_memory"))
}

// isFeedbackTool reports whether a tool of whence's server records feedback on a learning.
func isFeedbackTool(name string) bool {
	return strings.HasPrefix(name, "mcp__") && strings.HasSuffix(name, "__record_feedback")
}

// recallIn returns what a shell command looks up with memory-when or memory-remember search.
func recallIn(command string) (query string, is bool) {
	rest, is := argumentsOf(command, whenRun)
	if is {
		switch first, _, _ := strings.Cut(strings.TrimSpace(rest), " "); first {
		case "check", "list", "hook", "--help", "-h", "--version", "-v":
			return "", false
		case "recall":
			_, rest, _ = strings.Cut(rest, "recall")
		}
		return queryIn(rest), true
	}
	if rest, is = argumentsOf(command, rememberRun); !is {
		return "", false
	}
	if rest, is = strings.CutPrefix(strings.TrimSpace(rest), "search "); !is {
		return "", false
	}
	return queryIn(rest), true
}

// whenRun and rememberRun match the name of a program where a shell command runs it.
var (
	whenRun     = runOf("memory-when")
	rememberRun = runOf("memory-remember")
)

func runOf(program string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?:^|[\n;|&(])[ \t]*(?:[^ \t\n;|&(]*/)?` + program + `()(?:[ \t\n;|&)]|$)`)
	})
}

// argumentsOf returns the rest of a shell command after a program that it runs.
func argumentsOf(command string, run func() *regexp.Regexp) (rest string, is bool) {
	if !strings.Contains(command, "memory-") {
		return "", false
	}
	found := run().FindStringSubmatchIndex(command)
	if found == nil {
		return "", false
	}
	return command[found[2]:], true
}

// queryIn returns the query in the arguments of a program: the words without flags and quotes, or
// the lines of a here-document.
func queryIn(rest string) string {
	line, below, _ := strings.Cut(rest, "\n")
	if _, mark, found := strings.Cut(line, "<<"); found {
		if fields := strings.Fields(mark); len(fields) > 0 {
			end := strings.Trim(strings.TrimPrefix(fields[0], "-"), `"'`)
			text, _, _ := strings.Cut("\n"+below+"\n", "\n"+end+"\n")
			return fold(text)
		}
	}
	var words []string
	isValue := false // of the flag before
	for word := range strings.FieldsSeq(firstCommand(line)) {
		switch {
		case isValue:
			isValue = false
		case word == "-":
		case strings.HasPrefix(word, "--"):
			isValue = slices.Contains(flagsWithValue, word)
		default:
			if word = strings.Trim(word, `"'`); word != "" {
				words = append(words, word)
			}
		}
	}
	return strings.Join(words, " ")
}

// flagsWithValue are the flags of both programs that take a value.
var flagsWithValue = []string{
	"--format", "--repo", "--index", "--decisions", "--max", "--min-evidence", "--budget",
	"--limit", "--turns", "--exclude-tags", "--category", "--color",
}

// firstCommand returns a line up to the next command or the first redirection.
func firstCommand(line string) string {
	quote := rune(0)
	for i, r := range line {
		switch {
		case quote != 0 && r == quote:
			quote = 0
		case quote != 0:
		case r == '"' || r == '\'':
			quote = r
		case strings.ContainsRune(";|&><", r):
			return strings.TrimSuffix(line[:i], " 2")
		}
	}
	return line
}
