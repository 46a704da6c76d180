package redact

import (
	"slices"
	"strings"
)

// Is a value a secret, or does it only stand where one could? A machine's secret mixes
// letters and digits as no word does. A person's password is no longer than a word, so
// that only its characters tell.

const (
	minRandom   = 16
	minDistinct = 8
	minPassword = 8
)

// isRandom tells whether a value was made by a machine: it changes between letters and
// digits again and again, or its words are too short for names in camel case.
func isRandom(value string) bool {
	if len(value) < minRandom || distinct(value) < minDistinct {
		return false
	}
	var count [4]int
	changes, words := 0, 1
	for i := range len(value) {
		c := value[i]
		if c <= ' ' || c > '~' {
			return false
		}
		class := classOf(c)
		count[class]++
		if i == 0 || class == classOf(value[i-1]) {
			continue
		}
		before := classOf(value[i-1])
		if class == digit && before >= small || before == digit && class >= small {
			changes++
		}
		if before != capital || class != small {
			words++
		}
	}
	if count[small]+count[capital] < 4 {
		return false
	}
	if changes >= max(3, len(value)/10) {
		return true
	}
	return count[small] > 0 && count[capital] > 0 && count[other] < len(value)/5 && len(value)*10 <= words*maxWord
}

// maxWord is ten times the mean length of the words of a random text of letters and
// digits, and a little: it is 22, that of names above 30.
const maxWord = 26

// The classes of characters.
const (
	other = iota
	digit
	small
	capital
)

func classOf(c byte) int {
	switch {
	case isDigit(c):
		return digit
	case !isLetter(c):
		return other
	case c < 'a':
		return capital
	}
	return small
}

// isPassword tells whether a value looks like what a person types: no blanks, letters,
// and a digit or another character that no word has.
func isPassword(value string) bool {
	if len(value) < minPassword || distinct(value) < 4 {
		return false
	}
	var letter, other bool
	for i := range len(value) {
		switch c := value[i]; {
		case c <= ' ':
			return false
		case isLetter(c) || c >= 0x80:
			letter = true
		case isDigit(c) || strings.IndexByte("!@#$%^&*?+~=", c) >= 0:
			other = true
		}
	}
	return letter && other
}

// isPath: such a value says where the secret is.
func isPath(value string) bool {
	if strings.Contains(value, "://") || strings.Contains(value, `:\`) {
		return true
	}
	return strings.HasPrefix(value, "./") || strings.HasPrefix(value, "../") || strings.HasPrefix(value, "~/") ||
		value[0] == '/' && strings.Count(value, "/") > 1 && !isRandom(value)
}

// isExpression tells whether an unquoted value is source code: a call, a field, an
// index, a variable of the shell.
func isExpression(value string) bool {
	if strings.ContainsAny(value, "({[*\\") || strings.Contains(value, "::") || strings.Contains(value, "->") || strings.IndexByte("-!+,=", value[0]) >= 0 {
		return true
	}
	parts := strings.Split(value, ".")
	if len(parts) < 2 {
		return false
	}
	for _, part := range parts {
		if part == "" || !isLetter(part[0]) && part[0] != '_' || isRandom(part) {
			return false
		}
		for i := range len(part) {
			if !isName(part[i]) && part[i] != '?' {
				return false
			}
		}
	}
	return true
}

// wholePlaceholders stand for a secret when they are all of a value, smallPlaceholders
// anywhere in it.
var (
	wholePlaceholders = []string{"pass", "password", "passwd", "passwort", "passphrase", "pw", "pwd", "secret",
		"token", "apikey", "api_key", "api-key", "key", "none", "null", "nil", "true", "false", "undefined",
		"string", "user", "username", "mysecret", "mypassword", "mytoken"}
	smallPlaceholders = []string{"your", "xxx", "***", "...", "…", "${", "$(", "{{", "<", "changeme", "change-me", "change_me",
		"placeholder", "redacted", "dummy", "insert", "replace", "-here", "_here", "process.env", "os.environ", "getenv", "secrets.",
		"env.", "vault:", "op://", "arn:aws", "enc[", "sample"}
)

// isNoPlaceholder tells whether a value does not stand for another one.
func isNoPlaceholder(value string) bool {
	if value == "" || distinct(value) < 3 || strings.IndexByte("$%<[{", value[0]) >= 0 {
		return false
	}
	lower := strings.ToLower(value)
	if slices.Contains(wholePlaceholders, lower) {
		return false
	}
	for _, part := range smallPlaceholders {
		if strings.Contains(lower, part) {
			return false
		}
	}
	return true
}

// isNoWord is for places where hardly anything but a secret or a word can stand.
func isNoWord(value string) bool {
	return isNoPlaceholder(value) && (hasDigit(value) || strings.HasSuffix(value, "=") || isMixed(value))
}

// isMixed: a word does not change between small and capital letters again and again.
func isMixed(value string) bool {
	n := 0
	for i := 1; i < len(value); i++ {
		if classOf(value[i]) != classOf(value[i-1]) {
			n++
		}
	}
	return n >= 4
}

func hasDigit(value string) bool { return strings.ContainsAny(value, "0123456789") }

func distinct(value string) int {
	var seen [256]bool
	n := 0
	for i := range len(value) {
		if !seen[value[i]] {
			seen[value[i]] = true
			n++
		}
	}
	return n
}
