package decision

import (
	"path"
	"strconv"
	"strings"

	"whence/internal/lazyregexp"
	"whence/internal/words"
)

// Name is the name of a record in its parts: "adr-" "0012" "-" "use-bun" ".md". The number may be a day.
type Name struct {
	Kind, Number, Gap, Words, Ext string
	IsDay                         bool
}

func (n Name) String() string { return n.Kind + n.Number + n.Gap + n.Words + n.Ext }

var (
	nameParts = lazyregexp.New(`^(\pL+[-_ #]+|(?i:adr|rfc)|\pL|)(\d+)([-_. :)]+|$)(.*)$`)
	dayParts  = lazyregexp.New(`^()((?:19|20)\d{2}[-_.]?\d{2}[-_.]?\d{2})([-_. ]+|$)(.*)$`)
)

// ParseName reads the name of a file.
func ParseName(base string) Name {
	n := Name{Ext: path.Ext(base)}
	n.Words = strings.TrimSuffix(base, n.Ext)
	m := dayParts().FindStringSubmatch(n.Words)
	if n.IsDay = m != nil; m == nil {
		m = nameParts().FindStringSubmatch(n.Words)
	}
	if m != nil {
		n.Kind, n.Number, n.Gap, n.Words = m[1], m[2], m[3], m[4]
	}
	return n
}

// Value returns the number of a record; of a day, its digits; -1 without a number.
func (n Name) Value() int {
	v, err := strconv.Atoi(strings.NewReplacer("-", "", "_", "", ".", "").Replace(n.Number))
	if err != nil {
		return -1
	}
	return v
}

// isNumbered reports whether a record has a number by which others may name it.
func (n Name) isNumbered() bool { return n.Value() > 0 && !n.IsDay }

// Names reports whether a word such as ADR-12, or a number as it is in the name of a record, names that record.
func (n Name) names(record Name) bool {
	kind := strings.Trim(words.Fold(n.Kind), "-_ #")
	switch {
	case n.Words != "" || !n.isNumbered() || n.Value() != record.Value():
		return false
	case kind == "":
		return n.Number == record.Number && len(n.Number) > 2
	}
	return kind == "adr" || kind == "rfc" || kind == strings.Trim(words.Fold(record.Kind), "-_ #")
}
