package when_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"whence/internal/config"
	"whence/internal/inert"
	"whence/when"
)

// Answers that do not fit into the reply to a prompt are named, and those that are sent are whole.
func TestWhatHasNoRoomIsNamed(t *testing.T) {
	var index, file strings.Builder
	index.WriteString("## agents/decisions/a.md\n")
	file.WriteString("# A\n")
	for n := range 20 {
		fmt.Fprintf(&index, "/when doing n%d | Number %d | x\n", n, n)
		fmt.Fprintf(&file, "\n## Number %d\n\n%send %d.\n", n, strings.Repeat("Text. ", 100+1900*(n%2)), n)
	}
	l, err := when.Open(fstest.MapFS{
		config.DefaultIndex: {Data: []byte(index.String())}, "agents/decisions/a.md": {Data: []byte(file.String())},
	}, config.Default())
	require.NoError(t, err)
	var answers []when.Answer
	for n := range 20 {
		q, err := when.ParseQuery(fmt.Sprintf("/when doing n%d", n))
		require.NoError(t, err)
		a, err := l.Resolve(q)
		require.NoError(t, err)
		answers = append(answers, a)
	}
	text, sent := when.Fitting(answers, when.MaxAnswersChars)
	require.LessOrEqual(t, len(inert.FromDecisions+inert.Text(text)), 10_000)
	isSent := map[string]bool{}
	for _, a := range sent {
		isSent[a.Command] = true
	}
	require.Len(t, sent, 10, "of each second one all are small")
	for n, a := range answers {
		require.Equal(t, isSent[a.Command], strings.Contains(text, fmt.Sprintf("end %d.", n)), a.Command)
		require.Equal(t, !isSent[a.Command], strings.Contains(text, "\n- "+a.Query+"\n"), a.Command)
	}

	for i := range answers {
		answers[i].Query, answers[i].Text = strings.Repeat("<b>", 100), strings.Repeat("Text. ", 2000)
	}
	answers = append(answers, when.Answer{Title: "Small", Text: strings.Repeat("a ", (when.MaxAnswersChars-20)/2)})
	text, sent = when.Fitting(answers, when.MaxAnswersChars)
	require.Len(t, sent, 1)
	require.Contains(t, text, "… and 10 more")
	require.LessOrEqual(t, len([]rune(inert.FromDecisions+inert.Text(text))), 10_000)
}
