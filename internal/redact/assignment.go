package redact

import (
	"regexp"
	"strings"
	"sync"

	"whence/internal/text"
)

// Values that are assigned to the name of a secret, or are beside it.

const (
	maxName  = 40  // how much of a name is read on either side of the hint
	maxValue = 256 // how much of a value is judged; an accepted one is taken whole
)

// layout is an arrangement of a name and its value. All of its expressions have to match: the text
// before and behind the name, up to the value, and the text after the value.
type layout struct {
	in                          place
	name, before, behind, after func() *regexp.Regexp

	// isLoose means that nothing assigns the value: words and short values are ignored.
	isLoose bool
}

// layouts are read in this order; the first that matches decides.
var layouts = sync.OnceValue(func() []layout {
	const (
		variable = `^[A-Z0-9_]+$`
		upper    = `^[A-Z0-9]*_[A-Z0-9_]*$`
		function = `^(?i:set|with|use|add|change|reset|update|pass|secret|token|api|access|client|auth)`
		setting  = `[_-]|\wpw$`
		quote    = `^\\?["'` + "`" + `]`
		lineEnd  = `^["'; \t\r]*(?:\n|$)`
		argument = `^[\\"'` + "`" + ` ]{1,4}\)` // the last one
		spaces   = `[ \t]{0,8}`
		operator = `^[\\"'` + "`" + `\])]{0,3}` + spaces + `(?::=|=>|==|=|：|:\*\*|\*\*:|:-|:|value=|\|\||\?\?)` + spaces + `(?:!!str |\[\]byte\(|Some\()?`
		typeName = `[\w.*&\[\]<>?,:-]{1,40}[ \t]+=[ \t]+`
	)
	of := func(in place, name, before, behind, after string) layout {
		return layout{in: in, name: text.Lazy(name), before: text.Lazy(before), behind: text.Lazy(behind), after: text.Lazy(after)}
	}
	all := []layout{
		of(sure, ``, `<$`, `^>`, `^</`),
		of(literal, `^-`, `(?:^|[^\w.\p{Latin}\p{Cyrillic}\p{Greek}])$`, `^ +`, ``),
		of(literal, ``, `[{(:]$`, `^(?:, ?| \. | )(?:<<)?`, quote), // {password, "…"}, (password . "…")
		of(sure, `^-|`+variable, ``, `^=`, ``),
		of(sure, ``, `[?&;]$`, `^=`, ``),
		of(open, ``, ``, `^:?`+spaces+`:`+spaces+typeName, ``), // password: str = …
		of(open, ``, ``, `^:[ \t]*[|>]?[+-]?\r?\n[ \t]+`, lineEnd),
		of(below, ``, ``, `^(?::|：|:\*\*|\*\*:)[ \t]*\r?\n`, lineEnd),
		of(sure, upper, ``, `^:`+spaces, lineEnd),
		of(literal, `^[xX]-`, ``, `^["']?:`+spaces, ``),
		of(open, ``, ``, operator, ``),
	}
	beside := []layout{
		of(literal, function, ``, `^\(`+spaces, argument),                                             // setPassword("…")
		of(literal, ``, `\( {0,8}["'][\w.-]*$`, `^["'],`+spaces, argument),                            // Setenv("DB_PASSWORD", "…")
		of(open, ``, ``, `^</key>\s*<string>`, `^</`),                                                 // <key>password</key><string>…
		of(open, ``, `(?:name|key)=["'][\w.-]*$`, `^["']>`, `^</`),                                    // <entry key="db.password">…
		of(open, ``, `variable ["']$`, `^["'] \{[^}]*?default\s*=\s*`, ``),                            // variable "db_password" { default = "…" }
		of(open, ``, ``, `^[\\"', \t\r\n]{1,40}(?i:parameter)?(?i:value)[\\"' ]{0,4}[:=]`+spaces, ``), // name: DB_PASSWORD, value: …
		of(literal, upper, `\|[ *`+"`"+`]{0,8}$`, `^[ *`+"`"+`]{0,8}\|[ *`+"`"+`]{1,8}`, ``),
		of(prose, ``, `\|[ *`+"`"+`]{0,8}$`, `^[ *`+"`"+`]{0,8}\|[ *`+"`"+`]{1,8}`, ``), // | password | … |
		of(literal, ``, ``, `^[ \t]+`+typeName, quote),                                  // var password string = "…"
		of(literal, upper, ``, `^[ \t]+`, ``),                                           // #define DB_PASSWORD "…"
		of(literal, setting, `(?:^|\n)[ \t]*$`, `^[ \t]+`, lineEnd),                     // auth_pass …, bindpw …
		of(literal, ``, `(?:^|\n)[ \t]*[\w-]+\.[\w.-]*$`, `^[ \t]+`, lineEnd),           // spring.datasource.password …
	}
	for _, l := range beside {
		l.isLoose = true
		all = append(all, l)
	}
	return all
})

// assigned returns the rules that find the values of names.
func assigned() (rules []rule) {
	for _, of := range names {
		rules = append(rules, rule{kind: of.kind, hints: of.hints, inWord: true, find: func(text string, hint, from int) (span, bool) {
			n, ok := nameAt(text, hint, from)
			if !ok || !of.isName(text[n.start:n.end], hint-n.start) {
				return span{}, false
			}
			return assignedValue(text, n, from, of.isSecret)
		}})
	}
	return rules
}

// assignedValue returns the whole value of a name, if it is a secret.
func assignedValue(text string, n span, from int, isSecret func(value string, in place) bool) (v span, ok bool) {
	v, in, ok := valueOf(text, n, from)
	if !ok || !isSecret(text[v.start:v.end], in) {
		return span{}, false
	}
	for v.end < len(text) && v.end-v.start >= maxValue && !endsValue(text, v.end) { // an unquoted one goes on
		v.end++
	}
	return v, true
}

// valueOf returns the value of a name, if it may be a secret, up to maxValue of it, and where it is.
func valueOf(text string, n span, from int) (v span, in place, ok bool) {
	name, before, behind := text[n.start:n.end], text[max(from, n.start-maxBefore):n.start], text[n.end:min(len(text), n.end+maxLooked)]
	isFolder := (name == "PWD" || name == "OLDPWD") && !strings.HasSuffix(before, ";")
	if isFolder || name == "PASS" && strings.HasPrefix(behind, ":") { // what tests print
		return span{}, 0, false
	}
	for _, l := range layouts() {
		gap := l.behind().FindStringIndex(behind)
		if gap == nil || !l.name().MatchString(name) || !l.before().MatchString(before) {
			continue
		}
		v, quoted := valueAt(text, n.end+gap[1])
		value := text[v.start:v.end]
		if value == "" || !l.after().MatchString(text[v.end:min(len(text), v.end+maxBefore)]) {
			continue
		}
		if quoted {
			l.in = max(l.in, literal)
		}
		isWord := l.isLoose && (len(value) < minPassword || isAboutSecrets(value))
		if isWord || isPlaceholder(value) || isPath(value) || !quoted && isExpression(value, l.in) {
			return span{}, 0, false
		}
		return v, l.in, true
	}
	return span{}, 0, false
}

// nameAt returns the name around a hint; ok is false if it is too long to be one.
func nameAt(text string, hint, from int) (name span, ok bool) {
	name = span{hint, hint}
	for name.end < len(text) && name.end-hint < maxName && isName(text[name.end]) {
		name.end++
	}
	for name.start > from && hint-name.start < maxName && isName(text[name.start-1]) {
		name.start--
	}
	return name, name.end == len(text) || !isName(text[name.end])
}

// opening matches the quote in front of a value, perhaps escaped, and its prefix.
var opening = text.Lazy(`^(?:@|(?i:[bfrun]))?(\\?["'` + "`" + `])`)

// valueAt returns the value at an offset, without its quotes: up to the closing one, or as far as
// an unquoted one goes.
func valueAt(text string, at int) (v span, quoted bool) {
	quote := opening().FindStringSubmatch(text[at:min(len(text), at+len(`@\"`))])
	if quote == nil {
		return bareAt(text, at), false
	}
	start, closing := at+len(quote[0]), quote[1]
	for end := start; end < len(text) && end-start < maxValue && text[end] != '\n'; end++ {
		if closing == "'" && end > start && strings.HasPrefix(text[end:], "''") { // in YAML and SQL, one of the value
			end++
			continue
		}
		if strings.HasPrefix(text[end:], closing) {
			return upToMark(text, span{start, end}), true
		}
		if text[end] == '\\' {
			end++
		}
	}
	return bareAt(text, start), false
}

// bareAt returns the unquoted value at an offset.
func bareAt(text string, start int) span {
	end := start
	for end < len(text) && end-start < maxValue && !endsValue(text, end) {
		end++
	}
	if end-start < maxValue {
		marks := ".:\\"
		if !hasDigit(text[start:end]) {
			marks += "!?"
		}
		end = start + len(strings.TrimRight(text[start:end], marks))
	}
	return upToMark(text, span{start, end})
}

// valueEnd matches what ends an unquoted value. Since a password may hold any mark, a mark ends it only
// before a space, another mark or another name, or as the beginning of a tag.
var valueEnd = text.Lazy(`^(?:[\s"'` + "`" + `|]|[,;<>&)\]}](?:$|[\s"'` + "`" + `,;<>&|)\]}.:/\\])|[,;>&)\]}][\w.-]{1,38}[=:]|<[a-z0-9_.-]{1,38}>)`)

func endsValue(text string, at int) bool {
	return strings.IndexByte(" \t\r\n\"'`|,;<>&)]}", text[at]) >= 0 && valueEnd().MatchString(text[at:min(len(text), at+maxName)])
}

// upToMark cuts a value off before the mark of what was removed already.
func upToMark(text string, v span) span {
	for _, mark := range []string{markBegin, privateMark} {
		if i := strings.Index(text[v.start:v.end], mark[:len(mark)-1]); i >= 0 {
			v.end = v.start + i
		}
	}
	return v
}
