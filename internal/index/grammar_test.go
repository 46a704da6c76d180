package index_test

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/index"
)

// example is a numbered example of docs/grammar.md that is about an index.
var example = regexp.MustCompile("(?ms)^Example (\\d+)\n\n````index\n(.*?)^````\n\n```lines\n(.*?)^```$")

func TestGrammar(t *testing.T) {
	src, err := os.ReadFile("../../docs/grammar.md")
	require.NoError(t, err)
	examples := example.FindAllStringSubmatch(string(src), -1)
	require.Len(t, examples, 5)
	for _, e := range examples {
		t.Run(e[1], func(t *testing.T) {
			require.Equal(t, e[3], describe(index.Parse([]byte(e[2]))))
		})
	}
}

// describe writes a line for each line of an index that means something.
func describe(f *index.File) string {
	problems := map[index.Problem]string{
		index.LegacyDash: "legacy dash", index.MissingOperator: "missing operator", index.UnknownOperator: "unknown operator",
		index.MissingFields: "missing fields", index.EmptyTrigger: "empty trigger", index.EmptyTitle: "empty title",
		index.EmptyDescription: "empty description",
	}
	var out strings.Builder
	for _, l := range f.Lines {
		e := l.Entry
		switch l.Kind {
		case index.Heading:
			fmt.Fprintf(&out, "%d section %q\n", l.Number, f.Sections[l.Section].Path)
		case index.EntryLine:
			fmt.Fprintf(&out, "%d entry /%s %q %q %q\n", l.Number, e.Operator, e.Trigger.Text, e.Title.Text, e.Description.Text)
		case index.Malformed:
			fmt.Fprintf(&out, "%d malformed: %s\n", l.Number, problems[l.Problem])
		case index.Foreign:
			fmt.Fprintf(&out, "%d foreign\n", l.Number)
		}
	}
	return out.String()
}
