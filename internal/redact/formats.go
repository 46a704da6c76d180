package redact

import (
	"bytes"
	_ "embed"
	"encoding/base64"
	"regexp"
	"strings"

	"whence/internal/lazyregexp"
)

// formatTable holds the rules for secrets that their format or place gives away. Its first lines describe it,
// and go test -run Gitleaks -update writes the last ones.
//
//go:embed formats.txt
var formatTable string

// patternNames replaces the names of the parts that patterns of the table share.
var patternNames = strings.NewReplacer(
	"{pem}", pemBlock,
	"{space}", `\s"'`+"`"+`<>\\`, // or other characters that end a URL
	"{given}", given,
	"{behind}", otherArguments,
	"{program}", `\w[\w.-]*`+otherArguments,
	"{said}", said,
	"{argument}", `(?:(?:["'][^"'\n]*["']|[$\w.>-]+)\s{0,4},\s{0,4})`,
	"{text}", `["']([^"'\n]+)["']`,
	"{phrase}", phrase,
	"{paired}", `["'*`+"`"+`(]{0,3}([^`+pairEnd+`]*[^`+pairEnd+`.;:)])`, // a password after its user
)

const (
	// given is a password as an argument in a shell, except one that was removed before.
	given = `["']?([^\s"'` + "`" + `;|&<>\[(][^\s"'` + "`" + `;|]*)`

	otherArguments = `[ \t](?:(?:[^\n;|` + "`" + `]|\\\n)*?[\s"'])??`

	// said is between a name and its value, in many languages.
	said = ` ?[:：=→]|,? (?:is|are|ist|sind|lautet|to|es|est|é|è|er|är|jest|это|—|→|-)(?: now| jetzt| teraz| maintenant| ahora)?:?|は|が|是|为|는|은`

	// phrase is a secret of several words after its name: all that is quoted, or at least four words up to the end of
	// the line.
	phrase = `[^\n.:：;=„“"'«「]{3,80}?(?:` + said + `)\s?(?:["'„“«「` + "`" + `]\s?([\pL\pN]+(?:[ _,-]{1,2}[\pL\pN]+)+)\s?["'”“»」` + "`" + `]|((?:[\p{Ll}\p{Lo}\d]{2,} ){3,}[\p{Ll}\p{Lo}\d]{2,})(?:[.!]?[ \t\r]*(?:\n|$)| [–—-] ))`

	// pairEnd holds the characters that end a pair. In Japanese and Korean, no space need follow it.
	pairEnd = `\s"'` + "`" + `<>\[,\p{Hiragana}\p{Hangul}`
)

// checks decide whether a match is a secret. The table names them.
var checks = map[string]func(secret string) bool{
	"":      func(secret string) bool { return !strings.Contains(strings.ToLower(secret), filler) },
	"digit": func(secret string) bool { return (hasDigit(secret) || isRandom(secret)) && !isHarmless(secret) },
	"basic": isUserAndPassword,
	"made":  func(secret string) bool { return isMade(secret) && !isHarmless(secret) },
	"paired": func(secret string) bool {
		return isMade(secret) && !isHarmless(secret) && !strings.ContainsAny(secret, "/:=")
	},
	"login":  func(secret string) bool { return isStated(secret, "password") && !strings.ContainsAny(secret, "/:=") },
	"marked": func(secret string) bool { return isMarked(secret) && !isHarmless(secret) },
	"given":  func(secret string) bool { return len(secret) >= minGivenBytes && !isHarmless(secret) },
	"url":    func(password string) bool { return !port().MatchString(password) && !isHarmless(password) },
	"cookie": isCookie,
	"phrase": func(secret string) bool { return isMnemonic(secret) || !isHarmless(secret) },
}

// filler is part of a sample token in documentation.
const filler = "xxxxxxxx"

// formats returns the rules of the table.
func formats() (rules []rule) {
	for line := range strings.Lines(formatTable) {
		fields := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(fields) != 5 || line[0] == '#' {
			continue
		}
		hints, inWord := strings.CutPrefix(fields[2], "*")
		r := rule{kind: fields[0], inWord: inWord, before: fields[3], check: checks[fields[1]]}
		for hint := range strings.SplitSeq(hints, ",") {
			r.hints = append(r.hints, longHints(strings.ToLower(hint))...)
		}
		r.pattern, r.starts = fields[4], hints
		rules = append(rules, r)
	}
	return rules
}

// wholePattern returns the pattern with its names replaced, and its starts in place of ^.
func (r *rule) wholePattern() string {
	rest, isRest := strings.CutPrefix(patternNames.Replace(r.pattern), "^")
	if !isRest {
		return rest
	}
	return "(?:" + strings.ReplaceAll(regexp.QuoteMeta(r.starts), ",", "|") + ")" + rest
}

// longHints returns a hint; if it is too short to be hashed, all hints with one more character.
func longHints(hint string) (hints []string) {
	if len(hint) >= minHintBytes {
		return []string{hint}
	}
	for _, next := range "0123456789abcdefghijklmnopqrstuvwxyz" {
		hints = append(hints, hint+string(next))
	}
	return hints
}

// port matches a port and the character after it, for example between a host and the mail address in a
// URL: localhost:8080?to=me@host.
var port = lazyregexp.New(`^\d+[?#,;)/]`)

// isCookie reports whether a value among one or more cookies may be a secret: a=…; b=….
func isCookie(values string) bool {
	for value := range strings.SplitSeq(values, ";") {
		if _, value, _ = strings.Cut(value, "="); len(value) >= 16 && !isHarmless(value) {
			return true
		}
	}
	return false
}

// isMnemonic reports whether a text has as many words as the seed of a wallet.
func isMnemonic(secret string) bool {
	n := len(strings.Fields(secret))
	return n >= 12 && n <= 24 && n%3 == 0
}

// isUserAndPassword reports whether a text is an encoded user:password, as after Basic in a header.
func isUserAndPassword(secret string) bool {
	pair, err := base64.StdEncoding.DecodeString(secret)
	return err == nil && bytes.IndexByte(pair, ':') >= 0
}
