package transcript_test

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/agent/transcript"
)

// The end of a rollout shows how the command of a call has failed. Records of other calls don't count.
func TestCodexFailure(t *testing.T) {
	src, err := os.ReadFile("testdata/codex-0.169.0/hooks.jsonl")
	require.NoError(t, err)
	recorded := string(src)
	failed := func(src, call string) string {
		return transcript.CodexFailure(strings.NewReader(src), int64(len(src)), call)
	}
	const noFile = "Exit code 2\nls: cannot access 'nothere': No such file or directory\n"
	require.Empty(t, failed(recorded, "toolu_fake00000001"), "it has passed")
	require.Equal(t, noFile, failed(recorded, "toolu_fake00000002"))
	require.Regexp(t, `^Exit code 3\nmake: Entering directory`, failed(recorded, "toolu_fake00000003"))
	require.Empty(t, failed(recorded, "toolu_fake00000004"), "a patch")
	require.Empty(t, failed(recorded, "toolu_fake00000009"), "no such call")
	require.Empty(t, failed("", "toolu_fake00000002"))

	// As it is when hooks run: the record of the call is the last line.
	record := recorded[:strings.Index(recorded, "nothere': No such file")]
	begin := strings.LastIndex(record, "\n") + 1
	end := begin + strings.Index(recorded[begin:], "\n") + 1
	require.Equal(t, noFile, failed(recorded[:end], "toolu_fake00000002"))
	require.Empty(t, failed(recorded[:end-9], "toolu_fake00000002"), "it is not complete")

	// Only the end is read.
	long := func(n int) string { return `{"type":"x","y":"` + strings.Repeat("x", n) + "\"}\n" }
	require.Equal(t, noFile, failed(long(1<<20)+recorded[begin:end]+long(500<<10), "toolu_fake00000002"))
	require.Empty(t, failed(recorded[:end]+long(512<<10), "toolu_fake00000002"))
	record = strings.Replace(recorded[begin:end], "ls: cannot", strings.Repeat(`\u001b`, 64<<10)+"ls: cannot", 1)
	require.Regexp(t, `^Exit code 2\n\x1b+ls: `, failed(long(1<<20)+record, "toolu_fake00000002"), "as long as one can be")
}
