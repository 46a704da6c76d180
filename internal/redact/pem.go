package redact

import "strings"

// Private keys in PEM: a line of BEGIN, base 64, a line of END. The lines may be
// indented, quoted, numbered, or joined by an escaped \n as in JSON. Of a block that is
// cut off, the base 64 goes that is there; a marker without any is only talked about.

const (
	pemBegin = "-----begin"
	pemEnd   = "-----end"

	// maxLabel is the length of "RSA PRIVATE KEY-----" with whatever stands before.
	maxLabel = 60

	// minLine is how much base 64 in a row is surely some of a key that was cut off.
	minLine = 24
)

// pemBlock finds a private key from its BEGIN on.
func pemBlock(_ *hintTable, text string, hint, _ int) (secret, bool) {
	body, ok := markerEnd(text, hint+len(pemBegin))
	if !ok {
		return secret{}, false
	}
	longest, last := 0, 0 // the longest base 64, and the end of the last one that is long
	at := body
	for at < len(text) {
		piece, next := pieceAt(text, at)
		if end := indexFold(piece, pemEnd); end >= 0 {
			longest = max(longest, base64Run(piece[:end]))
			after, ok := markerEnd(text, at+end+len(pemEnd))
			if ok && (longest >= minLine || lineBreaks(text[body:at+end])) {
				return secret{span{hint, after}, privateKey}, true
			}
			break
		}
		if !isKeyPiece(piece) {
			if run := leadingBase64(piece); run >= minLine {
				last = at + run
			}
			break
		}
		if run := base64Run(piece); run >= minLine {
			longest, last = max(longest, run), at+len(strings.TrimRightFunc(piece, func(r rune) bool { return r >= 0x80 || !isBase64(byte(r)) }))
		}
		at = next
	}
	if last == 0 {
		return secret{}, false
	}
	return secret{span{hint, last}, privateKey}, true
}

// pemTail finds the rest of a private key whose BEGIN is cut off.
func pemTail(_ *hintTable, text string, hint, from int) (secret, bool) {
	after, ok := markerEnd(text, hint+len(pemEnd))
	if !ok {
		return secret{}, false
	}
	first := -1
	for at := hint; at > from; {
		piece, start := pieceBefore(text, at, from)
		if !isKeyPiece(piece) || indexFold(piece, pemEnd) >= 0 {
			break
		}
		if run := base64Run(piece); run >= minLine {
			first = start
		}
		at = start
	}
	if first < 0 {
		return secret{}, false
	}
	return secret{span{first, after}, privateKey}, true
}

// markerEnd is the end of a marker of which BEGIN or END was read, if it is that of a
// private key.
func markerEnd(text string, at int) (int, bool) {
	label := text[at:min(len(text), at+maxLabel)]
	dashes := strings.Index(label, "-----")
	if dashes < 0 || indexFold(label[:dashes], "private key") < 0 || strings.ContainsAny(label[:dashes], "\r\n") {
		return 0, false
	}
	return at + dashes + len("-----"), true
}

// pieceAt is what stands between white space, real or escaped, and where the next
// piece begins.
func pieceAt(text string, at int) (piece string, next int) {
	end := at
	for end < len(text) && gapAt(text, end) == 0 {
		end++
	}
	return text[at:end], end + max(1, gapAt(text, end))
}

// pieceBefore is the piece that ends before a place, which may be a gap's end.
func pieceBefore(text string, at, from int) (piece string, start int) {
	end := at
	switch {
	case isSpace(text[end-1]):
		end--
	case end-from >= 2 && gapAt(text, end-2) == 2:
		end -= 2
	}
	start = end
	for start > from && !isSpace(text[start-1]) && (start-from < 2 || gapAt(text, start-2) != 2) {
		start--
	}
	return text[start:end], start
}

// gapAt is the length of the white space at a place: a byte, \n or \r.
func gapAt(text string, at int) int {
	switch {
	case at >= len(text):
		return 0
	case isSpace(text[at]):
		return 1
	case text[at] == '\\' && at+1 < len(text) && (text[at+1] == 'n' || text[at+1] == 'r' || text[at+1] == 't'):
		return 2
	}
	return 0
}

// isKeyPiece: base 64, a header of the block, or what is written around its lines.
func isKeyPiece(piece string) bool {
	if indexFold(piece, pemBegin) >= 0 {
		return false
	}
	for i := range len(piece) {
		if c := piece[i]; !isBase64(c) && !strings.ContainsRune("-:,.\"'`>|#*\\", rune(c)) && c < 0x80 {
			return false
		}
	}
	return true
}

func base64Run(piece string) int {
	longest := 0
	for len(piece) > 0 {
		run := leadingBase64(piece)
		longest = max(longest, run)
		piece = piece[min(len(piece), run+1):]
	}
	return longest
}

func leadingBase64(piece string) int {
	i := 0
	for i < len(piece) && isBase64(piece[i]) {
		i++
	}
	return i
}

func isBase64(c byte) bool { return isAlnum(c) || c == '+' || c == '/' || c == '=' }

func lineBreaks(text string) bool {
	return strings.ContainsAny(text, "\r\n") || strings.Contains(text, `\n`)
}

// indexFold is about a substring in lower case.
func indexFold(text, part string) int {
	for i := 0; i+len(part) <= len(text); i++ {
		if hasPrefixFold(text[i:], part) {
			return i
		}
	}
	return -1
}
