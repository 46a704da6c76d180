package record

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"whence/internal/lazyregexp"
	"whence/internal/words"
)

// fileName is the name of a record, in its parts: "adr-" "0012" "-" "use-bun" ".md". The number may be a day.
type fileName struct {
	kind, number, gap, words, ext string
	isDay                         bool
}

func (n fileName) String() string { return n.kind + n.number + n.gap + n.words + n.ext }

var (
	nameParts = lazyregexp.New(`^(\pL*[-_ ]?)(\d+)([-_. ]*)(.*)$`)
	dayParts  = lazyregexp.New(`^()((?:19|20)\d{2}[-_.]?\d{2}[-_.]?\d{2})([-_. ]+)(.*)$`)
)

func parseName(base string) fileName {
	n := fileName{ext: path.Ext(base)}
	n.words = strings.TrimSuffix(base, n.ext)
	m := dayParts().FindStringSubmatch(n.words)
	if n.isDay = m != nil; m == nil {
		m = nameParts().FindStringSubmatch(n.words)
	}
	if m != nil {
		n.kind, n.number, n.gap, n.words = m[1], m[2], m[3], m[4]
	}
	return n
}

// compareNames compares by number, and names without one by their words.
func compareNames(a, b fileName) int {
	return cmp.Or(cmp.Compare(a.value(), b.value()), strings.Compare(a.String(), b.String()))
}

// value returns the number of a record; of a day, its digits; -1 without a number.
func (n fileName) value() int {
	v, err := strconv.Atoi(strings.NewReplacer("-", "", "_", "", ".", "").Replace(n.number))
	if err != nil {
		return -1
	}
	return v
}

// NextName returns the name of the record that follows those of a folder, without the folder: with the next number, or
// the day, if the last one has one, and the title in words.
func NextName(names []string, title string, day time.Time) string {
	var known []fileName
	for _, name := range names {
		known = append(known, parseName(name))
	}
	if len(known) == 0 {
		return "0001-" + slug(title, fileName{}) + ".md"
	}
	last := slices.MaxFunc(known, compareNames)
	next := last
	next.words = slug(title, last)
	switch {
	case last.isDay:
		next.number = day.Format(dayLayout(last.number))
	case last.number != "":
		next.number = padded(strconv.Itoa(last.value()+1), len(last.number))
		if next.gap == "" {
			next.gap = "-"
		}
	}
	return next.String()
}

// dayLayout returns the layout of a day, with or without signs in it, as time.Format has it.
func dayLayout(number string) string {
	if len(number) < len(time.DateOnly) {
		return "20060102"
	}
	return "2006" + number[4:5] + "01" + number[7:8] + "02"
}

// padded returns a number with zeros before it.
func padded(number string, width int) string {
	n, _ := strconv.Atoi(number)
	return fmt.Sprintf("%0*d", width, n)
}

// maxSlugChars bounds the words in the name of a file.
const maxSlugChars = 60

// slug returns a title as the words in a name: letters and digits of any script, with the sign between them and the
// case that another name has.
func slug(title string, like fileName) string {
	sign := "-"
	if strings.Contains(like.words, "_") && !strings.Contains(like.words, "-") {
		sign = "_"
	}
	if strings.ToLower(like.words) == like.words {
		title = strings.ToLower(title)
	}
	title = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsDigit(r):
			return r
		case r == '\'' || r == '’':
			return -1
		}
		return ' '
	}, words.Composed(title))
	kept := ""
	for _, word := range strings.Fields(title) {
		if kept != "" {
			word = sign + word
		}
		if len([]rune(kept+word)) > maxSlugChars && kept != "" {
			break
		}
		kept += word
	}
	runes := []rune(kept)
	return string(runes[:min(len(runes), maxSlugChars)])
}

// Numbered returns those paths of records whose names have a number: 7, 0007, ADR-7.
func Numbered(paths []string, number string) (found []string) {
	n := parseName(strings.TrimRight(strings.TrimSpace(number), ".") + ".md")
	if n.number == "" || n.words != "" || n.isDay {
		return nil
	}
	for _, p := range paths {
		if parseName(path.Base(p)).value() == n.value() {
			found = append(found, p)
		}
	}
	return found
}
