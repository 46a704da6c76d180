package validate

import (
	"strings"

	"whence/internal/decision"
	"whence/internal/finding"
	"whence/internal/words"
)

// MaxPhraseWords bounds a situation: a longer one is prose.
const MaxPhraseWords = 20

// situationsFormat reports situations comments that recall would misread.
func situationsFormat(a *audit, report func(finding.Finding)) {
	for _, file := range a.Files {
		for _, s := range file.Situations {
			reportComment(file, s, report)
		}
	}
}

func reportComment(file *decision.File, s decision.Situations, report func(finding.Finding)) {
	if !s.Closed {
		report(inFile(file, s.Line, "situations comment without end: close it with --> on a line of its own"))
		return
	}
	if s.Heading < 0 {
		report(inFile(file, s.Line, "situations comment not directly under a semantic heading: move it there"))
		return
	}
	if len(s.Phrases) == 0 {
		report(inFile(file, s.Line, "situations comment without phrases: write one per line, or delete the comment"))
		return
	}
	var phrases []string
	for _, p := range s.Phrases {
		phrases = append(phrases, p.Text)
		if n := words.Count(p.Text); n > MaxPhraseWords {
			report(inFile(file, p.Line, "situation of %d words, more than the allowed %d: write what a developer types, does or sees, one phrase per line", n, MaxPhraseWords))
		}
	}
	if !s.Canonical {
		f := inFile(file, s.Line, "situations comment with stray spaces or blank lines, or a phrase next to its markers: --fix writes one phrase per line")
		f.Fix = &finding.Fix{Edits: []finding.Edit{{Path: file.Path, Start: s.Start, End: s.End, New: canonicalComment(file, s, phrases)}}}
		report(f)
	}
}

// canonicalComment formats a situations comment with the line end of most of its lines.
func canonicalComment(file *decision.File, s decision.Situations, phrases []string) string {
	return commentText(phrases, words.LineEnd(file.Source[s.Start:s.End]))
}

func commentText(phrases []string, eol string) string {
	return "<!-- situations:" + eol + strings.Join(phrases, eol) + eol + "-->"
}
