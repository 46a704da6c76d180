package config

import (
	"errors"
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"
)

// wholeFile is the YAML part of a file that is all YAML.
func wholeFile(src []byte) (part []byte, skippedLines int, err error) { return src, 0, nil }

// frontMatter is the YAML part of a Markdown file: between a first line "---"
// and the next one. A file without it holds no settings.
func frontMatter(src []byte) (part []byte, skippedLines int, err error) {
	text := strings.ReplaceAll(strings.TrimPrefix(string(src), "\uFEFF"), "\r\n", "\n")
	rest, found := strings.CutPrefix(text, "---\n")
	if !found {
		return nil, 0, nil
	}
	if strings.HasPrefix(rest, "---\n") || rest == "---" {
		return nil, 0, nil
	}
	yamlText, _, found := strings.Cut(rest, "\n---")
	if !found {
		return nil, 0, errors.New("the front matter that begins in line 1 is never closed: add a line ---")
	}
	return []byte(yamlText), 1, nil
}

// setYAML takes all keys of a YAML mapping. A key of a nested mapping is named
// by its path, as in validate.word-count.
func (c *Config) setYAML(name string, skipped int, src []byte) error {
	var doc yaml.Node
	if err := yaml.Unmarshal(src, &doc); err != nil {
		return &Error{fmt.Sprintf("%s: %s", name, strings.ReplaceAll(err.Error(), "\n", " "))}
	}
	if len(doc.Content) == 0 {
		return nil
	}
	return c.setMapping(name, skipped, "", doc.Content[0], map[string]bool{})
}

func (c *Config) setMapping(name string, skipped int, prefix string, node *yaml.Node, seen map[string]bool) error {
	place := func(n *yaml.Node) string { return fmt.Sprintf("%s:%d", name, n.Line+skipped) }
	if node.Kind != yaml.MappingNode {
		return &Error{fmt.Sprintf("%s: expected keys with values, as in index: %s", place(node), DefaultIndex)}
	}
	for i := 0; i+1 < len(node.Content); i += 2 {
		keyNode, value := node.Content[i], node.Content[i+1]
		key := prefix + keyNode.Value
		if seen[key] {
			return &Error{fmt.Sprintf("%s: key %q stands twice", place(keyNode), key)}
		}
		seen[key] = true
		if key == "validate" {
			if err := c.setMapping(name, skipped, key+".", value, seen); err != nil {
				return err
			}
			continue
		}
		values, err := scalars(value)
		if err != nil {
			return &Error{fmt.Sprintf("%s: bad value of %s: %v", place(value), key, err)}
		}
		if err := c.Set(place(keyNode), key, values); err != nil {
			return err
		}
	}
	return nil
}

// scalars reads a single value or a list of them.
func scalars(node *yaml.Node) ([]string, error) {
	switch node.Kind {
	case yaml.ScalarNode:
		return []string{node.Value}, nil
	case yaml.SequenceNode:
		values := make([]string, len(node.Content))
		for i, item := range node.Content {
			if item.Kind != yaml.ScalarNode {
				return nil, errors.New("expected a list of plain values")
			}
			values[i] = item.Value
		}
		return values, nil
	}
	return nil, errors.New("expected a plain value or a list of them")
}
