package validate_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// draft is an index or decision file that is edited as people edit one.
type draft struct {
	*rand.Rand
	isIndex bool
	name    string // of the side, which is in each line that it writes
	made    int    // how many lines it has written
	lead    string
	parts   []part
}

// part is a heading with its paragraphs, or an entry or section line of an index, which have none.
type part struct {
	level      int // 0 for an entry
	title      string
	paragraphs []string
}

// newDraft returns a file of a few parts.
func newDraft(random *rand.Rand, isIndex bool) draft {
	d := draft{Rand: random, isIndex: isIndex, name: "base", lead: "# File\n\nAbout it.\n"}
	if isIndex {
		d.parts = []part{{level: 2, title: "base.md"}}
	}
	for range 2 + d.IntN(7) {
		d.parts = append(d.parts, d.newPart())
	}
	return d
}

// side returns the file after some changes by a side: only additions, or any.
func (d draft) side(name string, onlyAdds bool) draft {
	s := draft{d.Rand, d.isIndex, name, 0, d.lead, slices.Clone(d.parts)}
	for i := range s.parts {
		s.parts[i].paragraphs = slices.Clone(s.parts[i].paragraphs)
	}
	for range 1 + s.IntN(3) {
		if onlyAdds || len(s.parts) < 2 || s.IntN(3) == 0 {
			s.add()
		} else {
			s.change()
		}
	}
	return s
}

func (d *draft) words() string {
	d.made++
	return fmt.Sprintf("%s %d", d.name, d.made)
}

// newPart returns a part that nothing else has, or sometimes one that the other side may write, too.
func (d *draft) newPart() part {
	words := d.words()
	if d.name != "base" && d.IntN(8) == 0 {
		words = fmt.Sprintf("both %d", d.IntN(3))
	}
	if d.isIndex {
		if d.IntN(5) == 0 {
			return part{level: 2, title: words + ".md"}
		}
		described := words
		if d.IntN(4) == 0 {
			described = d.words()
		}
		return part{title: fmt.Sprintf("/when doing %s | Title %[1]s | about %s", words, described)}
	}
	p := part{level: 2 + d.IntN(4)/3, title: words}
	if d.IntN(2) == 0 {
		p.paragraphs = append(p.paragraphs, "<!-- situations:\ntyping "+words+"\n-->")
	}
	if d.IntN(6) == 0 {
		p.paragraphs = append(p.paragraphs, "```\n## Not a heading of "+words+"\n\ncode\n```")
	}
	if d.IntN(6) > 0 {
		p.paragraphs = append(p.paragraphs, "Text of "+words+".")
	}
	return p
}

// add puts a new part anywhere, most often at the end.
func (d *draft) add() {
	at := len(d.parts)
	if d.IntN(2) == 0 {
		at = d.IntN(at + 1)
	}
	if d.isIndex {
		at = max(at, 1)
	}
	d.parts = slices.Insert(d.parts, at, d.newPart())
}

// change removes, renames, moves, groups or edits a part.
func (d *draft) change() {
	at := d.IntN(len(d.parts))
	p := &d.parts[at]
	switch d.IntN(9) {
	case 0:
		d.parts = slices.Delete(d.parts, at, at+1)
	case 1:
		if p.level == 0 {
			p.title = "/when renamed " + d.words() + p.title[strings.Index(p.title, " | "):]
		} else {
			p.title = d.words()
		}
	case 2:
		moved := *p
		d.parts = slices.Delete(d.parts, at, at+1)
		d.parts = slices.Insert(d.parts, d.IntN(len(d.parts)+1), moved)
	case 3:
		if d.isIndex {
			d.parts = slices.Insert(d.parts, at, part{level: 2, title: d.words() + ".md"})
			return
		}
		for i := at; i < len(d.parts) && i < at+1+d.IntN(2); i++ {
			d.parts[i].level++
		}
		d.parts = slices.Insert(d.parts, at, part{level: 2, title: "." + d.words()})
	case 4:
		if p.level > 0 && !d.isIndex {
			p.level = 2 + d.IntN(3)
		}
	case 5:
		d.lead += "\nMore by " + d.words() + ".\n"
	case 6:
		if len(p.paragraphs) > 0 {
			to := d.IntN(len(d.parts))
			i := d.IntN(len(p.paragraphs))
			moved := p.paragraphs[i]
			p.paragraphs = slices.Delete(p.paragraphs, i, i+1)
			if d.IntN(2) == 0 {
				d.parts[to].paragraphs = append(d.parts[to].paragraphs, moved)
			}
		}
	default:
		if p.level == 0 {
			p.title += ", " + d.words()
		} else if !d.isIndex {
			p.paragraphs = slices.Insert(p.paragraphs, d.IntN(len(p.paragraphs)+1), "More of "+d.words()+".")
		}
	}
}

func (d draft) text() string {
	var out strings.Builder
	out.WriteString(d.lead)
	for i, p := range d.parts {
		switch {
		case p.level > 0:
			fmt.Fprintf(&out, "\n%s %s\n", strings.Repeat("#", p.level), p.title)
			for _, paragraph := range p.paragraphs {
				out.WriteString("\n" + paragraph + "\n")
			}
		default:
			if i > 0 && d.parts[i-1].level > 0 {
				out.WriteString("\n")
			}
			out.WriteString(p.title + "\n")
		}
	}
	return out.String()
}
