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

	"whence/internal/decision"
	"whence/internal/words"
)

// compareNames compares names by number, and otherwise by their text.
func compareNames(a, b decision.Name) int {
	return cmp.Or(cmp.Compare(a.Value(), b.Value()), strings.Compare(a.String(), b.String()))
}

// NextName returns the file name of the record that follows those of a folder: the next number, or the day if the last
// record has a day, and the title in words.
func NextName(names []string, title string, day time.Time) string {
	var known []decision.Name
	for _, name := range names {
		known = append(known, decision.ParseName(name))
	}
	if len(known) == 0 {
		return "0001-" + slug(title, decision.Name{}) + ".md"
	}
	last := slices.MaxFunc(known, compareNames)
	next := last
	next.Words = slug(title, last)
	switch {
	case last.IsDay:
		next.Number = day.Format(dayLayout(last.Number))
	case last.Number != "":
		next.Number = padded(strconv.Itoa(last.Value()+1), len(last.Number))
	}
	if next.Number != "" && next.Gap == "" {
		next.Gap = "-"
	}
	return next.String()
}

// dayLayout returns the layout of a day for time.Format, with the signs that number has.
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

// slug returns a title as the words of a file name: letters and digits of any script, with the separator and the case
// of the name like.
func slug(title string, like decision.Name) string {
	sign := "-"
	if strings.Contains(like.Words, "_") && !strings.Contains(like.Words, "-") {
		sign = "_"
	}
	if strings.ToLower(like.Words) == like.Words {
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

// Numbered returns the paths of the records whose names have a number, given as 7, 0007 or ADR-7.
func Numbered(paths []string, number string) (found []string) {
	n := decision.ParseName(strings.TrimRight(strings.TrimSpace(number), ".") + ".md")
	if n.Number == "" || n.Words != "" || n.IsDay {
		return nil
	}
	for _, p := range paths {
		if decision.ParseName(path.Base(p)).Value() == n.Value() {
			found = append(found, p)
		}
	}
	return found
}
