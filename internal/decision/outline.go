package decision

import (
	"encoding/binary"

	"whence/internal/merge"
)

// Outline returns the blocks of a text in a form that can be kept: see ParseOutlined.
func (m *Markdown) Outline() []byte {
	var out []byte
	at, lineAt := 0, 0
	add := func(n int) { out = binary.AppendUvarint(out, uint64(n)) }
	for _, b := range m.blocks {
		top := 0
		if b.Top {
			top = 1
		}
		add(int(b.Kind)<<4 | b.Level<<1 | top)
		if b.End > 0 {
			add(1 + b.Start - at)
			add(b.End - b.Start)
			at = b.End
		} else {
			add(0)
		}
		add(len(b.Lines))
		for _, l := range b.Lines {
			add(l.Start - lineAt)
			add(l.End - l.Start)
			lineAt = l.End
		}
	}
	return out
}

// readOutline fills the blocks of a text from its outline. It reports false for what cannot be the outline
// of any text of this length.
func (m *Markdown) readOutline(outline []byte) bool {
	at, lineAt, ok := 0, 0, true
	next := func(limit int) int {
		n, size := binary.Uvarint(outline)
		if size <= 0 || limit < 0 || n > uint64(limit) {
			ok = false
			return 0
		}
		outline = outline[size:]
		return int(n)
	}
	span := func(from *int) merge.Span {
		start := *from + next(len(m.Source)-*from)
		*from = start + next(len(m.Source)-start)
		return merge.Span{Start: start, End: *from}
	}
	for ok && len(outline) > 0 {
		kind := next(int(OtherBlock)<<4 | 15)
		b := Block{Kind: BlockKind(kind >> 4), Level: kind >> 1 & 7, Top: kind&1 == 1}
		if bounded := next(1 + len(m.Source) - at); bounded > 0 {
			at += bounded - 1
			b.Start = at
			at += next(len(m.Source) - at)
			b.End = at
		}
		for range next(len(outline)) {
			b.Lines = append(b.Lines, span(&lineAt))
		}
		isBounded := b.Kind == HTMLBlock || b.Kind == HeadingBlock && len(b.Lines) > 0
		ok = ok && isBounded == (b.Start < b.End)
		m.blocks = append(m.blocks, b)
	}
	return ok
}
