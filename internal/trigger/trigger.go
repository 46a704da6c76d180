// Package trigger derives triggers from titles of headings.
//
// A trigger completes "/when …": it says in two to six words what someone is doing or facing
// when a section applies. It is either a phrase whose grammar a rule understood, or the
// words of the title in their order. The rules are tried in the order below; the first that
// fits gives the words. The titles are of real indexes; docs/migrate.md explains each rule.
//
//	when          When the cache is cold                   when cache is cold
//	how           How to rotate signing keys               how rotate signing keys
//	question      What may be defaulted?                   deciding what may be defaulted
//	contrast      Hard limits vs soft limits               choosing between hard and soft limits
//	prohibition   Never auto-commit in sessions            auto-committing in sessions
//	absence       No glob expansion                        considering glob expansion
//	imperative    Pin the compiler version                 pinning the compiler version
//	predicate     MCP tools unavailable in subagents       mcp tools are unavailable in subagents
//	identity      Commits are sync points                  treating commits as sync points
//	statement     Gates reduce overhead                    reducing overhead with gates
//	title         Prefix detection strategy                prefix detection strategy
//	topic         Fonts                                    working on fonts
//
// A title that names no subject ("Problem") gets words of the titles above it. Where the title is not
// sure, a labelled line of the section ("Decision: Use …") gives the trigger, by the rule "decision".
package trigger

import (
	"path"
	"slices"
	"strings"

	"whence/internal/decision"
)

// A derived trigger has minTriggerWords to maxTriggerWords words.
const (
	minTriggerWords = 2
	maxTriggerWords = 6
)

// Derivation is a derived trigger.
type Derivation struct {
	Operator string   // "when", or "how" for a title that begins with "How to"
	Words    []string // see Words
	Rule     string   // name of the rule
	// Confidence is how likely readers find the trigger good, from 0 to 1.
	Confidence float64
}

// Section is the source of a trigger. Only Title is required.
type Section struct {
	Title       string   // of the heading
	Description string   // of the entry
	Text        string   // Markdown under the heading
	Parents     []string // titles of the headings above, the nearest first, then the name of the file
}

// SectionOf returns the section of a heading, by its index in the file.
func SectionOf(f *decision.File, heading int) Section {
	if f.Document {
		return documentSection(f)
	}
	h := f.Headings[heading]
	s := Section{Title: h.Title, Text: string(f.Body(heading))}
	for i := h.Parent; i >= 0; i = f.Headings[i].Parent {
		s.Parents = append(s.Parents, f.Headings[i].Title)
	}
	s.Parents = append(s.Parents, strings.TrimSuffix(path.Base(f.Path), path.Ext(f.Path)))
	return s
}

// Confidences that several rules share. The figures are verdicts of readers on triggers of one index
// of 126 titles, by which the rules were made.
const (
	sure      = 0.95 // the title is a noun phrase or an activity: 142 of 144
	enough    = 0.9  // from here, no line of the section is considered
	fromText  = 0.8  // a line of the section, before it is compared with the title
	headless  = 0.79 // the title ends with a general word, or has four nouns in a row: 86 of 106
	plain     = 0.78 // no verb says what is done: 15 of 20
	decided   = 0.75 // a line of the section, or words from above: 28 of 36
	statement = 0.65 // the title says what is so, not what one does: 18 of 32
	clumsy    = 0.5  // the grammar was not understood, or words are missing: 0 of 3
	vague     = 0.4  // the title names no subject
)

// Derive derives a trigger from a section. Of 120 titles of other memories, readers found 39 of 40 noun
// phrases that name one kind of thing good, but 24 of 50 other triggers that the rules are sure of: only
// the former, and titles with "When" or "How to", keep a confidence of 0.8 or more.
func Derive(s Section) Derivation {
	d := derive(s)
	switch asked := d.Rule == "when" || d.Rule == "how"; {
	case asked && !(lacksArticle(d.Words) && slices.Contains(statementVerbs(d.Words), true)):
	case d.Rule == "title" && len(d.Words) > 0 && namesKind(d.Words):
	default:
		d.Confidence = min(d.Confidence, plain)
	}
	return d
}

// namesKind reports whether words are a noun phrase that says of what kind a thing is: not "available
// recipes", which could be any, nor one that begins with what may be an order.
func namesKind(words []string) bool {
	order, _ := isVerb(words[0])
	return !order && !(len(words) == 2 && isAdjective(words[0])) && !slices.ContainsFunc(words, func(w string) bool { return loose()[w] })
}

func derive(s Section) Derivation {
	s.Title = hyphenated(s.Title, s.Text)
	best := fromTitle(s)
	lines := labelled(s.Title, s.Text)
	if named := len(lines) > 0 && lines[0].label == triggerLabel; best.Confidence >= enough && !named {
		return best
	}
	if len(lines) == 0 {
		lines = []line{{"", titleWords(openingClause(s.Description))}, {"", titleWords(openingClause(s.Text))}}
	}
	subject := titleWords(s.Title)
	for _, related := range []bool{true, false} {
		unsure := best.Confidence <= plain || best.Rule == "predicate"
		if !related && !unsure {
			break
		}
		for _, l := range lines {
			if l.label == antiPattern && !unsure {
				continue
			}
			words, whole := fromLine(l, subject, best.Confidence <= headless && best.Confidence != statement)
			same := shared(words, subject)
			if words != nil && (whole || unsure || same > 1) && (same > 0 || l.label == triggerLabel || !related && (l.label != "" || len(withoutGeneral(subject)) == 0)) {
				return Derivation{"when", words, "decision", decided}
			}
		}
	}
	return best
}

// fromTitle derives a trigger from the title and those above it.
func fromTitle(s Section) Derivation {
	title := withoutAsides(s.Title)
	operator := "when"
	words := titleWords(title)
	var made phrase
	rule := ""
	switch {
	case len(words) > 2 && words[0] == "how" && words[1] == "to":
		operator, rule, made = "how", "how", phrase{words[2:], sure}
	case len(words) > 2 && words[0] == "when" && words[1] == "to":
		rule, made = "when", phrase{gerunds(words[2:]), sure}
	case len(words) > 2 && words[0] == "when" && !auxiliaries()[words[1]]:
		rule, made = "when", phrase{titleWords(firstClause(title))[1:], sure}
	default:
		made, rule = best(parts(title))
	}
	if operator == "when" {
		made = withContext(made, s.Parents)
	}
	kept, confidence := fit(made.words)
	made.confidence = min(made.confidence, confidence)
	if strings.Contains(title, ", ") && len(kept) < 4 { // what follows the comma says what it is about
		made.confidence = min(made.confidence, clumsy)
	}
	if len(kept) < minTriggerWords {
		made.confidence = min(made.confidence, vague)
		for _, above := range append(subjects(s.Parents, 1), severals(Words(title))) {
			if len(kept) == 0 && len(above) < maxTriggerWords-1 {
				kept = trim(above)
			}
		}
		switch {
		case len(kept) == 1 && operator == "how":
			operator, kept = "when", []string{"considering", gerund(kept[0])}
		case len(kept) == 1:
			kept, rule = append([]string{"working", "on"}, kept...), "topic"
		}
	}
	return Derivation{operator, kept, rule, made.confidence}
}

// phrase holds the words that a rule makes of a title, and how sure they are.
type phrase struct {
	words      []string
	confidence float64
}

// shape is a rule. It reports false for a title of another shape.
type shape struct {
	name string
	make func(title []string) (phrase, bool)
}

var shapes = []shape{
	{"question", question},
	{"contrast", contrast},
	{"prohibition", prohibition},
	{"absence", absence},
	{"imperative", imperative},
	{"predicate", predicate},
	{"identity", identity},
	{"statement", statementOf},
	{"title", unchanged},
}

func fitShape(title []string) (phrase, string) {
	for _, s := range shapes {
		if made, ok := s.make(title); ok {
			return made, s.name
		}
	}
	return phrase{confidence: vague}, "topic"
}

// withoutConnectives drops the words that join a title to another, and what precedes a question.
func withoutConnectives(title []string) []string {
	for len(title) > 1 && (connectives()[title[0]] || (openers()[title[0]] && !auxiliaries()[title[0]] || title[0] == "is") && (questionWords()[title[1]] || owners()[title[0]] && auxiliaries()[title[1]])) {
		title = title[1:]
	}
	return title
}

// best returns the phrase of a title in parts: "Label: what it is about". A part that names a place
// or a time joins the other.
func best(title []string) (phrase, string) {
	last := withoutConnectives(titleWords(title[len(title)-1]))
	if len(title) == 1 {
		return fitShape(last)
	}
	label := withoutConnectives(titleWords(title[0]))
	made, rule := fitShape(last)
	joined := slices.Concat(last, []string{"in"}, label)
	switch {
	case len(label) == 0 || len(last) == 0:
	case len(last) < 2:
		return phrase{slices.Concat(label, last), .8}, rule
	case rule == "imperative" || rule == "prohibition":
	case len(withoutGeneral(label)) == 0 || general()[label[len(label)-1]] && !places()[label[len(label)-1]]:
		made.confidence = min(made.confidence, plain)
	case places()[label[len(label)-1]] && rule == "title" && len(joined) < maxTriggerWords && len(label) > 1:
		return phrase{slices.Concat(last, []string{"in", "the"}, label), plain}, rule
	case (places()[label[len(label)-1]] || rule == "contrast" && len(label) == 1) && len(joined) <= maxTriggerWords:
		if rule == "contrast" {
			return phrase{joined, .8}, rule
		}
		return phrase{slices.Concat(label, last), .8}, rule
	case len(last) <= len(label) && len(contentWords(label)) > len(contentWords(last)) && len(label) <= maxTriggerWords:
		return fitShape(label)
	default:
		made.confidence = min(made.confidence, plain)
	}
	return made, rule
}
