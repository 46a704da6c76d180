package redact

import (
	"bytes"
	"encoding/base64"
	"slices"
	"strings"
)

// Is a value a secret? A machine's secret mixes letters and digits as no word does. A person's
// password is no longer than a word, so only its characters count.

const (
	minRandom   = 16
	minDistinct = 8
	minPassword = 8
	minLiteral  = 6 // of a password where no name of a value can be
	minJumble   = 8
)

// isRandom reports whether a value was made by a machine: it changes between letters and
// digits again and again, or its words are too short for names in camel case.
func isRandom(value string) bool {
	if len(value) < minRandom || distinct(value) < minDistinct {
		return false
	}
	var count [4]int
	changes, words := 0, 1
	for i := range len(value) {
		c := value[i]
		if c <= ' ' || c > '~' {
			return false
		}
		class := classOf(c)
		count[class]++
		if i == 0 || class == classOf(value[i-1]) {
			continue
		}
		before := classOf(value[i-1])
		if class == digit && before >= small || before == digit && class >= small {
			changes++
		}
		if before != capital || class != small {
			words++
		}
	}
	if count[small]+count[capital] < 4 {
		return false
	}
	if changes >= max(3, len(value)/10) {
		return true
	}
	return count[small] > 0 && count[capital] > 0 && count[other] < len(value)/5 && len(value)*10 <= words*maxWord
}

// maxWord is ten times the mean length of the words of a random text of letters and
// digits, and a little: it is 22, that of names above 30.
const maxWord = 26

// The classes of characters.
const (
	other = iota
	digit
	small
	capital
)

func classOf(c byte) int {
	switch {
	case isDigit(c):
		return digit
	case !isLetter(c):
		return other
	case c < 'a':
		return capital
	}
	return small
}

// isPassword reports whether a value looks like what a person types: no spaces, letters,
// and a digit or another character that no word has.
func isPassword(value string, minBytes int) bool {
	if len(value) < minBytes || distinct(value) < 4 {
		return false
	}
	var letter, other bool
	for i := range len(value) {
		switch c := value[i]; {
		case c <= ' ':
			return false
		case isLetter(c) || c >= 0x80:
			letter = true
		case isDigit(c) || strings.IndexByte("!@#$%^&*?+~=", c) >= 0:
			other = true
		}
	}
	return letter && other
}

// isPasswordValue judges the value of a password. A number or a word is one only where nothing
// else can be.
func isPasswordValue(value string, in syntax) bool {
	if in == open {
		return isPassword(value, minPassword) || isJumble(value, open)
	}
	if isPassword(value, minLiteral) || isJumble(value, in) {
		return true
	}
	if strings.Trim(value, digitChars) == "" {
		return len(value) >= minLiteral
	}
	return in == sure && len(value) >= minLiteral && !isNaming(value) && !isStatus(value) && !strings.ContainsAny(value, "/.:=")
}

// isSecretValue judges the value of a secret, token or key, which machines make.
func isSecretValue(value string, in syntax) bool {
	return isRandom(value) || isJumble(value, in) || in > open && isShortRandom(value)
}

// isEncodedKey reports whether a PEM block in base 64 holds a private key.
func isEncodedKey(value string) bool {
	begin, err := base64.StdEncoding.DecodeString(value[:48])
	return err == nil && bytes.Contains(begin, []byte("PRIVATE"))
}

// isBearer judges what follows "Bearer".
func isBearer(value string) bool {
	return isRandom(value) || isNoPlaceholder(value) && isShortRandom(value)
}

// isAuthValue judges a value that is called "auth", which is often only the way to log in.
func isAuthValue(value string, in syntax) bool {
	user, err := base64.StdEncoding.DecodeString(value)
	return err == nil && len(user) > 4 && bytes.IndexByte(user, ':') > 0 || isRandom(value) || isJumble(value, in)
}

// isCookieValue judges the values of one cookie or more: a=…; b=….
func isCookieValue(values string) bool {
	for value := range strings.SplitSeq(values, ";") {
		value = value[strings.IndexByte(value, '=')+1:]
		if isNoPlaceholder(value) && (isRandom(value) || isJumble(value, literal) || isShortRandom(value)) {
			return true
		}
	}
	return false
}

// isQuoted judges a value in quotes right behind its name: PASSWORD 'geheim'.
func isQuoted(value string) bool {
	return isNoPlaceholder(value) && !isPath(value) && !isNaming(value) && !isStatus(value)
}

// isGiven judges the value of an option that takes a password.
func isGiven(value string) bool {
	return len(value) >= 3 && isNoPlaceholder(value) && !strings.HasPrefix(value, "//")
}

// isPasswordArgument judges the value of a setting that prose may also talk about.
func isPasswordArgument(value string) bool {
	return isNoPlaceholder(value) && !isNaming(value) && isPasswordValue(value, literal)
}

// isShortRandom reports whether a value changes more often between letters and digits than
// names do.
func isShortRandom(value string) bool {
	changes := 0
	for i := 1; i < len(value); i++ {
		if isDigit(value[i]) && isLetter(value[i-1]) || isLetter(value[i]) && isDigit(value[i-1]) {
			changes++
		}
	}
	return len(value) >= minPassword && changes >= 3 && !isNaming(value)
}

// common has, for each letter, those that often follow it in English words: more than once in
// 2,000 pairs of the words of Go's documentation.
var common = [26]string{
	"bcdfgiklmnprstuvy", "aeilorsu", "acehiklorstuy", "adeilorsu", "abcdefgilmnopqrstuvwx", "aefilorstu", "aeghilnorsu", // a to g
	"aeiort", "abcdefglmnoprstvxz", "", "eis", "adeilostuy", "abeimopsu", "acdefgiklnopstuv", "abcdfgiklmnoprstuvwy", // h to o
	"aehiloprstu", "u", "acdefgiklmnoprstuvy", "acehiklmopstuwy", "acehiloprstuy", "abcdefgilmnprst", // p to u
	"aei", "aehinor", "ceipt", "imnps", "ae", // v to z
}

// isJumble reports whether letters follow each other as they do neither in words nor in names
// in camel case: FjUgxQweRt. Half of the pairs of random letters are rare, of words in a sentence less
// than a third, and of those that are values less than a quarter.
func isJumble(value string, in syntax) bool {
	pairs, rare, words := 0, 0, 1
	for i := 1; i < len(value); i++ {
		a, b := value[i-1], value[i]
		if b <= ' ' {
			return false
		}
		if a < 0x80 && !isLetter(a) || b < 0x80 && !isLetter(b) {
			continue
		}
		if pairs++; a >= 0x80 || b >= 0x80 {
			continue // of another language, whose pairs are not known
		}
		if strings.IndexByte(common[a|0x20-'a'], b|0x20) < 0 {
			rare++
		}
		if isCapital(b) && !isCapital(a) || isCapital(a) && isCapital(b) && i+1 < len(value) && classOf(value[i+1]) == small {
			words++
		}
	}
	if len(value) < minJumble || rare < 2 || pairs < minJumble-2 || isNaming(value) {
		return false
	}
	switch {
	case len(value) <= 3*words:
		return rare*6 >= pairs
	case in > open || len(value) <= 4*words || words == 1 && (in == open || len(value) > 20):
		return rare*4 >= pairs
	}
	return rare*3 >= pairs
}

// isNaming reports whether a value is short and has a word in it that names secrets: such a
// value is the name of one.
func isNaming(value string) bool {
	const maxNaming = 48
	if hasDigit(value) && strings.ContainsAny(value[1:], "!#$^~?") { // Monkey2011!
		return false
	}
	lower := strings.ToLower(value)
	isPart := func(word string) bool { return strings.Contains(lower, word) }
	return len(value) < maxNaming && (slices.ContainsFunc(longWords, isPart) || len(value) < maxNaming/2 && (isPart("key") || isPart("auth")))
}

// isStatus reports whether a value is a word that says something about a secret: required,
// missing, stored.
func isStatus(value string) bool {
	lower := strings.ToLower(strings.TrimRight(value, ".,;:!?"))
	ends := []string{"ed", "ing", "able", "ible", "less", "ory", "ary", "ive", "tion", "ment", "only", "ional", "text"}
	return slices.ContainsFunc(ends, func(end string) bool { return strings.HasSuffix(lower, end) }) || slices.Contains([]string{"unknown", "default", "invalid", "prompt", "hidden", "forgotten", "present", "absent", "correct",
		"incorrect", "prompts", "vault", "keychain", "keyring", "environment", "strong", "random", "always", "example"}, lower)
}

// saidEnds are ends of English and German words that say something about a secret.
var saidEnds = []string{"ed", "ing", "able", "ible", "less", "ory", "ary", "ive", "tion", "ment", "only", "ly", "ic", "ous", "ent", "ant",
	"ig", "lich", "isch", "bar", "los", "haft", "sam", "wert", "en", "ern", "end", "bt", "ft", "gt", "ht", "kt", "lt", "mt", "nt", "rt", "st", "zt", "tet"}

// isSaid reports whether a word of a sentence says something about a secret: rhythmically,
// pbkdf2-derived, zurückgesetzt.
func isSaid(value string) bool {
	word := value[strings.LastIndexByte(value, '-')+1:]
	for i := range len(word) {
		if word[i] < 0x80 && (!isLetter(word[i]) || i > 0 && isCapital(word[i])) {
			return false
		}
	}
	return len(word) > 3 && slices.ContainsFunc(saidEnds, func(end string) bool { return strings.HasSuffix(word, end) })
}

// isPath reports whether a value says where the secret is.
func isPath(value string) bool {
	if strings.Contains(value, "://") || strings.Contains(value, `:\`) {
		return true
	}
	return strings.HasPrefix(value, "./") || strings.HasPrefix(value, "../") || strings.HasPrefix(value, "~/") ||
		value[0] == '/' && strings.Count(value, "/") > 1 && !isRandom(value)
}

// isExpression reports whether an unquoted value is source code: a call, a field, an
// index, a variable of the shell.
func isExpression(value string, in syntax) bool {
	if strings.Contains(value, "\\") || strings.Contains(value, "::") || strings.Contains(value, "->") {
		return true
	}
	if i := strings.IndexAny(value, "({["); i >= 0 && (i == 0 || i == len(value)-1 || isCallee(value[:i])) {
		return true
	}
	if strings.IndexByte("+,", value[0]) >= 0 || in < sure && strings.IndexByte("-!=*&", value[0]) >= 0 {
		return !strings.ContainsAny(value[1:], "!#$%^~?@") && !isMixture(value[1:])
	}
	if in == open && strings.Contains(value, "*") && !strings.ContainsAny(value, "!#$%^~?@") && !isMixture(value) {
		return isProduct(value)
	}
	return strings.Contains(value, ".") && isFields(value)
}

// isMixture reports whether letters, or letters and digits, are mixed as in no name.
func isMixture(value string) bool {
	return isRandom(value) || isShortRandom(value) || isJumble(value, open)
}

// isCallee reports whether what is in front of a bracket is the name of a function or of
// a list.
func isCallee(value string) bool {
	changes := 0
	for i := range len(value) {
		if !isName(value[i]) && strings.IndexByte(".*&!", value[i]) < 0 {
			return false
		}
		if i > 0 && isDigit(value[i]) != isDigit(value[i-1]) {
			changes++
		}
	}
	return changes < 3 || strings.ToLower(value) == value || strings.Contains(value, ".")
}

// isProduct reports whether names and numbers are multiplied: maxTokens*2.
func isProduct(value string) bool {
	for factor := range strings.SplitSeq(value, "*") {
		name := strings.TrimRight(factor, digitChars)
		for i := range len(name) {
			if !isName(name[i]) && name[i] != '.' || isDigit(name[i]) ||
				i > 0 && isCapital(name[i]) && i+1 < len(name) && classOf(name[i-1]) == small && classOf(name[i+1]) != small {
				return false
			}
		}
		if !isVariable(name) && len(name) < len(factor) && isCapital(name[0]) {
			return false
		}
	}
	return true
}

// isFields reports whether a value is a name, or names with a dot between them.
func isFields(value string) bool {
	for part := range strings.SplitSeq(value, ".") {
		if part == "" || !isLetter(part[0]) && part[0] != '_' || isMixture(part) {
			return false
		}
		for i := range len(part) {
			if !isName(part[i]) && part[i] != '?' {
				return false
			}
		}
	}
	return true
}

// wholePlaceholders are values that replace a secret, smallPlaceholders parts of such values.
var (
	wholePlaceholders = []string{"pass", "password", "passwd", "passwort", "passphrase", "pw", "pwd", "secret",
		"token", "apikey", "api_key", "api-key", "key", "value", "none", "null", "nil", "true", "false", "undefined",
		"string", "user", "username", "mysecret", "mypassword", "mytoken"}
	smallPlaceholders = []string{"your", "***", "...", "…", "${", "$(", "{{", "<", "changeme", "change-me", "change_me",
		"placeholder", "redacted", "dummy", "insert", "replace", "-here", "_here", "process.env", "os.environ", "getenv", "secrets.",
		"env.", "vault:", "op://", "arn:aws", "enc[", "sample"}
)

// isNoPlaceholder reports whether a value does not stand for another one.
func isNoPlaceholder(value string) bool {
	if value == "" || distinct(value) < 3 || strings.IndexByte("<[{", value[0]) >= 0 || isReference(value) {
		return false
	}
	lower := strings.ToLower(value)
	if slices.Contains(wholePlaceholders, lower) || strings.Contains(lower, "xxxx") || strings.Contains(lower, "xxx") && strings.Count(lower, "x")*2 >= len(lower) {
		return false
	}
	return !slices.ContainsFunc(smallPlaceholders, func(part string) bool { return strings.Contains(lower, part) })
}

// isReference reports whether a value is a variable or a verb of a format: $PASS, %PASS%,
// %s; or a hash of a password: $2b$10$….
func isReference(value string) bool {
	switch value[0] {
	case '$':
		rest := strings.TrimLeft(value[1:], "_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"+digitChars+"-")
		return rest == "" && !isMixture(value[1:]) || rest != "" && strings.IndexByte("({$.:/[", rest[0]) >= 0 || strings.HasPrefix(value, "$$")
	case '%':
		return len(value) < 4 || value[len(value)-1] == '%' || strings.IndexByte("({", value[1]) >= 0
	}
	return false
}

// isNoWord judges a value where hardly anything but a secret or a word can be, such as behind
// the prefix of a token.
func isNoWord(value string) bool {
	return isNoPlaceholder(value) && (hasDigit(value) || strings.HasSuffix(value, "=") || isMixed(value) || isJumble(value, literal))
}

// isMixed reports whether a value changes between small and capital letters as no word does.
func isMixed(value string) bool {
	n := 0
	for i := 1; i < len(value); i++ {
		if isLetter(value[i]) && isLetter(value[i-1]) && isCapital(value[i]) != isCapital(value[i-1]) {
			n++
		}
	}
	return n >= 4
}

const digitChars = "0123456789"

func hasDigit(value string) bool { return strings.ContainsAny(value, digitChars) }

// distinct returns the number of different bytes.
func distinct(value string) int {
	var seen [256]bool
	n := 0
	for i := range len(value) {
		if !seen[value[i]] {
			seen[value[i]] = true
			n++
		}
	}
	return n
}
