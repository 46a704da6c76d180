package validate

import (
	"strconv"
	"strings"
	"unicode"

	"whence/internal/finding"
	"whence/internal/index"

	"whence/internal/words"
)

// triggerFormat reports triggers that are not lower-case words of letters, digits and
// - ' ’ · ・ / . _ # + with single spaces, as an agent would type them.
func triggerFormat(a *audit, report func(finding.Finding)) {
	for _, e := range a.unique {
		trigger := e.Trigger
		normal := index.NormalizeTrigger(trigger.Text)
		if normal != words.Composed(trigger.Text) {
			f := a.atField(e, trigger, "trigger %q is not in lower case with single spaces: --fix corrects it", trigger.Text)
			f.Fix = &finding.Fix{Edits: []finding.Edit{a.edit(trigger.Span, index.Escape(normal))}}
			report(f)
		} else if strange := StrangeRune(normal); strange != "" {
			report(a.atField(e, trigger, "trigger %q contains %s: use words of letters, digits and - ' / . _ # +", trigger.Text, strange))
		}
	}
}

// StrangeRune returns the first rune, quoted, that a normalised trigger must not contain, or "".
func StrangeRune(trigger string) string {
	for _, r := range trigger {
		if !triggerRune(r) {
			return strconv.Quote(string(r))
		}
	}
	return ""
}

// triggerRune reports whether a normalised trigger may contain a rune. Capitals without a
// lower-case form are not allowed. Joiners are part of words in Persian and Hindi.
func triggerRune(r rune) bool {
	return 'a' <= r && r <= 'z' || r == ' ' || strings.ContainsRune("-'’·・/._#+\u200c\u200d", r) ||
		unicode.IsLetter(r) && !unicode.IsUpper(r) && !unicode.IsTitle(r) || unicode.IsDigit(r) || unicode.IsMark(r)
}
