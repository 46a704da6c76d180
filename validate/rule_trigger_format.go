package validate

import (
	"strconv"
	"strings"
	"unicode"

	"whence/internal/finding"
	"whence/internal/index"

	"whence/internal/text"
)

// triggerFormat reports triggers that are not lower-case words of letters, digits and
// - ' ’ · ・ / . _ # + with single spaces, as an agent would type them.
func triggerFormat(k *check, report func(finding.Finding)) {
	for i, line := range k.Index.Lines {
		if line.Kind == index.Malformed && line.Problem == index.EmptyTrigger {
			report(k.atOffset(i, line.Entry.Trigger.Start, "empty trigger: write what an agent is doing when the decision applies"))
		}
	}
	for _, i := range k.unique {
		if f, bad := triggerFinding(k, i, k.Index.Lines[i].Entry.Trigger); bad {
			report(f)
		}
	}
}

func triggerFinding(k *check, i int, trigger index.Field) (finding.Finding, bool) {
	normal := index.NormalizeTrigger(trigger.Text)
	strange := StrangeRunes(normal)
	isNormal := normal == text.Composed(trigger.Text)
	if isNormal && strange == "" {
		return finding.Finding{}, false
	}
	var what []string
	if !isNormal {
		what = append(what, "is not in lower case with single spaces: --fix corrects it")
	}
	if strange != "" {
		what = append(what, "contains "+strange+": use words of letters, digits and - ' / . _ # +")
	}
	f := k.atOffset(i, trigger.Start, "trigger %q %s", trigger.Text, strings.Join(what, "; it "))
	if !isNormal {
		f.Fix = &finding.Fix{Edits: []finding.Edit{k.edit(trigger.Span, index.Escape(normal))}}
	}
	return f, true
}

// StrangeRunes lists the runes that a normalised trigger must not contain, or is empty.
func StrangeRunes(trigger string) string {
	if !strings.ContainsFunc(trigger, func(r rune) bool { return !triggerRune(r) }) {
		return ""
	}
	var strange []string
	seen := map[rune]bool{}
	for _, r := range trigger {
		if !seen[r] && !triggerRune(r) {
			seen[r] = true
			strange = append(strange, strconv.Quote(string(r)))
		}
	}
	return strings.Join(strange, " ")
}

// triggerRune reports whether a normalised trigger may contain a rune. Capitals without a
// lower-case form are not allowed. Joiners are part of words in Persian and Hindi.
func triggerRune(r rune) bool {
	return 'a' <= r && r <= 'z' || r == ' ' || strings.ContainsRune("-'’·・/._#+\u200c\u200d", r) ||
		unicode.IsLetter(r) && !unicode.IsUpper(r) && !unicode.IsTitle(r) || unicode.IsDigit(r) || unicode.IsMark(r)
}
