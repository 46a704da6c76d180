package redact

import (
	"slices"
	"strings"

	"whence/internal/text"
)

// Secrets in a sentence. It may also say something about a secret ("the token is expired"), so the value
// must look like one.

var (
	verbs = strings.Fields(`is are was were be been will became becomes equals remains set changed reset updated rotated
		to now still currently just always again -> → - – has have should used ist sind heißt war wurde lautet jetzt noch auf es è é est jest är er je será fue sera était foi sarà blir ble это теперь —`)
	prepositions = strings.Fields("for of to on at in from by with für von vom zum zu der des del della di de do da dla van voor för av til para pour du à")

	// usedWords are between a value and the name of the secret as which it is used.
	usedWords = strings.Fields("as als como comme come som")

	// used matches what is in front of a name: use … as the admin password, 用…作为.
	used = text.Lazy("(?:(?i:use|used|using|try|with|enter|type|take|set|give|nimm|nutze|verwende|mit|usar?|utilizar?|utilise[rz]?|utilizza|gebruik|bruk|brug) [\"'`(«„]?" +
		"(\\S+?)[\"'`),»“]{0,2} (?i:" + strings.Join(usedWords, "|") + ") " +
		`(?:(?i:an?|the|my|your|our|its|their|this|new|admin|root|db|database|user|das|mein|dein|het|la|le|il|una|uma|un|nueva|nouveau|nova|nuova|nieuw|neues|api|access|secret|master|client) ){0,2}` +
		"|(?:用|把|将) ?[\"'`「]?([!-~]+?)[\"'`」]? ?(?:作为|作為|当作|设为|設為|做)(?:登录|登錄|管理员|管理員)?|[\"'`「]?([!-~]+)[\"'`」]? ?を)$")
)

// paired matches a value behind the name of a user, perhaps in quotes, up to the end of its sentence.
const paired = `["'*` + "`" + `(]{0,3}([^` + pairEnd + `]*[^` + pairEnd + `.;:)])`

// pairEnd ends it; in Japanese and Korean no space needs to.
const pairEnd = `\s"'` + "`" + `<>\[,\p{Hiragana}\p{Hangul}`

// stated returns the rules that find the values that sentences give.
func stated() []rule {
	var rules []rule
	for _, of := range names {
		if of.isSpoken {
			rules = append(rules, rule{kind: of.kind, hints: of.hints, inWord: true, find: statedValue(of.kind, of.isName)})
		}
	}
	return append(rules,
		rule{kind: "password", hints: []string{" / "}, inWord: true, before: `(?i:use|with|login|account|user|nimm|mit|benutzer|credentials|creds|zugangsdaten|logindaten|anmeldedaten)[:*(]* \S+$`, pattern: ` / ` + paired, check: isPaired},
		rule{kind: "password", hints: []string{" / "}, inWord: true, before: `/ ?(?i:pw|비밀번호|비번|パスワード|密码) ?[:：] ?\S+$`, pattern: ` / ` + paired, check: isTyped}, // ID/PW: shop / …
		rule{kind: "password", hints: []string{"admin", "root", "postgres", "user", "ops"}, pattern: `(?i:admin(?:istrator)?|root|postgres|user|ops)(?: / |:)` + paired, check: isPaired},
		rule{kind: "password", hints: []string{"login", "log-in", "credential", "creds", "credencia", "credenzial", "identifiants", "zugangsdaten", "ログイン", "로그인", "登录", "登錄"}, inWord: true,
			pattern: `[^\n.;]{2,50}?(?:[:：=]| (?:is|are|ist|sind|lautet|é|és|es|est|è|são|son|sono|sont|är|er)|[は는은是])\s?["'` + "`" + `]?[\w@+-]+:` + paired, check: isPaired},
		rule{kind: "password", hints: []string{"login as ", "log in as ", "logged in as "}, pattern: `log\w* ?in as \S+ (?:with|using|and) ` + paired, check: isPaired},
	)
}

// isPaired judges what is behind the name of a user.
func isPaired(value string) bool {
	return isStated(value, "password") && isLikeNoName(value) && !strings.ContainsAny(value, "/:=")
}

// statedValue returns a finder of the value that a sentence gives for a name.
func statedValue(kind string, isNamed naming) finder {
	return func(text string, hint, from int) (span, bool) {
		n, ok := nameAt(text, hint, from)
		if !ok {
			return span{}, false
		}
		name, isTwoWords := text[n.start:n.end], isSpokenKey(text, hint, n)
		if !isTwoWords && !isNamed(name, hint-n.start) {
			return span{}, false
		}
		isShort := len(name) <= len("pass") && !isTwoWords // which are other words, too
		if !isShort && cjk().MatchString(text[n.end:]) {
			return behindName(kind, name, false)(text, n.start, from)
		}
		isSecret := func(v span) bool {
			value := text[v.start:v.end]
			if name == "PIN" {
				return isNumber(value) && len(value) >= 4
			}
			return isStated(value, kind) && (!isShort || isLikeNoName(value) && hasDigit(value) && isAlnum(value[0]))
		}
		if v, ok := statedBehind(text, n.end, isTwoWords, isSecret); ok {
			return v, true
		}
		v, ok := usedAs(text, max(from, n.start-maxLooked/2), n.start)
		return v, ok && isSecret(v)
	}
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

// statedBehind returns the value behind a name: behind a verb, behind a preposition and a verb or
// colon, or, if it looks like nothing else, right behind the name. Behind any other word it must look like
// no name.
func statedBehind(text string, at int, isTwoWords bool, isSecret func(span) bool) (v span, ok bool) {
	isVerb, isFor, isLoose := false, false, false
	for _, mark := range []string{":", " |"} { // of one word it is an assignment, or a cell of a table
		if isTwoWords && strings.HasPrefix(text[at:], mark) {
			at, isVerb = at+len(mark), true
		}
	}
	for range 8 { // words
		if at >= len(text) || text[at] != ' ' {
			return span{}, false
		}
		word := wordAt(text, at)
		plain := strings.Trim(strings.ToLower(text[word.start:word.end]), ",")
		isColon := plain == "=" || strings.HasSuffix(plain, ":")
		isAside := slices.Contains(prepositions, plain) || plain != "" && (plain[0] == '(' || plain[0] == '[') // password (staging): …
		v = withMark(text, bareWord(text, word), isSecret)
		switch {
		case !isLoose && slices.Contains(verbs, strings.TrimRight(plain, ":")):
			isVerb = true
		case isVerb:
			if isSecret(v) && (!isLoose || isLikeNoName(text[v.start:v.end])) {
				return v, true
			}
			if plain != "from" || isLoose {
				return span{}, false
			}
			isLoose = true // changed from …
		case isFor || isAside:
			isFor, isVerb = true, isColon
		default:
			if isTyped(text[v.start:v.end]) && isSecret(v) {
				return v, true
			}
			isFor, isLoose = true, true // the token you need: …
		}
		at = word.end
	}
	return span{}, false
}

// withMark adds a mark behind a word that makes it a secret: hunter! or hunter?
func withMark(text string, v span, isSecret func(span) bool) span {
	for end := v.end; end < len(text) && strings.IndexByte("!?*", text[end]) >= 0; end++ {
		if longer := (span{v.start, end + 1}); !isSecret(v) && isSecret(longer) {
			return longer
		}
	}
	return v
}

// wordAt returns the word behind spaces.
func wordAt(text string, at int) span {
	window := text[at:min(len(text), at+maxValue)]
	word := strings.TrimLeft(window, " \t")
	start := at + len(window) - len(word)
	if end := strings.IndexAny(word, " \t\r\n"); end >= 0 {
		word = word[:end]
	}
	return span{start, start + len(word)}
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
