package validate

import (
	"bytes"
	"strings"

	"whence/internal/decision"
	"whence/internal/finding"
)

// maxPhraseWords bounds a situation: a longer one is prose.
const maxPhraseWords = 20

// situationsFormat reports situations comments that recall would misread.
func situationsFormat(k *check) []finding.Finding {
	var found []finding.Finding
	for _, file := range k.Decisions {
		for _, s := range file.Situations {
			found = append(found, commentFindings(file, s)...)
		}
	}
	return found
}

func commentFindings(file *decision.File, s decision.Situations) []finding.Finding {
	if !s.Closed {
		return []finding.Finding{inFile(file, s.Line, "situations comment without end: close it with --> on a line of its own")}
	}
	if s.Heading < 0 {
		return []finding.Finding{inFile(file, s.Line, "situations comment not directly under a semantic heading: move it there")}
	}
	if len(s.Phrases) == 0 {
		return []finding.Finding{inFile(file, s.Line, "situations comment without phrases: write one per line, or delete the comment")}
	}
	var found []finding.Finding
	fix := &finding.Fix{}
	if !s.Canonical {
		f := inFile(file, s.Line, "situations comment with stray spaces or blank lines, or a phrase next to its markers: --fix writes one phrase per line")
		f.Fix = fix
		found = append(found, f)
	}
	unique, repeats := repeatedPhrases(file, s, fix)
	found = append(found, repeats...)
	for _, p := range s.Phrases {
		if n := len(strings.Fields(p.Text)); n > maxPhraseWords {
			found = append(found, inFile(file, p.Line, "situation of %d words, more than the allowed %d: write what a developer types, does or sees, one phrase per line", n, maxPhraseWords))
		}
	}
	if !s.Canonical { // otherwise the fix removes the repeated lines one by one
		fix.Edits = []finding.Edit{{Path: file.Path, Start: s.Start, End: s.End, New: canonicalComment(file, s, unique)}}
	}
	return found
}

// repeatedPhrases reports phrases that occur twice. The fix removes exact repetitions.
func repeatedPhrases(file *decision.File, s decision.Situations, fix *finding.Fix) (unique []string, found []finding.Finding) {
	firsts := map[string]decision.Phrase{}
	for _, p := range s.Phrases {
		key := decision.Key(p.Text)
		first, seen := firsts[key]
		if !seen {
			firsts[key] = p
			unique = append(unique, p.Text)
			continue
		}
		f := inFile(file, p.Line, "situation %q is already on line %d", p.Text, first.Line)
		if p.Text == first.Text {
			f.Message += ": --fix removes it"
			f.Fix = fix
			fix.Removed = append(fix.Removed, p.Text)
			fix.Edits = append(fix.Edits, finding.Edit{Path: file.Path, Start: p.Start, End: p.End})
		} else {
			f.Message += ", in different case: keep one"
			unique = append(unique, p.Text)
		}
		found = append(found, f)
	}
	return unique, found
}

// canonicalComment formats a situations comment with the line end of its first line.
func canonicalComment(file *decision.File, s decision.Situations, phrases []string) string {
	eol := "\n"
	if line, _, found := bytes.Cut(file.Source[s.Start:], []byte("\n")); found && bytes.HasSuffix(line, []byte("\r")) {
		eol = "\r\n"
	}
	return "<!-- situations:" + eol + strings.Join(phrases, eol) + eol + "-->"
}
