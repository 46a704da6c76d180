package redact

import (
	"bytes"
	_ "embed"
	"encoding/base64"
	"regexp"
	"strings"

	"whence/internal/lazyregexp"
)

// formatTable has the rules for what a format or a place gives away. Its first lines describe it, and
// go test -run Gitleaks -update writes the last ones.
//
//go:embed formats.txt
var formatTable string

// patternNames stand for the parts that patterns of the table share.
var patternNames = strings.NewReplacer(
	"{pem}", pemBlock,
	"{space}", `\s"'`+"`"+`<>\\`, // or what else ends a URL
	"{given}", given,
	"{behind}", otherArguments,
	"{program}", `\w[\w.-]*`+otherArguments,
	"{said}", said,
	"{argument}", `(?:(?:["'][^"'\n]*["']|[$\w.>-]+)\s{0,4},\s{0,4})`,
	"{text}", `["']([^"'\n]+)["']`,
	"{phrase}", phrase,
	"{paired}", `["'*`+"`"+`(]{0,3}([^`+pairEnd+`]*[^`+pairEnd+`.;:)])`, // a password behind its user
)

const (
	// given is a password as a shell takes it; not one that was removed before.
	given = `["']?([^\s"'` + "`" + `;|&<>\[(][^\s"'` + "`" + `;|]*)`

	otherArguments = `[ \t](?:(?:[^\n;|` + "`" + `]|\\\n)*?[\s"'])??`

	// said is between a name and its value, in many languages.
	said = ` ?[:：=→]|,? (?:is|are|ist|sind|lautet|to|es|est|é|è|er|är|jest|это|—|→|-)(?: now| jetzt| teraz| maintenant| ahora)?:?|は|が|是|为|는|은`

	// phrase is a secret of several words behind its name: all that is quoted, or at least four words to the end of the line.
	phrase = `[^\n.:：;=„“"'«「]{3,80}?(?:` + said + `)\s?(?:["'„“«「` + "`" + `]\s?([\pL\pN]+(?:[ _,-]{1,2}[\pL\pN]+)+)\s?["'”“»」` + "`" + `]|((?:[\p{Ll}\p{Lo}\d]{2,} ){3,}[\p{Ll}\p{Lo}\d]{2,})(?:[.!]?[ \t\r]*(?:\n|$)| [–—-] ))`

	// pairEnd ends a pair; in Japanese and Korean no space needs to.
	pairEnd = `\s"'` + "`" + `<>\[,\p{Hiragana}\p{Hangul}`
)

// checks say what a match has to be.
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

// filler is in a token of a document.
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

// wholePattern is the pattern with its names replaced, and behind what it begins with.
func (r *rule) wholePattern() string {
	rest, isRest := strings.CutPrefix(patternNames.Replace(r.pattern), "^")
	if !isRest {
		return rest
	}
	return "(?:" + strings.ReplaceAll(regexp.QuoteMeta(r.starts), ",", "|") + ")" + rest
}

// longHints returns a hint, or all that begin with one too short to be hashed.
func longHints(hint string) (hints []string) {
	if len(hint) >= minHintBytes {
		return []string{hint}
	}
	for _, next := range "0123456789abcdefghijklmnopqrstuvwxyz" {
		hints = append(hints, hint+string(next))
	}
	return hints
}

// port matches a port and what is behind it, as between a host and the mail address in a URL:
// localhost:8080?to=me@host.
var port = lazyregexp.New(`^\d+[?#,;)/]`)

// isCookie judges the values of one cookie or more: a=…; b=….
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

// isUserAndPassword decodes what a header has behind Basic.
func isUserAndPassword(secret string) bool {
	pair, err := base64.StdEncoding.DecodeString(secret)
	return err == nil && bytes.IndexByte(pair, ':') >= 0
}
