package redact

import "strings"

// maxUserInfo bounds how far user name and password of a URL are looked for.
const maxUserInfo = 512

// urlPassword finds the password of scheme://user:password@host. The hint is "://".
// A password may hold an @ that should have been escaped: the last one before the
// path counts.
func urlPassword(_ *hintTable, text string, hint, from int) (secret, bool) {
	start := hint + len("://")
	info := text[start:min(len(text), start+maxUserInfo)]
	if end := strings.IndexAny(info, "/ \t\r\n\"'`<>\\"); end >= 0 {
		info = info[:end]
	}
	at := strings.LastIndexByte(info, '@')
	if at < 0 {
		return secret{}, false
	}
	info = info[:at]
	user, password, found := strings.Cut(info, ":")
	if !found || len(password) < 3 || password == user || strings.ContainsAny(user, "?#,;()") ||
		isPort(password) || strings.HasPrefix(password, markBegin[:1]) || !isNoPlaceholder(password) {
		return secret{}, false
	}
	start += len(user) + 1
	return secret{span{start, start + len(password)}, "password"}, true
}

// isPort: what follows the colon of "localhost:8080?to=me@host" is no password.
func isPort(text string) bool {
	rest := strings.TrimLeft(text, "0123456789")
	return len(rest) < len(text) && rest != "" && strings.ContainsRune("?#,;)", rune(rest[0]))
}
