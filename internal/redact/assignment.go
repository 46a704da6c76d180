package redact

import (
	"regexp"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"whence/internal/lazyregexp"
)

// Values that are assigned to the name of a secret, or are beside it.

const (
	maxNameBytes       = 40  // how much of a name is read on either side of the hint
	maxBehindBytes     = 300 // how much after a name is searched for its value
	maxValueBytes      = 256 // how much of a value is judged; a secret is removed whole
	maxQuotedBytes     = 4096
	maxAfterValueBytes = 100
)

// assignmentForm is an arrangement of a name and its value. All of its expressions that are not nil must match.
type assignmentForm struct {
	example string // with the value between two §

	name, before func() *regexp.Regexp // the name, and the text before it
	behind       func() *regexp.Regexp // the text after the name, up to the value
	after        func() *regexp.Regexp // the text after the value

	// isOpen means that prose about the secret may follow instead of its value.
	isOpen bool

	// check, if any, judges the value in a form that is not an assignment.
	check func(value string) bool
}

// assignmentForms are read in this order; the first that matches decides.
var assignmentForms = sync.OnceValue(func() []assignmentForm {
	const (
		quote    = `^\\?["'` + "`" + `]`
		lineEnd  = `^["'; \t\r]*(?:\n|$)`
		argument = `^[\\"'` + "`" + ` ]{1,4}\)` // the last one
		cell     = `^[ *` + "`" + `]{0,8}\|[ *` + "`" + `]{1,8}`
		spaces   = `[ \t]{0,8}`
		operator = `^(?:\[\d*\])?[\\"'` + "`" + `\])]{0,3}` + spaces + `(?::=|=>|=|\?=|\|\|=|：|:\*\*|\*\*:|:-|:|value=)` + spaces + `(?:!!str |\[\]byte\(|Some\()?`
		typeName = `[\w.*&\[\]<>?,:-]{1,40}[ \t]+=[ \t]+`
	)
	re := lazyregexp.New
	var (
		variable    = re(`^[A-Z0-9]*_[A-Z0-9_]*$`)
		function    = re(`^(?i:set|with|use|add|change|reset|update|pass|secret|token|api|access|client|auth)`)
		settingName = re(`[_-]|\wpw$`)
		directive   = re(`[_-]|[a-z][A-Z]`)
		lineStart   = re(`(?:^|\n)[ \t]*$`)
		cellStart   = re(`\|[ *` + "`" + `]{0,8}$`)
	)
	return []assignmentForm{
		{example: "<password>§swordfish§</password>", before: re(`<$`), behind: re(`^>`), after: re(`^</`)},
		{example: "run --password §swordfish§ --all", name: re(`^-`), before: re(`(?:^|[^\w.\p{Latin}\p{Cyrillic}\p{Greek}])$`), behind: re(`^ +`)},
		{example: `{password, "§swordfish§"}`, before: re(`[{(:]$`), behind: re(`^(?:, ?| \. | )(?:<<)?`), after: re(quote)},
		{example: "password=§swordfish§", behind: re(`^=`)},
		{example: `password: str = "§swordfish§"`, behind: re(`^:?` + spaces + `:` + spaces + typeName), isOpen: true},
		{example: "password: |\n  §hunter2x§\n", behind: re(`^:[ \t]*[|>]?[+-]?\r?\n[ \t]+`), after: re(lineEnd), check: isMarked},
		{example: "**Password:**\n§Zq81mN2x§\n", behind: re(`^(?::|：|:\*\*|\*\*:)[ \t]*\r?\n[ \t]*`), after: re(lineEnd), check: isMadeLine},
		{example: "DB_PASSWORD: §swordfish§", name: variable, behind: re(`^:` + spaces), after: re(lineEnd)},
		{example: "X-Auth-Token: §swordfish12§ and", name: re(`^[xX]-`), behind: re(`^["']?:` + spaces)},
		{example: `password == "§swordfish§"`, behind: re(`^[\\"'` + "`" + `\])]{0,3}` + spaces + `(?:==|\|\||\?\?)` + spaces), after: re(quote)}, // what it is compared to, or its default
		{example: `"password": "§swordfish§"`, behind: re(operator), isOpen: true},

		{example: `setPassword("§hunter2x§")`, name: function, behind: re(`^\(` + spaces), after: re(argument), check: isMarked},
		{example: `Setenv("DB_PASSWORD", "§hunter2x§")`, before: re(`\( {0,8}["'][\w.-]*$`), behind: re(`^["'],` + spaces + spaces), after: re(argument), check: isMarked},
		{example: "<key>password</key><string>§hunter2x§</string>", behind: re(`^</key>\s*<string>`), after: re(`^</`), check: isMarked},
		{example: `<entry key="db.password">§hunter2x§</entry>`, before: re(`(?:name|key)=["'][\w.-]*$`), behind: re(`^["']>`), after: re(`^</`), check: isMarked},
		{example: "variable \"db_password\" {\n  default = \"§hunter2x§\"", before: re(`variable ["']$`), behind: re(`^["'] \{[^}]*?default\s*=\s*`), check: isMarked},
		{example: "name: DB_PASSWORD\nvalue: §hunter2x§", behind: re(`^[\\"', \t\r\n]{1,40}(?i:parameter)?(?i:value)[\\"' ]{0,4}[:=]` + spaces), check: isMarked},
		{example: "| DB_PASSWORD | §hunter2x§ |", name: variable, before: cellStart, behind: re(cell), check: isMarked},
		{example: "| password | §Zq81mN2x§ |", before: cellStart, behind: re(cell), check: isMade},
		{example: `var password string = "§hunter2x§"`, behind: re(`^[ \t]+` + typeName), after: re(quote), check: isMarked},
		{example: `proxy_set_header X-Token "§swordfish§";`, name: directive, before: re(`(?:^|\n)[ \t]*(?:[\w-]+[ \t]+){0,3}$`), behind: re(`^[ \t]+`), after: re(`^["'](?: always)?;?[ \t\r]*(?:\n|$)`)},
		{example: "ENV DB_PASSWORD §swordfish§", name: variable, before: re(`(?:ENV|#define|setenv|setx|config:set|secrets? set) +$`), behind: re(`^[ \t]+`)},
		{example: "set -x DB_PASSWORD §hunter2x§", name: variable, behind: re(`^[ \t]+`), check: isMarked},
		{example: "auth_pass §swordfish§", name: settingName, before: lineStart, behind: re(`^[ \t]+`), after: re(lineEnd)},
		{example: "spring.datasource.password §hunter2x§", before: re(`(?:^|\n)[ \t]*[\w-]+\.[\w.-]*$`), behind: re(`^[ \t]+`), after: re(lineEnd), check: isMarked},
	}
})

// valueOf returns where the value of a name is, if the name and the text around it have this form.
func (f assignmentForm) valueOf(text string, n span, before, behind string) (v value, ok bool) {
	matches := func(re func() *regexp.Regexp, text string) bool { return re == nil || re().MatchString(text) }
	gap := f.behind().FindStringIndex(behind)
	if gap == nil || !matches(f.name, text[n.start:n.end]) || !matches(f.before, before) {
		return value{}, false
	}
	v = valueAt(text, n.end+gap[1])
	isRemoved := v.start == v.end && strings.HasPrefix(text[v.start:], markBegin)
	return v, isRemoved || v.start < v.end && matches(f.after, text[v.end:min(len(text), v.end+maxAfterValueBytes)])
}

// nameRules returns the rules that find the values of secretNames and foreignNames, in an assignment or a sentence.
func nameRules() (rules []rule) {
	for _, of := range secretNames {
		rules = append(rules, rule{kind: of.kind, hints: of.hints, inWord: true, find: func(text string, hint, from int) (span, bool) {
			n, ok := nameAt(text, hint, from)
			if !ok {
				return span{}, false
			}
			if !of.accepts(text[n.start:n.end], hint-n.start) {
				if n, ok = spokenKey(text, hint, from, n); !ok {
					return span{}, false
				}
			}
			v, verdict := assignedValue(text, n, from)
			if verdict != undecided || of.check != nil {
				return v, verdict == secret && (of.check == nil || of.check(text[v.start:v.end]))
			}
			isForeign := cjk().MatchString(text[n.end:])
			if e := ending().FindString(text[n.end:]); e != "" {
				n.end, isForeign = n.end+len(e)-1, true
			}
			return statedValue(text, n, from, of.kind, isForeign)
		}})
	}
	return append(rules, foreignNameRules()...)
}

// foreignNameRules returns a rule for each spelling of the name of a secret in another language. A name in an alphabet
// may have an ending, or be part of a longer name: пароль, DB_SENHA_PROD, userSifre.
func foreignNameRules() (rules []rule) {
	for _, of := range foreignSpellings() {
		spelling := of.spelling
		first, _ := utf8.DecodeRuneInString(spelling)
		last, _ := utf8.DecodeLastRuneInString(spelling)
		hints := []string{spelling}
		if turkish := strings.ToUpperSpecial(unicode.TurkishCase, spelling); !strings.EqualFold(turkish, spelling) { // ŞİFRE
			hints = append(hints, turkish)
		}
		isLatin, hasEnding := unicode.Is(unicode.Latin, first), unicode.In(last, unicode.Latin, unicode.Cyrillic, unicode.Greek)
		rules = append(rules, rule{kind: of.kind, hints: hints, inWord: true, find: func(text string, hint, from int) (span, bool) {
			if isLatin && hint > from && isAlnum(text[hint-1]) && (!isCapital(text[hint]) || isCapital(text[hint-1])) {
				return span{}, false // in a word
			}
			n, _ := nameAt(text, hint, from)
			n.end = hint + len(spelling)
			isLonger := hasEnding || strings.HasPrefix(text[n.end:], "_")
			for isLonger && n.end < len(text) && n.end-hint < maxNameBytes && (isNameByte(text[n.end]) || text[n.end] >= utf8.RuneSelf) {
				n.end++
			}
			rest := text[hint+len(spelling) : n.end]
			if isAbout(rest) && strings.ContainsAny(rest, "_-") {
				return span{}, false
			}
			if v, verdict := assignedValue(text, n, from); verdict != undecided && !isAbout(rest) {
				return v, verdict == secret
			}
			return statedValue(text, n, from, of.kind, of.isSpoken)
		}})
	}
	return rules
}

// verdict says whether the value of a name is a secret.
type verdict int

const (
	undecided verdict = iota // nothing is assigned to the name, or a sentence follows it
	harmless
	secret
)

// assignedValue returns the verdict about the value that is assigned to a name, and the whole value if it is a secret.
func assignedValue(text string, n span, from int) (span, verdict) {
	name, before, behind := text[n.start:n.end], text[max(from, n.start-maxBeforeBytes):n.start], text[n.end:min(len(text), n.end+maxBehindBytes)]
	if assignsNothingSecret(name, before, behind) {
		return span{}, harmless
	}
	for _, form := range assignmentForms() {
		if v, ok := form.valueOf(text, n, before, behind); ok {
			return form.judge(text, n, v)
		}
	}
	return span{}, undecided
}

// judge returns the verdict about the value of a name in this form, and the whole value if it is a secret.
func (f assignmentForm) judge(text string, n span, v value) (span, verdict) {
	if words := appPassword().FindString(text[v.start:]); words != "" && !isHarmless(words) {
		return span{v.start, v.start + len(words)}, secret
	}
	if !f.mayHold(text, n, v) {
		return span{}, harmless
	}
	if f.isOpen && !v.isQuoted && isProse(text, v.span) {
		return span{}, undecided
	}
	for !v.isQuoted && v.end < len(text) && v.end-v.start >= maxValueBytes && !endsValue(text, v.end) {
		v.end++
	}
	return v.span, secret
}

// mayHold reports whether a value may be the secret of a name.
func (f assignmentForm) mayHold(text string, n span, v value) bool {
	name, value := text[n.start:n.end], text[v.start:min(v.end, v.start+maxValueBytes)]
	if len(value) < minGivenBytes || isHarmless(value) || f.check != nil && !f.check(value) {
		return false
	}
	if v.isQuoted {
		return true
	}
	isOtherWord := len(name) <= len("pass") && !isVariable(name) && !isMarked(value)
	return !isOtherWord && !isIdentifier(text, n, v.span) && !refersOn(text, v.span)
}

// assignsNothingSecret reports whether the text around a name gives it another meaning.
func assignsNothingSecret(name, before, behind string) bool {
	isColon := strings.HasPrefix(behind, ":")
	switch {
	case name == "PASS" && isColon: // what tests print
		return true
	case name == "PWD" || name == "OLDPWD": // a folder, but not in a connection: UID=sa;PWD=…
		return !strings.HasSuffix(before, ";")
	case strings.HasPrefix(name, "--") && isColon: // a property of CSS
		return true
	case hasSuffixFold(before, "id/"): // ID/PW: bob / …
		return true
	case strings.HasSuffix(before, ":") && strings.Contains(before, "arn:"): // an address
		return true
	}
	isMessage := strings.HasPrefix(behind, ":?") || strings.HasPrefix(behind, ":+") // ${DB_PASSWORD:?is not set}
	return isMessage && strings.HasSuffix(before, "${")
}

// isIdentifier reports whether a value of letters alone is an identifier in a program: it follows := and a name that is
// not written like an environment variable, or its line ends like a statement or a field of a literal, unlike any line
// in a file of settings.
func isIdentifier(text string, n, v span) bool {
	lineStart := strings.LastIndexByte(text[:n.start], '\n') + 1
	line, _, _ := strings.Cut(text[v.end:min(len(text), v.end+maxNameBytes)], "\n")
	gap, line := strings.TrimSpace(text[n.end:v.start]), strings.TrimSpace(line)
	isIndented := lineStart < n.start && strings.Trim(text[lineStart:n.start], " \t") == ""
	return strings.Trim(text[v.start:v.end], identifier) == "" && (gap == ":=" && !isVariable(text[n.start:n.end]) ||
		line == ";" && strings.HasSuffix(text[n.end:v.start], " = ") || line == "," && gap == ":" && isIndented && isCapital(text[n.start]))
}

const identifier = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_"

// isMadeLine judges the line below a name, which may be another setting.
func isMadeLine(value string) bool { return isMade(value) && !settingLine().MatchString(value) }

// settingLine matches the beginning of a setting: port=5432, host: db.
var settingLine = lazyregexp.New(`^[\w.-]+(?:=[^=]|:)`)

// appPassword matches a password of the form that Google makes for a program.
var appPassword = lazyregexp.New(`^[a-z]{4} [a-z]{4} [a-z]{4} [a-z]{4}\b`)

// refersOn reports whether an unquoted value begins a reference that contains spaces: <your password>, f(a, b).
func refersOn(text string, v span) bool {
	line, _, _ := strings.Cut(text[v.start:min(len(text), v.start+maxValueBytes)], "\n")
	return openReference().MatchString(line)
}

var (
	openReference = lazyregexp.New(`^(?:` + strings.Join([]string{
		`<[^<>\n"=;&$!#%*]+>`,  // <your password>
		`&(?:'\w+ |mut )`,      // &'a str, &mut String
		`\*(?:const|mut) `,     // *const u8
		`&?\[\w+(?:; ?\w+)?\]`, // [u8; 32]
		`[A-Za-z_]+(?:(?:::|\.)\w+)*<(?:['&\[]|(?:dyn|impl) |` + // Option<&str>, Box<dyn Secret>
			`(?:[A-Z]\w*|[iu]\d+|std::\w+|str|string|byte|bytes|char|int|number|any|void|unknown)(?:[,<]|>+(?:[\s,;)}|?&]|$)))`, // Map<string, string>
		`\{\{`, // {{ .Password }}
		`[&*!-]*[A-Za-z_][\w.:]*(?:->\w+)*(?:\([^()]*(?:\([^()]*\)[^()]*)*\)|\[[^\[\]]*\])(?:[\s.,;)\]}?!:\[(]|$)`, // f(a, b), x[i, j]
		`[A-Za-z_][\w.:]*\($`, // f(
	}, "|") + `)`)

	// aWord matches a word of a sentence.
	aWord    = lazyregexp.New(`^[\p{L}\p{M}'’-]+[.,;:!?]?$`)
	goesOn   = lazyregexp.New(`^[.,;:!?]? +["'(]?[\p{L}\d%{$<\[]`)
	nextName = lazyregexp.New(`^[,;]? +[\w.-]+ ?[=:]`)
)

// isProse reports whether an unquoted value is a word of a sentence: more words follow.
func isProse(text string, v span) bool {
	after := text[v.end:min(len(text), v.end+maxNameBytes)]
	return aWord().MatchString(text[v.start:v.end]) && goesOn().MatchString(after) && !nextName().MatchString(after)
}

// nameAt returns the name around a hint; ok is false if it is too long to be one.
func nameAt(text string, hint, from int) (name span, ok bool) {
	name = span{hint, hint}
	for name.end < len(text) && name.end-hint < maxNameBytes && isNameByte(text[name.end]) {
		name.end++
	}
	for name.start > from && hint-name.start < maxNameBytes && isNameByte(text[name.start-1]) {
		name.start--
	}
	if isLine := name.start == 0 || text[name.start-1] == '\n'; isLine && name.start < hint && removed().MatchString(text[name.start:min(len(text), name.end+maxNameBytes)]) {
		name.start++
	}
	return name, name.end == len(text) || !isNameByte(text[name.end])
}

// removed matches a setting that a diff removes: its minus does not begin an option.
var removed = lazyregexp.New(`^-\w[\w-]* {0,8}[=:]`)

// ending matches a Turkish ending after a name of another language: token'ı.
var ending = lazyregexp.New(`^['’](?:[a-rt-zıiüöçşğ]|s[ıiuü])\pL{0,6} `)

// opening matches the quote before a value, which may be escaped, and its prefix.
var opening = lazyregexp.New(`^(?:@|(?i:[bfrun]))?(\\?["'` + "`" + `])`)

// doubled matches a value between doubled quotes.
var doubled = lazyregexp.New(`^""[^\s",;)}\]>&]+""`)

// value is where a value is in a text, without its quotes.
type value struct {
	span
	isQuoted bool
}

// valueAt returns the value at an offset: up to its closing quote, or up to the end of an unquoted value.
func valueAt(text string, at int) value {
	quote := opening().FindStringSubmatch(text[at:min(len(text), at+len(`@\"`))])
	if quote == nil {
		return value{bareAt(text, at), false}
	}
	start, closing := at+len(quote[0]), quote[1]
	if closing == `"` && doubled().MatchString(text[at:min(len(text), at+maxValueBytes)]) { // in a string of Basic, C# or 1C
		start, closing = start+1, `""`
	}
	for end := start; end < len(text) && end-start < maxQuotedBytes && text[end] != '\n'; end++ {
		if closing == "'" && end > start && strings.HasPrefix(text[end:], "''") { // in YAML and SQL, a quote in the value
			end++
			continue
		}
		if strings.HasPrefix(text[end:], closing) {
			return value{upToMark(text, span{start, end}), true}
		}
		if text[end] == '\\' {
			end++
		}
	}
	return value{bareAt(text, start), false}
}

// bareAt returns the unquoted value at an offset.
func bareAt(text string, start int) span {
	end := start
	for end < len(text) && end-start < maxValueBytes && !endsValue(text, end) {
		end++
	}
	if end-start < maxValueBytes && !strings.HasSuffix(text[start:end], "...") {
		marks := ".:\\"
		if !hasDigit(text[start:end]) {
			marks += "!?"
		}
		end = start + len(strings.TrimRight(text[start:end], marks))
	}
	return upToMark(text, span{start, end})
}

// valueEnd matches the end of an unquoted value. Because a password may contain any mark, a mark ends it
// only before a space, another mark or another name, or as the beginning of a tag.
var valueEnd = lazyregexp.New(`^(?:[\s"'` + "`" + `]|[,;<>&)|\]}](?:$|[\s"'` + "`" + `,;<>&|)\]}.:/\\])|[,;>&)\]}][\w.-]{1,38}[=:]|<[a-z0-9_.-]{1,38}>)`)

func endsValue(text string, at int) bool {
	return strings.IndexByte(" \t\r\n\"'`|,;<>&)]}", text[at]) >= 0 && valueEnd().MatchString(text[at:min(len(text), at+maxNameBytes)])
}

// upToMark cuts a value off before a mark that replaces an earlier secret.
func upToMark(text string, v span) span {
	for _, mark := range []string{markBegin, privateMark} {
		if i := strings.Index(text[v.start:min(len(text), v.end+len(mark))], mark); i >= 0 && v.start+i < v.end {
			v.end = v.start + i
		}
	}
	return v
}
