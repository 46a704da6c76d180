package decision

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
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

// FrontMatter returns the values at the top of the front matter, by their keys in lower case. The items
// of a list are joined by commas. YAML and TOML are read line by line, so that one bad value
// does not hide the others.
func FrontMatter(src []byte) map[string]string {
	front := bytes.TrimPrefix(src[:contentStart(src)], []byte("\uFEFF"))
	values := map[string]string{}
	if bytes.HasPrefix(front, []byte("{")) {
		var object map[string]json.RawMessage
		_ = json.Unmarshal(front, &object) // contentStart has read it
		for key, value := range object {
			values[strings.ToLower(key)] = scalar(string(value))
		}
		return values
	}
	separator := ":"
	if bytes.HasPrefix(front, []byte("+++")) {
		separator = "="
	}
	key := ""
	lines := slices.Collect(strings.Lines(string(front)))
	for _, line := range lines[min(1, len(lines)) : max(1, len(lines))-1] { // between the markers
		if separator == "=" && strings.HasPrefix(line, "[") { // a table
			break
		}
		name, value, found := strings.Cut(line, separator)
		if found && strings.TrimLeft(line, " \t-#") == line {
			key = strings.ToLower(strings.Trim(strings.TrimSpace(name), `"'`))
			values[key] = scalar(value)
			continue
		}
		item := strings.TrimSpace(line)
		if key == "" || item == "" || strings.Contains(item, separator+" ") {
			continue
		}
		joint := " "
		if rest, isItem := strings.CutPrefix(item, "- "); isItem {
			item, joint = rest, ", "
		}
		values[key] = strings.TrimLeft(values[key]+joint+scalar(item), ", ")
	}
	return values
}

// scalar returns a value without quotes, brackets and comments.
func scalar(s string) string {
	s = strings.TrimSpace(s)
	if s == "" || s[0] == '#' || s[0] == '{' || strings.Trim(s, "|>-+") == "" || s == "null" || s == "~" {
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
