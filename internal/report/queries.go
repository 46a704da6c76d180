package report

import (
	"slices"
	"strings"

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

// isRecallTool reports whether a tool of our server looks something up.
func isRecallTool(name string) bool {
	return strings.HasPrefix(name, "mcp__") && (strings.HasSuffix(name, "__when") || strings.HasSuffix(name, "__search_memory"))
}

// isFeedbackTool reports whether a tool of our server judges a learning.
func isFeedbackTool(name string) bool {
	return strings.HasPrefix(name, "mcp__") && strings.HasSuffix(name, "__record_feedback")
}

// recallIn finds what a shell command looks up: memory-when with a trigger, or
// memory-remember search.
func recallIn(command string) (query string, is bool) {
	rest, is := argumentsOf(command, "memory-when")
	if is {
		switch first, _, _ := strings.Cut(strings.TrimSpace(rest), " "); first {
		case "check", "list", "hook", "--help", "-h", "--version", "-v":
			return "", false
		case "recall":
			_, rest, _ = strings.Cut(rest, "recall")
		}
		return queryIn(rest), true
	}
	if rest, is = argumentsOf(command, "memory-remember"); !is {
		return "", false
	}
	if rest, is = strings.CutPrefix(strings.TrimSpace(rest), "search "); !is {
		return "", false
	}
	return queryIn(rest), true
}

// argumentsOf returns the rest of a shell command after a program that it runs, and does not only
// name.
func argumentsOf(command, program string) (rest string, is bool) {
	for at := 0; ; {
		i := strings.Index(command[at:], program)
		if i < 0 {
			return "", false
		}
		begin, end := at+i, at+i+len(program)
		at = end
		if end < len(command) && !strings.ContainsRune(" \t\n;|&)", rune(command[end])) {
			continue
		}
		before := command[:begin]
		word := strings.LastIndexAny(before, " \t\n;|&(") + 1
		if path := before[word:]; path != "" && path[len(path)-1] != '/' {
			continue
		}
		before = strings.TrimRight(before[:word], " \t")
		if before == "" || strings.ContainsRune("\n;|&(", rune(before[len(before)-1])) {
			return command[end:], true
		}
	}
}

// queryIn are those of a command as one text: words without flags and quotes, or the
// lines of a here-document.
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
	value := false // of the flag before
	for _, word := range strings.Fields(unquotedPart(line)) {
		switch {
		case value:
			value = false
		case word == "-":
		case strings.HasPrefix(word, "--"):
			value = slices.Contains(flagsWithValue, word)
		default:
			words = append(words, strings.Trim(word, `"'`))
		}
	}
	return strings.Join(slices.DeleteFunc(words, func(w string) bool { return w == "" }), " ")
}

// flagsWithValue are the flags of both programs that take a value.
var flagsWithValue = []string{
	"--format", "--repo", "--index", "--decisions", "--max", "--min-evidence", "--budget",
	"--limit", "--turns", "--exclude-tags", "--category", "--color",
}

// unquotedPart is a line up to where another command begins, or its output is led away.
func unquotedPart(line string) string {
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
