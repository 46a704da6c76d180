package index

import (
	"strings"

	"whence/internal/merge"
	"whence/internal/words"
)

// Pieces returns the section lines and entries of an index, for a merge.
func Pieces(src []byte) (pieces []merge.Piece) {
	f := Parse(src)
	for _, l := range f.Lines {
		p := merge.Piece{Span: merge.Span(l.Span), IsIndex: true}
		switch l.Kind {
		case Heading:
			p.Level, p.Key = 2, "## "+f.Sections[l.Section].Path
		case EntryLine:
			p.Level, p.Key = merge.EntryLevel, l.Entry.Operator+" "+NormalizeTrigger(l.Entry.Trigger.Text)
			p.Title = words.Fold(strings.Join(strings.Fields(l.Entry.Title.Text), " "))
		default:
			continue
		}
		pieces = append(pieces, p)
	}
	return pieces
}
