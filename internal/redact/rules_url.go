package redact

import "strings"

// maxUserInfo bounds how far user name and password of a URL are looked for.
const maxUserInfo = 512

// urlSecret finds the password of scheme://user:password@host, and a token in the place of
// the user. The hint is "://". A password may hold an @ that should have been escaped: the
// last one before the path counts.
func urlSecret(t *hintTable, text string, hint, from int) (secret, bool) {
	start := hint + len("://")
	info := text[start:min(len(text), start+maxUserInfo)]
	if end := strings.IndexAny(info, " \t\r\n\"'`>\\"); end >= 0 {
		info = info[:end]
	}
	path := strings.IndexByte(info, '/')
	if path >= 0 && strings.IndexByte(info[:path], '@') >= 0 {
		info = info[:path]
	}
	at := strings.LastIndexByte(info, '@')
	if at < 0 {
		return secret{}, false
	}
	info = info[:at]
	user, password, found := strings.Cut(info, ":")
	if strings.ContainsAny(user, "?#,;()/<[") {
		return secret{}, false
	}
	if isRandom(user) || isJumble(user, literal) && len(user) >= minRandom {
		s := span{start, start + len(info)}
		return secret{s, "token"}, isNoPlaceholder(user) && !t.covers(text, s)
	}
	if !found || len(password) < 3 || password == user || isPort(password) || !isNoPlaceholder(password) ||
		strings.Contains(password, "/") && (strings.Contains(user, ".") || !isPasswordValue(password, literal)) {
		return secret{}, false
	}
	start += len(user) + 1
	return secret{span{start, start + len(password)}, "password"}, true
}

// isPort reports whether a text is a port and what follows it, as in
// "localhost:8080?to=me@host", and not a password.
func isPort(text string) bool {
	rest := strings.TrimLeft(text, digitChars)
	return len(rest) < len(text) && rest != "" && strings.ContainsRune("?#,;)/", rune(rest[0]))
}
