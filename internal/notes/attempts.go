package notes

import (
	"regexp"
	"strings"
	"sync"
)

// attempts counts the failures of an operation with a message in a log, since it last worked.
// Messages that differ in numbers, paths and hexadecimal words are equal.
func attempts(log []byte, operation, message string) (n int) {
	want := normalized(message)
	mine := false
	for line := range strings.Lines(string(log)) {
		line = strings.TrimRight(line, "\r\n")
		kind, rest := recordOf(line)
		switch {
		case kind == "Attempt":
			if mine = isAttempt(rest, operation, want); mine {
				n++
			}
		case kind == "Resolution" && strings.HasPrefix(rest, operation+": "):
			n = 0
		case mine && strings.HasPrefix(line, "Resolution:"): // of the record above, in the format of an earlier tool
			n = 0
		}
	}
	return n
}

// isAttempt reports whether a record is about an operation and a message. An earlier tool wrote
// the operation after the message, in parentheses.
func isAttempt(rest, operation, want string) bool {
	if message, is := strings.CutPrefix(rest, operation+": "); is && normalized(message) == want {
		return true
	}
	message, is := strings.CutSuffix(rest, " ("+operation+")")
	return is && normalized(message) == want
}

// recordOf reads the first line of a record: "[time] Attempt n: rest" or "[time]
// Resolution: rest".
func recordOf(line string) (kind, rest string) {
	if !strings.HasPrefix(line, "[") {
		return "", ""
	}
	_, text, _ := strings.Cut(line, "] ")
	head, rest, found := strings.Cut(text, ": ")
	word, number, _ := strings.Cut(head, " ")
	switch {
	case !found:
	case word == "Attempt" && strings.Trim(number, "0123456789") == "":
		return word, rest
	case head == "Resolution":
		return head, rest
	}
	return "", ""
}

// normalized returns a message without what differs each time: numbers, hexadecimal words, paths.
func normalized(message string) string {
	var out strings.Builder
	for word := range strings.FieldsSeq(strings.ToLower(message)) {
		if out.Len() > 0 {
			out.WriteByte(' ')
		}
		if strings.ContainsAny(word, `/\`) {
			out.WriteByte('/')
			continue
		}
		out.WriteString(withoutNumbers(word))
	}
	return out.String()
}

// number matches numbers, and runs of hexadecimal digits that may be words.
var number = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[0-9a-f]{4,}|[0-9]+`) })

// withoutNumbers replaces each number and each long run of hexadecimal digits with 0.
func withoutNumbers(word string) string {
	return number().ReplaceAllStringFunc(word, func(run string) string {
		if strings.ContainsAny(run, "0123456789") {
			return "0"
		}
		return run // a word such as "face"
	})
}
