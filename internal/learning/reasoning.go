package learning

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxReasonBytes is the maximal length of a reason.
const maxReasonBytes = 240

// InferReasoning returns the reason in one sentence, in the words of the text: its clause of
// because, so that, otherwise, or to with a purpose; or else its second sentence. Without
// a reason in the text it is one by category that claims nothing. It is never empty.
func InferReasoning(text string, c Category) string {
	text = prose(text)
	for sentence := range sentences(text) {
		if why := withoutPrefix(sentence, whys); why != sentence {
			return asSentence(why)
		}
		if _, why := splitReason(sentence); why != "" && hasWords(why, 2) {
			return asSentence(why)
		}
	}
	if _, rest := firstSentence(text); rest != "" {
		if second, _ := firstSentence(rest); hasWords(second, 3) {
			return asSentence(second)
		}
	}
	switch c {
	case AntiPatterns:
		return "Noted as something to avoid."
	case Patterns:
		return "Noted as the way to do it here."
	default:
		return "Noted as how things behave here."
	}
}

// whys announce a reason.
var whys = []string{"why: ", "reason: ", "rationale: ", "reasoning: ", "this is because ", "that is because ", "the reason is that ", "reason being "}

// asSentence begins a text with a capital and ends it with a full stop.
func asSentence(text string) string {
	text = clip(strings.Join(strings.Fields(text), " "), maxReasonBytes)
	text = capitalized(strings.TrimRight(text, " ,;:"))
	if r, _ := utf8.DecodeLastRuneInString(text); !strings.ContainsRune(".!?…", r) {
		text += "."
	}
	return text
}

// capitalized begins a text with a capital, unless its first word is an identifier or tool.
func capitalized(text string) string {
	r, size := utf8.DecodeRuneInString(text)
	if first := firstWord(text); !unicode.IsLower(r) || isIdentifier(first) || tools.has(first) {
		return text
	}
	return string(unicode.ToUpper(r)) + text[size:]
}

// tools are programs whose names are in lower case.
var tools = wordSet{words: `
	npm npx pnpm pip pipx uv git gh jq yq curl wget grep sed awk tsc eslint pytest mypy ruff kubectl terraform ssh scp rsync systemd tmux vim psql
	cargo rustc gcc clang gofmt webpack vite nginx cron bash zsh sudo apt brew`}

// hasWords reports whether a text has minWords words with letters or digits.
func hasWords(text string, minWords int) bool {
	for word := range strings.FieldsSeq(text) {
		if strings.ContainsFunc(word, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) {
			if minWords--; minWords == 0 {
				return true
			}
		}
	}
	return false
}
