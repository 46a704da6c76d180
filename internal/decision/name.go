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

// Value returns the number of a record: for a day, its digits; without a number, -1.
func (n Name) Value() int {
	v, err := strconv.Atoi(strings.NewReplacer("-", "", "_", "", ".", "").Replace(n.Number))
	if err != nil {
		return -1
	}
	return v
}

// isNumbered reports whether a record has a number by which others may name it.
func (n Name) isNumbered() bool { return n.Value() > 0 && !n.IsDay }

// number returns the number by which others name a record: "7" for 0007-a, ADR-7 and RFC-7; "ladr7" for LADR-7.
func (n Name) number() string {
	kind := strings.Trim(words.Fold(n.Kind), "-_ #")
	if kind == "adr" || kind == "rfc" {
		kind = ""
	}
	return kind + strconv.Itoa(n.Value())
}
