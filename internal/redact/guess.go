package redact

import "strings"

// Is a value a secret, or does it only stand where one could? A machine's secret mixes
// letters and digits as no word does. A person's password is no longer than a word, so
// that only its characters tell.

const (
	minRandom   = 16
	minDistinct = 8
	minPassword = 8
)

// isRandom tells whether a value was made by a machine: it changes between letters and
// digits, or between small and capital letters, again and again.
func isRandom(value string) bool {
	if len(value) < minRandom || distinct(value) < minDistinct {
		return false
	}
	var letters, digits, changes, runs, capitals int
	for i := range len(value) {
		c := value[i]
		switch {
		case isDigit(c):
			digits++
		case isLetter(c):
			letters++
			if c < 'a' {
				capitals++
			}
		case c < '!' || c > '~':
			return false
		}
		if i == 0 {
			runs++
			continue
		}
		before := value[i-1]
		if isDigit(c) && isLetter(before) || isLetter(c) && isDigit(before) {
			changes++
		}
		if classOf(c) != classOf(before) {
			runs++
		}
	}
	if letters < 4 {
		return false
	}
	if digits > 0 && changes >= max(3, len(value)/10) {
		return true
	}
	return capitals > 0 && capitals < letters && float64(len(value))/float64(runs) <= 2.2 && letters+digits > len(value)*4/5
}

func classOf(c byte) int {
	switch {
	case isDigit(c):
		return 1
	case !isLetter(c):
		return 2
	case c < 'a':
		return 3
	}
	return 4
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
	wholePlaceholders = strings.Fields("pass password passwd passwort passphrase pw pwd secret token apikey api_key api-key key p " +
		"none null nil true false undefined string user username mysecret mypassword mytoken sekret")
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
	for _, word := range wholePlaceholders {
		if lower == word {
			return false
		}
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
	return isNoPlaceholder(value) && (hasDigit(value) || strings.HasSuffix(value, "=") || isRandom(value))
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
