package redact

import (
	"slices"
	"strings"

	"whence/internal/text"
)

// Is a value a secret? A machine's secret mixes letters and digits as no word does. A person's
// password is no longer than a word, so only its characters count. The surer the place, the
// less a value has to show.

// place is where a value is. Each one makes it likelier than those before it that the value is a
// secret rather than a word about one.
type place int

const (
	below   place = iota // on the line below password:
	prose                // the password is …
	open                 // password = …, token: …
	literal              // quoted; --password …
	sure                 // PASSWORD=…, --password=…, ?password=…, <password>…</password>: even a word is one
)

// isPasswordValue judges the value of a password. A number or a word is one only where nothing
// else can be.
func isPasswordValue(value string, in place) bool {
	switch in {
	case below, prose:
		return isBeside(value, in)
	case open:
		return isPassword(value, minPassword) || isJumble(value, open)
	}
	if isPassword(value, minLiteral) || isJumble(value, in) {
		return true
	}
	isWord := in == sure && !isAboutSecrets(value) && !strings.ContainsAny(value, "/.:= ")
	return len(value) >= minLiteral && (isWord || isNumber(value))
}

// isSecretValue judges the value of a secret, token or key, which machines make.
func isSecretValue(value string, in place) bool {
	if isRandom(value) || isJumble(value, in) {
		return true
	}
	if in <= prose || isNaming(value) {
		return false
	}
	s := shapeOf(value)
	if in == open {
		return s.isShortRandom() && !strings.Contains(value, "/")
	}
	if in == sure && isAlnum(value[0]) && s.count[digit] > 0 {
		return isPassword(value, minPassword) && !isTerm(value)
	}
	return isLikeNoName(value) && !strings.ContainsAny(value, "=:{}()[]") || s.length >= minPassword && s.digitInside && s.count[other] == 0
}

// isSharedSecret judges the value of a secret, which a person may have made up.
func isSharedSecret(value string, in place) bool {
	return isSecretValue(value, in) || in == sure && isPasswordValue(value, sure)
}

// isCookieValue judges the values of one cookie or more: a=…; b=….
func isCookieValue(values string) bool {
	for value := range strings.SplitSeq(values, ";") {
		if _, value, _ = strings.Cut(value, "="); isNoWord(value) {
			return true
		}
	}
	return false
}

// isGiven judges what an option or a setting gives, where only a password can be.
func isGiven(value string) bool {
	return len(value) >= 3 && !isPlaceholder(value) && !strings.HasPrefix(value, "//")
}

// isSetting judges what follows a name that prose may also talk about.
func isSetting(value string) bool {
	return isGiven(value) && !isPath(value) && !isAboutSecrets(value)
}

// isArgument is stricter than isSetting: a word is none.
func isArgument(value string) bool {
	return !isPlaceholder(value) && !isNaming(value) && isPasswordValue(value, literal)
}

// isNoWord judges a value where hardly anything but a secret or a word can be, such as behind
// the prefix of a token.
func isNoWord(value string) bool { return !isPlaceholder(value) && isSecretValue(value, literal) }

// isStated reports whether a word in a sentence is a secret.
func isStated(value, kind string) bool {
	isName := isNaming(value) && (!hasDigit(value) || strings.ContainsAny(value, "_-"))
	isPhrase := kind == "password" && phrase().MatchString(value)
	if len(value) < minLiteral || isName || isPlaceholder(value) || isPath(value) || said().MatchString(value) || isExpression(value, prose) && !isPhrase {
		return false
	}
	if isRandom(value) || isJumble(value, prose) {
		return true
	}
	if kind != "password" { // the token is expired2
		return isLikeNoName(value)
	}
	return isNumber(value) || isPassword(value, minLiteral) && (isPhrase || !isTerm(value))
}

// isTyped is stricter than isStated, for a value right behind its name.
func isTyped(value string) bool {
	if isNaming(value) || strings.ContainsAny(value, "=:/._") {
		return false
	}
	s := shapeOf(value)
	return isJumble(value, prose) || isPassword(value, minPassword) && !isTerm(value) && s.count[digit] > 0 &&
		(strings.ContainsAny(value, capitals+passwordMarks) || s.changes > 1)
}

// isBeside judges the value of a password that nothing assigns.
func isBeside(value string, in place) bool {
	return isTyped(value) && !isVariable(value) && (in == prose || isLikeNoName(value))
}

// isLikeNoName reports whether a word is not a name with a version either, like Debian12.
func isLikeNoName(value string) bool {
	return isMixture(value) || isPassword(value, minPassword) && strings.ContainsAny(value, passwordMarks) && hasDigit(value) && !isVariable(value)
}

const (
	minPassword = 8
	minLiteral  = 6 // of a password where nothing else can be

	digitChars    = "0123456789"
	capitals      = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	passwordMarks = "!@#$%^&*?+~="
)

// shape counts the characters of a value.
type shape struct {
	length      int
	count       [4]int // of each class
	changes     int    // between letters and digits
	digitInside bool   // a letter follows a digit
	words       int    // a capital and the small letters behind it are one, as is a run of a class
	humps       int    // words as in camel case
	pairs, rare int    // of letters
	distinct    int
	hasSpace    bool
	isForeign   bool // has other characters than ASCII
}

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

// common has, for each letter, those that often follow it in English words: more than once in
// 2,000 pairs of the words of Go's documentation.
var common = [26]string{
	"bcdfgiklmnprstuvy", "aeilorsu", "acehiklorstuy", "adeilorsu", "abcdefgilmnopqrstuvwx", "aefilorstu", "aeghilnorsu", // a to g
	"aeiort", "abcdefglmnoprstvxz", "", "eis", "adeilostuy", "abeimopsu", "acdefgiklnopstuv", "abcdfgiklmnoprstuvwy", // h to o
	"aehiloprstu", "u", "acdefgiklmnoprstuvy", "acehiklmopstuwy", "acehiloprstuy", "abcdefgilmnprst", // p to u
	"aei", "aehinor", "ceipt", "imnps", "ae", // v to z
}

func shapeOf(value string) shape {
	s := shape{length: len(value), words: 1, humps: 1}
	var seen [256]bool
	for i := range len(value) {
		c, class := value[i], classOf(value[i])
		s.count[class]++
		if !seen[c] {
			seen[c] = true
			s.distinct++
		}
		s.hasSpace = s.hasSpace || c <= ' '
		s.isForeign = s.isForeign || c > '~'
		if i == 0 {
			continue
		}
		b, before := value[i-1], classOf(value[i-1])
		if class == digit && before >= small || before == digit && class >= small {
			s.changes++
			s.digitInside = s.digitInside || before == digit
		}
		if class != before && (before != capital || class != small) {
			s.words++
		}
		if before < small || class < small {
			continue
		}
		s.pairs++
		if strings.IndexByte(common[b|0x20-'a'], c|0x20) < 0 {
			s.rare++
		}
		if class == capital && (before == small || i+1 < len(value) && classOf(value[i+1]) == small) {
			s.humps++
		}
	}
	return s
}

// maxWord is ten times the mean length of the words of a random text of letters and
// digits, and a little: it is 22, that of names above 30.
const maxWord = 26

// isRandom reports whether a value was made by a machine: it changes between letters and
// digits again and again, or its words are too short for names in camel case.
func isRandom(value string) bool {
	s := shapeOf(value)
	if s.length < 16 || s.distinct < 8 || s.hasSpace || s.isForeign || s.count[small]+s.count[capital] < 4 {
		return false
	}
	return s.changes >= max(3, s.length/10) || s.count[other] < s.length/5 && s.hasShortWords()
}

// hasShortWords reports whether small and capital letters take turns as in no name.
func (s shape) hasShortWords() bool { return s.length*10 <= s.words*maxWord }

// isShortRandom reports whether a value changes more often between letters and digits than
// names do.
func (s shape) isShortRandom() bool { return s.changes >= 3 && s.length >= minPassword }

// isJumble reports whether letters follow each other as they do neither in words nor in names
// in camel case: FjUgxQweRt. Half of the pairs of random letters are rare, of words in a sentence less
// than a third, and of those that are values less than a quarter.
func isJumble(value string, in place) bool {
	const minJumble = 8
	s := shapeOf(value)
	if len(value) < minJumble || s.hasSpace || s.rare < 2 || s.pairs < minJumble-2 || isNaming(value) {
		return false
	}
	switch {
	case len(value) <= 3*s.humps:
		return s.rare*6 >= s.pairs
	case in > open || len(value) <= 4*s.humps || s.humps == 1 && (in == open || len(value) > 20):
		return s.rare*4 >= s.pairs
	}
	return s.rare*3 >= s.pairs
}

// isMixture reports whether letters, or letters and digits, are mixed as in no name.
func isMixture(value string) bool {
	return isRandom(value) || shapeOf(value).isShortRandom() || isJumble(value, open)
}

// isPassword reports whether a value looks like what a person types: no spaces, letters,
// and a digit or another character that no word has.
func isPassword(value string, minBytes int) bool {
	s := shapeOf(value)
	isLettered := s.count[small]+s.count[capital] > 0 || s.isForeign
	return len(value) >= minBytes && s.distinct >= 4 && !s.hasSpace && isLettered && (s.count[digit] > 0 || strings.ContainsAny(value, passwordMarks))
}

// isNaming reports whether a value is short and has a word in it that names secrets: such a
// value is the name of one.
func isNaming(value string) bool {
	isMarked := hasDigit(value) && strings.ContainsAny(value[1:], "!#$^~?") // Monkey2011!
	return !isMarked && len(value) < 48 && secretWord().MatchString(value)
}

var (
	secretWord = text.Lazy(longWords + `|(?i:key|auth)`)

	// said matches an English or German word that says something about a secret: rhythmically,
	// pbkdf2-derived, zurückgesetzt.
	said = text.Lazy(`^(?:.*-)?[A-Za-z\x{80}-\x{ffff}][a-z\x{80}-\x{ffff}]*(?:ed|ing|able|ible|less|ory|ary|ive|tion|ment|only|ional|text|ly|ic|ous|ent|ant|` +
		`ig|lich|isch|bar|los|haft|sam|wert|en|ern|end|[bfghklmnrsz]t|tet)$`)

	// term matches a technical term, an address, a path or a measure: sha256, me@example.org, user_42, 32-byte.
	term = text.Lazy(`^(?:(?i:sha|md|base|argon|bcrypt|scrypt|pbkdf|hmac|aes|rsa|utf|oauth|hs|rs|es|ed|x|ipv|http|jwt|p|ecdsa|version|v|scram|` +
		`unicode|latin|ascii|blake|chacha|o|cl|gpt|claude|k)[^A-Za-z!#$^*@][^!#$^*@]*|[^@]+@[^@]*\..*|[^!#$^*]*[/:._][^!#$^*]*|\d*\D*(?:-\d*\D*)*)$`)

	// phrase matches words with a number, or a word with a year: Gato-Negro-99, tienda.2026. Names with a version
	// are shorter: postgres-16.
	phrase = text.Lazy(`^[A-Za-z][a-z]{2,}(?:(?:[-.][A-Za-z][a-z]{2,})+[-.]\d{2,}|[-.](?:19|20)\d\d)$`)

	// path matches what says where a secret is.
	path = text.Lazy(`://|:\\|^(?:\.|\.\.|~)/|^/.*/`)

	// reference matches a variable of a shell, a verb of a format, a hash of a password, or a name in brackets.
	reference = text.Lazy(`^(?:\$[\w-]*[({$.:/\[]|%[({]|%.{0,2}$|%.*%$|[<\[{](?:[a-z _-]+|[A-Z _-]+)[>\]}]?$)`)

	// code matches what is only in source code.
	code = text.Lazy(`\\|::|->|^-?0x[0-9A-Fa-f]{1,16}$|^\(`)

	// callee matches the name of a function or of a list.
	callee = text.Lazy(`^[\w.*&!-]+$`)
)

func isPath(value string) bool {
	return path().MatchString(value) && !(value[0] == '/' && isRandom(value))
}

// isTerm reports whether letters and digits are a term, and not mixed as in none.
func isTerm(value string) bool {
	return term().MatchString(value) && !strings.ContainsAny(value, "!#$^*") && !shapeOf(value).isShortRandom()
}

// isAboutSecrets reports whether a value is a word that names a secret or says something about one:
// required, missing, stored.
func isAboutSecrets(value string) bool {
	lower := strings.ToLower(strings.TrimRight(value, ".,;:!?"))
	return isNaming(value) || said().MatchString(lower)
}

// isExpression reports whether an unquoted value is source code: a call, a field, an
// index, a product, a variable of the shell.
func isExpression(value string, in place) bool {
	if code().MatchString(value) {
		return true
	}
	i := strings.IndexAny(value, "({[")
	if i == len(value)-1 || i > 0 && callee().MatchString(value[:i]) && (shapeOf(value[:i]).changes < 3 || strings.Contains(value[:i], ".")) {
		return true
	}
	isSigned := strings.IndexByte("+,", value[0]) >= 0 || in < sure && strings.IndexByte("-!=*&", value[0]) >= 0
	isProduct := in == open && strings.Contains(value[:len(value)-1], "*")
	return (isSigned || isProduct || strings.Contains(value, ".")) && isIdentifiers(value)
}

// isIdentifiers reports whether a value consists of names and numbers, perhaps with operators between them.
func isIdentifiers(value string) bool {
	for name := range strings.FieldsFuncSeq(value, func(r rune) bool { return strings.ContainsRune("*.&+-!?,_=", r) }) {
		s := shapeOf(name)
		isMixed := s.digitInside && s.count[capital] > 0 && s.humps*3 > s.count[small]+s.count[capital] || len(name) >= minPassword && s.hasShortWords()
		if s.isForeign || s.count[other] > 0 || isMixed || isMixture(name) {
			return false
		}
	}
	return !strings.ContainsAny(strings.TrimLeft(value, "!"), "!#$%^~@")
}

// wholePlaceholders are values that replace a secret, smallPlaceholders parts of such values.
var (
	wholePlaceholders = strings.Fields(`postgres guest pass password passwd passwort passphrase pw pwd secret token apikey api_key api-key key value none null nil
		true false undefined string user username mysecret mypassword mytoken`)
	smallPlaceholders = strings.Fields(`your *** ... … ${ $( {{ <% changeme change-me change_me placeholder redacted dummy &lt; &#x3c; &#60; insert replace -here _here
		process.env os.environ getenv secrets. env. vault: op:// arn:aws enc[ sample xxxx`)
)

// isPlaceholder reports whether a value replaces a secret, as in a template.
func isPlaceholder(value string) bool {
	if value == "" || shapeOf(value).distinct < 3 || isReference(value) {
		return true
	}
	lower := strings.ToLower(value)
	if slices.Contains(wholePlaceholders, lower) {
		return true
	}
	return slices.ContainsFunc(smallPlaceholders, func(part string) bool { return strings.Contains(lower, part) })
}

// isReference reports whether a value is a variable or a verb of a format: $PASS, %PASS%,
// %s; or a hash of a password: $2b$10$….
func isReference(value string) bool {
	name, _, _ := strings.Cut(value[1:], "@")
	return reference().MatchString(value) || value[0] == '$' && strings.Trim(name, capitals+strings.ToLower(capitals)+digitChars+"_-") == "" && isIdentifiers(name)
}

func isNumber(value string) bool { return strings.Trim(value, digitChars) == "" }

func hasDigit(value string) bool { return strings.ContainsAny(value, digitChars) }
