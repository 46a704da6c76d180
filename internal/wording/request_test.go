package wording_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/config"
	"whence/internal/decision"
	"whence/internal/wording"
)

// The least certain entries come first, equal ones in their order.
func TestNewRequest(t *testing.T) {
	entries := func() []wording.Entry {
		return []wording.Entry{{Line: 1, Confidence: 0.9}, {Line: 2, Confidence: 0.2}, {Line: 3, Confidence: 0.9}, {Line: 4}}
	}
	lines := func(r wording.Request) (lines []int) {
		for _, e := range r.Entries {
			lines = append(lines, e.Line)
		}
		return lines
	}
	all := wording.NewRequest(entries(), 7, 0, config.Default())
	require.Equal(t, []int{4, 2, 1, 3}, lines(all))
	require.Equal(t, []int{4, 7, 4}, []int{all.Left, all.All, all.Batch})
	batch := wording.NewRequest(entries(), 7, 3, config.Default())
	require.Equal(t, []int{4, 2, 1}, lines(batch))
	require.Equal(t, []int{4, 7, 3}, []int{batch.Left, batch.All, batch.Batch})
	require.Contains(t, strings.Join(batch.Rules, "\n"), "8 to 20 words together")
	named := wording.NewRequest([]wording.Entry{{Header: "Cursors over offsets"}, {}}, 2, 0, config.Default())
	require.Equal(t, []int{17, 0}, []int{named.Entries[0].Room, named.Entries[1].Room})
}

// A batch fits what the shell of an agent shows, however many entries are asked for.
func TestNewRequestFits(t *testing.T) {
	for size, want := range map[int]int{100: 21, 3000: 6, 40_000: 1} {
		entries := make([]wording.Entry, 30)
		for i := range entries {
			entries[i].Text = strings.Repeat("x", size)
		}
		r := wording.NewRequest(entries, 30, 0, config.Default())
		require.Equal(t, []int{30, want, want}, []int{r.Left, r.Batch, len(r.Entries)})
	}
}

func TestSection(t *testing.T) {
	long := strings.Repeat("Wörter ", 600)
	f := decision.Parse("a.md", []byte("# A\n\n## Short\n<!-- situations:\none phrase\n-->\n\nText.\n\n### Below\n<!-- situations:\nof below\n-->\nMore.\n\n## Long\n"+long+"\n"))
	var e wording.Entry
	e.Section(f, 1)
	require.Equal(t, wording.Entry{File: "a.md", Header: "Short", Situations: []string{"one phrase"}, Text: "Text.\n\n### Below\nMore."}, e)
	e.Section(f, 3)
	require.Equal(t, []string{}, e.Situations)
	require.True(t, strings.HasPrefix(long, e.Text[:2900]))
	require.Regexp(t, ` … \(1\d\d\d more bytes: see a\.md:16\)$`, e.Text)
}

func TestReadLines(t *testing.T) {
	lines, err := wording.ReadLines(strings.NewReader("\uFEFF{\"line\": 3, \"header\": \"\"}\r\n\n {\"header\":\"A\",\"x\":1}\nno\n"))
	require.NoError(t, err)
	require.Len(t, lines, 3)
	a, err := lines[0].Answer()
	require.NoError(t, err)
	require.Equal(t, 3, a.Line)
	require.NotNil(t, a.Header)
	require.Empty(t, a.Title())
	_, err = lines[1].Answer()
	require.ErrorContains(t, err, `unknown field "x": write {"header": `)
	require.Equal(t, 4, lines[2].Number)
	_, err = lines[2].Answer()
	require.Error(t, err)
	_, err = wording.ReadLines(strings.NewReader("\n \n"))
	require.ErrorContains(t, err, "standard input is empty")
}
