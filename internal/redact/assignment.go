package redact

import (
	"slices"
	"strings"
)

// Values that are assigned to the name of a secret, or stand beside it:
//
//	DB_PASSWORD=…    "client_secret": "…"    api_key = '…'    token: Token = "…"
//	--password …     <password>…</password>  os.environ["API_KEY"] = "…"    {password, "…"}
//
//	os.Setenv("DB_PASSWORD", "…")     setPassword("…")        var password string = "…"
//	name: DB_PASSWORD                 {"name": "DB_PASSWORD", "value": "…"}
//	value: …                          variable "db_password" { default = "…" }
//	<entry key="db.password">…<       <key>password</key><string>…<
//	| password | … |                  DB_PASSWORD<tab>…       auth_pass …

const (
	maxName  = 40  // how much of a name is read on either side of the hint
	maxValue = 256 // how much of a value is judged; an accepted one is taken whole
	maxGap   = 80  // bytes between a name and the word "value"
)

// assigned returns the rules that find the values of names.
func assigned() (rules []rule) {
	for _, of := range names {
		rules = append(rules, rule{kind: of.kind, hints: of.hints, inWord: true, find: func(text string, hint, from int) (span, bool) {
			n, ok := nameAt(text, hint, from)
			if !ok || !of.isName(text[n.start:n.end], hint-n.start) {
				return span{}, false
			}
			at, in, ok := operator(text, n)
			isBeside := !ok
			var fits func(v span, quoted bool) bool
			if isBeside {
				if at, in, fits = besideName(text, n, from); fits == nil {
					return span{}, false
				}
			}
			v, quoted := valueAt(text, at)
			if second, ok := behindType(text, v.start); ok && !quoted && !isBeside {
				v, quoted = valueAt(text, second)
			}
			if quoted {
				in = max(in, literal)
			}
			value := text[v.start:v.end]
			if isPlaceholder(value) || isPath(value) || !quoted && isExpression(value, in) || !of.isSecret(value, in) {
				return span{}, false
			}
			if isBeside && (len(value) < minPassword || isAboutSecrets(value) || !fits(v, quoted)) {
				return span{}, false
			}
			for !quoted && v.end < len(text) && v.end-v.start >= maxValue && !endsValue(text, v.end) {
				v.end++
			}
			return v, true
		}})
	}
	return rules
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

var operators = []string{":=", "=>", "==", "=", ":**", "**:", ":-", ":", "value=", "||", "??"}

// operator returns where the value of a name begins.
func operator(text string, n span) (at int, in place, ok bool) {
	name, at := text[n.start:n.end], n.end
	before := byte(' ')
	if n.start > 0 {
		before = text[n.start-1]
	}
	if (name == "PWD" || name == "OLDPWD") && before != ';' { // folders
		return 0, 0, false
	}
	if before == '<' && strings.HasPrefix(text[at:], ">") {
		end := bareAt(text, at+1).end
		return at + 1, sure, strings.HasPrefix(text[end:], "</")
	}
	in = open
	isOption := name[0] == '-' && !isAlnum(before) && before != '.'
	if isOption && strings.HasPrefix(text[at:], " ") {
		return skipBlank(text, at), literal, true
	}
	if before == '{' || before == '(' || before == ':' { // {password, "…"}, (password . "…")
		value := at
		for value < len(text) && value-at < 4 && strings.IndexByte(" .,<", text[value]) >= 0 {
			value++
		}
		if value > n.end && value < len(text) && text[value] == '"' {
			return value, literal, true
		}
	}
	for at < len(text) && strings.IndexByte("\\\"'`])", text[at]) >= 0 && at-n.end < 3 {
		at++
	}
	direct := at == n.end
	at = skipBlank(text, at)
	for _, op := range operators {
		if !strings.HasPrefix(text[at:], op) {
			continue
		}
		behind := at + len(op)
		value := skipBlank(text, behind)
		isAlone := isVariable(name) && strings.Contains(name, "_")
		switch {
		case op == "=" && direct && at == n.end && value == behind:
			if isOption || isVariable(name) || strings.IndexByte("?&;", before) >= 0 {
				in = sure
			}
		case op == ":":
			value = yamlValue(text, n.start, value)
			if hasPrefixFold(name, "x-") {
				in = literal
			}
			if v, _ := valueAt(text, value); isAlone && endsLine(text, v.end) {
				in = sure
			}
		}
		return value, in, op != ":" || name != "PASS" // what tests print
	}
	return 0, 0, false
}

// endsLine reports whether nothing but a quote or a semicolon follows in the line.
func endsLine(text string, at int) bool {
	for at < len(text) && strings.IndexByte("\"'; \t\r", text[at]) >= 0 {
		at++
	}
	return at == len(text) || text[at] == '\n'
}

// yamlValue returns where the value of a key begins, from behind its colon: behind a tag, or in
// the next line if that is indented deeper and has nothing else.
func yamlValue(text string, name, at int) int {
	rest := text[at:min(len(text), at+maxValue)]
	if strings.HasPrefix(rest, "!!str ") {
		return at + len("!!str ")
	}
	line, next, found := strings.Cut(rest, "\n")
	if !found || strings.Trim(line, "|>+- \r") != "" || len(line) > 4 {
		return at
	}
	indent := len(next) - len(strings.TrimLeft(next, " "))
	before := text[max(0, name-maxName):name]
	before = before[strings.LastIndexByte(before, '\n')+1:]
	start := at + len(line) + 1 + indent
	if v, quoted := valueAt(text, start); indent <= len(before)-len(strings.TrimLeft(before, " ")) || !quoted && !endsLine(text, v.end) {
		return at
	}
	return start
}

func skipBlank(text string, at int) int {
	for limit := at + 8; at < len(text) && at < limit && (text[at] == ' ' || text[at] == '\t'); {
		at++
	}
	return at
}

// valueAt returns the value at an offset, without its quotes: up to the closing one, or as far as
// an unquoted one goes.
func valueAt(text string, at int) (v span, quoted bool) {
	start := at
	if start+1 < len(text) && (text[start] == '@' || strings.IndexByte("bfrun", text[start]|0x20) >= 0) && isQuote(text[start+1]) {
		start++
	}
	isEscaped := start+1 < len(text) && text[start] == '\\' && isQuote(text[start+1])
	if isEscaped {
		start++
	}
	if start >= len(text) || !isQuote(text[start]) {
		return bareAt(text, at), false
	}
	quote := text[start]
	start++
	for end := start; end < len(text) && end-start < maxValue && text[end] != '\n'; end++ {
		switch {
		case text[end] == quote:
			return upToMark(text, span{start, end}), true
		case text[end] == '\\' && isEscaped && end+1 < len(text) && text[end+1] == quote:
			return upToMark(text, span{start, end}), true
		case text[end] == '\\' && !isEscaped:
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
		end = start + len(strings.TrimRight(text[start:end], ".:\\"))
		if !hasDigit(text[start:end]) {
			end = start + len(strings.TrimRight(text[start:end], ".:!?\\"))
		}
	}
	return upToMark(text, span{start, end})
}

// endsValue reports whether an unquoted value ends before an offset. A mark ends it only before a space, another
// mark, a tag or another name, since a password may hold any of them.
func endsValue(text string, at int) bool {
	c := text[at]
	if isSpace(c) || isQuote(c) {
		return true
	}
	if c == '|' || strings.IndexByte(",;<>&)]}", c) < 0 {
		return c == '|'
	}
	next := at + 1
	if next == len(text) || isSpace(text[next]) || isQuote(text[next]) || strings.IndexByte(",;<>&|)]}.:/\\", text[next]) >= 0 {
		return true
	}
	for next < len(text) && next-at < maxName && (isName(text[next]) || text[next] == '.') {
		next++
	}
	if next == at+1 || next == len(text) {
		return false
	}
	isTag := c == '<' && strings.ToLower(text[at:next]) == text[at:next] && text[next] == '>'
	return isTag || c != '<' && (text[next] == '=' || text[next] == ':')
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

// besideName returns where a value begins that is beside a name, and whether one fits there; nil if none is.
func besideName(text string, n span, from int) (at int, in place, fits func(v span, quoted bool) bool) {
	if n.end == len(text) {
		return 0, 0, nil
	}
	any := func(span, bool) bool { return true }
	isQuoted := func(_ span, quoted bool) bool { return quoted }
	isLast := func(v span, quoted bool) bool { // of the arguments
		rest := text[v.end:min(v.end+4, len(text))]
		return quoted && strings.HasPrefix(strings.TrimLeft(rest, "\\\"'` "), ")")
	}
	name := text[n.start:n.end]
	isUpper := isVariable(name) && strings.Contains(name, "_")
	in = open
	if isUpper {
		in = literal
	}
	isCell := func(v span, _ bool) bool {
		word := text[v.start:v.end]
		return isUpper || isSecretValue(word, open) || isTyped(word) && (!isVariable(word) || isMixture(word))
	}
	if text[n.end] == '(' { // setPassword("…")
		getters := []string{"get", "read", "load", "find", "is", "has", "check", "parse"}
		if slices.ContainsFunc(getters, func(verb string) bool { return hasPrefixFold(name, verb) }) {
			return 0, 0, nil
		}
		return skipBlank(text, n.end+1), literal, isLast
	}
	if at, ok := secondArgument(text, n, from); ok {
		return at, literal, isLast
	}
	if at, ok := valueApart(text, n, from); ok {
		return at, in, any
	}
	if at, ok := nextCell(text, n, from); ok {
		return at, in, isCell
	}
	at = skipBlank(text, n.end)
	if at == n.end || at == len(text) {
		return 0, 0, nil
	}
	if second, ok := behindType(text, at); ok { // var password string = "…"
		return second, literal, isQuoted
	}
	first := firstOf(text, n, from)
	isSetting := first < n.start || strings.ContainsAny(name, "_-") || len(name) > len("pw") && strings.HasSuffix(name, "pw")
	switch {
	case isUpper && isQuote(text[at]): // #define DB_PASSWORD "…"
		return at, literal, isQuoted
	case isUpper && strings.Contains(text[n.end:at], "\t"):
		return at, in, isCell
	case isSetting && isLineStart(text, first) || strings.HasSuffix(text[:n.start], "ENV "): // auth_pass …, bindpw …
		return at, literal, func(v span, _ bool) bool { return endsLine(text, v.end) }
	}
	return 0, 0, nil
}

// isLineStart reports whether only blanks are in front of an offset in its line.
func isLineStart(text string, at int) bool {
	before := strings.TrimRight(text[:at], " \t")
	return before == "" || before[len(before)-1] == '\n'
}

// firstOf returns the beginning of a name with dots: db.password.
func firstOf(text string, n span, from int) int {
	first := n.start
	for first > from && n.start-first < maxName && (isName(text[first-1]) || text[first-1] == '.') {
		first--
	}
	return first
}

// secondArgument returns the offset behind a name in quotes that is the first argument.
func secondArgument(text string, n span, from int) (at int, ok bool) {
	first := firstOf(text, n, from)
	if !isQuote(text[n.end]) || first == from || text[first-1] != text[n.end] || n.end+1 == len(text) || text[n.end+1] != ',' {
		return 0, false
	}
	for first--; first > from && n.start-first < maxName && text[first-1] == ' '; {
		first--
	}
	return skipBlank(text, n.end+2), first > from && text[first-1] == '('
}

// valueApart returns where a value begins that is in an element, a field or a block of its own.
func valueApart(text string, n span, from int) (at int, ok bool) {
	rest := text[n.end:min(len(text), n.end+maxLooked)]
	if behind, isKey := strings.CutPrefix(rest, "</key>"); isKey {
		value, found := strings.CutPrefix(strings.TrimLeft(behind, " \t\r\n"), "<string>")
		return n.end + len(rest) - len(value), found
	}
	before := text[max(from, firstOf(text, n, from)-16):n.start]
	inside := strings.TrimLeft(rest, "\\\"'")
	at = n.end + len(rest) - len(inside)
	if strings.HasPrefix(inside, ">") && len(inside) < len(rest) {
		return at + 1, (strings.Contains(before, `name=`) || strings.Contains(before, `key=`)) && strings.HasPrefix(text[bareAt(text, at+1).end:], "</")
	}
	if block, isBlock := strings.CutPrefix(inside, " {"); isBlock && strings.Contains(before, "variable ") {
		block, _, _ = strings.Cut(block, "}")
		_, value, found := strings.Cut(block, "default")
		value, isSet := strings.CutPrefix(strings.TrimLeft(value, " "), "=")
		return at + len(" {") + len(block) - len(strings.TrimLeft(value, " ")), found && isSet
	}
	gap := rest[:min(len(rest), maxGap)]
	field := strings.TrimLeft(gap, "\\\"', \t\r\n")
	for _, word := range []string{"value", "parametervalue"} {
		if !hasPrefixFold(field, word) || len(field) == len(gap) {
			continue
		}
		value := strings.TrimLeft(field[len(word):], "\\\"' ")
		if value != "" && (value[0] == ':' || value[0] == '=') {
			return skipBlank(text, n.end+len(gap)-len(value)+1), true
		}
	}
	return 0, false
}

// nextCell returns where the cell behind that of a name begins in a Markdown table.
func nextCell(text string, n span, from int) (at int, ok bool) {
	const marks = " *`"
	before := strings.TrimRight(text[max(from, n.start-8):n.start], marks)
	at = n.end
	for at < len(text) && at-n.end < 32 && strings.IndexByte(marks, text[at]) >= 0 {
		at++
	}
	if !strings.HasSuffix(before, "|") || at+1 >= len(text) || text[at] != '|' || text[at+1] == '|' {
		return 0, false
	}
	return skipBlank(text, at+1), true
}
