package decision_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/decision"
)

// A file that is read by its outline is the same file.
func TestOutline(t *testing.T) {
	texts := hostile()
	texts["ordinary"] = "---\na: b\n---\n# A\r\n\r\n## B\n<!-- situations:\nx y\n-->\n\n- c\n  > d\n\n```sh\ne\n```\nF\n===\n\n## .G\n\n    h\n<div>\n"
	texts["empty"] = ""
	for name, src := range texts {
		for _, document := range []bool{false, true} {
			want := decision.Parse("docs/a.md", []byte(src))
			if document {
				want = decision.ParseDocument("docs/a.md", []byte(src))
			}
			got, ok := decision.ParseOutlined("docs/a.md", []byte(src), want.Outline(), document)
			require.True(t, ok, name)
			got.TooDeep = want.TooDeep // such files have no outline
			require.Equal(t, want.Headings, got.Headings, name)
			require.Equal(t, want.Situations, got.Situations, name)
			require.Equal(t, want.Status(), got.Status(), name)
		}
	}
}

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
