package decision

import (
	"bytes"
	"strings"
)

// frontMatterStatus returns the values of the keys status, superseded-by and replaced-by.
func (f *File) frontMatterStatus() (statements []statement) {
	before, inKey := "", false
	for text := range strings.Lines(string(f.Source[:contentStart(f.Source)])) {
		value := strings.TrimSpace(text)
		if text != "" && strings.TrimLeft(text, " \t-") == text || strings.HasPrefix(text, "---") { // a key at the top
			name, after, _ := strings.Cut(value, ":")
			name = strings.NewReplacer("-", " ", "_", " ").Replace(strings.ToLower(strings.Trim(name, `"'`)))
			before, inKey = "", name == "status"
			if name == "superseded by" || name == "supersededby" || name == "replaced by" || name == "replacedby" {
				before, inKey = "superseded by ", true
			}
			value = strings.TrimSpace(after)
		}
		if !inKey {
			continue
		}
		value = yamlValue(value)
		if before != "" && isNone(value) {
			continue
		}
		statements = addStatement(statements, before+value)
	}
	return statements
}

// yamlValue returns a value, or an item of a list, without quotes and comments.
func yamlValue(s string) string {
	s = strings.TrimSpace(strings.TrimPrefix(s, "- "))
	if s == "" || s[0] == '#' || strings.Trim(s, "|>-+") == "" {
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

func isNone(value string) bool {
	switch strings.ToLower(strings.Trim(value, " ~-—–_*.()")) {
	case "", "none", "null", "nil", "n/a", "na", "no", "false", "[]":
		return true
	}
	return false
}

// sectionStatus returns the lines of the section Status.
func (f *File) sectionStatus() (statements []statement) {
	for i, h := range f.chapters {
		title := strings.TrimPrefix(strings.TrimLeft(h.Key, "0123456789. "), "decision ")
		rest, isStatus := strings.CutPrefix(title, "status")
		inTitle, named := strings.CutPrefix(rest, ":")
		if !isStatus || rest != "" && !named || h.Level == 1 && i == 0 {
			continue
		}
		end := len(f.Source)
		if i+1 < len(f.chapters) {
			end = f.chapters[i+1].Start
		}
		if inTitle != "" {
			_, inTitle, _ = strings.Cut(h.Title, ":")
			statements = addStatement(statements, inTitle)
		}
		for _, s := range f.visibleLines(h.Body, end) {
			statements = addStatement(statements, s)
		}
		return statements
	}
	return nil
}

// headStatus returns the lines that state a status above the first section.
func (f *File) headStatus() (statements []statement) {
	end := len(f.Source)
	for _, h := range f.chapters {
		if h.Level > 1 {
			end = h.Start
			break
		}
	}
	below := false // a line without a value
	for _, s := range f.visibleLines(contentStart(f.Source), end) {
		text := strings.TrimLeft(withoutMarkers(s), "| ")
		plain := strings.NewReplacer("*", "", "_", "", "`", "").Replace(text)
		value, isStatus := cutFold(plain, "status")
		value = strings.TrimSpace(value)
		successor, isSuccessor := cutFold(plain, "superseded by")
		switch {
		case isStatus && value != "" && strings.ContainsAny(value[:1], ":|"):
			text = text[strings.IndexAny(text, ":|")+1:]
			before := len(statements)
			statements = addStatement(statements, text)
			below = len(statements) == before
			continue
		case below && plain != "":
			statements = addStatement(statements, s)
		case isSuccessor && !isNone(strings.TrimLeft(successor, ": |")):
			statements = addStatement(statements, s)
		}
		below = below && plain == ""
	}
	return statements
}

// cutFold cuts a prefix in any case.
func cutFold(s, prefix string) (rest string, found bool) {
	if len(s) < len(prefix) || !strings.EqualFold(s[:len(prefix)], prefix) {
		return "", false
	}
	return s[len(prefix):], true
}

// maxStatementBytes bounds what is read of a line.
const maxStatementBytes = 2000

// addStatement appends a line that is not empty, in single spaces and without markers around it. An
// open check box states nothing.
func addStatement(statements []statement, text string) []statement {
	text = strings.ToValidUTF8(text[:min(len(text), maxStatementBytes)], "")
	text = strings.Join(strings.Fields(withoutMarkers(text)), " ")
	text = strings.TrimSpace(strings.TrimPrefix(strings.TrimPrefix(text, "[x] "), "[X] "))
	text = strings.Trim(text, "| ")
	for _, mark := range []string{"**", "__", "*", "_", "`"} {
		if inner, found := strings.CutPrefix(text, mark); found && strings.Count(text, mark) == 1 {
			text = inner // of "**Status:** accepted" cut after the colon
		} else if found && strings.HasSuffix(inner, mark) && strings.Count(inner, mark) == 1 {
			text = strings.TrimSuffix(inner, mark)
		}
	}
	text = strings.TrimSpace(text)
	if strings.Trim(text, "-:|*_ ") == "" || strings.HasPrefix(text, "[ ]") {
		return statements
	}
	return append(statements, statement(text))
}

// withoutMarkers removes the markers of quotes and list items.
func withoutMarkers(s string) string {
	for {
		s = strings.TrimSpace(s)
		rest := strings.TrimPrefix(s, ">")
		for _, mark := range []string{"- ", "* ", "+ "} {
			rest = strings.TrimPrefix(rest, mark)
		}
		if rest == s {
			return s
		}
		s = rest
	}
}

// visibleLines returns the lines between two offsets, without comments and code blocks.
func (f *File) visibleLines(start, end int) (lines []string) {
	var fence []byte
	comment := false
	for at := start; at < end; {
		next := min(f.nextLine(at), end)
		line := bytes.TrimRight(f.Source[at:next], "\r\n")
		at = next
		mark := bytes.TrimSpace(line)
		switch {
		case fence != nil:
			if bytes.HasPrefix(mark, fence) {
				fence = nil
			}
			continue
		case !comment && (bytes.HasPrefix(mark, []byte("```")) || bytes.HasPrefix(mark, []byte("~~~"))):
			fence = mark[:3]
			continue
		}
		var text []byte
		text, comment = cutComments(line, comment)
		lines = append(lines, string(text))
	}
	return lines
}

// cutComments removes comments from a line, which may begin inside of one, and reports whether it ends
// inside of one.
func cutComments(line []byte, inside bool) (visible []byte, open bool) {
	for {
		mark := "<!--"
		if inside {
			mark = "-->"
		}
		before, after, found := bytes.Cut(line, []byte(mark))
		if !inside {
			visible = append(visible, before...)
		}
		if !found {
			return visible, inside
		}
		line, inside = after, !inside
	}
}
