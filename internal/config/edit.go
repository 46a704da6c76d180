package config

import (
	"fmt"
	"slices"
	"strings"

	"whence/internal/words"

	"go.yaml.in/yaml/v3"
)

// AddGlobs adds globs to a key, "decisions" or "documents", in the text of the project's settings, unless the key has
// them. New globs come before the others, and no other byte changes. A text that AddGlobs cannot edit, such as settings
// in braces, is an error.
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
	var values map[string]yaml.Node
	_ = yaml.Unmarshal(src, &values) // parse has found no error
	want := slices.Concat(globs, known)
	out := string(src)
	if value, isSet := values[name]; isSet {
		out = insertItems(out, value, globs)
	} else {
		out = appendList(out, name, want)
	}
	after, err := parse([]byte(out))
	if err != nil || !slices.Equal(*k.field(&after).(*[]string), want) {
		return nil, &Error{Message: fmt.Sprintf("%s is written in a form that cannot be edited automatically: add to %s by hand: %s", ProjectFile, name, strings.Join(globs, ", "))}
	}
	return []byte(out), nil
}

// parse reads the text of the project's settings, whatever they ask for.
func parse(src []byte) (Config, error) {
	l := loader{Config: Default()}
	l.text(ProjectFile, src)
	if len(l.errors) > 0 {
		return l.Config, &Error{Message: l.errors[0]}
	}
	return l.Config, nil
}

// insertItems inserts globs before the first item of a list.
func insertItems(src string, value yaml.Node, globs []string) string {
	if value.Kind != yaml.SequenceNode || len(value.Content) == 0 {
		return src
	}
	lines := slices.Collect(strings.Lines(src))
	first := value.Content[0]
	line, at := lines[first.Line-1], first.Column-1
	before, after := "", ", "
	if value.Style&yaml.FlowStyle == 0 {
		before, after, at = line[:at], words.LineEnd([]byte(src)), 0
	}
	var items strings.Builder
	for _, glob := range globs {
		items.WriteString(before + strings.TrimSpace(asYAML(glob)) + after)
	}
	lines[first.Line-1] = line[:at] + items.String() + line[at:]
	return strings.Join(lines, "")
}

// appendList adds a key with a list at the end of a text.
func appendList(src, name string, globs []string) string {
	end := words.LineEnd([]byte(src))
	if src != "" && !strings.HasSuffix(src, "\n") {
		src += end
	}
	return src + strings.ReplaceAll(asYAML(map[string][]string{name: globs}), "\n", end)
}

func asYAML(value any) string {
	var out strings.Builder
	encoder := yaml.NewEncoder(&out)
	encoder.SetIndent(2)
	_ = encoder.Encode(value) // it cannot fail for strings and lists of strings
	return out.String()
}
