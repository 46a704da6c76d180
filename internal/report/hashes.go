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

// runs calls take with the hash of each run of runWords words in a text that is long enough.
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

// hashes is stored as base64, which is short.
type hashes []uint64

func (h hashes) MarshalText() ([]byte, error) {
	bytes, err := binary.Append(nil, binary.LittleEndian, []uint64(h))
	return base64.StdEncoding.AppendEncode(nil, bytes), err
}

func (h *hashes) UnmarshalText(text []byte) error {
	bytes, err := base64.StdEncoding.AppendDecode(nil, text)
	if err != nil || len(bytes)%8 != 0 {
		return errors.Join(err, errors.New("hashes are 8 bytes each"))
	}
	*h = make(hashes, len(bytes)/8)
	_, err = binary.Decode(bytes, binary.LittleEndian, []uint64(*h))
	return err
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
	const extension = ".md"
	if !strings.Contains(text, extension) {
		return nil
	}
	for word := range strings.FieldsFuncSeq(text, func(r rune) bool { return !isName(r) }) {
		for {
			name, rest, found := strings.Cut(word, extension)
			if !found {
				break
			}
			if name != "" {
				all = append(all, name+extension)
			}
			word = rest
		}
	}
	return all
}

func isName(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("/\\._-", r)
}

// isFile reports whether a path, from any folder, names a file of a repository.
func isFile(path, file string) bool {
	path = strings.ReplaceAll(path, `\`, "/")
	return file != "" && (path == file || strings.HasSuffix(path, "/"+file))
}
