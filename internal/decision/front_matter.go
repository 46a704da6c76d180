package decision

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"unicode"

	"go.yaml.in/yaml/v3"
)

// contentStart returns where the Markdown starts: after a byte-order mark and front matter, which is
// YAML ("---" to "---" or "..."), TOML ("+++" to "+++") or a JSON object. Front matter that is never
// closed is text.
func contentStart(src []byte) int {
	content := bytes.TrimPrefix(src, []byte("\uFEFF"))
	base := len(src) - len(content)
	if bytes.HasPrefix(content, []byte("{")) {
		if end := jsonEnd(content); end > 0 {
			return base + end
		}
		return base
	}
	at, marker := base, ""
	for line := range bytes.Lines(content) {
		text := string(bytes.TrimRight(line, "\r\n \t"))
		at += len(line)
		if marker == "" {
			if text != "---" && text != "+++" || len(bytes.TrimRight(line, "\r\n")) != len(text) {
				return base
			}
			marker = text
			continue
		}
		if text == marker || marker == "---" && text == "..." {
			return at
		}
	}
	return base
}

// jsonEnd returns where the line after a leading JSON object starts, or 0 if there is none.
func jsonEnd(content []byte) int {
	decoder := json.NewDecoder(bytes.NewReader(content))
	var object json.RawMessage
	if decoder.Decode(&object) != nil {
		return 0
	}
	end := int(decoder.InputOffset())
	rest, after, found := bytes.Cut(content[end:], []byte("\n"))
	if len(bytes.TrimSpace(rest)) > 0 {
		return 0
	}
	if !found {
		return len(content)
	}
	return len(content) - len(after)
}

// Bounds of front matter, since a repository may hold anything.
const (
	maxFrontMatterBytes = 64 << 10
	maxKeysAlone        = 100 // keys that are parsed one by one, if the whole is not YAML
)

// FrontMatter returns the values at the top of the front matter, by their keys in lower case. The items of a list are
// joined by commas. One bad value does not hide the others. It returns none if the front matter is too large.
func FrontMatter(src []byte) map[string]string {
	front := bytes.TrimPrefix(src[:contentStart(src)], []byte("\uFEFF"))
	values := map[string]string{}
	if len(front) == 0 || len(front) > maxFrontMatterBytes {
		return values
	}
	if front[0] == '{' {
		var object map[string]json.RawMessage
		_ = json.Unmarshal(front, &object) // contentStart has read it
		for key, value := range object {
			var text string
			if json.Unmarshal(value, &text) != nil {
				text = scalar(string(value))
			}
			values[strings.ToLower(key)] = inOneLine(text)
		}
		return values
	}
	lines := slices.Collect(strings.Lines(string(front)))
	lines = lines[1 : len(lines)-1] // between the markers
	if front[0] == '+' {
		readTOML(lines, values)
	} else if !readYAML(strings.Join(lines, ""), values) {
		readYAMLKeys(lines, values)
	}
	return values
}

// readTOML reads TOML line by line.
func readTOML(lines []string, values map[string]string) {
	key := ""
	for _, line := range lines {
		if strings.HasPrefix(line, "[") { // a table
			break
		}
		name, value, found := strings.Cut(line, "=")
		if found && strings.TrimLeft(line, " \t-#") == line {
			key = strings.ToLower(strings.Trim(strings.TrimSpace(name), `"'`))
			values[key] = scalar(value)
			continue
		}
		item := strings.TrimSpace(line)
		if key != "" && item != "" && !strings.Contains(item, "= ") {
			values[key] = strings.TrimLeft(values[key]+" "+scalar(item), ", ")
		}
	}
}

// readYAML reads the keys of a YAML mapping. It returns false if src is not YAML.
func readYAML(src string, values map[string]string) bool {
	var doc yaml.Node
	if yaml.Unmarshal([]byte(src), &doc) != nil {
		return false
	}
	if len(doc.Content) == 0 || doc.Content[0].Kind != yaml.MappingNode {
		return true
	}
	for pair := range slices.Chunk(doc.Content[0].Content, 2) {
		values[strings.ToLower(pair[0].Value)] = yamlValue(pair[1])
	}
	return true
}

// readYAMLKeys reads each key alone. A one-line value that YAML refuses, as in "globs: *.ts" or "title: Redis: the
// cache", is taken as written, unless it begins with a quotation mark.
func readYAMLKeys(lines []string, values map[string]string) {
	isKey := func(line string) bool { return strings.TrimLeft(line, " \t-#") == line && strings.Contains(line, ":") }
	for range maxKeysAlone {
		start := slices.IndexFunc(lines, isKey)
		if start < 0 {
			return
		}
		lines = lines[start:]
		size := len(lines)
		if next := slices.IndexFunc(lines[1:], isKey); next >= 0 {
			size = next + 1
		}
		key, value, _ := strings.Cut(strings.TrimSpace(lines[0]), ":")
		if !readYAML(strings.Join(lines[:size], ""), values) && size == 1 && !strings.ContainsAny(key, `"'`) {
			if value = strings.TrimSpace(value); !strings.HasPrefix(value, `"`) && !strings.HasPrefix(value, "'") {
				values[strings.ToLower(key)] = inOneLine(value)
			}
		}
		lines = lines[size:]
	}
}

// yamlValue returns a plain value, or those of a list, joined by commas; "" for anything else. Aliases are not
// followed.
func yamlValue(n *yaml.Node) string {
	switch {
	case n.Kind == yaml.ScalarNode && n.Tag != "!!null":
		return inOneLine(n.Value)
	case n.Kind == yaml.SequenceNode:
		var items []string
		for _, item := range n.Content {
			if item.Kind == yaml.ScalarNode {
				items = append(items, inOneLine(item.Value))
			}
		}
		return strings.Join(items, ", ")
	}
	return ""
}

// inOneLine returns a value without line breaks and control characters: YAML may escape any.
func inOneLine(s string) string {
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }), " ")
}

// scalar returns a value of TOML or JSON without quotes, brackets and comments.
func scalar(s string) string {
	s = strings.TrimSpace(s)
	if s == "" || s[0] == '#' || s[0] == '{' || s == "null" {
		return ""
	}
	if quote := s[:1]; quote == `"` || quote == "'" {
		s, _, _ = strings.Cut(s[1:], quote)
		return s
	}
	s, _, _ = strings.Cut(s, " #")
	if strings.HasPrefix(s, "[") && strings.HasSuffix(s, "]") && !strings.HasPrefix(s, "[[") {
		s = strings.NewReplacer(`"`, "", "'", "").Replace(s[1 : len(s)-1])
	}
	return s
}
