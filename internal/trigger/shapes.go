package trigger

import (
	"slices"
	"strings"
)

// question matches "What may be defaulted?", "Should we mock?" and "How do I add a flag?".
func question(title []string) (phrase, bool) {
	if len(title) < 3 {
		return phrase{}, false
	}
	rest := title[1:]
	asked := auxiliaries()[rest[0]] && len(rest) > 2 && pronouns()[rest[1]] && beginsVerb(rest[2:])
	switch title[0] {
	case "what", "which", "where", "whether":
		switch {
		case (rest[0] == "is" || rest[0] == "are") && len(rest) > 2:
			return phrase{withoutArticle(rest[1:]), .8}, true
		case asked:
			return phrase{slices.Concat([]string{"deciding", title[0], "to"}, rest[2:]), .8}, true
		}
		return phrase{append([]string{"deciding"}, title...), .8}, true
	case "how", "when", "why":
		if asked {
			return phrase{gerunds(rest[2:]), .8}, true
		}
		if title[0] == "why" {
			return phrase{rest, clumsy}, true
		}
	}
	if base := thirdPerson()[rest[0]]; title[0] == "who" && base != "" {
		return phrase{slices.Concat([]string{gerund(base)}, rest[1:]), plain}, true
	}
	if auxiliaries()[title[0]] && title[0] != "do" || title[0] == "do" && pronouns()[rest[0]] {
		if pronouns()[rest[0]] && beginsVerb(rest[1:]) {
			return phrase{gerunds(rest[1:]), .8}, true
		}
		return phrase{rest, clumsy}, true
	}
	return phrase{}, false
}

// beginsVerb reports whether words begin with what may be a verb after a pronoun.
func beginsVerb(words []string) bool { return len(words) > 0 && !loose()[words[0]] }

var (
	auxiliaries   = set("do does did can could should shall may must will would is are")
	questionWords = set("what why how whether which")
	pronouns      = set("i we you it they them")
	owners        = set("a an the my your its their our")
)

// contrast matches "Hard limits vs soft limits": two sides that end alike are a choice. Others
// keep their words, because the title may be about a clash of the two.
func contrast(title []string) (phrase, bool) {
	i := slices.IndexFunc(title, func(w string) bool { return w == "vs" || w == "versus" })
	if i <= 0 || i == len(title)-1 {
		return phrase{}, false
	}
	left, right := title[:i], title[i+1:]
	if last := right[len(right)-1]; len(left) > 1 && left[len(left)-1] == last && len(title) <= maxTriggerWords {
		return phrase{slices.Concat([]string{"choosing", "between"}, left[:len(left)-1], []string{"and"}, right), .9}, true
	}
	if verb, _ := isVerb(left[len(left)-1]); verb {
		return phrase{title, clumsy}, true
	}
	return phrase{title, .85}, true
}

// prohibition matches "Never X", "Do not X" and "Don't X": the agent is about to do it.
func prohibition(title []string) (phrase, bool) {
	if len(title) < 3 {
		return phrase{}, false
	}
	rest := title[1:]
	switch title[0] {
	case "do":
		if rest[0] != "not" {
			return phrase{}, false
		}
		rest = rest[1:]
	case "never", "don't", "dont":
	case "avoid":
		if isGerund(rest[0]) {
			return phrase{rest, .9}, true
		}
		return phrase{}, false
	default:
		return phrase{}, false
	}
	if verb, _ := isVerb(rest[0]); !verb && (strings.HasSuffix(rest[0], "s") || strings.HasSuffix(rest[0], "ly") || loose()[rest[0]]) || len(rest) < 2 {
		return phrase{rest, clumsy}, true
	}
	return phrase{gerunds(rest), .9}, true
}

// absence matches "No X": the agent considers it.
func absence(title []string) (phrase, bool) {
	if len(title) < 2 || title[0] != "no" || loose()[title[1]] || title[1] == "longer" || title[1] == "one" || title[1] == "need" || slices.Contains(statementVerbs(title), true) {
		return phrase{}, false
	}
	if isGerund(title[1]) && len(title) > 2 {
		return phrase{title[1:], .85}, true
	}
	return phrase{append([]string{"considering"}, title[1:]...), plain}, true
}

// imperative matches "Use X". A verb that is as often a noun needs a determiner after it.
func imperative(title []string) (phrase, bool) {
	if len(title) > 2 && title[0] == "always" {
		if verb, _ := isVerb(title[1]); verb {
			return phrase{gerunds(title[1:]), .9}, true
		}
	}
	if len(title) < 2 || !isOrder(title) {
		return phrase{}, false
	}
	return phrase{gerunds(title), .9}, true
}

// isOrder reports whether a title begins with a verb in the imperative.
func isOrder(title []string) bool {
	verb, noun := isVerb(title[0])
	next := title[1]
	switch {
	case compounds()[next]:
		return false
	case orders()[title[0]] && (len(title) > 2 || title[0] == "be"):
		return !isFinite(title, 1) && next != "for" && (!lacksArticle(title[1:]) || title[0] == "be") && !slices.Contains(statementVerbs(title), true)
	case !verb || isFinite(title, 1):
		return false
	case noun:
		return determiners()[next] || adjectives()[next] || questionWords()[next] || strings.Contains(next, ".")
	}
	return true
}

// compounds are nouns that make one of a verb before them: "write access", "use case".
var compounds = set("of case cases access page pages")

// predicate matches a headline without its verb, "MCP tools unavailable in subagents". At the
// end of a title the adjective is dropped: "Path filters required".
func predicate(title []string) (phrase, bool) {
	startsVerb := false
	if len(title) > 0 {
		startsVerb, _ = isVerb(title[0])
	}
	for i := 1; i < len(title); i++ {
		if !predicates()[title[i]] || loose()[title[i-1]] || predicates()[title[i-1]] || isFinite(title, i-1) {
			continue
		}
		switch {
		case i == len(title)-1 && i > 1 && !startsVerb:
			return phrase{title[:i], plain}, true
		case i == len(title)-1 && i > 1, i < len(title)-1 && boundaries()[title[i+1]]:
			verb := "is"
			if isPlural(title[i-1]) {
				verb = "are"
			}
			confidence := .85
			if startsVerb {
				confidence = plain
			}
			return phrase{slices.Concat(title[:i], []string{verb}, title[i:]), confidence}, true
		}
	}
	return phrase{}, false
}

// identity matches "X is Y": the agent treats X as Y.
func identity(title []string) (phrase, bool) {
	title = withoutArticle(title)
	i := slices.IndexFunc(title, func(w string) bool { return w == "is" || w == "are" })
	if i < 1 || i > 3 || i > len(title)-2 || len(title) > maxTriggerWords-1 || slices.ContainsFunc(title[:i], func(w string) bool { return loose()[w] }) {
		return phrase{}, false
	}
	what := withoutArticle(title[i+1:])
	if len(what) == 1 && !isPlural(what[0]) && !strings.Contains(what[0], "-") && !mass()[what[0]] { // "the cache is slow"
		return phrase{}, false
	}
	if len(what) == 0 || slices.ContainsFunc(what, func(w string) bool { return loose()[w] || strings.HasSuffix(w, "ed") || predicates()[w] }) || isGerund(what[0]) || lacksArticle(title[:i]) && i == 1 && !isMass(title[0]) && len(what) > 1 {
		return phrase{}, false
	}
	return phrase{slices.Concat([]string{"treating"}, title[:i], []string{"as"}, what), enough}, true
}

// statementOf matches "X saves Y", "X uses Y" and "X beats Y": the activity is the verb with its object.
func statementOf(title []string) (phrase, bool) {
	title = withoutArticle(title)
	for i := 1; i < len(title)-1; i++ {
		subject, object := title[:i], title[i+1:]
		if slices.ContainsFunc(object, func(w string) bool { return negations()[w] || auxiliaries()[w] }) || slices.ContainsFunc(subject, func(w string) bool { return loose()[w] }) {
			continue
		}
		third := thirdPerson()[title[i]]
		base := third
		if base == "" && isPlural(title[i-1]) {
			base = title[i]
		}
		switch {
		case title[i] == "beats" || title[i] == "beat":
			return phrase{slices.Concat([]string{"choosing"}, subject, []string{"over"}, object), enough}, len(title) < maxTriggerWords
		case title[i] == "stay" || title[i] == "stays" || title[i] == "live" || title[i] == "lives" || title[i] == "belongs" || title[i] == "belong":
			return phrase{append([]string{"placing"}, subject...), enough}, isPlural(title[i-1])
		case base == "use":
			return phrase{slices.Concat([]string{"using"}, object, []string{"for"}, subject), enough}, len(title) < maxTriggerWords
		case purposes()[base]:
			made := slices.Concat([]string{gerund(base)}, object)
			if base == "enable" { // one does the object
				made = object
			}
			with := []string{"with"}
			if lacksArticle(subject) && strings.ContainsAny(subject[0][:1], "aeio") {
				with = append(with, "an")
			}
			if whole := slices.Concat(made, with, subject); len(whole) <= maxTriggerWords && (len(with) > 1 || !lacksArticle(subject)) {
				made = whole
			}
			return phrase{made, enough}, len(made) > 2 || !lacksArticle(object)
		}
	}
	return phrase{}, false
}

// unchanged takes the title as it is.
func unchanged(title []string) (phrase, bool) {
	if len(title) == 0 {
		return phrase{}, false
	}
	verb, _ := isVerb(title[0])
	head := slices.IndexFunc(title, func(w string) bool { return loose()[w] }) - 1
	if head < 0 {
		head = len(title) - 1
	}
	switch {
	case loose()[title[0]] && !determiners()[title[0]], slices.Contains(title[1:], "not"):
		return phrase{title, clumsy}, true
	case verb && (isPlural(title[head]) || head == 0): // an order or a noun: "copy files", but not "retry policy"
		return phrase{title, .75}, true
	}
	if len(title) > 1 && isGerund(title[0]) && (determiners()[title[1]] || isPlural(title[head]) && !isFinite(title, head)) {
		return phrase{title, sure}, true
	}
	for i, is := range statementVerbs(title) {
		switch {
		case is && withoutArticle(title)[0] != title[0]: // it lost its article
			return phrase{title, clumsy}, true
		case is && (strings.HasPrefix(title[i], "require") || strings.HasPrefix(title[i], "need")):
			return phrase{title, headless}, true
		case is:
			return phrase{title, statement}, true
		}
	}
	if len(title) < 5 && slices.ContainsFunc(title[1:], func(w string) bool { return relations()[w] }) {
		return phrase{title, plain}, true
	}
	if general()[title[len(title)-1]] || head == len(title)-1 && head > 2 { // or many nouns in a row
		return phrase{title, headless}, true
	}
	return phrase{title, sure}, true
}

// statementVerbs reports of each word whether it may be the verb of a statement.
func statementVerbs(words []string) []bool {
	are := make([]bool, len(words))
	for i := 1; i < len(words); i++ {
		verb, _ := isVerb(words[i])
		_, third := isVerb(thirdPerson()[words[i]])
		are[i] = isFinite(words, i) || i < len(words)-1 && !boundaries()[words[i+1]] && !loose()[words[i-1]] && (third || verb && isPlural(words[i-1]))
	}
	return are
}

// gerunds puts the verb that begins a phrase in the -ing form, and one that "and" joins to it.
func gerunds(words []string) []string {
	words = slices.Clone(words)
	words[0] = gerund(words[0])
	if len(words) > 3 && (words[1] == "and" || words[1] == "or") {
		if verb, noun := isVerb(words[2]); verb && !noun {
			words[2] = gerund(words[2])
		}
	}
	return words
}

// isFinite reports whether the i-th word is a verb that a subject precedes, as far as that is
// certain: an auxiliary, or a verb in -s before a determiner.
func isFinite(words []string, i int) bool {
	if i < 0 || i >= len(words) {
		return false
	}
	w := words[i]
	if auxiliaries()[w] && w != "do" || statements()[w] || w == "was" || w == "were" || w == "has" || w == "have" || w == "cannot" {
		return true
	}
	base := thirdPerson()[w]
	_, noun := isVerb(base)
	return base != "" && !noun || isPlural(w) && i+1 < len(words) && owners()[words[i+1]]
}

func isNumber(word string) bool { return strings.Trim(word, "0123456789") == "" }

func isPlural(word string) bool {
	return strings.HasSuffix(word, "s") && !strings.HasSuffix(word, "ss") && !strings.HasSuffix(word, "us") && !strings.HasSuffix(word, "is")
}

// withoutGeneral drops the general words.
func withoutGeneral(words []string) []string {
	return slices.DeleteFunc(slices.Clone(words), func(w string) bool { return general()[w] })
}

// contentWords drops the loose words.
func contentWords(words []string) []string {
	return slices.DeleteFunc(slices.Clone(words), func(w string) bool { return loose()[w] })
}

func withoutArticle(words []string) []string {
	for len(words) > 0 && (words[0] == "a" || words[0] == "an" || words[0] == "the") {
		words = words[1:]
	}
	return words
}
