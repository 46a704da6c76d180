package config

import (
	"fmt"
	"slices"
	"strings"

	"whence/internal/text"

	"go.yaml.in/yaml/v3"
)

// AddGlobs returns the text of the project's settings with globs added to a key, "decisions" or
// "documents", that it does not have yet. Every other byte stays. A text that this cannot change, such
// as settings in braces or a list in brackets over several lines, is an error.
func AddGlobs(src []byte, name string, globs ...string) ([]byte, error) {
	before, err := parse(src)
	if err != nil {
		return nil, err
	}
	k := keyNamed(name)
	known := *k.field(&before).(*[]string)
	globs = slices.DeleteFunc(slices.Clone(globs), func(glob string) bool { return slices.Contains(known, glob) })
	if len(globs) == 0 {
		return src, nil
	}
	want := slices.Concat(known, globs)
	node, err := parseYAML(ProjectFile, src)
	if err != nil {
		return nil, err
	}
	lines, end := slices.Collect(strings.Lines(string(src))), text.LineEnd(src)
	if value := valueOf(node, name); value != nil {
		lines = insertItems(lines, value, globs, end)
	} else {
		lines = insertLines(lines, len(lines), end, newList(name, want)...)
	}
	out := []byte(strings.Join(lines, ""))
	after, err := parse(out)
	if err != nil || !slices.Equal(*k.field(&after).(*[]string), want) {
		return nil, &Error{Message: fmt.Sprintf("%s has a shape that is not edited here: add to %s: %s", ProjectFile, name, strings.Join(globs, ", "))}
	}
	return out, nil
}

// parse reads the text of the project's settings, as if all were allowed.
func parse(src []byte) (Config, error) {
	l := loader{Config: Default()}
	l.text(ProjectFile, src)
	if len(l.errors) > 0 {
		return l.Config, &Error{Message: l.errors[0]}
	}
	return l.Config, nil
}

// valueOf returns the value of a key at the top, or nil.
func valueOf(node *yaml.Node, name string) *yaml.Node {
	if node == nil || node.Kind != yaml.MappingNode {
		return nil
	}
	for i := 0; i+1 < len(node.Content); i += 2 {
		if node.Content[i].Value == name {
			return node.Content[i+1]
		}
	}
	return nil
}

// insertItems adds globs after the last item of a list, or makes a list of a plain value.
func insertItems(lines []string, value *yaml.Node, globs []string, end string) []string {
	if value.Kind == yaml.SequenceNode && value.Style&yaml.FlowStyle == 0 && len(value.Content) > 0 {
		last := value.Content[len(value.Content)-1]
		return insertLines(lines, last.Line, end, items(lines[last.Line-1][:last.Column-1], globs)...)
	}
	at := value.Line - 1
	key, rest, _ := strings.Cut(lines[at], ":")
	now, comment := splitLine(rest)
	now = strings.TrimSpace(now)
	list, closing := "["+now, "]"
	if inner, isList := strings.CutSuffix(now, "]"); isList {
		list = strings.TrimRight(inner, " \t")
		closing = now[len(list):]
	}
	for _, glob := range globs {
		list += ", " + quoted(glob)
	}
	lines[at] = key + ": " + list + closing + comment
	return lines
}

// newList returns the lines of a key: a short list is on one line.
func newList(name string, globs []string) []string {
	if len(globs) == 1 {
		return []string{name + ": [" + quoted(globs[0]) + "]"}
	}
	return append([]string{name + ":"}, items("  - ", globs)...)
}

func items(indent string, globs []string) (lines []string) {
	for _, glob := range globs {
		lines = append(lines, indent+quoted(glob))
	}
	return lines
}

// insertLines inserts lines, to which it adds their ends, and that of the last line if it has none.
func insertLines(lines []string, at int, end string, more ...string) []string {
	if at > 0 && !strings.HasSuffix(lines[at-1], "\n") {
		lines[at-1] += end
	}
	for i, line := range more {
		lines = slices.Insert(lines, at+i, line+end)
	}
	return lines
}

// splitLine splits a line before its comment, the spaces before that, and its end.
func splitLine(line string) (value, rest string) {
	end := len(strings.TrimRight(line, "\r\n"))
	if comment := strings.Index(line, " #"); comment >= 0 {
		end = comment
	}
	end = len(strings.TrimRight(line[:end], " \t"))
	return line[:end], line[end:]
}

// quoted returns a value as YAML, in quotes if it needs them.
func quoted(value string) string {
	const word = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789./_"
	isPlain := !strings.ContainsFunc(value, func(r rune) bool { return !strings.ContainsRune(word+"-*", r) })
	if isPlain && strings.ContainsRune(word, rune(value[0])) {
		return value
	}
	return "'" + strings.ReplaceAll(value, "'", "''") + "'"
}
