package redact

import (
	"slices"
	"strings"
)

// Values that are called a secret:
//
//	DB_PASSWORD=…    "client_secret": "…"    api_key = '…'    token: Token = "…"
//	--password …     <password>…</password>  os.environ["API_KEY"] = "…"

// The words that make a name one of a secret.
var (
	passwordWords = []string{"password", "passwd", "passphrase", "passwort", "pwd"}
	secretWords   = []string{"secret", "credential"}
	tokenWords    = []string{"token"}
	keyWords      = []string{"api_key", "api-key", "apikey", "access_key", "accesskey", "private_key", "auth_key",
		"encryption_key", "signing_key", "account_key"}
)

const (
	maxName  = 40  // how much of a name is read behind the word that makes it one
	maxValue = 256 // how much of a value is judged; an accepted one is taken whole
)

// assigned is the search for values of names with a certain word.
func assigned(kind string, isSecret func(value string) bool) func(t *hintTable, text string, hint, from int) (secret, bool) {
	return func(t *hintTable, text string, hint, from int) (secret, bool) {
		at, ok := operator(text, hint, from)
		if !ok {
			return secret{}, false
		}
		v := valueAt(text, at)
		if !v.quoted && v.end > v.start {
			if second, ok := behindType(text, v.end); ok {
				v = valueAt(text, second)
			}
		}
		value := text[v.start:v.end]
		if v.start == v.end || !isNoPlaceholder(value) || isPath(value) || !v.quoted && isExpression(value) || !isSecret(value) {
			return secret{}, false
		}
		if t.covers(text, v.span) {
			return secret{}, false
		}
		for !v.quoted && v.end < len(text) && v.end-v.start >= maxValue && isBare(text[v.end]) {
			v.end++
		}
		return secret{v.span, kind}, true
	}
}

// covers tells whether another rule takes out all of a value.
func (t *hintTable) covers(text string, v span) bool {
	if v.end-v.start < 3 || !t.hot[hash(text, v.start)] {
		return false
	}
	for _, h := range t.rules[hash(text, v.start)] {
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

// operator is where the value begins of the name that has the hint in it.
func operator(text string, hint, from int) (int, bool) {
	at := hint
	for at < len(text) && at-hint < maxName && isName(text[at]) {
		at++
	}
	if at < len(text) && isName(text[at]) || isAbout(text[hint:at]) {
		return 0, false
	}
	start := hint
	for start > from && hint-start < maxName && isName(text[start-1]) {
		start--
	}
	if at < len(text) && text[at] == '>' && start > 0 && text[start-1] == '<' {
		end := bareAt(text, at+1).end
		return at + 1, strings.HasPrefix(text[end:], "</")
	}
	if strings.HasPrefix(text[start:], "--") && at < len(text) && text[at] == ' ' {
		return skipBlank(text, at), true
	}
	for at < len(text) && strings.IndexByte("\\\"'`])", text[at]) >= 0 && at-hint < maxName+3 {
		at++
	}
	at = skipBlank(text, at)
	for _, op := range []string{":=", "=>", "==", "=", ":"} {
		if strings.HasPrefix(text[min(at, len(text)):], op) {
			return skipBlank(text, at+len(op)), true
		}
	}
	return 0, false
}

func isName(c byte) bool { return isAlnum(c) || c == '_' || c == '-' }

// skipBlank goes over a few blanks.
func skipBlank(text string, at int) int {
	for limit := at + 8; at < len(text) && at < limit && (text[at] == ' ' || text[at] == '\t'); {
		at++
	}
	return at
}

// about are ends of names whose value is something about a secret.
var about = []string{
	"izer", "ize", "ized", "izing", "count", "counts", "total", "type", "types", "name", "names", "id", "ids", "url", "urls",
	"uri", "path", "paths", "dir", "file", "files", "filename", "field", "length", "len", "size", "limit", "budget", "usage", "used",
	"ref", "refs", "label", "title", "text", "hint", "help", "message", "description", "regex", "regexp", "pattern", "policy",
	"expires", "expiry", "expiration", "ttl", "at", "in", "by", "prefix", "suffix", "format", "version", "digest", "checksum",
	"hash", "endpoint", "header", "class", "kind", "pos", "position", "index", "line", "lines", "max", "min", "manager", "provider",
	"env", "var", "variable", "arn", "store", "backend", "mode", "status", "state", "placeholder", "set", "list", "map", "input",
	"stdin", "salt", "nonce", "scope", "scopes", "audience", "issuer", "user", "username", "email", "key_id", "keyid",
}

// isAbout decides by the end of a name, from the word that makes it one: token_count,
// passwordFile.
func isAbout(name string) bool {
	name = strings.TrimRight(name, "_-0123456789")
	lower := strings.ToLower(name)
	for _, words := range [...][]string{passwordWords, secretWords, tokenWords, keyWords} {
		for _, word := range words {
			rest, ok := strings.CutPrefix(lower, word)
			if !ok {
				continue
			}
			last := rest[max(strings.LastIndexByte(rest, '_'), strings.LastIndexByte(rest, '-'))+1:]
			if i := lastCapital(name[len(lower)-len(last):]); i > 0 {
				last = last[i:]
			}
			return slices.Contains(about, last)
		}
	}
	return false
}

// lastCapital is where the last word of a name begins that is written with a capital,
// or in capitals.
func lastCapital(name string) int {
	isCapital := func(c byte) bool { return 'A' <= c && c <= 'Z' }
	i := len(name) - 1
	for i >= 0 && !isCapital(name[i]) {
		i--
	}
	if i == len(name)-1 {
		for i > 0 && isCapital(name[i-1]) {
			i--
		}
	}
	return i
}

// value is where a value stands, without its quotes.
type value struct {
	span
	quoted bool
}

// valueAt reads the value at a place: up to its closing quote, or as long as nothing
// ends an unquoted one.
func valueAt(text string, at int) value {
	start := at
	if start < len(text) && strings.IndexByte("bfru@", text[start]|0x20) >= 0 && start+1 < len(text) && isQuote(text[start+1]) {
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
		return value{upToMark(text, bareAt(text, start)), false}
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

// upToMark leaves out what was replaced already.
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

// isBare tells whether an unquoted value goes on.
func isBare(c byte) bool {
	return !isSpace(c) && strings.IndexByte("\"'`,;<>&|)]}", c) < 0
}

// behindType is the place of the value in "name: Type = value", from the end of the
// type.
func behindType(text string, at int) (int, bool) {
	end := skipBlank(text, at)
	if end == at || end >= len(text) || text[end] != '=' {
		return 0, false
	}
	return skipBlank(text, end+1), true
}
