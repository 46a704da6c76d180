package config

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// wholeFile returns the YAML part of a YAML file.
func wholeFile(src []byte) ([]byte, error) { return src, nil }

// frontMatter returns the YAML part of a Markdown file: between a first line "---" and the next one.
// The first line becomes empty, so that line numbers stay correct. A file without front matter holds
// no settings, unless they are all that it holds.
func frontMatter(src []byte) ([]byte, error) {
	isRule := func(line string) bool { return strings.TrimRight(line, " \t\r\n") == "---" }
	var part strings.Builder
	number := 0
	for line := range strings.Lines(strings.TrimPrefix(string(src), "\uFEFF")) {
		number++
		switch {
		case number == 1 && !isRule(line):
			return bareSettings(src), nil
		case number == 1:
			part.WriteString("\n")
		case isRule(line):
			return []byte(part.String()), nil
		default:
			part.WriteString(line)
		}
	}
	if number == 0 {
		return nil, nil
	}
	return nil, errors.New("the front matter that begins in line 1 is never closed: add a line ---")
}

// bareSettings returns a file without front matter if its first line begins with a key.
func bareSettings(src []byte) []byte {
	for line := range strings.Lines(strings.TrimPrefix(string(src), "\uFEFF")) {
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		key, _, _ := strings.Cut(line, ":")
		if slices.Contains(keys, key) || strings.HasPrefix(key, "memory_") || key == "validate" && key != line {
			return src
		}
		return nil
	}
	return nil
}

// readYAML calls set for each key of a YAML mapping: with its place, its path, as in
// validate.word-count, and its values; and wrong for each key that cannot be read. It returns an
// error if the text is not a mapping of settings.
func readYAML(name string, src []byte, set func(place, key string, values []string), wrong func(key string, err error)) error {
	decoder := yaml.NewDecoder(bytes.NewReader(src))
	var doc, second yaml.Node
	err := decoder.Decode(&doc)
	if errors.Is(err, io.EOF) {
		return nil
	}
	if err == nil {
		if again := decoder.Decode(&second); again == nil {
			return &Error{Message: fmt.Sprintf("%s:%d: a second YAML document: keep all settings in one", name, second.Line)}
		} else if !errors.Is(again, io.EOF) {
			err = again
		}
	}
	if err != nil {
		return &Error{Message: fmt.Sprintf("%s: %s", name, strings.ReplaceAll(err.Error(), "\n", " "))}
	}
	r := mapping{name, set, wrong, map[string]bool{}}
	return r.read("", doc.Content[0])
}

// mapping reads a YAML mapping of a file.
type mapping struct {
	name  string
	set   func(place, key string, values []string)
	wrong func(key string, err error)
	seen  map[string]bool
}

func (m mapping) read(prefix string, node *yaml.Node) error {
	place := func(n *yaml.Node) string { return fmt.Sprintf("%s:%d", m.name, n.Line) }
	if isNull(node) { // every key is commented out
		return nil
	}
	if node.Kind != yaml.MappingNode {
		return &Error{Message: fmt.Sprintf("%s: expected keys with values, as in index: %s", place(node), DefaultIndex)}
	}
	for i := 0; i+1 < len(node.Content); i += 2 {
		keyNode, value := node.Content[i], node.Content[i+1]
		key := prefix + keyNode.Value
		if m.seen[key] {
			m.wrong(key, &Error{Message: fmt.Sprintf("%s: key %q is set twice", place(keyNode), key)})
			continue
		}
		m.seen[key] = true
		if key == "validate" {
			if err := m.read(key+".", value); err != nil {
				m.wrong(key, err)
			}
			continue
		}
		if strings.Contains(keyNode.Value, ".") {
			m.wrong(key, unknownKey(place(keyNode), key))
			continue
		}
		if isNull(value) && strings.HasPrefix(key, "memory_") { // as if it were not there
			continue
		}
		values, err := scalars(value)
		if err != nil {
			m.wrong(key, &Error{Message: fmt.Sprintf("%s: bad value of %s: %v", place(value), key, err)})
			continue
		}
		m.set(place(keyNode), key, values)
	}
	return nil
}

func isNull(node *yaml.Node) bool { return node.Kind == yaml.ScalarNode && node.Tag == "!!null" }

// scalars reads a single value or a list of them.
func scalars(node *yaml.Node) ([]string, error) {
	switch {
	case isNull(node):
		return nil, errors.New("there is none")
	case node.Kind == yaml.ScalarNode:
		return []string{node.Value}, nil
	case node.Kind == yaml.SequenceNode:
		values := make([]string, len(node.Content))
		for i, item := range node.Content {
			if item.Kind != yaml.ScalarNode || isNull(item) {
				return nil, errors.New("expected a list of plain values")
			}
			values[i] = item.Value
		}
		return values, nil
	}
	return nil, errors.New("expected a plain value or a list of them")
}
