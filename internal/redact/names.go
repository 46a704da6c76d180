package redact

import (
	"slices"
	"strings"

	"whence/internal/text"
)

// Names of secrets: DB_PASSWORD, smtp_pass, clientSecret, private-key, AZURE_DEVOPS_EXT_PAT.

// naming decides whether a name says that its value is a secret, from the place in it at
// which a hint was seen.
type naming func(name string, at int) bool

// names are the beginnings of the words that make a name that of a secret, and how it is judged.
var names = []struct {
	kind     string
	hints    []string
	isName   naming
	isSpoken bool // may be in a sentence
	isSecret func(value string, in place) bool
}{
	{"password", []string{"pass", "pwd", "kennwort", "pw=", "pw:", "pw ", "pw\"", "rootpw", "bindpw", "psk", "authtok", "pin"}, isPasswordName, true, isPasswordValue},
	{"secret", []string{"secret", "credential", "creds"}, isLongName, true, isSharedSecret},
	{"token", []string{"token", "pat"}, isTokenName, true, isSecretValue},
	{"API key", []string{"key"}, isKeyName, true, isSecretValue},
	{"authorization", []string{"auth"}, endsIn("auth"), false, isSecretValue},
	{"cookie", []string{"cookie"}, endsIn("cookie"), false, isSecretValue},
}

// longWords match what makes a name that of a secret wherever they are in it, unless its end says that
// the value is about a secret: token_count.
const longWords = `(?i:password|passwd|passphrase|passwort|kennwort|passcode|pwd|rootpw|bindpw|authtok|secret|credential|creds|token)`

var longWord = text.Lazy(`^` + longWords)

func isLongName(name string, at int) bool {
	word := longWord().FindString(name[at:])
	return word != "" && !isAbout(name[at+len(word):])
}

// gluedBefore are words that are written together with "pass".
var gluedBefore = strings.Fields("db user smtp ftp mail admin root my sql pg ssh proxy remote login wifi ldap store key sudo become")

// isPasswordName accepts smtp_pass, dbpass and PIN, but neither bypass nor pass_rate.
func isPasswordName(name string, at int) bool {
	return isLongName(name, at) || name == "PIN" || endsName(name, at, "pw") || endsName(name, at, "psk") || hasPrefixFold(name[at:], "pass") &&
		(endsName(name, at, "pass") || slices.Contains(gluedBefore, strings.ToLower(strings.TrimLeft(name[:at], "-"))) && endsName(name[at:], 0, "pass"))
}

// isTokenName accepts a "pat", a personal access token, as the last word of a name.
func isTokenName(name string, at int) bool {
	return isLongName(name, at) || endsName(name, at, "pat")
}

// endsIn accepts a word as the last one of a name.
func endsIn(word string) naming {
	return func(name string, at int) bool { return endsName(name, at, word) }
}

// secretKeys are the words in front of "key" that make it a secret; ordinaryKeys those that
// do not, where a variable of the environment has any other one.
var (
	secretKeys = strings.Fields(`api access private priv auth authentication encryption encrypt decryption signing sign account
		master deploy client server storage subscription consumer app application admin service shared wifi wlan
		license preshared fernet jwt hmac aes rsa ssh ssl tls webhook session secret root crypto symmetric`)
	ordinaryKeys = strings.Fields(`public pub primary foreign sort partition cache row object map hash group index
		unique composite idempotency dedup range translation message lookup registry routing event image build`)
)

func isKeyName(name string, at int) bool {
	qualifier := lastWord(strings.TrimRight(name[:at], "_-"))
	if qualifier == "" || isAbout(name[at+len("key"):]) || !wordEnds(name, at+len("key")) {
		return false
	}
	if slices.ContainsFunc(secretKeys, func(word string) bool { return strings.HasSuffix(qualifier, word) }) { // myapikey
		return true
	}
	return isVariable(name) && strings.HasSuffix(name, "KEY") && !slices.Contains(ordinaryKeys, qualifier)
}

// isSpokenKey accepts "API key", two words.
func isSpokenKey(text string, hint int, n span) bool {
	if !hasPrefixFold(text[hint:], "key") || n.start != hint || n.end-hint > len("keys") || !strings.HasSuffix(text[:hint], " ") {
		return false
	}
	before, _ := nameAt(text, hint-1, 0)
	name := text[before.start:hint-1] + "_" + text[hint:n.end]
	return isKeyName(name, hint-before.start)
}

// keptEnds are the last words of a name that is still that of the secret before them.
var keptEnds = strings.Fields("value data b64 base64 prod production dev staging test live old new")

// endsName reports whether the word at an offset is a whole word of a name, and its last.
func endsName(name string, at int, word string) bool {
	if !hasPrefixFold(name[at:], word) || at > 0 && isAlnum(name[at-1]) && (!isCapital(name[at]) || isCapital(name[at-1])) {
		return false
	}
	rest := strings.Trim(name[at+len(word):], "_-0123456789")
	return rest == "" || wordEnds(name, at+len(word)) && slices.Contains(keptEnds, strings.ToLower(rest))
}

// wordEnds reports whether a word of a name ends before an offset.
func wordEnds(name string, at int) bool {
	return at == len(name) || !isLetter(name[at]) || isCapital(name[at]) && !isCapital(name[at-1])
}

// isVariable reports whether a name is written like a variable of the environment.
func isVariable(name string) bool { return strings.Trim(name, capitals+digitChars+"_") == "" }

// about are ends of names whose value is something about a secret.
var about = strings.Fields(`izer ize ized izing count counts total type types name names id ids url urls
	uri path paths dir file files filename field length len size limit budget usage used
	ref refs label title text hint help message description regex regexp pattern policy
	expires expiry expiration ttl at in by prefix suffix format version digest checksum
	hash endpoint header class kind pos position index line lines max min manager smanager provider
	env var variable arn store backend mode status state placeholder set list map input
	stdin salt nonce scope scopes audience issuer user username email keyid`)

// isAbout decides by the rest of a name, behind the word that makes it one: token_count,
// passwordFile.
func isAbout(rest string) bool {
	return slices.Contains(about, lastWord(strings.TrimRight(rest, "_-0123456789")))
}

// finalWord matches the last word of a name. It follows a mark, begins with a capital, or is in
// capitals.
var finalWord = text.Lazy(`(?:[A-Z]?[^A-Z_-]+|[A-Z]+)$`)

func lastWord(name string) string { return strings.ToLower(finalWord().FindString(name)) }
