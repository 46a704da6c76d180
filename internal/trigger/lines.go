package trigger

import (
	"slices"
	"strings"
)

// fromLine derives a trigger from a line that says what is done, or none if the line has no
// complete phrase for one; statements are considered if wanted. It reports whether the phrase is the whole clause.
func fromLine(l line, subject []string, statements bool) (words []string, whole bool) {
	made, ok := activity(l.clause)
	if len(subject) > 0 && len(l.clause) > 1 && gerund(l.clause[0]) == subject[0] { // the title says that it is a verb
		made, ok = phrase{gerunds(l.clause), fromText}, true
	}
	if !ok && (statements || l.label == antiPattern) && l.states(subject) {
		made, ok = phrase{l.clause, fromText}, true
	}
	if !ok || l.label == antiPattern && omissions()[gerund(l.clause[0])] {
		return nil, false
	}
	if is := slices.IndexFunc(made.words, func(w string) bool { return w == "is" || w == "are" }); is >= 0 && shared(made.words, subject) < 2 && len(withoutGeneral(subject)) > 1 {
		if specific := !statements || isGerund(made.words[0]); !specific || shared(made.words[:is], subject) == 0 {
			return nil, false // a condition that could be of anything
		}
	}
	words, confidence := fit(made.words)
	whole = confidence == 1
	for len(words) > 0 && (strings.HasSuffix(words[len(words)-1], "ly") || words[len(words)-1] == "first" && l.label != antiPattern) { // the advice, not the situation
		words, whole = words[:len(words)-1], true
	}
	n := len(words)
	long := whole || n > 3 || n == 3 && (subordinators()[made.words[3]] || strings.ContainsAny(words[1], "._"))
	if n < 3 || !long || !completes(words, "because") || isGerund(words[0]) && lacksArticle(words[1:]) {
		return nil, false
	}
	return words, whole
}

// shared counts the words that two texts share, by their beginning, without general words.
func shared(a, b []string) (n int) {
	const stem = 4 // letters: "split" and "splitting"
	for _, w := range withoutGeneral(contentWords(a)) {
		if slices.ContainsFunc(withoutGeneral(contentWords(b)), func(v string) bool {
			return w == v || len(w) >= stem && len(v) >= stem && w[:stem] == v[:stem]
		}) {
			n++
		}
	}
	return n
}

// omissions begin an anti-pattern of what was not done.
var omissions = set("leaving skipping omitting ignoring forgetting assuming")

// Labels of the lines that say what is done when a section applies, the best first.
const (
	triggerLabel = "Trigger"
	antiPattern  = "Anti-pattern"
)

var labels = []string{triggerLabel, "Decision", "Rule", "Statement", "Correct pattern", antiPattern}

// line holds the first clause of a labelled line of a section.
type line struct {
	label  string
	clause []string
}

// labelled returns the labelled lines of a section, the best first. The last word of the title
// is a label too: "Keys pattern" with "Pattern: names are keys".
func labelled(title, text string) (lines []line) {
	wanted := slices.Clip(labels)
	if last := title[strings.LastIndexByte(title, ' ')+1:]; last != "" {
		wanted = append(wanted, strings.ToUpper(last[:1])+last[1:])
	}
	for _, label := range wanted {
		for _, bold := range []string{"**" + label + ":** ", "**" + label + "**: "} {
			_, after, found := strings.Cut(text, bold)
			if !found {
				continue
			}
			// Half of an anti-pattern may be right: "mark the rule, leave the exception unmarked".
			if clause := openingClause(after); label != antiPattern || !strings.HasPrefix(strings.TrimSpace(after), clause+", ") {
				lines = append(lines, line{label, titleWords(clause)})
			}
			break
		}
	}
	return lines
}

// states reports whether a labelled line is a statement about a subject, or any line one if the
// subject is general. An anti-pattern need not begin with the subject, nor any line of a title
// such as "Keys pattern".
func (l line) states(subject []string) bool {
	named := withoutGeneral(subject)
	pattern := len(named) == len(subject)-1 && general()[subject[len(subject)-1]]
	verb := 0
	for verb < len(l.clause) && !isFinite([]string{"", l.clause[verb]}, 1) && !(pattern && followsPlural(l.clause, verb)) {
		verb++
	}
	switch {
	case verb == 0 || verb > 3 || verb == len(l.clause) || slices.ContainsFunc(l.clause[:verb], func(w string) bool { return loose()[w] }):
		return false
	case len(named) == 0 || l.label == "":
		return len(named) == 0
	case shared(l.clause[:verb], subject) > 0:
		return true
	}
	found := shared(l.clause, subject)
	return pattern && found > 1 || l.label == antiPattern && found > 0
}

// followsPlural reports whether the i-th word is a verb that is hardly a noun, behind a plural.
func followsPlural(words []string, i int) bool {
	verb, noun := isVerb(words[i])
	return i > 0 && verb && !noun && isPlural(words[i-1])
}

// quotation is a code span that is more than a name, or a quotation of three words or more.
var quotation = pattern("\"[^\"]* [^\"]* [^\"]*\"|`[^`]*[^\\w./()`-][^`]*`|`[^`]*\\([^`)][^`]*`")

// openingClause returns what precedes the first comma or other mark, and the first
// quotation.
func openingClause(text string) string {
	text, _, _ = strings.Cut(strings.TrimSpace(text), "\n")
	text = withoutAsides(text)
	if at := quotation().FindStringIndex(text); at != nil {
		text = text[:at[0]]
	}
	for _, mark := range []string{". ", ", ", "; ", ": ", " — ", " – ", " - ", " → ", " + "} {
		text, _, _ = strings.Cut(text, mark)
	}
	return strings.TrimSuffix(text, ".")
}

// lacksArticle reports whether an object is a single thing without an article: "new section".
func lacksArticle(object []string) bool {
	end := slices.IndexFunc(object, func(w string) bool { return loose()[w] && !determiners()[w] || w == "first" })
	if end < 0 {
		end = len(object)
	}
	object = object[:end]
	if end == 0 || slices.ContainsFunc(object, func(w string) bool { return determiners()[w] || isPlural(w) }) {
		return false
	}
	head := object[end-1]
	return !isMass(head) && !mass()[head] && !strings.ContainsAny(head, "._/-0123456789")
}

// activity matches the first clause of a sentence that says what is done, or when.
func activity(clause []string) (phrase, bool) {
	if len(clause) < 2 {
		return phrase{}, false
	}
	i := slices.IndexFunc(clause, func(w string) bool { return w == "if" || w == "when" })
	if isGerund(clause[0]) {
		if i > 2 {
			clause = clause[:i]
		}
		return phrase{clause, fromText}, !loose()[clause[1]] || determiners()[clause[1]]
	}
	if i >= 0 && i < len(clause)-3 {
		if i == 2 && negations()[clause[0]] { // "Don't delegate when context is loaded"
			return phrase{slices.Concat(gerunds(clause[1:2]), []string{"while"}, clause[i+1:]), fromText}, len(clause) <= maxTriggerWords+1
		}
		condition := clause[i+1:]
		return phrase{condition, fromText}, !slices.ContainsFunc(condition, func(w string) bool { return pronouns()[w] }) &&
			(owners()[condition[0]] || !loose()[condition[0]]) && !strings.Contains(condition[0], "'")
	}
	for _, rule := range []func([]string) (phrase, bool){prohibition, imperative} {
		if made, ok := rule(clause); ok && made.confidence > clumsy {
			return made, true
		}
	}
	head := slices.IndexFunc(clause, func(w string) bool { return boundaries()[w] || strings.HasSuffix(w, "ly") })
	if head < 0 {
		head = len(clause)
	}
	verb, _ := isVerb(clause[0])
	order := len(clause) > 2 && (isAdjective(clause[1]) || !isPlural(clause[1]) && (head == 2 && isMass(clause[1]) || head > 2 && slices.ContainsFunc(clause[2:head], isPlural)))
	return phrase{gerunds(clause), fromText}, verb && order && !slices.Contains(statementVerbs(clause[:head]), true)
}

// isAdjective reports whether a word is an adjective, by its ending.
func isAdjective(word string) bool {
	for _, ending := range []string{"ful", "al", "ic", "ive", "able", "ible", "ous", "less", "ary", "ed", "lel", "only"} {
		if strings.HasSuffix(word, ending) && len(word) > len(ending)+2 || word == ending {
			return true
		}
	}
	return adjectives()[word]
}

// isMass reports whether a noun needs no article, by its ending: "complexity", "coverage".
func isMass(word string) bool {
	return slices.ContainsFunc([]string{"ity", "ness", "ance", "ence", "age", "ing", "ior", "iour"}, func(ending string) bool { return strings.HasSuffix(word, ending) })
}
