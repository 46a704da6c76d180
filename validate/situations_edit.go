package validate

import (
	"bytes"
	"fmt"
	"strings"

	"whence/internal/text"

	"whence/internal/decision"
	"whence/internal/finding"
)

// AddSituations returns the edit that adds phrases to the situations comment of a heading,
// or a new comment directly below it, and the phrases that were not there in any case. A
// comment that is not canonical is rewritten.
func (e *Editor) AddSituations(p Place, phrases []string) (edits []finding.Edit, added []string, err error) {
	file, h := e.Heading(p)
	comment := e.Situations(p)
	known := map[string]bool{}
	var texts []string
	if comment != nil {
		if !comment.Closed {
			return nil, nil, fmt.Errorf("%s:%d: the situations comment under %q has no end: close it with --> on a line of its own", file.Path, comment.Line, h.Title)
		}
		for _, phrase := range comment.Phrases {
			known[decision.Key(phrase.Text)] = true
			texts = append(texts, phrase.Text)
		}
	}
	for _, phrase := range phrases {
		if key := decision.Key(phrase); !known[key] {
			known[key] = true
			added = append(added, phrase)
		}
	}
	switch {
	case len(added) == 0:
		return nil, nil, nil
	case comment == nil:
		edits = []finding.Edit{newComment(file, h, added)}
	case comment.Canonical && len(texts) > 0:
		end := comment.Phrases[len(texts)-1].End
		eol := text.LineEnd(file.Source)
		edits = []finding.Edit{{Path: file.Path, Start: end, End: end, New: strings.Join(added, eol) + eol}}
	default:
		text := canonicalComment(file, *comment, append(texts, added...))
		edits = []finding.Edit{{Path: file.Path, Start: comment.Start, End: comment.End, New: text}}
	}
	return edits, added, nil
}

// Situations returns the situations comment of a heading, or nil.
func (e *Editor) Situations(p Place) *decision.Situations {
	file, _ := e.Heading(p)
	for i := range file.Situations {
		if file.Situations[i].Heading == p.Heading {
			return &file.Situations[i]
		}
	}
	return nil
}

// newComment adds a comment below a heading, after a blank line if a blank line or the end
// of the file follows the heading.
func newComment(file *decision.File, h decision.Heading, phrases []string) finding.Edit {
	eol := text.LineEnd(file.Source)
	text := "<!-- situations:" + eol + strings.Join(phrases, eol) + eol + "-->"
	below, _, ended := bytes.Cut(file.Source[h.Body:], []byte("\n"))
	switch blank := len(bytes.TrimSpace(below)) == 0; {
	case h.Body == len(file.Source) && !bytes.HasSuffix(file.Source, []byte("\n")):
		text = eol + eol + text // a heading that ends the file without a line end
	case blank && (ended || h.Body == len(file.Source)):
		text = eol + text + eol
	default:
		text += eol
	}
	return finding.Edit{Path: file.Path, Start: h.Body, End: h.Body, New: text}
}
