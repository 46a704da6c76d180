package config

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"whence/internal/text"

	"go.yaml.in/yaml/v3"
)

// AddGlobs returns the text of the project's settings with globs added to a key, "decisions" or
// "documents", that it does not have yet. Every other byte stays. A text that this cannot change, such as settings in braces, is
// an error.
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
	out := src
	if value := valueOf(node, name); value != nil {
		out = insertItems(src, value, globs)
	} else {
		out = appendKey(src, name, want)
	}
	after, err := parse(out)
	if err != nil || !slices.Equal(*k.field(&after).(*[]string), want) {
		return nil, &Error{Message: fmt.Sprintf("%s has a shape that is not edited here: add to %s: %s", ProjectFile, name, strings.Join(globs, ", "))}
	}
	return out, nil
}

// valueOf returns the value of a key at the top, or nil.
func valueOf(node *yaml.Node, name string) *yaml.Node {
	if node != nil && node.Kind == yaml.MappingNode {
		for i := 0; i+1 < len(node.Content); i += 2 {
			if node.Content[i].Value == name {
				return node.Content[i+1]
			}
		}
	}
	return nil
}

// insertItems adds globs behind the last item of a list, or makes a list of a plain value.
func insertItems(src []byte, value *yaml.Node, globs []string) []byte {
	last := value
	if value.Kind == yaml.SequenceNode && len(value.Content) > 0 {
		last = value.Content[len(value.Content)-1]
	}
	start := offsetOf(src, last)
	end := start + tokenLength(src[start:], last)
	lineStart := bytes.LastIndexByte(src[:start], '\n') + 1
	switch {
	case last == value:
		return slices.Concat(src[:start], []byte("["), src[start:end], flowItems(globs), []byte("]"), src[end:])
	case value.Style&yaml.FlowStyle != 0:
		return slices.Concat(src[:end], flowItems(globs), src[end:])
	}
	lineEnd := len(src)
	if n := bytes.IndexByte(src[end:], '\n'); n >= 0 {
		lineEnd = end + n + 1
	}
	items := ""
	if !bytes.HasSuffix(src[:lineEnd], []byte("\n")) {
		items = text.LineEnd(src)
	}
	for _, glob := range globs {
		items += string(src[lineStart:start]) + plain(glob) + text.LineEnd(src)
	}
	return slices.Concat(src[:lineEnd], []byte(items), src[lineEnd:])
}

// appendKey adds a key at the end: a short list on its line, a long one below.
func appendKey(src []byte, name string, globs []string) []byte {
	end := text.LineEnd(src)
	text := ""
	if len(src) > 0 && !bytes.HasSuffix(src, []byte("\n")) {
		text = end
	}
	text += name + ":"
	if len(globs) == 1 {
		text += " [" + plain(globs[0]) + "]" + end
	} else {
		text += end
		for _, glob := range globs {
			text += "  - " + plain(glob) + end
		}
	}
	return slices.Concat(src, []byte(text))
}

// offsetOf returns the offset of a node, whose column counts characters.
func offsetOf(src []byte, node *yaml.Node) int {
	at := 0
	for range node.Line - 1 {
		at += bytes.IndexByte(src[at:], '\n') + 1
	}
	column := 0
	for i := range string(src[at:]) {
		if column++; column == node.Column {
			return at + i
		}
	}
	return len(src)
}

// tokenLength returns the length of a scalar at the beginning of a text, quotes included.
func tokenLength(src []byte, node *yaml.Node) int {
	quote := src[0]
	if node.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle) == 0 {
		return min(len(node.Value), len(src))
	}
	for i := 1; i < len(src); i++ {
		switch {
		case quote == '"' && src[i] == '\\', quote == '\'' && src[i] == quote && i+1 < len(src) && src[i+1] == quote:
			i++ // escaped
		case src[i] == quote:
			return i + 1
		}
	}
	return len(src)
}

func flowItems(globs []string) []byte {
	items := ""
	for _, glob := range globs {
		items += ", " + plain(glob)
	}
	return []byte(items)
}

// plain returns a value as YAML, in quotes if it needs them.
func plain(value string) string {
	const word = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789./_"
	if !strings.ContainsFunc(value, func(r rune) bool { return !strings.ContainsRune(word+"-*", r) }) && strings.ContainsRune(word, rune(value[0])) {
		return value
	}
	return "'" + strings.ReplaceAll(value, "'", "''") + "'"
}
