package notes

import (
	"strings"
)

// attempts is how often an operation has failed with a message in a log, since it worked
// last. Numbers, paths and hexadecimal words of a message do not count.
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
		case mine && strings.HasPrefix(line, "Resolution:"): // of the record above, as an earlier tool wrote it
			n = 0
		}
	}
	return n
}

// isAttempt tells whether a record is of an operation and a message; an earlier tool has
// written the operation behind it, in brackets.
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

// normalized is a message without what differs each time: numbers, hexadecimal words, paths.
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
		foldWord(&out, word)
	}
	return out.String()
}

// foldWord writes a word, with 0 for each number and each run of hexadecimal digits that
// is long enough to be one.
func foldWord(out *strings.Builder, word string) {
	for i := 0; i < len(word); {
		end, digits := i, 0
		for end < len(word) && isHex(word[end]) {
			if word[end] <= '9' {
				digits++
			}
			end++
		}
		switch {
		case digits > 0 && (end-i == digits || end-i >= 4):
			out.WriteByte('0')
			i = end
		case word[i] >= '0' && word[i] <= '9':
			for i < len(word) && word[i] >= '0' && word[i] <= '9' {
				i++
			}
			out.WriteByte('0')
		default:
			out.WriteByte(word[i])
			i++
		}
	}
}

func isHex(b byte) bool { return b >= '0' && b <= '9' || b >= 'a' && b <= 'f' }
