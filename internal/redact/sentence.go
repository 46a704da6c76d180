package redact

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"whence/internal/lazyregexp"
)

// Secrets in a sentence, of any language. It may also say something about a secret ("the token is expired"), so the
// value must be more than a word: how much more depends on what is between it and the name.

var (
	verbs = strings.Fields(`is are was were be been will became becomes equals remains set changed reset updated rotated
		its type enter to now still currently just always again -> → - – has have should used ist sind heißt war wurde lautet jetzt noch auf es è é est jest är er je será fue sera était foi sarà blir ble это теперь هي هو היא הוא είναι là este adalah noch immer nadal wciąż encore toujours todavía ainda ancora — it's it’s c'est c’est désormais olarak artık şöyle`)

	// particles are between a name and its value where no space does.
	particles = strings.Fields(": = ： ＝ は が を 是 为 為 成 는 은 改成 改成了 改为")

	// prepositions begin what is between a name and the verb: the password of … is.
	prepositions = strings.Fields("for of to on at in by with für von vom zum zu der des del della di de do da dla van voor för av til para pour du à na do od w")

	// usedWords are between a value and the name of the secret as which it is used.
	usedWords = strings.Fields("as als como comme come som")

	// used matches what is in front of a name: use … as the admin password, 用…作为.
	used = lazyregexp.New("(?:(?i:use|used|using|try|with|enter|type|take|set|give|nimm|nutze|verwende|mit|usar?|utilizar?|utilise[rz]?|utilizza|gebruik|bruk|brug) [\"'`(«„]?" +
		"(\\S+?)[\"'`),»“]{0,2} (?i:" + strings.Join(usedWords, "|") + ") " +
		`(?:(?i:an?|the|my|your|our|its|their|this|new|admin|root|db|database|user|das|mein|dein|het|la|le|il|una|uma|un|nueva|nouveau|nova|nuova|nieuw|neues|api|access|secret|master|client) ){0,2}` +
		"|(?:用|把|将) ?[\"'`「]?([!-~]+?)[\"'`」]? ?(?:作为|作為|当作|设为|設為|做)(?:登录|登錄|管理员|管理員)?|[\"'`「]?([!-~]+)[\"'`」]? ?を)$")

	asciiWords  = lazyregexp.New(`[!-~\p{Latin}]+`)
	sentenceEnd = lazyregexp.New(`\n|\. |。|？ |！ |؟|।`)

	// cjk matches a particle that is written directly on an English name: password는, tokenは, password是.
	cjk = lazyregexp.New(`^[\p{Han}\p{Hangul}\p{Hiragana}\p{Katakana}]`)

	// changed matches what is between a name and its new value.
	changed = lazyregexp.New(`(?i:changed to|geändert (?:auf|zu|in)|zmieni\pL+(?: się)? na|změní\pL+ na|změn\pL+ na|cambi\pL+ (?:a|por|in)|changé (?:en|pour)|(?:alter|mud)ad\pL+ para|mudou para|gewijzigd (?:naar|in)|ändra\pL* till|[eæ]ndret til|(?:из|с|по)мен\pL+ на|değiştirildi)$`)

	// notSaid matches what is behind a word that such a sentence does not give as the value: …に保存する, …에 저장한다,
	// or behind the name of a function.
	notSaid = lazyregexp.New(`^ ?(?:で[^すしあ]|に(?:[^変設更しな]|変換)|[をとがはもへや]|の(?:[^ま]|$)|から|より|[에와과의를을]|으?로 ?[^ 바변설접로]|\(\))`)

	// saidBehind matches what says behind a word right behind a name that it is the value: 비밀번호 … 로, パスワード …です.
	saidBehind = lazyregexp.New(`^!?["'”’»]? ?(?:으?로|입니다|이고|이며|예요|이에요|です|に変[わ更え]|olarak |bu\b)`)

	// compound matches what makes a longer word of a name, which is then not what a value is used as: 密码库, パスワード管理.
	compound = lazyregexp.New(`^(?:[库庫管缓緩存加策机機服生哈保]|[ァ-ヶ])`)

	// term matches a technical term, an address, a path or a measure: sha256, me@example.org, user_42, 32-byte.
	term = lazyregexp.New(`^(?:(?i:sha|md|base|argon|bcrypt|scrypt|pbkdf|hmac|aes|rsa|utf|oauth|hs|rs|es|ed|ipv|http|jwt|p|ecdsa|v|scram|` +
		`unicode|latin|ascii|blake|chacha|o|cl|gpt|claude|k)-?\d{1,4}(?:[-_.][^!#$^*]*|[a-z]{0,7}|mb\d)|[^@]+@[^@]*\..*|\d+-?(?:\pL{1,5}|\p{Lu}?\p{Ll}+)|[^!#$^*]*[/:._][^!#$^*]*)$`)
)

// The value of a secret is sought so far behind its name.
const maxBehindName = 120 // bytes

// statedValue returns the value that a sentence gives for a name: the first behind it that is more than a word, or
// the one in front of it that is used as the secret. In English a verb, a colon or nothing is between them;
// isForeign allows any words.
func statedValue(text string, n span, from int, kind string, isForeign bool) (span, bool) {
	if !isForeign && n.end < len(text) && text[n.end] != ' ' && !strings.HasPrefix(text[n.end:], ", ") || n.end < len(text) && isQuote(text[n.end]) { // a name in code
		return span{}, false
	}
	isShort := n.end-n.start <= len("pass") && !isForeign && !strings.EqualFold(text[n.start:n.end], "pw") // which are other words, too
	sentence := text[n.end:min(len(text), n.end+maxBehindName+maxValue)]
	if end := sentenceEnd().FindStringIndex(sentence); end != nil {
		sentence = sentence[:end[0]]
	}
	for _, place := range asciiWords().FindAllStringIndex(sentence, -1) {
		if place[0] >= maxBehindName {
			break
		}
		word := sentence[place[0]:place[1]]
		start := n.end + place[1] - len(strings.TrimLeft(word, ":="))
		gap := text[n.end:start]
		between := strings.TrimRight(gap, " \"'`*«„「“(")
		v := bareWord(text, span{start, n.end + place[1]})
		isQuoted := kind == "password" && v.start > n.end && isQuoting(text[n.end:v.start]) && !strings.Contains(between, ",")
		if v.start == v.end || !isQuoted && !isMarked(word) && !isRandom(word) {
			continue
		}
		isSaid, isBeside := isStating(between, isForeign) || isForeign && isQuoting(gap) && gap[len(gap)-1] != '"' && gap[len(gap)-1] != '`', between == "" || isStating(between, true)
		isNew := kind == "password" && changed().MatchString(between)
		isSecret := func(v span) bool {
			value, after := text[v.start:v.end], text[v.end:]
			if isNew && isMarked(value) && len(value) >= minStated && !isReference(value) && !strings.ContainsAny(value, "/:.") && !term().MatchString(strings.ReplaceAll(value, "_", "-")) {
				return true
			}
			isEnclosed := text[v.start-1] == '(' && strings.HasPrefix(after, ")") && strings.ToLower(value) != value
			isGiven := isSaid || isForeign && (between == "" || strings.HasSuffix(between, ",")) && saidBehind().MatchString(after)
			isKept := isForeign && notSaid().MatchString(after) && !isMade(value)
			if isQuoted && (isGiven && v.end < len(text) && !isAlnum(text[v.end]) || between == "" && (text[v.start-1] > '~' || isForeign && gap == ` "` && isMarked(value))) && len(value) >= minStated && !isReference(value) {
				return !isKept // a word
			}
			if kind == "password" && !isShort && !isKept && (isBeside || between == "," && !strings.HasPrefix(after, " ")) && isInvented(value) {
				return true
			}
			isMade := isLikelyMade(value, kind)
			return !isKept && (!isShort || isAlnum(value[0])) && (isGiven && !isShort && isStated(value, kind) ||
				(isBeside || isEnclosed && kind == "password" || isForeign && strings.ToLower(value) != value) && isMade && isStated(value, kind))
		}
		if isSecret(v) {
			return v, true
		}
		if end := v.end + 1; end <= len(text) && strings.IndexByte("!?*", text[v.end]) >= 0 && isSecret(span{v.start, end}) { // of the password
			return span{v.start, end}, true
		}
	}
	v, ok := usedAs(text, max(from, n.start-maxLooked/2), n.start)
	return v, ok && !compound().MatchString(text[n.end:]) && isStated(text[v.start:v.end], kind)
}

// isQuoting reports whether a gap ends in a quotation mark.
func isQuoting(gap string) bool {
	r, _ := utf8.DecodeLastRuneInString(strings.TrimRight(gap, " \u00a0"))
	return strings.ContainsRune("«„「“『\"'`", r)
}

// isStating reports whether what is between a name and a word says that the word is the value: it ends in
// a particle, or in its first verb and more of them. Unless they may be any, the words before that begin with a
// preposition.
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

const minStated = 6 // characters of a secret in a sentence

// isStated reports whether a word in a sentence can be the secret. A person's password has a letter and a digit or
// mark; everything else is made by machines.
func isStated(value, kind string) bool {
	if len(value) < minStated || isReference(value) {
		return false
	}
	if setting().MatchString(value) {
		return false
	}
	if isLong := isRandom(value) || isMade(value) && !strings.ContainsAny(value, "/:@") && (strings.ToLower(value) != value || !strings.Contains(value, ".")); term().MatchString(value) && !isLong {
		return false
	}
	return isLikelyMade(value, kind) || kind == "password" && isMarked(value) && (strings.ContainsFunc(value, unicode.IsLetter) || len(value) > 6 && strings.Trim(value, "0123456789") == "")
}

// isLikelyMade reports whether a value is made by a machine, or may be by a person.
func isLikelyMade(value, kind string) bool {
	return isMixed(value) || (kind == "password" || kind == "secret") && isMade(value)
}

// usedAs returns the value in front of a name, from an offset on.
func usedAs(text string, from, name int) (v span, ok bool) {
	before := text[from:name]
	lower := strings.ToLower(before)
	isIn := func(word string) bool { return strings.Contains(lower, " "+word+" ") }
	if !slices.ContainsFunc(usedWords, isIn) && !strings.ContainsAny(before, "用把将を") {
		return span{}, false // nearly always, and used is slow
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

// bareWord returns a word without the marks around it, or what is between its quotes.
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
