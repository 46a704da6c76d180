package report

import (
	"path"
	"slices"
	"strings"

	"whence/internal/agent/transcript"
	"whence/internal/cli"
	"whence/internal/shell"
)

func isOperator(word string) bool { return word == "/when" || word == "/how" }

// lookedUp returns the triggers of the decisions that an agent looks up by one tool call: the tool "when" of
// whence's server, the skill, or memory-when in a shell.
func lookedUp(b transcript.Block) (triggers []string) {
	var queries []string
	switch {
	case b.Name == "Skill" && isOperator("/"+b.Input.Skill[strings.LastIndexByte(b.Input.Skill, ':')+1:]):
		queries = lines(b.Input.Args)
	case strings.HasSuffix(b.Name, "_when") || strings.HasSuffix(b.Name, "-when"): // mcp__memory__when, memory-when, …
		queries = lines(b.Input.Query)
	default:
		queries = queriesInCommand(b.Input.Command)
	}
	for _, query := range queries {
		triggers = append(triggers, trigger(query))
	}
	return triggers
}

// flagsWithValue returns the flags of memory-when that take a value.
func flagsWithValue() []string {
	all := []string{"--format"}
	for _, f := range new(cli.MemoryFlags).Flags() {
		all = append(all, "--"+f.Names()[0])
	}
	return all
}

// queriesInCommand returns the queries that a shell command passes to memory-when, as arguments or as the lines of a
// here-document.
func queriesInCommand(line string) (queries []string) {
	if !strings.Contains(line, "memory-when") {
		return nil
	}
	withValue := flagsWithValue()
	for _, words := range shell.Commands(line) {
		if len(words) < 2 || path.Base(words[0]) != "memory-when" || words[1] == "recall" {
			continue
		}
		var arguments []string
		for i, word := range words[1:] {
			text := strings.TrimLeft(word, "<")
			isFlag := strings.HasPrefix(word, "-") && !strings.Contains(word, " ")
			isFile := text != word && !strings.ContainsAny(text, " \n")
			if !isFlag && !isFile && !slices.Contains(withValue, words[i]) {
				arguments = append(arguments, text)
			}
		}
		if !slices.ContainsFunc(arguments, func(a string) bool { return strings.ContainsAny(a, " \n") }) {
			arguments = []string{strings.Join(arguments, " ")} // one query without quotes
		}
		for _, a := range arguments {
			queries = append(queries, lines(a)...)
		}
	}
	return queries
}

// lines returns the lines of a text that are not empty.
func lines(text string) (all []string) {
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			all = append(all, line)
		}
	}
	return all
}

// trigger returns the trigger of a query in the form by which triggers are compared. The query may be that of an
// entry, of a list item or of a pointer.
func trigger(query string) string {
	query = strings.TrimPrefix(strings.TrimSpace(query), "- ")
	query, _, _ = strings.Cut(query, "  #")
	query, _, _ = strings.Cut(query, "  (")
	query = strings.Join(strings.Fields(strings.ToLower(query)), " ")
	query = strings.ReplaceAll(query, "’", "'") // pointers have ’ in place of ', for the shell
	if operator, rest, found := strings.Cut(query, " "); found && isOperator(operator) {
		return rest
	}
	return query
}
