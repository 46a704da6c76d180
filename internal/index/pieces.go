package index

import (
	"strings"

	"whence/internal/merge"
)

// Pieces cuts an index for a merge: into its preamble, the headings of its sections, and its entries,
// each with the lines that follow it.
func Pieces(src []byte) (pieces []merge.Piece, tail string) {
	f := Parse(src)
	section, at := "", 0
	open := func(key string, level int, l Line) {
		pieces = append(pieces, merge.Piece{Key: key, Level: level, Gap: f.text[at:l.Start], Text: f.Text(l)})
		at = l.End
	}
	for _, l := range f.Lines {
		switch {
		case l.Kind == Heading:
			section = "## " + f.Sections[l.Section].Path
			open(section, 1, l)
		case l.Kind == EntryLine:
			open(section+"\n"+l.Entry.Operator+" "+NormalizeTrigger(l.Entry.Trigger.Text), 2, l)
		case strings.TrimSpace(f.Text(l)) == "":
		case len(pieces) == 0:
			open("preamble", 0, l)
		default:
			pieces[len(pieces)-1].Text += f.text[at:l.End]
			at = l.End
		}
	}
	return pieces, f.text[at:]
}
