// Package trigger derives triggers from titles of headings.
//
// A trigger says in two to five words what an agent is doing when a decision applies. The
// rules are tried in the order below; the first that fits gives the words. The examples are
// titles of real indexes; docs/migrate.md explains each rule.
//
//	contrast     Hard limits vs soft limits      choosing hard or soft limits
//	preference   Cursors over offsets            choosing cursors over offsets
//	prohibition  Never auto-commit in sessions   auto-committing in sessions
//	gerund       Seeding before generation       seeding before generation
//	identity     Commits are sync points         treating commits as sync points
//	imperative   Pin the compiler version        pinning compiler version
//	statement    Retries hide timeouts           hiding timeouts with retries
//	action       Prefix detection strategy       detecting prefix
//	use          Rule files for releases         writing rule files for releases
//	topic        Fonts                           working on fonts
package trigger

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"whence/internal/decision"
	"whence/internal/index"
)

// maxTriggerWords is the maximal length of a derived trigger.
const maxTriggerWords = 5

// shape is a rule that returns the words of a trigger, or none if the title does not match.
type shape struct {
	name  string
	words func(title []string) []string
}

var shapes = []shape{
	{"contrast", contrast},
	{"preference", preference},
	{"prohibition", prohibition},
	{"gerund", startsWithGerund},
	{"identity", identity},
	{"imperative", imperative},
	{"statement", statement},
	{"action", actionNoun},
	{"use", usedNoun},
}

// lastShape fits every title.
var lastShape = shape{"topic", topic}

// Derivation is a derived trigger.
type Derivation struct {
	Operator string   // "when", or "how" for a title that begins with "How to"
	Words    []string // two to five words, see Words
	Rule     string   // name of the rule
	// Confidence is how likely readers judge the trigger good, from 0 to 1: see the rules.
	Confidence float64
}

// Section is what triggers are derived from. Only Title is required.
type Section struct {
	Title       string   // of the heading
	Description string   // of the entry
	Text        string   // Markdown under the heading
	Parents     []string // titles of the headings above, the nearest first
}

// SectionOf returns the section of a heading, by its index in the file.
func SectionOf(f *decision.File, heading int) Section {
	h := f.Headings[heading]
	s := Section{Title: h.Title, Text: string(f.Body(heading))}
	for i := h.Parent; i >= 0; i = f.Headings[i].Parent {
		s.Parents = append(s.Parents, f.Headings[i].Title)
	}
	return s
}

// Derive derives a trigger from the title of a heading. The description is used only if the
// title is too vague ("Problem", "Solution").
func Derive(s Section) Derivation {
	title, description := s.Title, s.Description
	lower := strings.ToLower(title)
	if rest, found := strings.CutPrefix(lower, "how to "); found {
		return Derivation{Operator: "how", Words: shorten(Words(rest)), Rule: "how"}
	}
	if rest, found := strings.CutPrefix(lower, "when "); found {
		return Derivation{Operator: "when", Words: shorten(Words(rest)), Rule: "when"}
	}
	parts := clauses(title)
	titles := make([][]string, len(parts))
	for i, clause := range parts {
		titles[i] = titleWords(clause)
	}
	for _, shapes := range [][]shape{shapes, {lastShape}} {
		for _, title := range titles {
			if made, rule := fitShape(shapes, title); rule != "" {
				return Derivation{Operator: "when", Words: made, Rule: rule}
			}
		}
	}
	clause, _, _ := strings.Cut(description, ",")
	if made, rule := fitShape(append(shapes[:len(shapes):len(shapes)], lastShape), titleWords(clause)); rule != "" {
		return Derivation{Operator: "when", Words: made, Rule: rule + " on the description"}
	}
	return Derivation{Operator: "when", Words: shorten(append([]string{"working", "on"}, Words(title)...)), Rule: lastShape.name}
}

// fitShape returns the words of the first rule that fits a title, and its name. Weak words
// alone fit none.
func fitShape(shapes []shape, title []string) (words []string, rule string) {
	if len(dropWeak(title)) == 0 {
		return nil, ""
	}
	for _, s := range shapes {
		if made := shorten(s.words(title)); len(made) > 1 {
			return made, s.name
		}
	}
	return nil, ""
}

// clauses returns the parts of a title to derive from, the best first: the text after a colon
// says more than the one before it.
func clauses(title string) []string {
	if i := strings.Index(title, " ("); i > 0 {
		_, after, _ := strings.Cut(title[i:], ")")
		title = title[:i] + " " + after
	}
	if before, after, found := strings.Cut(title, ": "); found {
		return []string{firstClause(after), before}
	}
	return []string{firstClause(title)}
}

// firstClause returns what precedes a comma or semicolon, if it has two words.
func firstClause(title string) string {
	if i := strings.IndexAny(title, ",;"); i > 0 && strings.Count(title[:i], " ") > 0 {
		return title[:i]
	}
	return title
}

// titleWords splits a title into words that a trigger may hold. Camel case is separated:
// SessionStart becomes session start. A number at the end is dropped.
func titleWords(title string) []string {
	words := splitTitle(title)
	for len(words) > 2 && strings.Trim(words[len(words)-1], "0123456789") == "" {
		words = words[:len(words)-1]
	}
	return words
}

func splitTitle(title string) []string {
	var words []string
	for w := range strings.FieldsSeq(title) {
		switch w {
		case "→":
			words = append(words, "to")
		case "+", "&":
			words = append(words, "and")
		default:
			for _, part := range splitCamel(w) {
				words = appendWords(words, part)
			}
		}
	}
	return words
}

// oneWord holds names with a capital inside.
var oneWord = set("GitHub GitLab JavaScript TypeScript PowerShell PostgreSQL GraphQL OpenAI YouTube DevOps MacOS NodeJS MySQL")

// splitCamel separates the humps of a word of letters. Names, code with other signs, and words
// with fewer than two lower-case letters in a hump are not split.
func splitCamel(word string) []string {
	if !strings.ContainsFunc(word[1:], unicode.IsUpper) || oneWord()[word] || strings.ContainsFunc(word, func(r rune) bool { return !unicode.IsLetter(r) }) {
		return []string{word}
	}
	var parts []string
	start, runes := 0, []rune(word)
	for i := 1; i < len(runes); i++ {
		if unicode.IsUpper(runes[i]) && unicode.IsLower(runes[i-1]) && i-start >= 3 && i+1 < len(runes) && unicode.IsLower(runes[i+1]) {
			parts = append(parts, string(runes[start:i]))
			start = i
		}
	}
	return append(parts, string(runes[start:]))
}

// Words splits text into lower-case words of the characters that a trigger may hold.
func Words(text string) []string { return appendWords(nil, text) }

func appendWords(words []string, text string) []string {
	cleaned := strings.Map(letter, strings.ToLower(text))
	for w := range strings.FieldsSeq(cleaned) {
		w = strings.TrimRight(strings.TrimLeft(w, "-'/"), "-'/.")
		if strings.ContainsFunc(w, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) {
			words = append(words, w)
		}
	}
	return words
}

// letter maps a rune to what a trigger holds for it: the rune itself, a space, or nothing (-1).
func letter(r rune) rune {
	switch {
	case unicode.IsLetter(r), unicode.IsDigit(r), unicode.IsMark(r):
		return r
	case r == '’':
		return '\''
	}
	switch r {
	case '-', '\'', '/', '.', '_':
		return r
	case '`', '(', ')', '"', '*':
		return -1
	}
	return ' '
}

// articles are dropped from a derived trigger. Joints may be in it, but not at its end.
var (
	articles = set("a an the")
	joints   = set("of for in on with from via during to by before after at and or over as into than that is are not per under without its their only")
)

// shorten drops articles and cuts to maxTriggerWords, not after a joint.
func shorten(words []string) []string {
	words = slices.DeleteFunc(slices.Clone(words), func(w string) bool { return articles()[w] })
	words = words[:min(len(words), maxTriggerWords)]
	for len(words) > 0 && joints()[words[len(words)-1]] {
		words = words[:len(words)-1]
	}
	return words
}

// contrast matches "X vs Y". A last word that both sides share is not repeated.
func contrast(title []string) []string {
	i := slices.IndexFunc(title, func(w string) bool { return w == "vs" || w == "versus" })
	if i <= 0 || i == len(title)-1 {
		return nil
	}
	left, right := title[:i], title[i+1:]
	if last := right[len(right)-1]; len(left) > 1 && left[len(left)-1] == last {
		left = left[:len(left)-1]
	}
	return choice(left, "or", right)
}

// choice joins two sides. If they are too long, the left one loses its first words: the head
// of a phrase is its last word.
func choice(left []string, joint string, right []string) []string {
	for len(left)+len(right) > maxTriggerWords-2 && len(left) > 1 {
		left = left[1:]
	}
	return slices.Concat([]string{"choosing"}, left, []string{joint}, right)
}

// verbs before "not" make it negate a statement.
var verbs = set("is are was were do does did has have had can could may might must shall should will would")

// preference matches "X over Y", "X beats Y", "X instead of Y", "X, not Y".
func preference(title []string) []string {
	for i := 1; i < len(title)-1; i++ {
		rest := title[i+1:]
		switch w := title[i]; {
		case w == "over", w == "beat", w == "beats":
		case w == "instead" && rest[0] == "of", w == "rather" && rest[0] == "than":
			rest = rest[1:]
		case w == "not" && i > 1 && !verbs()[title[i-1]]:
		default:
			continue
		}
		if len(rest) == 0 {
			return nil
		}
		left := title[:i]
		if left[0] == "prefer" || left[0] == "use" {
			left = left[1:]
		}
		return choice(left, "over", rest)
	}
	return nil
}

// prohibition matches "Never X", "Do not X", "Don't X", "No X", "Avoid X": the agent is about to
// do it.
func prohibition(title []string) []string {
	if len(title) < 2 {
		return nil
	}
	rest := title[1:]
	switch title[0] {
	case "no":
		return append([]string{"needing"}, rest...)
	case "do":
		if rest[0] != "not" || len(rest) < 2 {
			return nil
		}
		rest = rest[1:]
	case "never", "don't", "dont", "not":
	case "avoid":
		if !isGerund(rest[0]) {
			return append([]string{"avoiding"}, rest...)
		}
	default:
		return nil
	}
	return append([]string{gerund(rest[0])}, rest[1:]...)
}

// startsWithGerund matches a title that is an activity already. "Processing order" is none: the
// gerund belongs to the noun after it.
func startsWithGerund(title []string) []string {
	if len(title) < 2 || !isGerund(title[0]) || thirdPerson()[title[1]] != "" {
		return nil
	}
	phrase, rest := splitPhrase(title)
	phrase = dropWeak(phrase)
	if len(phrase) == 2 && action(phrase[1]) != "" {
		return nil
	}
	return slices.Concat(phrase, rest)
}

// identity matches "X is Y": the agent is to treat X as Y.
func identity(title []string) []string {
	i := slices.IndexFunc(title, func(w string) bool { return w == "is" || w == "are" })
	if i <= 0 || i > 2 || i == len(title)-1 || len(title)-1-i > 4-i+1 {
		return nil
	}
	right := title[i+1:]
	if articles()[right[0]] {
		right = right[1:]
	}
	if len(right) == 0 || right[0] == "not" {
		return nil
	}
	return slices.Concat([]string{"treating"}, title[:i], []string{"as"}, right)
}

// imperative matches "Use X".
func imperative(title []string) []string {
	if len(title) < 2 || !imperatives()[title[0]] && !(eitherWay()[title[0]] && determiners()[title[1]]) {
		return nil
	}
	return append([]string{gerund(title[0])}, title[1:]...)
}

// statement matches "X catches Y": the activity is its verb with its object, and as much of the
// subject as fits. "X requires Y" is about X.
func statement(title []string) []string {
	for i := 1; i < len(title)-1; i++ {
		if demands()[title[i]] {
			return subject(title[:i])
		}
		verb, object := thirdPerson()[title[i]], title[i+1:]
		switch {
		case (title[i] == "must" || title[i] == "should") && imperatives()[object[0]] && len(object) > 1:
			verb, object = object[0], object[1:]
		case verb == "" && imperatives()[title[i]] && strings.HasSuffix(title[i-1], "s"): // plural
			verb = title[i]
		}
		if verb == "" || joints()[title[i-1]] || joints()[object[0]] {
			continue
		}
		made := append([]string{gerund(verb)}, object...)
		joint := "with"
		if verb == "use" {
			joint = "for"
		}
		who, _ := splitPhrase(title[:i])
		if room := maxTriggerWords - len(made) - 1; room > 0 {
			made = slices.Concat(made, []string{joint}, who[max(0, len(who)-room):])
		}
		return made
	}
	return nil
}

// subject returns a trigger for the subject of a statement.
func subject(title []string) []string {
	for _, words := range []func([]string) []string{actionNoun, usedNoun, topic} {
		if made := words(title); len(made) > 1 {
			return made
		}
	}
	return nil
}

// actionNoun matches a title whose head names an activity: "Prefix Detection", "Model selection for
// design guidance". A lone adjective is not an object: then the whole is applied.
func actionNoun(title []string) []string {
	phrase, rest := splitPhrase(title)
	phrase = dropWeak(phrase)
	if len(phrase) == 0 {
		phrase, rest = dropWeak(withoutJoint(rest)), nil
	}
	if len(phrase) == 0 {
		return nil
	}
	verb := action(phrase[len(phrase)-1])
	if verb == "" {
		return nil
	}
	switch object := phrase[:len(phrase)-1]; {
	case len(object) == 1 && isAdjective(object[0]):
		return slices.Concat([]string{"applying"}, phrase, rest)
	case len(object) == 0 && len(rest) > 0 && (rest[0] == "of" || rest[0] == "for"):
		return slices.Concat(strings.Fields(verb), rest[1:])
	default:
		return slices.Concat(strings.Fields(verb), object, rest)
	}
}

// isAdjective reports whether a word is an adjective, by its ending or a hyphen.
func isAdjective(word string) bool {
	if strings.Contains(word, "-") {
		return true
	}
	for _, ending := range []string{"ful", "al", "ive", "able", "ible", "ous", "less", "ary"} {
		if strings.HasSuffix(word, ending) && len(word) > len(ending)+3 {
			return true
		}
	}
	return false
}

// usedNoun matches a title whose head is one of uses.
func usedNoun(title []string) []string {
	phrase, rest := splitPhrase(title)
	phrase = dropWeak(phrase)
	if len(phrase) == 0 {
		return nil
	}
	verb, known := uses()[phrase[len(phrase)-1]]
	if !known {
		return nil
	}
	return slices.Concat([]string{verb}, phrase[max(0, len(phrase)-4):], rest)
}

// topic matches any other title.
func topic(title []string) []string {
	phrase, rest := splitPhrase(title)
	if strong := dropWeak(phrase); len(strong) > 0 {
		phrase = strong
	}
	if len(phrase) == 0 {
		phrase, rest = withoutJoint(rest), nil
	}
	if len(phrase) == 0 {
		return nil
	}
	return slices.Concat([]string{"working", "on"}, phrase, rest)
}

// splitPhrase splits a title at its first joint: the phrase before it, and the rest.
func splitPhrase(title []string) (phrase, rest []string) {
	for i, w := range title {
		if joints()[w] {
			return title[:i], title[i:]
		}
	}
	return title, nil
}

func withoutJoint(words []string) []string {
	for len(words) > 0 && (joints()[words[0]] || articles()[words[0]]) {
		words = words[1:]
	}
	return words
}

// dropWeak removes weak heads from the end of a phrase.
func dropWeak(phrase []string) []string {
	for len(phrase) > 0 && weakHeads()[phrase[len(phrase)-1]] {
		phrase = phrase[:len(phrase)-1]
	}
	return phrase
}

// Set holds the triggers of an index, each once.
type Set struct {
	taken map[index.Key]bool
	next  map[string]int // the number to try next, by words
}

// NewSet returns an empty set with room for a number of triggers.
func NewSet(size int) *Set { return &Set{make(map[index.Key]bool, size), map[string]int{}} }

// Add reserves a trigger that is in use.
func (s *Set) Add(key index.Key) { s.taken[key] = true }

// Unique reserves the trigger of the given words. If it is in use, it appends a word of the further
// texts, or else a number, which it returns as added.
func (s *Set) Unique(operator string, words []string, further ...string) (trigger, added string) {
	base := strings.Join(words, " ")
	take := func(added string) bool {
		trigger = strings.TrimSpace(base + " " + added)
		key := index.Key{Operator: operator, Trigger: trigger}
		free := trigger != "" && !s.taken[key]
		if free {
			s.taken[key] = true
		}
		return free
	}
	if take("") {
		return trigger, ""
	}
	for _, w := range titleWords(strings.Join(further, " ")) {
		if slices.Contains(words, w) || joints()[w] || articles()[w] || weakHeads()[w] || index.IsOperator(w) {
			continue
		}
		if take(w) {
			return trigger, w
		}
	}
	for n := max(2, s.next[base]); ; n++ {
		if added = fmt.Sprint(n); take(added) {
			s.next[base] = n + 1
			return trigger, added
		}
	}
}
