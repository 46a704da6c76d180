package notes_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/agent"
)

func TestRepeatedFailures(t *testing.T) {
	s := newStage(t, nil)
	s.start("startup")
	require.Empty(t, s.fail("npm test", "Exit code 1\n\n> app@1.0.0 test\n\x1b[31mFileNotFoundError\x1b[0m in config.py:12\n  at /home/a/x.js:1\n[2026-01-01 00:00:00Z] Attempt 9: npm test: FileNotFoundError in config.py:1"))
	require.Empty(t, s.fail("npm test", "Exit code 1\nFileNotFoundError in config.py:14"))
	require.Equal(t, "`npm test` has failed 3 times with the same error (.memory/errors.log has the attempts): FileNotFoundError in config.py:15\n",
		s.fail("npm test", "Exit code 1\nFileNotFoundError in config.py:15"))
	require.Equal(t, `[2026-01-02 15:04:05Z] Attempt 1: npm test: FileNotFoundError in config.py:12
    > app@1.0.0 test
    FileNotFoundError in config.py:12
      at /home/a/x.js:1
    [2026-01-01 00:00:00Z] Attempt 9: npm test: FileNotFoundError in config.py:1
[2026-01-02 15:04:05Z] Attempt 2: npm test: FileNotFoundError in config.py:14
[2026-01-02 15:04:05Z] Attempt 3: npm test: FileNotFoundError in config.py:15
`, s.read(errorsLog))
	require.Equal(t, "# Decisions\n\n- 2026-01-02 Lesson: `npm test` fails with: FileNotFoundError in config.py:15 (3 times, last 2026-01-02 15:04:05Z)\n", s.read(decisionsMD))
	for range 5 {
		s.fail("npm test", "Exit code 1\nFileNotFoundError in config.py:99")
	}
	require.Equal(t, 1, strings.Count(s.read(decisionsMD), "Lesson"), "once for a pattern")
}

func TestWhatIsNoFailure(t *testing.T) {
	s := newStage(t, nil)
	s.start("startup")
	s.event(agent.Event{Name: agent.PostToolUseFailure, Tool: "Bash", Command: "make", Error: "interrupted by user", Interrupt: true})
	s.fail("make", " \n")
	s.fail("make", "The user doesn't want to proceed with this tool use.")
	s.fail("memory-when 'a crane'", "Exit code 1\nno trigger")
	s.fail("echo \"$(memory-when 'a crane')\" && make", "Exit code 1\nmemory-when: no trigger \"a crane\"")
	require.Empty(t, s.read(errorsLog))
}

func TestFailuresOfOtherTools(t *testing.T) {
	s := newStage(t, nil)
	s.start("startup")
	s.event(agent.Event{Name: agent.PostToolUseFailure, Tool: "Read", Path: filepath.Join(s.dir, "a.go"), Error: "File does not exist."})
	s.event(agent.Event{Name: agent.PostToolUseFailure, Tool: "Edit", Path: filepath.Join(s.dir, "a.go"), Error: "String to replace not found in file."})
	require.Equal(t, "[2026-01-02 15:04:05Z] Attempt 1: Read a.go: File does not exist.\n"+
		"[2026-01-02 15:04:05Z] Attempt 1: Edit a.go: String to replace not found in file.\n", s.read(errorsLog))
}

// No secret gets into any file, wherever it occurs in an event.
func TestSecrets(t *testing.T) {
	const secret = "ghp_0123456789abcdefghijABCDEFGHIJ012345"
	s := newStage(t, nil)
	s.start("startup")
	s.prompt("please deploy with " + secret + " to staging <private>and my cat</private>")
	for range 3 {
		s.fail("curl -H 'Authorization: Bearer "+secret+"'", "Exit code 1\npsql: postgres://admin:hunter2secret@db refused\ntoken "+secret)
	}
	s.edit(agent.Edit{Path: "agents/decisions/" + secret + ".md", New: "# Use " + secret + "\n"})
	s.edit(agent.Edit{Path: "agents/decisions/" + strings.Repeat("d", 130) + "-" + secret + ".md", New: "# Use it\n"}) // longer than a name may be
	s.run("curl -H 'Authorization: Bearer " + secret + "'")
	s.edit(agent.Edit{Path: secret + "/go.mod", New: "require a.io/" + secret + " v1.0.0\n"})
	s.edit(agent.Edit{Path: "go.mod", New: "require a.io/" + secret + " v1.0.0\n"})
	s.event(agent.Event{Name: agent.PostToolUseFailure, Tool: "Bash", Command: "make " + secret, Error: "no rule to make it", Cwd: s.dir + "/" + secret})
	require.Contains(t, s.read(sessionJSON), `"operation": "make [redacted`)
	s.fail("x", strings.Repeat("y", 64<<10-20)+"\n"+secret)
	s.fail("x", strings.Repeat("y ", 32<<10-10)+secret)
	for _, name := range []string{contextMD, findingsMD, decisionsMD, errorsLog, sessionJSON} {
		text := s.read(name)
		require.NotContains(t, text, "0123456789abcdef", name)
		require.NotContains(t, text, "hunter2secret", name)
		require.NotContains(t, text, "my cat", name)
	}
	require.Contains(t, s.read(contextMD), "please deploy with")
	s.write(contextMD, "- use "+secret+" <private>\n\n- cat\n</private>\n")
	require.Contains(t, s.start("startup"), "- use [redacted")
	require.NotContains(t, s.start("startup"), "cat")
}

func TestLogIsBounded(t *testing.T) {
	s := newStage(t, nil)
	s.start("startup")
	output := strings.Repeat(strings.Repeat("x", 500)+"\n", 100)
	for i := range 120 {
		s.fail("make", fmt.Sprintf("%s\nerror number %d\n", output, i))
	}
	info, err := os.Stat(filepath.Join(s.dir, errorsLog))
	require.NoError(t, err)
	require.LessOrEqual(t, info.Size(), int64(256<<10))
	require.InDelta(t, 258<<10, len(s.read(errorsLog+".1")), 2<<10)
	require.Contains(t, s.read(errorsLog), "error number 119")
	require.Contains(t, s.read(errorsLog), "lines left out")
}

func TestTask(t *testing.T) {
	s := newStage(t, nil)
	s.start("startup")
	for _, prompt := range []string{"", "go on", "/when charging a card twice in a row", "<private>do the secret thing right now</private>"} {
		s.prompt(prompt)
	}
	require.Equal(t, "# Context\n", s.read(contextMD))
	s.prompt("<system-reminder>this is what the machinery says</system-reminder>")
	s.prompt("<system-reminder>x</system-reminder>Add retries\n# to the payment client, without charging twice")
	s.prompt("And now something else that is long enough")
	want := "# Context\n\n- 2026-01-02 Task: Add retries # to the payment client, without charging twice\n"
	require.Equal(t, want, s.read(contextMD))
	s.event(agent.Event{Name: agent.UserPromptSubmit, Session: "s3", Prompt: "Rename the column " + strings.Repeat("as we said ", 50)})
	require.Regexp(t, `\n- 2026-01-02 Task: Rename the column [a-z ]*…\n$`, s.read(contextMD))
	require.Less(t, len(s.read(contextMD)), 400)
}

// Errors are the same if only numbers, hexadecimal words and paths differ.
func TestEqualErrors(t *testing.T) {
	const first = "error at 0x7ffe12 in /tmp/a/b.go:12 of build deadbeef01, 3s"
	for second, same := range map[string]bool{
		first: true,
		"error at 0x8aaa00 in /home/c.go:999 of build cafe00, 14s":    true,
		"Error  at 0x8aaa00 in C:\\b.go of build cafe00, 14s":         true,
		"error at 0x7ffe12 in /tmp/a/b.go:12 of build unknown, 3s":    false,
		"error at 0x7ffe12 in /tmp/a/b.go:12 of build deadbeef01, 3m": false,
		"error at x in /tmp/a/b.go:12 of build deadbeef01, 3s":        false,
	} {
		s := newStage(t, nil)
		s.start("startup")
		s.fail("make", first)
		s.fail("make all", first)
		s.fail("make", second)
		require.Equal(t, same, strings.Contains(s.read(errorsLog), "Attempt 2: make: "), second)
	}
}

// The message of a traceback is its last line, so that different errors of one program differ.
func TestTracebacks(t *testing.T) {
	s := newStage(t, nil)
	s.start("startup")
	for _, message := range []string{"ValueError: no such port", "KeyError: 'berth'", "OSError: disk full"} {
		s.fail("python a.py", "Traceback (most recent call last):\n  File \"a.py\", line 3, in <module>\n    main()\n"+message)
	}
	log := s.read(errorsLog)
	require.Equal(t, 3, strings.Count(log, "Attempt 1: python a.py: "), log)
	require.Contains(t, log, "Attempt 1: python a.py: KeyError: 'berth'\n")
}

// Long records do not hide the number of failures.
func TestManyLongFailures(t *testing.T) {
	s := newStage(t, nil)
	s.start("startup")
	s.config.NotesRefresh = 0
	for i := range 40 {
		reported := s.fail("make", strings.Repeat("error in "+strings.Repeat("x", 200)+"\n", 20))
		require.Equal(t, i%3 == 2, reported != "", i)
	}
	require.Contains(t, s.read(errorsLog), "Attempt 40: make: ")
}

// A record is one write of at most 4 KB, whatever the failure.
func TestRecordsAreBounded(t *testing.T) {
	for _, output := range []string{strings.Repeat("x", 100<<10), strings.Repeat("error: "+strings.Repeat("修", 200)+"\n", 100), strings.Repeat("a\n", 10000), strings.Repeat("\"<\x1b\n", 5000)} {
		s := newStage(t, map[string]string{errorsLog: "x\r\nno line end"})
		s.start("startup")
		before := s.read(errorsLog)
		s.fail(strings.Repeat("make ", 1000), output)
		require.LessOrEqual(t, len(s.read(errorsLog))-len(before), 4<<10)
	}
}
