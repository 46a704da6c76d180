package redact

import (
	"slices"
	"strings"
)

// Values that no operator assigns to their name:
//
//	os.Setenv("DB_PASSWORD", "…")     setPassword("…")        var password string = "…"
//	name: DB_PASSWORD                 {"name": "DB_PASSWORD", "value": "…"}
//	value: …                          variable "db_password" { default = "…" }
//	<entry key="db.password">…<       <key>password</key><string>…<
//	| password | … |                  DB_PASSWORD<tab>…

const (
	maxGap   = 80  // bytes between a name and the word "value"
	maxBlock = 300 // bytes of a block in which a default is looked for
)

// layout is the arrangement of a value and its name.
type layout int

const (
	notBeside layout = iota
	argument         // behind the name, or of a function so called
	declared         // of a variable or macro
	apart            // in an element or field of its own
	cell             // of a table
)

// besideName returns where a value begins that is beside the name with the hint in it.
func besideName(text string, hint, from int, isNamed naming) (at int, in syntax, how layout) {
	n, ok := nameAt(text, hint, from)
	if !ok || n.end == len(text) || !isNamed(text[n.start:n.end], hint-n.start) {
		return 0, 0, notBeside
	}
	name := text[n.start:n.end]
	isUpper := isVariable(name) && strings.Contains(name, "_")
	in = open
	if isUpper {
		in = literal
	}
	if text[n.end] == '(' { // setPassword("…")
		if isGetter(name) {
			return 0, 0, notBeside
		}
		return skipBlank(text, n.end+1), literal, argument
	}
	if at, ok = secondArgument(text, n, from); ok {
		return at, literal, argument
	}
	if at, ok = valueApart(text, n, from); ok {
		return at, in, apart
	}
	if at, ok = nextCell(text, n, from); ok {
		return at, in, cell
	}
	switch at = skipBlank(text, n.end); {
	case at == n.end || at == len(text):
	case isUpper && isQuote(text[at]): // #define DB_PASSWORD "…"
		return at, literal, declared
	case isUpper && strings.Contains(text[n.end:at], "\t"):
		return at, in, cell
	default:
		if at, ok = behindType(text, at); ok { // var password string = "…"
			return at, literal, declared
		}
	}
	return 0, 0, notBeside
}

// fits reports whether a value may be beside its name in a layout.
func fits(text string, v value, in syntax, how layout) bool {
	word := text[v.start:v.end]
	if len(word) < minPassword || isNaming(word) || isStatus(word) {
		return false
	}
	switch how {
	case argument: // the last one
		rest := text[v.end:min(v.end+4, len(text))]
		return v.quoted && strings.HasPrefix(strings.TrimLeft(rest, "\\\"'` "), ")")
	case declared:
		return v.quoted
	case cell:
		return in > open || isSecretValue(word, open) || isTyped(word) && (!isVariable(word) || isShortRandom(word))
	}
	return true
}

// isGetter reports whether a function is named for giving a secret rather than taking one.
func isGetter(name string) bool {
	verbs := []string{"get", "read", "load", "find", "is", "has", "check", "parse"}
	return slices.ContainsFunc(verbs, func(verb string) bool { return hasPrefixFold(name, verb) })
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

// valueApart returns where a value begins that is in an element or a field of its own.
func valueApart(text string, n span, from int) (at int, ok bool) {
	rest := text[n.end:min(len(text), n.end+maxBlock)]
	if _, isKey := strings.CutPrefix(rest, "</key>"); isKey {
		_, value, found := strings.Cut(rest, "<string>")
		between := len(rest) - len(value) - len("</key><string>")
		return n.end + len(rest) - len(value), found && strings.TrimSpace(rest[len("</key>"):len("</key>")+between]) == ""
	}
	before := text[max(from, firstOf(text, n, from)-16):n.start]
	inside := strings.TrimLeft(rest, "\\\"'")
	if _, isElement := strings.CutPrefix(inside, ">"); isElement && len(inside) < len(rest) {
		at = n.end + len(rest) - len(inside) + 1
		return at, (strings.Contains(before, `name=`) || strings.Contains(before, `key=`)) && strings.HasPrefix(text[bareAt(text, at).end:], "</")
	}
	if block, isBlock := strings.CutPrefix(inside, " {"); isBlock && strings.Contains(before, "variable ") {
		at = n.end + len(rest) - len(inside) + len(" {")
		block, _, _ = strings.Cut(block, "}")
		_, value, found := strings.Cut(block, "default")
		value, isSet := strings.CutPrefix(strings.TrimLeft(value, " "), "=")
		return at + len(block) - len(strings.TrimLeft(value, " ")), found && isSet
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
