package eval

import (
	"math/rand/v2"
	"strings"
	"unicode"
)

// Typo is a query with a letter left out, doubled, replaced, or swapped with the next, behind the first
// two letters of a word of at least five.
func Typo(query string, random *rand.Rand) string {
	words := strings.Fields(query)
	for range 50 {
		i := random.IntN(len(words))
		w := []byte(words[i])
		if len(w) < 5 || strings.ContainsFunc(words[i], func(r rune) bool { return !unicode.IsLetter(r) }) {
			continue
		}
		at := 2 + random.IntN(len(w)-3)
		switch random.IntN(4) {
		case 0:
			w = append(w[:at], w[at+1:]...)
		case 1:
			w = append(w[:at+1], w[at:]...)
		case 2:
			w[at] = 'q'
		case 3:
			w[at], w[at+1] = w[at+1], w[at]
		}
		words[i] = string(w)
		break
	}
	return strings.Join(words, " ")
}

// Rotated is a query with its first word at the end.
func Rotated(query string) string {
	words := strings.Fields(query)
	return strings.Join(append(words[1:], words[0]), " ")
}

// AnotherForm is a query with its first verb in another form, or "" where it begins with
// no verb of a common trigger.
func AnotherForm(query string) string {
	first, rest, _ := strings.Cut(query, " ")
	if form := otherForm(first); form != "" {
		return form + " " + rest
	}
	return ""
}

// otherForm is a verb in the form that is not used, of the two that triggers are written
// with.
func otherForm(verb string) string {
	return map[string]string{
		"adding": "add", "applying": "apply", "building": "build", "changing": "change", "checking": "checks", "choosing": "choose",
		"committing": "commit", "configure": "configuring", "creating": "create", "debugging": "debug", "defining": "define",
		"deleting": "delete", "deploying": "deploys", "designing": "design", "detect": "detecting", "editing": "edit", "encode": "encoding",
		"evaluating": "evaluate", "extract": "extracting", "fixing": "fixes", "format": "formatting", "formatting": "format",
		"handling": "handle", "hitting": "hit", "implement": "implementing", "issuing": "issue", "loading": "load", "making": "make",
		"managing": "manage", "merging": "merge", "moving": "move", "naming": "name", "opening": "open", "ordering": "order",
		"parsing": "parse", "placing": "place", "planning": "plan", "preventing": "prevent", "querying": "query", "reading": "read",
		"recovering": "recover", "refunding": "refunds", "removing": "remove", "renaming": "rename", "replacing": "replace", "resolve": "resolving",
		"resolving": "resolve", "reviewing": "review", "running": "run", "scoping": "scope", "selecting": "select", "sending": "send",
		"setting": "set", "showing": "show", "skipping": "skip", "splitting": "split", "starting": "start", "storing": "store",
		"testing": "test", "tracking": "track", "triaging": "triage", "updating": "update", "using": "use", "validate": "validating",
		"validating": "validate", "verifying": "verify", "working": "work", "write": "writing", "writing": "write",
	}[verb]
}
