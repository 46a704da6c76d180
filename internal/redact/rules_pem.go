package redact

import "strings"

// Private keys in PEM: a line of BEGIN, base 64, a line of END. The lines may be
// indented, quoted, numbered, or joined by an escaped \n as in JSON. Of a truncated block the
// existing base 64 is removed; a marker without any is only mentioned.

const (
	pemBegin = "-----begin"
	pemEnd   = "-----end"

	// maxLabelBytes is enough for "RSA PRIVATE KEY-----" and what precedes it.
	maxLabelBytes = 60

	// minRunBytes is the length of base 64 that is surely part of a truncated key.
	minRunBytes = 24
)

// pemBlock finds a private key that begins at a BEGIN.
func pemBlock(_ *hintTable, text string, hint, _ int) (secret, bool) {
	body, ok := markerEnd(text, hint+len(pemBegin))
	if !ok {
		return secret{}, false
	}
	longest, last := 0, 0 // length of the longest run of base 64, end of the last long one
	at := body
	for at < len(text) {
		piece, next := pieceAt(text, at)
		if end := indexFold(piece, pemEnd); end >= 0 {
			longest = max(longest, base64Run(piece[:end]))
			after, ok := markerEnd(text, at+end+len(pemEnd))
			if ok && (longest >= minRunBytes || lineBreaks(text[body:at+end])) {
				return secret{span{hint, after}, privateKey}, true
			}
			break
		}
		if !isKeyPiece(piece) {
			run := strings.IndexFunc(piece, isNoBase64)
			if run >= minRunBytes {
				last = at + run
			}
			break
		}
		if run := base64Run(piece); run >= minRunBytes {
			longest, last = max(longest, run), at+len(strings.TrimRightFunc(piece, isNoBase64))
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
		if run := base64Run(piece); run >= minRunBytes {
			first = start
		}
		at = start
	}
	if first < 0 {
		return secret{}, false
	}
	return secret{span{first, after}, privateKey}, true
}

// markerEnd returns the end of a marker whose BEGIN or END was read, if it begins or ends a private
// key.
func markerEnd(text string, at int) (int, bool) {
	label := text[at:min(len(text), at+maxLabelBytes)]
	dashes := strings.Index(label, "-----")
	if dashes < 0 || indexFold(label[:dashes], "private key") < 0 || strings.ContainsAny(label[:dashes], "\r\n") {
		return 0, false
	}
	return at + dashes + len("-----"), true
}

// pieceAt returns the text up to white space, real or escaped, and where the next piece
// begins.
func pieceAt(text string, at int) (piece string, next int) {
	end := at
	for end < len(text) && gapAt(text, end) == 0 {
		end++
	}
	return text[at:end], end + max(1, gapAt(text, end))
}

// pieceBefore returns the piece that ends before an offset, which may be the end of a gap.
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

// gapAt returns the length of the white space at an offset: a byte, or an escape like \n.
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

// isKeyPiece reports whether a piece is base 64, a header of the block, or what surrounds its lines.
func isKeyPiece(piece string) bool {
	if indexFold(piece, pemBegin) >= 0 {
		return false
	}
	return !strings.ContainsFunc(piece, func(r rune) bool {
		return r < 0x80 && isNoBase64(r) && !strings.ContainsRune("-:,.\"'`>|#*\\", r)
	})
}

// base64Run returns the length of the longest run of base 64.
func base64Run(piece string) int {
	longest := 0
	for run := range strings.FieldsFuncSeq(piece, isNoBase64) {
		longest = max(longest, len(run))
	}
	return longest
}

func isNoBase64(r rune) bool {
	return r >= 0x80 || !isAlnum(byte(r)) && r != '+' && r != '/' && r != '='
}

func lineBreaks(text string) bool {
	return strings.ContainsAny(text, "\r\n") || strings.Contains(text, `\n`)
}

// indexFold is strings.Index for a substring in lower case, in any case.
func indexFold(text, part string) int {
	for i := 0; i+len(part) <= len(text); i++ {
		if hasPrefixFold(text[i:], part) {
			return i
		}
	}
	return -1
}
