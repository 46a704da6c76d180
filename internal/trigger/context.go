package trigger

import (
	"slices"
	"strings"
)

// withContext adds a title from above to a phrase that names no subject.
func withContext(p phrase, parents []string) phrase {
	subject := withoutGeneral(p.words)
	p.words = trim(p.words)
	last := len(p.words) - 1
	switch {
	case last < 0, len(subject) > 1, len(subject) == 1 && last > 1:
		return p
	case len(subject) == 1 && last == 1 && !general()[p.words[1]]:
		return p
	}
	whole := subjects(parents, 0)
	for _, above := range whole {
		if above[len(above)-1] == p.words[0] && len(above) > 1 { // "Feedback pipeline" above "Pipeline architecture"
			return phrase{slices.Concat(above, p.words[1:]), .8}
		}
	}
	named := subjects(parents, len(p.words))
	if len(p.words) == 1 {
		named = append(named, whole...)
	}
	for _, above := range named {
		switch title := p.words; {
		case len(title)+len(above) >= maxTriggerWords || slices.ContainsFunc(above, func(w string) bool { return loose()[w] }):
		case slices.ContainsFunc(above, func(w string) bool { return slices.Contains(title, w) }):
		case len(subject) == 0 && last > 0 && general()[above[len(above)-1]] && len(title)+len(above)+2 <= maxTriggerWords:
			return phrase{slices.Concat(title, []string{"in", "the"}, above), .75}
		case len(title) == 1 && isGerund(title[0]) && isPlural(above[len(above)-1]):
			return phrase{slices.Concat(title, above), .75}
		case len(title) == 1 && !isPlural(above[len(above)-1]):
			return phrase{slices.Concat(above, title), .75}
		default:
			return phrase{slices.Concat(title, []string{"in"}, above), .75}
		}
	}
	if len(subject) == 0 || last == 0 {
		p.confidence = min(p.confidence, vague)
	}
	return p
}

// subjects returns the words of titles without their general words, of titles that have others. If
// fewer than minWords are left of a title, it stays whole.
func subjects(titles []string, minWords int) (subjects [][]string) {
	for _, title := range titles {
		words := slices.DeleteFunc(titleWords(strings.ReplaceAll(withoutAsides(title), "-", " ")), isNumber)
		named := withoutGeneral(words)
		switch {
		case minWords == 0 && len(words) > 0:
			subjects = append(subjects, words)
		case len(named) >= minWords && len(named) > 0:
			subjects = append(subjects, named)
		case len(named) > 0:
			subjects = append(subjects, words)
		}
	}
	return subjects
}
