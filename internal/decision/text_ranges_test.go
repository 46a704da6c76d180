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
		s := fmt.Sprint(text.Code)
		for _, l := range text.Lines {
			s += fmt.Sprintf(" %q", src[l.Start:l.End])
		}
		got = append(got, s)
	}
	require.Equal(t, []string{
		`false "Title"`, `false "one" "two"`, `false "/when"`, `false "first" "goes on"`, `false "second"`, `false "third"`,
		`false "[ ] task"`, `false "deep"`, `true "ls"`, `true "code"`,
	}, got)
}
