package decision_test

import (
	"testing"

	"whence/internal/decision"
)

// Whatever an outline says, the text is read within its bounds, or not by it.
func FuzzOutline(f *testing.F) {
	src := "## A\n<!-- situations:\nx y\n-->\n\nb\n\n### C\nd\n"
	f.Add(src, decision.Parse("a.md", []byte(src)).Outline())
	f.Add("", []byte{0x10})
	f.Fuzz(func(t *testing.T, src string, outline []byte) {
		for _, document := range []bool{false, true} {
			file, ok := decision.ParseOutlined("docs/a.md", []byte(src), outline, document)
			if !ok {
				continue
			}
			for i := range file.Headings {
				file.Body(i)
			}
			if document {
				file.Status()
				file.Decided()
			}
			_ = file.WithoutSituations(0, len(src))
		}
	})
}
