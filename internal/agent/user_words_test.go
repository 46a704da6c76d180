package agent_test

import (
	"strings"
	"testing"

	"whence/internal/agent"

	"github.com/stretchr/testify/require"
)

func TestReadMessage(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		want agent.Message
	}{
		"words":                    {"fix the parser", agent.Message{Words: "fix the parser"}},
		"a reminder before":        {"<system-reminder>no</system-reminder>fix the parser", agent.Message{Words: "fix the parser"}},
		"reminders between":        {"<system-reminder>a</system-reminder>first stays<system-reminder>b\nc</system-reminder> and the second", agent.Message{Words: "first stays and the second"}},
		"no words are joined":      {"one<system-reminder>a</system-reminder>two", agent.Message{Words: "one two"}},
		"one within another":       {"<system-reminder>a <system-reminder>b</system-reminder> c</system-reminder>fix it", agent.Message{Words: "fix it"}},
		"one that names itself":    {"<system-reminder>a <system-reminder> is this</system-reminder>fix it", agent.Message{Words: "fix it"}},
		"never closed":             {"fix it\n<system-reminder>a", agent.Message{Words: "fix it"}},
		"talked about":             {"why is there a <system-reminder> in my prompt?", agent.Message{Words: "why is there a <system-reminder> in my prompt?"}},
		"closed only":              {"a</system-reminder> b", agent.Message{Words: "a b"}},
		"with attributes":          {"<teammate-message teammate_id=\"a\" color=\"blue\">\nno\n</teammate-message>", agent.Message{}},
		"HTML of the user":         {"add a <details> and a [link]", agent.Message{Words: "add a <details> and a [link]"}},
		"a selection":              {"<ide_selection>The user selected x\n</ide_selection>rename this", agent.Message{Words: "rename this"}},
		"a slash command":          {"<command-message>remember</command-message>\n<command-name>/remember</command-name>\n<command-args>tests need a store</command-args>", agent.Message{Command: "/remember", Arguments: "tests need a store"}},
		"bash mode":                {"<bash-input>make test</bash-input>", agent.Message{Shell: "make test"}},
		"its output":               {"<bash-stdout>no</bash-stdout><bash-stderr></bash-stderr>", agent.Message{}},
		"a command's output":       {"<local-command-stdout>no</local-command-stdout>", agent.Message{}},
		"a caveat":                 {"<local-command-caveat>no</local-command-caveat>", agent.Message{}},
		"a user's caveat":          {"Caveat: it must run on Windows", agent.Message{Words: "Caveat: it must run on Windows"}},
		"a user on hooks":          {"The Stop hook feedback: what is it?", agent.Message{Words: "The Stop hook feedback: what is it?"}},
		"a notification":           {"<task-notification>\n<summary>no</summary>\n</task-notification>", agent.Message{}},
		"an interrupt":             {"[Request interrupted by user for tool use]", agent.Message{Interrupted: true}},
		"an interrupt with words":  {"[Request interrupted by user] also run vet", agent.Message{Words: "also run vet", Interrupted: true}},
		"a memory of the user":     {"<user-memory-input>always use tabs</user-memory-input>", agent.Message{Words: "always use tabs"}},
		"what was recalled":        {"how do we lock?\n" + agent.RecalledHead + "\n[a.md:3]\nLocks\n", agent.Message{Words: "how do we lock?"}},
		"findings, and words":      {agent.FindingsHead + "\na.md:3: x [y]\n" + agent.FindingsEnd + "mend them", agent.Message{Words: "mend them"}},
		"a broken index":           {agent.BrokenIndexHead + "\na.md:3: x [y]\n" + agent.FindingsEnd, agent.Message{}},
		"what a session begins by": {agent.LearningsHead + "\n### A\n\n" + agent.CommandsLine + "Tip: x", agent.Message{}},
		"notes":                    {agent.NotesHead + "context.md:\n- Goal: fast.\n", agent.Message{}},
		"what was pointed to":      {"how do we lock?\n" + agent.PointersHead + "memory-when '<trigger>'\n- /when locking  (Locks)\n\n" + agent.RecalledHead + "\nLocks\n", agent.Message{Words: "how do we lock?"}},
		"the same, no plugin":      {agent.ShellCommandsLine + "Tip: x", agent.Message{}},
	} {
		t.Run(name, func(t *testing.T) { require.Equal(t, c.want, agent.ReadMessage(c.text)) })
	}
}

func TestSpoken(t *testing.T) {
	require.Equal(t, "tests need a store", agent.Spoken("<command-name>/remember</command-name><command-args>tests need a store</command-args>"))
	require.Equal(t, "make test", agent.Spoken("<bash-input>make test</bash-input>"))
	require.Empty(t, agent.Spoken("<system-reminder>no</system-reminder>"))
}

func TestRefusedTool(t *testing.T) {
	const no = "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. x). "
	for result, reason := range map[string]string{
		no + "STOP what you are doing and wait for the user to tell you how to proceed.":                                      "",
		no + "The user provided the following reason for the rejection:  use pnpm":                                            "use pnpm",
		no + "To tell you how to proceed, the user said:\nuse pnpm\n\nNote: The user's next message may contain a correction": "use pnpm",
		"The user doesn't want to take this action right now. STOP what you are doing":                                        "",
		"[Request interrupted by user for tool use]":                                                                          "",
	} {
		got, refused := agent.RefusedTool(result)
		require.True(t, refused, result)
		require.Equal(t, reason, got)
		require.True(t, strings.HasPrefix(result, "[") || agent.IsToolMisuse(result))
	}
	_, refused := agent.RefusedTool("Exit code 1\nThe user doesn't want to")
	require.False(t, refused)
}

func TestIsMisuse(t *testing.T) {
	for _, failure := range []string{
		"<tool_use_error>File has not been read yet.</tool_use_error>", "This command requires approval",
		"Found 2 matches of the string to replace, but replace_all is false.", "ls in '/x' was blocked. For security, Claude Code may only",
	} {
		require.True(t, agent.IsToolMisuse(failure), failure)
	}
	for _, failure := range []string{"Exit code 1\nFound 2 matches of the string to replace", "undefined: fooBar", "Error: was blocked\nx"} {
		require.False(t, agent.IsToolMisuse(failure), failure)
	}
}

func TestToolOutput(t *testing.T) {
	for failure, want := range map[string]string{
		"Exit code 1":                           "",
		"  Exit code 127 \t\n\nno such file\n ": "no such file",
		"Exit code 1\r\nfailed\nExit code 2":    "failed\nExit code 2",
		"Exit code 1 of make\nfailed":           "Exit code 1 of make\nfailed",
		"Exit code \nfailed":                    "Exit code \nfailed",
		"Exit code -1\nfailed":                  "Exit code -1\nfailed",
		"failed\nExit code 1\n":                 "failed\nExit code 1",
		"":                                      "",
	} {
		require.Equal(t, want, agent.ToolOutput(failure), failure)
	}
}

func TestToolAnswers(t *testing.T) {
	require.Equal(t, `"Which?"="SQLite", "Why?"="small"`,
		agent.ToolAnswers("User has answered your questions: \"Which?\"=\"SQLite\", \"Why?\"=\"small\". You can now continue with the user's answers in mind."))
	require.Empty(t, agent.ToolAnswers("the log says: User has answered your questions: x"))
}

// Words that an agent writes in the user's name are recognized by their record, never by the first words of a prompt.
func TestPromptsThatReadAsAnAgents(t *testing.T) {
	for _, prompt := range []string{
		"Stop hook feedback:\nrun the tests", "Stop hook error: what does it mean?", "PreToolUse:Bash hook error: no",
		"This session is being continued from a previous conversation: so read that", "Caveat: it must run on Windows",
	} {
		require.Equal(t, prompt, agent.Spoken(prompt), prompt)
	}
}

// The state of an index is shown in whole lines. Users may write about it, too.
func TestHealthIsNotTheUsers(t *testing.T) {
	lines := agent.HealthHead + "2 findings" + agent.HealthEnd + "\n" + agent.HealthHead + "1 line" + agent.OldFormatEnd + "\n"
	require.Equal(t, "why?", agent.Spoken(lines+"why?"))
	require.Empty(t, agent.Spoken(lines))
	require.Equal(t, "Memory index: how is it sorted?", agent.Spoken("Memory index: how is it sorted?"))
}

// Reading any text ends, and returns no more than the text has.
func FuzzRead(f *testing.F) {
	f.Add("<system-reminder>a <system-reminder>b</system-reminder>[Request interrupted by user]x<command-args>y")
	f.Add(agent.FindingsHead + "x" + agent.FindingsEnd)
	f.Fuzz(func(t *testing.T, s string) {
		m := agent.ReadMessage(s)
		require.LessOrEqual(t, len(m.Words)+len(m.Arguments)+len(m.Shell)+len(m.Command), 2*len(s))
		require.Equal(t, strings.TrimSpace(m.Words), m.Words)
	})
}

// A text that opens many elements and closes none is read in linear time: for 1 MB, a quadratic reader would
// practically never end.
func TestManyOpenElements(t *testing.T) {
	for _, part := range []string{"x <system-reminder> ", "<system-reminder><system-reminder></system-reminder>", agent.FindingsHead + "\n" + agent.FindingsEnd, "[Request interrupted by user"} {
		agent.ReadMessage(strings.Repeat(part, (4<<20)/len(part)))
	}
}
