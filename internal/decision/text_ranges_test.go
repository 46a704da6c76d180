package decision

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTexts(t *testing.T) {
	src := strings.Join([]string{
		"\uFEFF---", "a: no", "---", "# Title", "", "one", "  two", "", "<!--", "no", "-->", "", "/when", "", "1. first", "   goes on", "2. second", "",
		"   third", "> - [ ] task", "> - > deep", "", "```sh", "ls", "```", "", "    code", "",
	}, "\n")
	f := Parse("a.md", []byte(src))
	var got []string
	for _, text := range f.Texts() {
		s := fmt.Sprintf("%d%s%t%d", text.Kind, text.Info, text.Item, text.Label)
		for _, l := range text.Lines {
			s += fmt.Sprintf(" %q", src[l.Start:l.End])
		}
		got = append(got, s)
	}
	require.Equal(t, []string{
		`1false-1 "Title"`, `0false-1 "one" "two"`, `0false-1 "/when"`, `0true2 "first" "goes on"`, `0true2 "second"`, `0false-1 "third"`,
		`0true-1 "[ ] task"`, `0false-1 "deep"`, `2shfalse-1 "ls"`, `2false-1 "code"`,
	}, got)
}
