package report

import (
	"encoding/base64"
	"encoding/binary"
	"errors"
	"hash/fnv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A run of runWords words, with minRunLetters letters in all, counts as a quotation; "as it is in
// the" is too short.
const (
	runWords      = 5
	minRunLetters = 20
)

// runs calls take with the hash of each run of runWords words in a text.
func runs(text string, take func(uint64)) {
	words := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	for i := 0; i+runWords <= len(words); i++ {
		h, letters := fnv.New64a(), 0
		for _, w := range words[i : i+runWords] {
			letters += utf8.RuneCountInString(w)
			_, _ = h.Write([]byte(w))
			_, _ = h.Write([]byte{0})
		}
		if letters >= minRunLetters {
			take(h.Sum64())
		}
	}
}

// hashes are kept in few bytes.
type hashes []uint64

// MarshalText writes them as base64.
func (h hashes) MarshalText() ([]byte, error) {
	bytes := make([]byte, 0, 8*len(h))
	for _, one := range h {
		bytes = binary.LittleEndian.AppendUint64(bytes, one)
	}
	return base64.StdEncoding.AppendEncode(nil, bytes), nil
}

// UnmarshalText reads what MarshalText has written.
func (h *hashes) UnmarshalText(text []byte) error {
	bytes, err := base64.StdEncoding.AppendDecode(nil, text)
	if err != nil || len(bytes)%8 != 0 {
		return errors.Join(err, errors.New("hashes are 8 bytes each"))
	}
	*h = nil
	for len(bytes) > 0 {
		*h = append(*h, binary.LittleEndian.Uint64(bytes))
		bytes = bytes[8:]
	}
	return nil
}

// hash returns the hash of an id.
func hash(id string) uint64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(id))
	return h.Sum64()
}

// fold returns a text on one line in lower case.
func fold(text string) string { return strings.Join(strings.Fields(strings.ToLower(text)), " ") }

// files returns the names of Markdown files in a text.
func files(text string) (all []string) {
	const ext = ".md"
	for at := 0; ; {
		i := strings.Index(text[at:], ext)
		if i < 0 {
			return all
		}
		end := at + i + len(ext)
		begin := strings.LastIndexFunc(text[at:at+i], func(r rune) bool { return !isName(r) }) + 1
		if begin > 0 { // the sign before it may be longer than a byte
			_, size := utf8.DecodeRuneInString(text[at+begin-1:])
			begin += size - 1
		}
		if begin < i {
			all = append(all, text[at+begin:end])
		}
		at = end
	}
}

func isName(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("/\\._-", r)
}

// isFile reports whether a path is that of a file, which is named from the root of its
// repository.
func isFile(path, file string) bool {
	path = strings.ReplaceAll(path, `\`, "/")
	return file != "" && (path == file || strings.HasSuffix(path, "/"+file))
}
