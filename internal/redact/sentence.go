package redact

import (
	"slices"
	"strings"
)

// Secrets in a sentence:
//
//	the password is …            the password for admin: …    use … as the password
//	the API key was set to …     das Passwort lautet …        credentials: bob / …
//
// A sentence may also say something about a secret ("the token is expired"), so the value
// must look like one.

const (
	maxWords     = 8   // that are read behind a name
	maxWordBytes = 256 // of one word
)

var (
	useVerbs = []string{"use", "used", "using", "try", "with", "enter", "type", "take", "set", "give", "nimm", "nutze", "verwende", "mit"}
	verbs    = []string{"is", "are", "was", "were", "be", "been", "will", "became", "becomes", "equals", "remains", "set", "changed", "reset", "updated", "rotated",
		"to", "now", "still", "currently", "just", "always", "again", "->", "→", "-", "–", "has", "have", "should", "ist", "sind", "heißt", "war", "wurde", "lautet", "jetzt", "noch", "auf",
		"es", "è", "é", "est", "jest", "är", "er", "je"}
	prepositions = []string{"for", "of", "to", "on", "at", "in", "from", "by", "with", "für", "von", "vom", "zum", "zu", "der", "des",
		"del", "della", "di", "de", "do", "da", "dla", "van", "voor", "för", "av", "til", "para", "pour", "du", "à"}
	articles = []string{"a", "an", "the", "my", "your", "our", "its", "their", "this", "new", "admin", "root", "db", "database", "user", "das", "mein", "dein"}
)

// stated returns a finder of values that a sentence gives for names of secrets.
func stated(kind string, isNamed naming) finder {
	return func(t *hintTable, text string, hint, from int) (secret, bool) {
		n, ok := nameAt(text, hint, from)
		isTwoWords := ok && isSpokenKey(text, hint, n)
		if !ok || !isTwoWords && !isNamed(text[n.start:n.end], hint-n.start) {
			return secret{}, false
		}
		v, ok := statedBehind(text, n.end, isTwoWords)
		if !ok || !isStated(text[v.start:v.end], kind) {
			v, ok = statedBefore(text, n.start, from)
		}
		if !ok || !isStated(text[v.start:v.end], kind) || t.covers(text, v) {
			return secret{}, false
		}
		if n.end-n.start <= len("pass") && !isTwoWords && (!isLikeNoName(text[v.start:v.end]) || !hasDigit(text[v.start:v.end]) || !isAlnum(text[v.start])) {
			return secret{}, false
		}
		return secret{v, kind}, true
	}
}

// isSpokenPassword also accepts the words "pass" and "pw".
func isSpokenPassword(name string, at int) bool {
	return isLongName(name, at) || strings.EqualFold(name, "pass") || strings.EqualFold(name, "pw")
}

// isSpokenToken also accepts the word "PAT".
func isSpokenToken(name string, at int) bool { return isLongName(name, at) || name == "PAT" }

// pairWords precede a user and a password: use bob / ….
var pairWords = []string{"use", "with", "login", "account", "user", "credentials", "creds", "nimm", "mit", "benutzer", "zugangsdaten", "logindaten", "anmeldedaten"}

// pairSecret finds the password behind "bob / ". The hint is the slash.
func pairSecret(t *hintTable, text string, hint, from int) (secret, bool) {
	v := bareWord(text, wordAt(text, hint+len(" /")))
	user := wordBefore(text, hint, from)
	word := wordBefore(text, user.start, from)
	value := text[v.start:v.end]
	if user.start == user.end || !slices.Contains(pairWords, strings.ToLower(strings.Trim(text[word.start:word.end], ":*("))) {
		return secret{}, false
	}
	return secret{v, "password"}, isStated(value, "password") && isLikeNoName(value) && !t.covers(text, v)
}

// isSpoken reports whether what a German sentence gives as a key is a secret.
func isSpoken(value string) bool { return isStated(value, "API key") }

// isSpokenKey accepts "API key", two words.
func isSpokenKey(text string, hint int, n span) bool {
	if n.start != hint || !hasPrefixFold(text[n.start:n.end], "key") || n.end-hint > len("keys") || hint < 4 || text[hint-1] != ' ' {
		return false
	}
	start := hint - 1
	for start > 0 && hint-start < maxName && isName(text[start-1]) {
		start--
	}
	name := text[start:hint-1] + "_key"
	return isKeyName(name, len(name)-len("key"))
}

// statedBehind returns the value behind a name: behind a verb, behind a preposition and a verb or
// colon, or, if it looks like nothing else, right behind the name.
func statedBehind(text string, at int, isTwoWords bool) (v span, ok bool) {
	isVerb, isFor := false, false
	if isTwoWords && at < len(text) && text[at] == ':' { // of one word it is an assignment
		at, isVerb = at+1, true
	} else if isTwoWords && strings.HasPrefix(text[at:], " | ") { // the next cell of a table
		at, isVerb = at+2, true
	}
	for range maxWords {
		if at >= len(text) || text[at] != ' ' {
			return span{}, false
		}
		word := wordAt(text, at)
		plain := strings.Trim(strings.ToLower(text[word.start:word.end]), ",")
		verb := strings.TrimRight(plain, ":")
		switch {
		case slices.Contains(verbs, verb) && (verb != "to" || isVerb || !isFor):
			isVerb = true
		case isVerb:
			return bareWord(text, word), true
		case !isVerb && plain != "" && plain[0] == '(': // password (staging): …
			isFor = true
			if strings.HasSuffix(plain, "):") {
				isVerb = true
			}
		case isFor && (plain == "=" || strings.HasSuffix(plain, ":")):
			isVerb = true
		case isFor:
		case slices.Contains(prepositions, plain):
			isFor = true
		default:
			v = bareWord(text, word)
			return v, isTyped(text[v.start:v.end])
		}
		at = word.end
	}
	return span{}, false
}

// statedBefore returns the value in front of a name: "… as the admin password".
func statedBefore(text string, at, from int) (v span, ok bool) {
	for range 3 {
		word := wordBefore(text, at, from)
		plain := strings.ToLower(text[word.start:word.end])
		if plain == "as" || plain == "als" {
			value := wordBefore(text, word.start, from)
			verb := wordBefore(text, value.start, from)
			v = bareWord(text, value)
			return v, v.end > v.start && slices.Contains(useVerbs, strings.ToLower(text[verb.start:verb.end]))
		}
		if !slices.Contains(articles, plain) && !slices.Contains(secretKeys, plain) {
			break
		}
		at = word.start
	}
	return span{}, false
}

// wordAt returns the word behind some spaces.
func wordAt(text string, at int) span {
	start := skipBlank(text, at)
	end := start
	for end < len(text) && !isSpace(text[end]) && end-start < maxWordBytes {
		end++
	}
	return span{start, end}
}

// wordBefore returns the word in front of some spaces.
func wordBefore(text string, at, from int) span {
	for at > from && (text[at-1] == ' ' || text[at-1] == '`' || text[at-1] == '"') {
		at--
	}
	start := at
	for start > from && !isSpace(text[start-1]) && at-start < maxWordBytes {
		start--
	}
	return span{start, at}
}

// bareWord returns a word without the marks around it, or what is between its quotes.
func bareWord(text string, word span) span {
	word = upToMark(text, word)
	if v := text[word.start:word.end]; v != "" && isQuote(v[0]) {
		if end := strings.IndexByte(v[1:], v[0]); end > 0 && v[end] != '\\' {
			return span{word.start + 1, word.start + 1 + end}
		}
	}
	const marks = "\"'`*_()[]{}<>.,;:!?"
	value := text[word.start:word.end]
	word.start += len(value) - len(strings.TrimLeft(value, "\"'`*([{<"))
	value = text[word.start:word.end]
	word.end -= len(value) - len(strings.TrimRight(value, marks))
	for _, escaped := range []string{`\n`, `\"`, "</"} { // JSON, or an element ends
		if i := strings.Index(text[word.start:max(word.start, word.end)], escaped); i >= 0 {
			word.end = word.start + i
		}
	}
	return span{word.start, max(word.start, word.end)}
}

// isStated reports whether a word in a sentence is a secret.
func isStated(value, kind string) bool {
	if !isNoPlaceholder(value) || len(value) < minLiteral || isPath(value) || isSaid(value) || isExpression(value, prose) ||
		isNaming(value) && (!hasDigit(value) || strings.ContainsAny(value, "_-")) {
		return false
	}
	if kind == "password" && strings.Trim(value, digitChars) == "" {
		return true
	}
	return isRandom(value) || isJumble(value, prose) || isPassword(value, minLiteral) && !isTerm(value)
}

// isTyped is stricter than isStated, for a value right behind its name.
func isTyped(value string) bool {
	if strings.ContainsAny(value, "=:/._") || isNaming(value) {
		return false
	}
	return isRandom(value) || isJumble(value, prose) || isPassword(value, minPassword) && !isTerm(value) &&
		strings.ContainsAny(value, digitChars) && strings.ContainsAny(value, "ABCDEFGHIJKLMNOPQRSTUVWXYZ!@#$%^&*?+~=")
}

// isLikeNoName reports whether a word is not a name with a version either, like Debian12.
func isLikeNoName(value string) bool {
	return isMixture(value) || isPassword(value, minPassword) && strings.ContainsAny(value, "!@#$%^&*?+~=") && hasDigit(value) && !isVariable(value)
}

// terms are how words with a digit in them begin, before the digit or a hyphen.
var terms = []string{"sha", "md", "base", "argon", "bcrypt", "scrypt", "pbkdf", "hmac", "aes", "rsa", "utf", "oauth", "hs", "rs", "es", "ed", "x", "ipv", "http", "jwt", "p",
	"ecdsa", "version", "v", "scram", "unicode", "latin", "ascii", "blake", "chacha", "o", "cl", "gpt", "claude", "k"}

// isTerm reports whether letters and digits are a technical term, a version, an address or
// a measure: sha256, 32-byte, me@example.org, user_42.
func isTerm(value string) bool {
	lower := strings.ToLower(value)
	letters := strings.TrimLeft(lower, "abcdefghijklmnopqrstuvwxyz")
	if slices.Contains(terms, lower[:len(lower)-len(letters)]) && !strings.ContainsAny(value, "!#$^*@") && !isShortRandom(value) {
		return true
	}
	if _, host, found := strings.Cut(value, "@"); found && strings.Contains(host, ".") {
		return true
	}
	marks := 0
	for _, c := range "!#$^*@%~&+?=" {
		marks += min(1, strings.Count(value, string(c)))
	}
	if strings.ContainsAny(value, "!#$^*") || marks > 1 {
		return false
	}
	if strings.ContainsAny(value, "/:.") || strings.Contains(value, "_") && !isShortRandom(value) {
		return true
	}
	for part := range strings.SplitSeq(value, "-") {
		behind := strings.TrimLeft(part, digitChars)
		if behind != "" && strings.ContainsAny(part, digitChars) && (behind == part || strings.ContainsAny(behind, digitChars)) {
			return false
		}
	}
	return true
}
