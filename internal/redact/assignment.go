package redact

import "strings"

// Values that are called a secret:
//
//	DB_PASSWORD=…    "client_secret": "…"    api_key = '…'    token: Token = "…"
//	--password …     <password>…</password>  os.environ["API_KEY"] = "…"

const (
	maxName  = 40  // how much of a name is read on either side of the hint
	maxValue = 256 // how much of a value is judged; an accepted one is taken whole
)

// syntax is the notation around a value. Each one makes it likelier than those before it that the
// value is a secret rather than a word about one.
type syntax int

const (
	prose   syntax = iota // the password is …
	open                  // password = …, token: …
	literal               // quoted; --password …
	sure                  // PASSWORD=…, --password=…, ?password=…, <password>…</password>: even a word is one
)

// assigned returns a finder of values that are assigned to names of secrets.
func assigned(kind string, isNamed naming, isSecret func(value string, in syntax) bool) finder {
	return func(t *hintTable, text string, hint, from int) (secret, bool) {
		at, in, ok := operator(text, hint, from, isNamed)
		how := notBeside
		if !ok {
			if at, in, how = besideName(text, hint, from, isNamed); how == notBeside {
				return secret{}, false
			}
		}
		v := valueAt(text, at)
		if !v.quoted {
			if second, ok := behindType(text, v.start); ok {
				v = valueAt(text, second)
			} else if in == sure && startsLine(text, hint) {
				v.end = lineValueEnd(text, v.end)
			}
		}
		if v.quoted {
			in = max(in, literal)
		}
		value := text[v.start:v.end]
		if how != notBeside && !fits(text, v, in, how) {
			return secret{}, false
		}
		if v.start == v.end || !isNoPlaceholder(value) || isPath(value) || !v.quoted && isExpression(value, in) || !isSecret(value, in) {
			return secret{}, false
		}
		if t.covers(text, v.span) {
			return secret{}, false
		}
		for !v.quoted && v.end < len(text) && v.end-v.start >= maxValue && isBare(text[v.end]) {
			v.end++
		}
		if !v.quoted && in == open && startsLine(text, hint) {
			v.end = lineValueEnd(text, v.end)
		}
		return secret{v.span, kind}, true
	}
}

// covers reports whether the pattern of another rule removes all of a value.
func (t *hintTable) covers(text string, v span) bool {
	if v.end-v.start < 3 {
		return false
	}
	for _, h := range t.groups[t.group[hash(text, v.start)]] {
		if h.rule.pattern == "" || !hasPrefixFold(text[v.start:], h.text) {
			continue
		}
		for _, s := range h.rule.match(text, v.start, v.start) {
			if s.start == v.start && s.end >= v.end {
				return true
			}
		}
	}
	return false
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

// operator returns where the value of the name with the hint in it begins.
func operator(text string, hint, from int, isNamed naming) (at int, in syntax, ok bool) {
	n, ok := nameAt(text, hint, from)
	if !ok || !isNamed(text[n.start:n.end], hint-n.start) {
		return 0, 0, false
	}
	name, at := text[n.start:n.end], n.end
	if at < len(text) && text[at] == '>' && n.start > 0 && text[n.start-1] == '<' {
		end := bareAt(text, at+1).end
		return at + 1, sure, strings.HasPrefix(text[end:], "</")
	}
	in = open
	isOption := name[0] == '-' && (n.start == 0 || !isAlnum(text[n.start-1]) && text[n.start-1] != '.')
	if isOption && at < len(text) && text[at] == ' ' {
		return skipBlank(text, at), literal, true
	}
	for at < len(text) && strings.IndexByte("\\\"'`])", text[at]) >= 0 && at-hint < maxName+3 {
		at++
	}
	direct := at
	at = skipBlank(text, at)
	for _, op := range []string{":=", "=>", "==", "=", ":**", "**:", ":-", ":", "value=", "||", "??"} {
		if !strings.HasPrefix(text[min(at, len(text)):], op) {
			continue
		}
		value := skipBlank(text, at+len(op))
		if op == ":" {
			value = yamlValue(text, n.start, value)
		}
		if op == "=" && direct == n.end && value == direct+1 &&
			(isOption || isVariable(name) || n.start > 0 && strings.IndexByte("?&", text[n.start-1]) >= 0) {
			in = sure
		}
		return value, in, op != ":" || name != "PASS" // what tests print
	}
	return 0, 0, false
}

// startsLine reports whether the name around a hint begins a line, or follows a space.
func startsLine(text string, hint int) bool {
	for hint > 0 && isName(text[hint-1]) {
		hint--
	}
	return hint == 0 || isSpace(text[hint-1])
}

// lineValueEnd returns the end of a value whose name startsLine: a mark in it ends it only
// before a space, the end of the line or another name.
func lineValueEnd(text string, at int) int {
	for limit := at + maxValue; at < limit && at+1 < len(text) && strings.IndexByte(",;&|)", text[at]) >= 0 && isBare(text[at+1]); {
		next := at + 1
		for next < len(text) && next < limit && isName(text[next]) {
			next++
		}
		if next < len(text) && (text[next] == '=' || text[next] == ':') {
			break
		}
		at = upToMark(text, bareAt(text, at+1)).end
	}
	return at
}

// yamlValue returns where the value of a key begins, from behind its colon: behind a tag, or in
// the next line if that is indented deeper and has nothing else.
func yamlValue(text string, name, at int) int {
	rest := text[at:min(len(text), at+maxValue)]
	if tag, ok := strings.CutPrefix(rest, "!!str "); ok {
		return at + len(rest) - len(tag)
	}
	line, next, found := strings.Cut(rest, "\n")
	if !found || strings.Trim(line, "|>+- \r") != "" || len(line) > 4 {
		return at
	}
	indent := len(next) - len(strings.TrimLeft(next, " "))
	before := text[max(0, name-maxName):name]
	before = before[strings.LastIndexByte(before, '\n')+1:]
	if indent <= len(before)-len(strings.TrimLeft(before, " ")) {
		return at
	}
	start := at + len(line) + 1 + indent
	if end := valueAt(text, start); end.quoted || end.end == len(text) || text[end.end] == '\n' || text[end.end] == '\r' {
		return start
	}
	return at
}

func skipBlank(text string, at int) int {
	for limit := at + 8; at < len(text) && at < limit && (text[at] == ' ' || text[at] == '\t'); {
		at++
	}
	return at
}

// value is where a value is, without its quotes.
type value struct {
	span
	quoted bool
}

// valueAt returns the value at an offset: up to its closing quote, or as far as an unquoted one
// goes.
func valueAt(text string, at int) value {
	start := at
	if start < len(text) && (strings.IndexByte("bfru", text[start]|0x20) >= 0 || text[start] == '@') && start+1 < len(text) && isQuote(text[start+1]) {
		start++
	}
	if start+1 < len(text) && text[start] == '\\' && isQuote(text[start+1]) {
		start++
	}
	if start < len(text) && isQuote(text[start]) {
		quote := text[start]
		start++
		end := start
		for end < len(text) && end-start < maxValue && text[end] != quote && text[end] != '\n' {
			end++
		}
		if end < len(text) && text[end] == quote {
			if end > start && text[end-1] == '\\' {
				end--
			}
			return value{upToMark(text, span{start, end}), true}
		}
		at = start
	}
	return value{upToMark(text, bareAt(text, at)), false}
}

func bareAt(text string, start int) span {
	end := start
	for end < len(text) && end-start < maxValue && isBare(text[end]) {
		end++
	}
	if end-start < maxValue {
		end = start + len(strings.TrimRight(text[start:end], ".:!?\\"))
	}
	return span{start, end}
}

// upToMark cuts a value off before the mark of what was removed already.
func upToMark(text string, v span) span {
	for _, mark := range []string{markBegin, privateMark} {
		if i := strings.Index(text[v.start:v.end], mark[:len(mark)-1]); i >= 0 {
			v.end = v.start + i
		}
	}
	if strings.HasPrefix(text[v.start:], markBegin) || strings.HasPrefix(text[v.start:], privateMark) {
		v.end = v.start
	}
	return v
}

func isQuote(c byte) bool { return c == '"' || c == '\'' || c == '`' }

// isBare reports whether an unquoted value continues.
func isBare(c byte) bool {
	return !isSpace(c) && strings.IndexByte("\"'`,;<>&|)]}", c) < 0
}

// behindType returns where the value begins in "name: Type = value", from the beginning of the
// type.
func behindType(text string, at int) (int, bool) {
	end := at
	for end < len(text) && end-at < maxName && (isName(text[end]) || strings.IndexByte(".*&[]<>?,:", text[end]) >= 0) {
		end++
	}
	equals := skipBlank(text, end)
	if end == at || equals == end || equals+1 >= len(text) || text[equals] != '=' || text[equals+1] == '=' || text[equals+1] == '>' {
		return 0, false
	}
	return skipBlank(text, equals+1), true
}
