package learning

import (
	"slices"
	"strings"
)

// frontMatter splits a note into its front matter, between a first line "---" and the next "---" or
// "...", and the lines after it. The values are by key in lower case; keys within a mapping, such as
// metadata, count unless the note has them at the top. It reads what notes hold, which is not all of
// YAML: scalars, lists, and texts of several lines. What it cannot read it skips.
func frontMatter(lines []string) (values map[string][]string, body []string) {
	if len(lines) == 0 || strings.TrimRight(lines[0], " \t") != "---" {
		return nil, lines
	}
	end := slices.IndexFunc(lines[1:], func(line string) bool {
		line = strings.TrimRight(line, " \t")
		return line == "---" || line == "..."
	})
	if end < 0 {
		return nil, lines
	}
	values = map[string][]string{}
	key, margin := "", 0 // of the value that a line may continue
	for _, line := range lines[1 : end+1] {
		content := strings.TrimSpace(line)
		indent := len(line) - len(strings.TrimLeft(line, " \t"))
		name, value, found := strings.Cut(content, ":")
		item, isItem := strings.CutPrefix(content, "- ")
		switch {
		case content == "" || content[0] == '#':
		case isItem:
			values[key] = append(values[key], item)
		case indent > margin && len(values[key]) > 0, !found, value != "" && value[0] != ' ':
			if n := len(values[key]); n > 0 {
				values[key][n-1] = strings.TrimSpace(values[key][n-1] + " " + content)
			}
		default:
			key, margin = strings.ToLower(strings.Trim(name, `"' `)), indent
			if indent > 0 && values[key] != nil {
				key = ""
			}
			values[key] = scalars(strings.TrimSpace(value))
		}
	}
	for _, list := range values {
		for i := range list {
			list[i] = scalar(list[i])
		}
	}
	delete(values, "")
	return values, lines[end+2:]
}

// scalars returns the values after a key: of a list in brackets each, of a text that begins in the
// next line "", of a mapping none.
func scalars(value string) []string {
	switch {
	case value == "":
		return nil
	case strings.Trim(value, "|>+-0123456789") == "" && strings.ContainsAny(value[:1], "|>"):
		return []string{""}
	case value[0] == '[' && value[len(value)-1] == ']':
		return strings.Split(value[1:len(value)-1], ",")
	}
	return []string{value}
}

// scalar returns a value without its quotes.
func scalar(value string) string {
	value = strings.TrimSpace(value)
	if len(value) < 2 || value[0] != value[len(value)-1] {
		return value
	}
	switch inside := value[1 : len(value)-1]; value[0] {
	case '"':
		return strings.NewReplacer(`\"`, `"`, `\\`, `\`, `\n`, " ").Replace(inside)
	case '\'':
		return strings.ReplaceAll(inside, "''", "'")
	}
	return value
}
