package redact

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"whence/internal/lazyregexp"
)

// Secrets in a sentence, in any language. A sentence may also say something else about a secret ("the token is
// expired"), so the value must look like more than a word. How much more depends on what is between it and the name.

var (
	verbs = strings.Fields(`is are was were be been will became becomes equals remains set changed reset updated rotated
		its type enter to now still currently just always again -> → - – has have should used ist sind heißt war wurde lautet jetzt noch auf es è é est jest är er je será fue sera était foi sarà blir ble это теперь هي هو היא הוא είναι là este adalah noch immer nadal wciąż encore toujours todavía ainda ancora — it's it’s c'est c’est désormais olarak artık şöyle`)

	// particles separate a name from its value, with or without spaces.
	particles = strings.Fields(": = ： ＝ は が を 是 为 為 成 는 은 改成 改成了 改为")

	// prepositions begin what is between a name and the verb: the password of … is.
	prepositions = strings.Fields("for of to on at in by with für von vom zum zu der des del della di de do da dla van voor för av til para pour du à na do od w")

	// usedWords are between a value and the name of a secret: use … as the password.
	usedWords = strings.Fields("as als como comme come som")

	// used matches a value and the text between it and a name: use … as the admin password, 用…作为.
	used = lazyregexp.New("(?:(?i:use|used|using|try|with|enter|type|take|set|give|nimm|nutze|verwende|mit|usar?|utilizar?|utilise[rz]?|utilizza|gebruik|bruk|brug) [\"'`(«„]?" +
		"(\\S+?)[\"'`),»“]{0,2} (?i:" + strings.Join(usedWords, "|") + ") " +
		`(?:(?i:an?|the|my|your|our|its|their|this|new|admin|root|db|database|user|das|mein|dein|het|la|le|il|una|uma|un|nueva|nouveau|nova|nuova|nieuw|neues|api|access|secret|master|client) ){0,2}` +
		"|(?:用|把|将) ?[\"'`「]?([!-~]+?)[\"'`」]? ?(?:作为|作為|当作|设为|設為|做)(?:登录|登錄|管理员|管理員)?|[\"'`「]?([!-~]+)[\"'`」]? ?を)$")

	asciiWords  = lazyregexp.New(`[!-~\p{Latin}]+`)
	sentenceEnd = lazyregexp.New(`\n|\. |。|？ |！ |؟|।`)

	// cjk matches a particle that directly follows an English name: password는, tokenは, password是.
	cjk = lazyregexp.New(`^[\p{Han}\p{Hangul}\p{Hiragana}\p{Katakana}]`)

	// changed matches what is between a name and its new value.
	changed = lazyregexp.New(`(?i:changed to|geändert (?:auf|zu|in)|zmieni\pL+(?: się)? na|změní\pL+ na|změn\pL+ na|cambi\pL+ (?:a|por|in)|changé (?:en|pour)|(?:alter|mud)ad\pL+ para|mudou para|gewijzigd (?:naar|in)|ändra\pL* till|[eæ]ndret til|(?:из|с|по)мен\pL+ на|değiştirildi)$`)

	// notSaid matches what follows a word that such a sentence does not give as the value, …に保存する, …에 저장한다, or
	// the name of a function.
	notSaid = lazyregexp.New(`^ ?(?:で[^すしあ]|に(?:[^変設更しな]|変換)|[をとがはもへや]|の(?:[^ま]|$)|から|より|[에와과의를을]|으?로 ?[^ 바변설접로]|\(\))`)

	// saidBehind matches what follows a word right after a name and makes it the value: 비밀번호 … 로, パスワード …です.
	saidBehind = lazyregexp.New(`^!?["'”’»]? ?(?:으?로|입니다|이고|이며|예요|이에요|です|に変[わ更え]|olarak |bu\b)`)

	// compound matches what makes a name a longer word, which names no secret: 密码库, パスワード管理.
	compound = lazyregexp.New(`^(?:[库庫管缓緩存加策机機服生哈保]|[ァ-ヶ])`)

	// term matches a technical term, an address, a path or a measure: sha256, me@example.org, user_42, 32-byte.
	term = lazyregexp.New(`^(?:(?i:sha|md|base|argon|bcrypt|scrypt|pbkdf|hmac|aes|rsa|utf|oauth|hs|rs|es|ed|ipv|http|jwt|p|ecdsa|v|scram|` +
		`unicode|latin|ascii|blake|chacha|o|cl|gpt|claude|k)-?\d{1,4}(?:[-_.][^!#$^*]*|[a-z]{0,7}|mb\d)|[^@]+@[^@]*\..*|\d+-?(?:\pL{1,5}|\p{Lu}?\p{Ll}+)|[^!#$^*]*[/:._][^!#$^*]*)$`)
)

// How far after and before its name the value of a secret is searched for.
const (
	maxBehindNameBytes = 120
	maxBeforeNameBytes = 150
)

// statedValue returns the value that a sentence gives for a name: the first one after it that is more than a word, or
// the one before it that is used as the secret. In English, a verb, a colon or nothing must be between name and value;
// isForeign allows any words.
func statedValue(text string, name span, from int, kind string, isForeign bool) (span, bool) {
	if isNameInCode(text[name.end:], isForeign) {
		return span{}, false
	}
	for _, place := range asciiWords().FindAllStringIndex(sentenceBehind(text, name), -1) {
		if place[0] >= maxBehindNameBytes {
			break
		}
		c := newCandidate(text, name, span{name.end + place[0], name.end + place[1]}, kind, isForeign)
		if !c.isPossible {
			continue
		}
		if c.isSecret() {
			return c.value, true
		}
		if longer, ok := c.withMark(); ok && longer.isSecret() {
			return longer.value, true
		}
	}
	v, ok := usedAs(text, max(from, name.start-maxBeforeNameBytes), name.start)
	return v, ok && !compound().MatchString(text[name.end:]) && isStated(text[v.start:v.end], kind)
}

// isNameInCode reports whether the text after a name shows that it is not in a sentence: password(, "password".
func isNameInCode(behind string, isForeign bool) bool {
	if behind == "" {
		return false
	}
	goesOn := behind[0] == ' ' || strings.HasPrefix(behind, ", ")
	return isQuote(behind[0]) || !isForeign && !goesOn
}

// sentenceBehind returns the rest of the sentence after a name, as far as it is read.
func sentenceBehind(text string, name span) string {
	rest := text[name.end:min(len(text), name.end+maxBehindNameBytes+maxValueBytes)]
	if end := sentenceEnd().FindStringIndex(rest); end != nil {
		return rest[:end[0]]
	}
	return rest
}

// candidate is a word after the name of a secret that may be its value.
type candidate struct {
	text        string
	name, value span // the value without the marks around it
	kind        string
	isForeign   bool   // the sentence is in a language other than English
	gap         string // between the name and the word
	between     string // the same without the quotes at its end
	isQuoted    bool   // a password after a quotation mark
	isPossible  bool   // it is more than a word, or quoted
}

func newCandidate(text string, name, word span, kind string, isForeign bool) candidate {
	whole := text[word.start:word.end]
	start := word.end - len(strings.TrimLeft(whole, ":="))
	c := candidate{text: text, name: name, value: bareWord(text, span{start, word.end}), kind: kind, isForeign: isForeign}
	c.gap = text[name.end:start]
	c.between = strings.TrimRight(c.gap, " \"'`*«„「“(")
	c.isQuoted = c.isPassword() && isQuoting(text[name.end:c.value.start]) && !strings.Contains(c.between, ",")
	c.isPossible = c.word() != "" && (c.isQuoted || isMarked(whole) || isRandom(whole))
	return c
}

// withMark returns the candidate with the mark after it, which may be part of the password, and whether there is one:
// the password is Lobsterquilt!
func (c candidate) withMark() (longer candidate, ok bool) {
	after := c.after()
	c.value.end++
	return c, after != "" && strings.IndexByte("!?*", after[0]) >= 0
}

func (c candidate) word() string     { return c.text[c.value.start:c.value.end] }
func (c candidate) after() string    { return c.text[c.value.end:] }
func (c candidate) isPassword() bool { return c.kind == "password" }

// isSecret reports whether the sentence gives the candidate as the value of the name.
func (c candidate) isSecret() bool {
	if c.isChanged() {
		return true
	}
	if c.isMentioned() {
		return false
	}
	return c.isQuotedPassword() || c.isInventedPassword() || c.isGivenValue() || c.isMadeValue()
}

// isChanged accepts: the password of Anna changed to hunter2x, hasło zmieniono na hunter2x.
func (c candidate) isChanged() bool {
	if word := c.word(); !c.isPassword() || !isMarked(word) || len(word) < minStatedBytes || strings.ContainsAny(word, "/:.") || isHarmless(word) {
		return false
	}
	return changed().MatchString(c.between) && !term().MatchString(strings.ReplaceAll(c.word(), "_", "-"))
}

// isMentioned accepts a word with which a sentence says something else about the secret:
// パスワードはvault42に保存する, the password is stored in vault42.
func (c candidate) isMentioned() bool {
	return c.isForeign && notSaid().MatchString(c.after()) && !isMade(c.word())
}

// isQuotedPassword accepts a word in quotes, even without a digit: the password is "swordfish", пароль «swordfish».
func (c candidate) isQuotedPassword() bool {
	if !c.isQuoted || len(c.word()) < minStatedBytes || isHarmless(c.word()) {
		return false
	}
	if c.isGiven() && c.isEnded() {
		return true
	}
	// In quotation marks that code does not use, nothing needs to say that it is the value; in others it must look like
	// one.
	isTypographic := c.text[c.value.start-1] > '~'
	return c.between == "" && (isTypographic || c.isForeign && c.gap == ` "` && isMarked(c.word()))
}

// isInventedPassword accepts: the password is Lobster.Quilt.2. If it comes after a comma, no space may follow it.
func (c candidate) isInventedPassword() bool {
	isApposition := c.between == "," && !strings.HasPrefix(c.after(), " ")
	return c.isPassword() && !c.isShort() && (c.isBeside() || isApposition) && isInvented(c.word())
}

// isGivenValue accepts: the password for the database is hunter2x.
func (c candidate) isGivenValue() bool {
	return c.isGiven() && !c.isShort() && isStated(c.word(), c.kind)
}

// isMadeValue accepts a value that looks made by a machine, with less between it and the name: the token a81fd20c9b
// is expired, the password of the router (Zq81mN2x).
func (c candidate) isMadeValue() bool {
	if c.isShort() && !isAlnum(c.word()[0]) {
		return false
	}
	isNear := c.isBeside() || c.isEnclosed() || c.isForeign && hasCapital(c.word())
	return isNear && isLikelyMade(c.word(), c.kind) && isStated(c.word(), c.kind)
}

// isGiven accepts: the password of prod is hunter2x, пароль «hunter2x», 비밀번호 swordfish9로.
func (c candidate) isGiven() bool {
	if isStating(c.between, c.isForeign) {
		return true
	}
	isTypographic := isQuoting(c.gap) && !strings.HasSuffix(c.gap, `"`) && !strings.HasSuffix(c.gap, "`")
	isDirect := c.between == "" || strings.HasSuffix(c.between, ",")
	return c.isForeign && (isTypographic || isDirect && saidBehind().MatchString(c.after()))
}

// isBeside accepts: token a81fd20c9b, the password that Anna uses is Zq81mN2x.
func (c candidate) isBeside() bool { return c.between == "" || isStating(c.between, true) }

// isEnclosed accepts a password in parentheses: the password of the router (Zq81mN2x).
func (c candidate) isEnclosed() bool {
	return c.isPassword() && c.text[c.value.start-1] == '(' && strings.HasPrefix(c.after(), ")") && hasCapital(c.word())
}

// isEnded accepts a word with something behind it that does not continue it, such as a closing quote.
func (c candidate) isEnded() bool { return c.after() != "" && !isAlnum(c.after()[0]) }

// isShort accepts the names "pass" and "PAT", which are other words, too.
func (c candidate) isShort() bool {
	name := c.text[c.name.start:c.name.end]
	return len(name) <= len("pass") && !c.isForeign && !strings.EqualFold(name, "pw")
}

// isQuoting reports whether a gap ends in a quotation mark.
func isQuoting(gap string) bool {
	r, _ := utf8.DecodeLastRuneInString(strings.TrimRight(gap, " \u00a0"))
	return strings.ContainsRune("«„「“『\"'`", r)
}

// isStating reports whether the text between a name and a word says that the word is the value: it ends in a particle,
// or from its first verb on has only verbs. Words before the verb must begin with a preposition, unless anyWords is
// set.
func isStating(between string, anyWords bool) bool {
	if strings.ContainsAny(between, "\";{}<>|") {
		return false
	}
	if i := strings.LastIndexByte(between, ','); i >= 0 && !strings.HasSuffix(between, ":") && !strings.HasSuffix(between, "：") { // ab jetzt gilt: …
		between, anyWords = between[i+1:], false // …, lautet jetzt …
		if between == "" {
			return false
		}
	}
	if strings.HasSuffix(between, " changed from") || slices.ContainsFunc(particles, func(p string) bool { return strings.HasSuffix(between, p) }) {
		return true
	}
	words := strings.Fields(strings.ToLower(between))
	isVerb := func(word string) bool { return slices.Contains(verbs, word) }
	first := slices.IndexFunc(words, isVerb)
	if first > 0 && !anyWords && !slices.Contains(prepositions, words[0]) {
		return false
	}
	return first >= 0 && !slices.ContainsFunc(words[first:], func(word string) bool { return !isVerb(word) })
}

const minStatedBytes = 6 // of a secret in a sentence

// isStated reports whether a word in a sentence can be the secret. A person's password has a letter and a digit or
// mark, or more than six digits; any other secret must look made by a machine.
func isStated(value, kind string) bool {
	if len(value) < minStatedBytes || isHarmless(value) || settingLine().MatchString(value) || isTerm(value) {
		return false
	}
	return isLikelyMade(value, kind) || kind == "password" && isMarked(value) && (strings.ContainsFunc(value, unicode.IsLetter) || isLongNumber(value))
}

func isLongNumber(value string) bool {
	return len(value) > 6 && strings.Trim(value, "0123456789") == ""
}

// isTerm reports whether a value is a technical term rather than what a machine makes.
func isTerm(value string) bool {
	isAddress := strings.ContainsAny(value, "/:@") || strings.Contains(value, ".") && !hasCapital(value)
	return (isAddress || !isMade(value)) && !isRandom(value) && term().MatchString(value)
}

// isLikelyMade reports whether a value looks made by a machine; that of a password or secret may be made by a person.
func isLikelyMade(value, kind string) bool {
	return isMixed(value) || (kind == "password" || kind == "secret") && isMade(value)
}

// usedAs returns the value that a text uses as the secret whose name begins at an offset. It looks back to from.
func usedAs(text string, from, name int) (v span, ok bool) {
	before := text[from:name]
	lower := strings.ToLower(before)
	isIn := func(word string) bool { return strings.Contains(lower, " "+word+" ") }
	if !slices.ContainsFunc(usedWords, isIn) && !strings.ContainsAny(before, "用把将を") {
		return span{}, false // the usual case, and used is slow
	}
	place := used().FindStringSubmatchIndex(before)
	if place == nil {
		return span{}, false
	}
	group := 2
	for place[group] < 0 {
		group += 2
	}
	return bareWord(text, span{from + place[group], from + place[group+1]}), true
}

// bareWord returns a word without the marks around it, or the text between its quotes.
func bareWord(text string, word span) span {
	const quotes = "\"'`*„“”‚‘’«»"
	word = upToMark(text, word)
	value := text[word.start:word.end]
	if value != "" && isQuote(value[0]) {
		if end := strings.IndexByte(value[1:], value[0]); end > 0 && value[end] != '\\' {
			return span{word.start + 1, word.start + 1 + end}
		}
	}
	bare := strings.TrimLeft(value, quotes+"([{<")
	word.start += len(value) - len(bare)
	for _, end := range []string{`\n`, `\"`, "</"} { // JSON, or an element ends
		bare, _, _ = strings.Cut(bare, end)
	}
	return span{word.start, word.start + len(strings.TrimRight(bare, quotes+"_()[]{}<>.,;:!?"))}
}
