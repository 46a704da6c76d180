package config

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"whence/internal/inert"
)

// frontMatter returns the YAML part of a Markdown file: the lines between a first line "---" and the next one. The
// first line becomes empty, so that line numbers stay correct. A file without front matter holds no settings, unless it
// begins with a key: then all of it is settings. A line outside the front matter that may be meant to decide what is
// captured is an error.
func frontMatter(src []byte) ([]byte, error) {
	markdown := strings.TrimPrefix(string(src), "\uFEFF")
	lines := strings.SplitAfter(markdown, "\n")
	if !isRule(lines[0]) {
		key, _, _ := strings.Cut(strings.TrimSpace(markdown), ":")
		if keyNamed(key) != nil || strings.HasPrefix(key, "memory_") {
			return src, nil
		}
		return nil, strayCapture(lines, 1)
	}
	end := slices.IndexFunc(lines[1:], isRule)
	if end < 0 {
		return nil, errors.New("the front matter that begins in line 1 is never closed: add a line ---")
	}
	return []byte("\n" + strings.Join(lines[1:end+1], "")), strayCapture(lines[end+2:], end+3)
}

// strayCapture returns an error for the first line, of those outside the front matter, that names the key for capture
// or sets a key with a similar name. First is the number of the first line.
func strayCapture(lines []string, first int) error {
	for i, line := range lines {
		key, _, isKey := strings.Cut(strings.TrimLeft(line, " \t-*>\"'`"), ":")
		isSetting := isKey && !strings.ContainsAny(strings.TrimSpace(key), " \t") && speaksOfCapture(key)
		if isSetting || strings.Contains(strings.NewReplacer("_", "", "-", "", " ", "").Replace(strings.ToLower(line)), "turncapture") {
			return fmt.Errorf("line %d: settings count only between two lines ---, of which one is the first line of the file", first+i)
		}
	}
	return nil
}

func isRule(line string) bool { return strings.TrimRight(line, " \t\r\n") == "---" }

// text reads settings in YAML. Errors go to l.wrong.
func (l *loader) text(file string, src []byte) {
	node, err := parseYAML(file, src)
	if err == nil && node != nil && countKeys(node) > maxKeys {
		err = fmt.Errorf("%s has more than %d keys: keep nothing but settings in it", file, maxKeys)
	}
	if err == nil && node != nil {
		err = l.mapping(file, "", node, map[string]bool{})
	}
	if err != nil {
		l.wrong("", err)
	}
}

// maxYAMLErrorBytes is longer than any message of the YAML parser that does not repeat the file.
const maxYAMLErrorBytes = 80

// parseYAML parses the only document of a file. It returns nil for a file without one.
func parseYAML(file string, src []byte) (*yaml.Node, error) {
	decoder := yaml.NewDecoder(bytes.NewReader(src))
	var doc, second yaml.Node
	err := decoder.Decode(&doc)
	if errors.Is(err, io.EOF) {
		return nil, nil
	}
	if err == nil {
		if err = decoder.Decode(&second); err == nil {
			return nil, fmt.Errorf("%s:%d: a second YAML document: keep all settings in one", file, second.Line)
		}
	}
	if !errors.Is(err, io.EOF) {
		why := err.Error()
		if len(why) > maxYAMLErrorBytes { // it repeats text of the file
			why = inert.Quoted(why)
		}
		return nil, fmt.Errorf("%s: %s", file, strings.ReplaceAll(why, "\n", " "))
	}
	return doc.Content[0], nil
}

// countKeys returns the number of keys in a node and below it.
func countKeys(node *yaml.Node) (n int) {
	if node.Kind == yaml.MappingNode {
		n = len(node.Content) / 2
	}
	for _, inner := range node.Content {
		n += countKeys(inner)
	}
	return n
}

// mapping reads the keys of a YAML mapping. Prefix precedes their names, as in validate.word-count; seen holds the
// names already read. It returns an error if the node is not a mapping; other errors go to l.wrong.
func (l *loader) mapping(file, prefix string, node *yaml.Node, seen map[string]bool) error {
	source := func(n *yaml.Node) string { return fmt.Sprintf("%s:%d", file, n.Line) }
	if isNull(node) { // every key is commented out
		return nil
	}
	if node.Kind != yaml.MappingNode {
		return fmt.Errorf("%s: expected keys with values, as in index: %s", source(node), DefaultIndex)
	}
	for i := 0; i+1 < len(node.Content); i += 2 {
		keyNode, value := node.Content[i], node.Content[i+1]
		name := prefix + keyNode.Value
		if seen[name] {
			l.wrong(name, fmt.Errorf("%s: key %s is set twice", source(keyNode), inert.Quoted(name)))
			continue
		}
		seen[name] = true
		if name == validate {
			if err := l.mapping(file, name+".", value, seen); err != nil {
				l.wrong(withKeysBelow(name, value), err)
			}
			continue
		}
		if isNull(value) && keyNamed(name) != nil && name != keyTurnCapture { // ignore a key without a value
			continue
		}
		if keyNamed(name) == nil {
			l.wrong(withKeysBelow(name, value), unknownKey(source(keyNode), name))
			continue
		}
		values, err := valuesOf(name, value)
		if err != nil {
			l.wrong(withKeysBelow(name, value), fmt.Errorf("%s: bad value of %s: %w", source(value), name, err))
			continue
		}
		l.set(file, source(keyNode), name, values)
	}
	return nil
}

// withKeysBelow returns the name of a key joined with the names of all keys in its value, since one of these may have
// been meant.
func withKeysBelow(name string, value *yaml.Node) string {
	return strings.Join(append([]string{name}, keysBelow(value, map[*yaml.Node]bool{})...), ".")
}

// keysBelow returns the names of all keys in a value. It skips nodes in seen, and adds the others to it.
func keysBelow(node *yaml.Node, seen map[*yaml.Node]bool) (names []string) {
	if node.Kind == yaml.AliasNode {
		node = node.Alias
	}
	if seen[node] {
		return nil
	}
	seen[node] = true
	for i, child := range node.Content {
		if node.Kind == yaml.MappingNode && i%2 == 0 {
			names = append(names, child.Value)
		} else {
			names = append(names, keysBelow(child, seen)...)
		}
	}
	return names
}

func isNull(node *yaml.Node) bool { return node.Kind == yaml.ScalarNode && node.Tag == "!!null" }

// valuesOf reads the values of a key. It returns a mapping of statuses as items "phrase: kind".
func valuesOf(name string, node *yaml.Node) (values []string, err error) {
	if name != keyStatuses {
		return scalars(node)
	}
	if node.Kind != yaml.MappingNode {
		return nil, errors.New("expected phrases with what they say, as in {Mothballed: superseded}")
	}
	for pair := range slices.Chunk(node.Content, 2) {
		if pair[0].Kind != yaml.ScalarNode || pair[1].Kind != yaml.ScalarNode {
			return nil, errors.New("expected phrases with what they say, as in {Mothballed: superseded}")
		}
		values = append(values, pair[0].Value+": "+pair[1].Value)
	}
	return values, nil
}

// scalars reads a single value or a list of values.
func scalars(node *yaml.Node) (values []string, err error) {
	for _, item := range append([]*yaml.Node{node}, node.Content...) {
		isTag := strings.HasPrefix(item.Tag, "!") && !strings.HasPrefix(item.Tag, "!!")
		if item.Kind == yaml.ScalarNode && item.Value == "" && isTag { // an unquoted glob that begins with !
			item.Tag, item.Value = "!!str", item.Tag
		}
	}
	if node.Kind == yaml.ScalarNode {
		return []string{node.Value}, nil
	}
	if node.Decode(&values) != nil {
		return nil, errors.New("expected a plain value or a list of them")
	}
	return values, nil
}
