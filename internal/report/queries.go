package report

import (
	"path"
	"slices"
	"strings"

	"whence/internal/agent/transcript"
	"whence/internal/agent/usertext"
	"whence/internal/shell"
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
	operator := "/" + m.Command[strings.LastIndexAny(m.Command, ":/")+1:] // a plugin's has its name before it
	if trigger := strings.TrimSpace(m.Arguments); isQuery(operator) && trigger != "" {
		queries = append(queries, operator+" "+trigger)
	}
	return queries
}

func isQuery(operator string) bool { return operator == "/when" || operator == "/how" }

// lookUp holds the queries of one use of a tool.
type lookUp struct {
	queries []string
	skill   bool // the skill has the agent look it up with another tool
	search  bool // the queries are not triggers: what is found may be anything
}

// triggers returns the triggers of the decisions that are looked up by name.
func (l lookUp) triggers() (triggers []string) {
	for _, query := range l.queries {
		t := trigger(query)
		if !l.search && t != "" && t != "null" && !strings.HasPrefix(t, "§") && !strings.HasPrefix(t, ".") && !slices.Contains(triggers, t) {
			triggers = append(triggers, t)
		}
	}
	return triggers
}

// lookUpIn returns what an agent looks up with a tool of whence's server, with the skill, or in a
// shell command.
func lookUpIn(b transcript.Block) (l lookUp, is bool) {
	switch {
	case isTool(b.Name, "when"):
		l.queries = linesOf(b.Input.Query)
	case isTool(b.Name, "search_memory"):
		l.queries, l.search = linesOf(b.Input.Query), true
	case b.Name == "Skill" && isQuery("/"+b.Input.Skill[strings.LastIndexByte(b.Input.Skill, ':')+1:]):
		l.queries, l.skill = linesOf(b.Input.Args), true
		return l, len(l.queries) > 0 // else the tool that it has the agent use says what is looked up
	case b.Name == "Skill":
		return l, false
	default:
		return lookUpInCommand(b.Input.Command)
	}
	return l, true
}

// isTool reports whether a name is that of a tool of whence's server, whatever the user calls the server:
//
//	Claude Code  mcp__memory__when
//	Codex        mcp__memory__when
//	Gemini CLI   mcp_memory_when
//	Copilot CLI  memory-when
//	OpenCode     memory_when
func isTool(name, tool string) bool {
	server, is := strings.CutSuffix(name, tool)
	return is && (strings.HasSuffix(server, "_") || strings.HasSuffix(server, "-"))
}

// lookUpInCommand returns what a shell command looks up with memory-when or memory-remember search.
func lookUpInCommand(command string) (l lookUp, is bool) {
	var before []string // the command before
	for _, words := range commandsOf(command) {
		first := "" // argument
		if len(words) > 1 {
			first = words[1]
		}
		switch program := path.Base(words[0]); {
		case program == "memory-remember" && first == "search":
			l.queries, l.search, is = append(l.queries, strings.Join(arguments(words[2:]), " ")), true, true
		case program != "memory-when" || slices.Contains(otherUses, first):
		case first == "recall":
			l.queries, l.search, is = append(l.queries, strings.Join(arguments(words[2:]), " ")), true, true
		default:
			l.queries, is = append(l.queries, queriesOf(arguments(words[1:]))...), true
			if len(l.queries) == 0 && len(before) > 0 && slices.Contains([]string{"echo", "printf"}, before[0]) {
				l.queries = queriesOf(arguments(before[1:]))
			}
		}
		before = words
	}
	return l, is
}

// otherUses are the first arguments with which memory-when looks up nothing.
var otherUses = []string{"check", "list", "hook", "help", "--help", "-h", "--version", "-v"}

// commandsOf returns the words of each command of a shell line that may run a program of whence.
func commandsOf(line string) [][]string {
	if !strings.Contains(line, "memory-") {
		return nil
	}
	return slices.DeleteFunc(shell.Commands(line), func(words []string) bool { return len(words) == 0 })
}

// arguments returns the arguments of a program without flags. The text of a here-document is one.
func arguments(words []string) (all []string) {
	isValue := false // of the flag before
	for _, word := range words {
		text := strings.TrimLeft(word, "<")
		switch {
		case isValue:
			isValue = false
		case word == "" || strings.HasPrefix(word, "%"): // a format of printf
		case text != word && !strings.ContainsAny(text, " \n"): // a file
		case strings.HasPrefix(word, "-") && !strings.Contains(word, " "):
			isValue = slices.Contains(flagsWithValue, word)
		default:
			all = append(all, strings.ReplaceAll(text, `\n`, "\n"))
		}
	}
	return all
}

// flagsWithValue are the flags of both programs that take a value.
var flagsWithValue = []string{
	"--format", "--repo", "--index", "--decisions", "--max", "--min-p", "--budget",
	"--limit", "--turns", "--exclude-tags", "--category", "--color",
}

// queriesOf returns the queries in arguments: one each, unless they are the words of one query
// without quotes.
func queriesOf(arguments []string) (queries []string) {
	if !slices.ContainsFunc(arguments, func(a string) bool { return strings.ContainsAny(a, " \n") }) {
		arguments = []string{strings.Join(arguments, " ")}
	}
	for _, a := range arguments {
		queries = append(queries, linesOf(a)...)
	}
	return queries
}

// linesOf returns the lines of a text that are not empty.
func linesOf(text string) (lines []string) {
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, line)
		}
	}
	return lines
}

// trigger returns the trigger of a query: of an entry, an item of a list, or a pointer.
func trigger(query string) string {
	query = strings.TrimPrefix(strings.TrimSpace(query), "- ")
	query, _, _ = strings.Cut(query, "  #")
	query, _, _ = strings.Cut(query, "  (")
	query = strings.ReplaceAll(fold(query), "’", "'") // a pointer has none, for the shell
	if operator, rest, found := strings.Cut(query, " "); found && isQuery(operator) {
		return rest
	}
	return query
}
