package capture_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/agent/transcript"
	"whence/internal/capture"
	"whence/internal/store"
)

// script is a transcript of lines, each with an id.
type script struct {
	lines []string
}

func (t *script) add(kind string, content any, more ...string) *script {
	c, _ := json.Marshal(content)
	role := kind
	id := fmt.Sprintf("u%d", len(t.lines))
	t.lines = append(t.lines, fmt.Sprintf(`{"type":%q,"uuid":%q,%s"message":{"role":%q,"content":%s}}`, kind, id, strings.Join(append(more, ""), ","), role, c))
	return t
}

func (t *script) says(text string, more ...string) *script { return t.add("user", text, more...) }

func (t *script) answers(text string, more ...string) *script {
	return t.add("assistant", []any{map[string]any{"type": "text", "text": text}}, more...)
}

func (t *script) uses(name, key, value string, more ...string) *script {
	return t.add("assistant", []any{map[string]any{"type": "tool_use", "id": fmt.Sprint("t", len(t.lines)), "name": name, "input": map[string]any{key: value}}}, more...)
}

func (t *script) runs(command string) *script { return t.uses("Bash", "command", command) }

// gets is the result of the latest tool use.
func (t *script) gets(text string, isError bool, more ...string) *script {
	return t.add("user", []any{map[string]any{"type": "tool_result", "tool_use_id": fmt.Sprint("t", len(t.lines)-1), "content": text, "is_error": isError}}, more...)
}

func (t *script) turns(tb testing.TB) []store.Turn {
	return storedOf(&capture.Filter{}, records(tb, []byte(strings.Join(t.lines, "\n")+"\n")))
}

// shown returns turns in a short form.
func shown(turns []store.Turn) (all []string) {
	for _, t := range turns {
		all = append(all, t.Kind+" "+t.Text)
	}
	return all
}

func TestRules(t *testing.T) {
	const no = "The user doesn't want to proceed with this tool use. The tool use was rejected. "
	for name, c := range map[string]struct {
		script *script
		want   []string
	}{
		"characters count, not bytes":      {new(script).says("ääääääääääääää").says("ääääääääääääääa").answers(strings.Repeat("ä", 49)).answers(strings.Repeat("ä", 50)), []string{"prompt ääääääääääääääa", "answer " + strings.Repeat("ä", 50)}},
		"a meta record":                    {new(script).says("please explain the policy", `"isMeta":true`).says("please explain the policy", `"isCompactSummary":true`), nil},
		"errors and fixes, however short":  {new(script).says("Error: E42").says("it fails again").says("no errors").says("错误：空").answers("Root cause: nil map.").answers("**Fix:** make it").answers("I fix the error.").answers("Fixtures: a, b").answers("Ursache: nil"), []string{"prompt Error: E42", "prompt it fails again", "prompt 错误：空", "answer Root cause: nil map.", "answer **Fix:** make it", "answer Ursache: nil"}},
		"an error of the API":              {new(script).answers("API Error: 500 the server has failed for reasons of its own", `"isApiErrorMessage":true`), nil},
		"a subagent's prompt":              {new(script).says("please debug the failing test", `"isSidechain":true`).answers("I found the cause: the fixture is shared between the tests.", `"isSidechain":true`), []string{"answer I found the cause: the fixture is shared between the tests."}},
		"arguments of a command":           {new(script).says("<command-name>/fix</command-name><command-args>the parser of dates</command-args>").says("<command-name>/model</command-name><command-args>opus</command-args>"), []string{"command /fix the parser of dates"}},
		"an interrupt and a correction":    {new(script).runs("rm -rf build").says("[Request interrupted by user]").says("only remove build/tmp").answers("ok").says("and now the next one"), []string{"interrupt [Interrupt] rm -rf build", "prompt only remove build/tmp", "prompt and now the next one"}},
		"a refusal, its mark and the next": {new(script).runs("npm install").gets(no+"STOP what you are doing", true).says("[Request interrupted by user for tool use]").says("we have pnpm in this project"), []string{"interrupt [Interrupt] npm install", "prompt we have pnpm in this project"}},
		"a refusal with a reason":          {new(script).runs("npm install").gets(no+"The user provided the following reason for the rejection:  use pnpm", true), []string{"interrupt [Interrupt] npm install\nuse pnpm"}},
		"an answer to a question":          {new(script).uses("AskUserQuestion", "x", "").gets(`User has answered your questions: "Which?"="SQLite". You can now continue`, false), []string{`prompt "Which?"="SQLite"`}},
		"a failure":                        {new(script).runs("npm test").gets("Exit code 1\nno", true), []string{"error [Error] npm test\nExit code 1\nno"}},
		"a failure without the mark":       {new(script).runs("npm test").gets("Exit code 1\nno", false), []string{"error [Error] npm test\nExit code 1\nno"}},
		"a failure without its use":        {new(script).gets("boom", true), []string{"error [Error] boom"}},
		"a failure that says nothing":      {new(script).runs("false").gets("", true), []string{"error [Error] false"}},
		"a tool that was used wrongly":     {new(script).uses("Edit", "file_path", "/a").gets("<tool_use_error>File has not been read yet.</tool_use_error>", true).uses("Read", "file_path", "/a").gets("x", false).uses("Edit", "file_path", "/a").gets("done", false), []string{"error [Error] Edit /a\nFile has not been read yet."}},
		"a long failure":                   {new(script).runs("make").gets(strings.Repeat("b", 5000)+strings.Repeat("e", 5000), true), []string{"error [Error] make\n" + strings.Repeat("b", 500) + "\n…\n" + strings.Repeat("e", 300)}},
		"a fix":                            {new(script).runs("cd web && npm test -- -u 2>&1 | tail").gets("Exit code 1\nno such module", true).uses("Read", "file_path", "/p.json").gets("x", false).uses("Edit", "file_path", "/p.json").gets("ok", false).runs("npm install").gets("added 3", false).runs("npm test").gets("ok 5", false), []string{"error [Error] cd web && npm test -- -u 2>&1 | tail\nExit code 1\nno such module", "bash [Bash] npm install", "fix [Fix] cd web && npm test -- -u 2>&1 | tail\nfailed: Exit code 1\nno such module\nthen: Edit /p.json; npm install\npasses as: npm test", "bash [Bash] npm test"}},
		"a failure that comes again":       {new(script).runs("go test ./...").gets("one", true).uses("Edit", "file_path", "/a.go").gets("ok", false).runs("go test ./...").gets("two", true).uses("Edit", "file_path", "/b.go").gets("ok", false).runs("go test ./...").gets("", false), []string{"error [Error] go test ./...\none", "error [Error] go test ./...\ntwo", "fix [Fix] go test ./...\nfailed: two\nthen: Edit /a.go; Edit /b.go\npasses now"}},
		"it passes without a change":       {new(script).runs("go test ./...").gets("timeout", true).runs("go test ./...").gets("", false), []string{"error [Error] go test ./...\ntimeout", "fix [Fix] go test ./...\nfailed: timeout\npasses now"}},
		"a file that could not be written": {new(script).uses("Write", "file_path", "/x").gets("EACCES: permission denied", true).runs("chmod u+w /x").gets("", false).uses("Edit", "file_path", "/x").gets("ok", false), []string{"error [Error] Write /x\nEACCES: permission denied", "fix [Fix] Write /x\nfailed: EACCES: permission denied\nthen: chmod u+w /x\npasses now"}},
		"commands with and without output": {new(script).runs("make").gets("", false).runs("make").gets("(Bash completed with no output)", false).runs("make").gets("built", false), []string{"bash [Bash] make"}},
		"all commands but our own":         {new(script).runs("ls -la").gets("x", false).runs("git status").gets("x", false).runs("memory-when when x").gets("x", false).runs("cat > a <<EOF").gets("x", false), []string{"bash [Bash] ls -la", "bash [Bash] git status", "bash [Bash] cat > a <<EOF"}},
		"reads, however many":              {new(script).uses("Read", "file_path", "/a").gets("x", false).uses("Read", "file_path", "/a").gets("x", false).uses("Read", "file_path", "/a").gets("x", false), nil},
		"what was cut":                     {new(script).says(strings.Repeat("é", 2001)), []string{"prompt " + strings.Repeat("é", 2000)}},
	} {
		t.Run(name, func(t *testing.T) { require.Equal(t, c.want, shown(c.script.turns(t))) })
	}
}

func TestAMessageThatIsSplit(t *testing.T) {
	line := func(uuid, block string) string {
		return `{"type":"assistant","uuid":"` + uuid + `","message":{"id":"m1","content":[` + block + "]}}\n"
	}
	src := line("a", `{"type":"text","text":"Short lead-in, the first half of it"}`) +
		line("b", `{"type":"tool_use","id":"t","name":"Bash","input":{"command":"ls"}}`) +
		line("c", `{"type":"text","text":"and the second half of that answer."}`) +
		line("d", `{"type":"text","text":"And more."}`)
	var f capture.Filter
	var all []store.Turn
	for _, r := range records(t, []byte(src+src)) { // read twice: nothing is said twice
		all = append(all, f.Add(r)...)
	}
	require.Len(t, all, 2)
	require.Equal(t, all[0].UUID, all[1].UUID)
	require.Equal(t, "Short lead-in, the first half of it\n\nand the second half of that answer.\n\nAnd more.", all[1].Text)
}

// A secret that the caller removes from a record is neither in a turn nor in the state.
func TestNoSecretIsKept(t *testing.T) {
	secret := "ghp_" + strings.Repeat("a1B2", 9)
	script := new(script).says("please use the token "+secret).says("<command-name>/login</command-name><command-args>with "+secret+"</command-args>").
		answers("I have used the token "+secret+" as you have said, and it was refused.").
		runs("curl -H "+secret+" https://x").gets("Exit code 22\nno: "+secret, true).uses("Write", "file_path", "/"+secret).gets("no "+secret, true).
		uses("Skill", "args", secret).runs("make " + secret)
	f := &capture.Filter{}
	turns := storedOf(f, records(t, []byte(strings.Join(script.lines, "\n")+"\n")))
	require.Len(t, turns, 5)
	kept, err := json.Marshal([]any{turns, f})
	require.NoError(t, err)
	require.NotContains(t, string(kept), secret[:12])
	require.Contains(t, string(kept), "[redacted: ")
}

// Turns that a forked session repeats keep their UUIDs.
func TestAForkedSession(t *testing.T) {
	a := new(script).says("please explain the policy", `"sessionId":"a"`).turns(t)
	b := new(script).says("please explain the policy", `"sessionId":"b"`).turns(t)
	require.Equal(t, a[0].UUID, b[0].UUID)
	require.Equal(t, "b", b[0].Session)
}

func TestChange(t *testing.T) {
	var f capture.Filter
	use := func(skill, args string) {
		line, _ := json.Marshal(map[string]any{"type": "assistant", "message": map[string]any{"content": []any{map[string]any{"type": "tool_use", "name": "Skill", "input": map[string]any{"skill": skill, "args": args}}}}})
		for _, r := range records(t, append(line, '\n')) {
			require.Empty(t, f.Add(r))
		}
	}
	use("opsx:explore", "")
	use("frontend", "other-change")
	require.Empty(t, changeOf(&f))
	use("opsx:apply", "zeta-change extra words")
	require.Equal(t, "zeta-change", changeOf(&f))
	use("openspec-verify-change", "alpha-change")
	require.Equal(t, "alpha-change", changeOf(saved(t, &f)))

	var typed capture.Filter
	line, _ := json.Marshal(map[string]any{"type": "user", "message": map[string]any{"content": "<command-name>/opsx:apply</command-name>\n<command-args>sort-names</command-args>"}})
	for _, r := range records(t, append(line, '\n')) {
		typed.Add(r)
	}
	require.Equal(t, "sort-names", changeOf(&typed))
}

// A tool that fails again in the same way makes no other turn, even if the numbers in the error differ. Words that
// the user repeats do.
func TestWhatComesAgain(t *testing.T) {
	again := new(script).runs("make").gets("a.go:12: undefined", true).runs("make").gets("a.go:117:  Undefined", true).
		runs("make").gets("a.go: undefined", true).says("please go on with it").says("please go on with it")
	require.Equal(t, []string{
		"error [Error] make\na.go:12: undefined", "error [Error] make\na.go: undefined",
		"prompt please go on with it", "prompt please go on with it",
	}, shown(again.turns(t)))
	var f capture.Filter
	for range 2 { // it is known after the state was saved, too
		f = *saved(t, &f)
		for _, r := range records(t, []byte(strings.Join(new(script).gets("boom", true).lines, "\n")+"\n")) {
			f.Add(r)
		}
	}
	require.Len(t, f.Seen, 1)
}

// changeOf returns the change of the next turn.
func changeOf(f *capture.Filter) string {
	turns := f.Add(transcript.Record{UUID: "x", Type: transcript.User, Blocks: []transcript.Block{{Kind: transcript.Text, Text: "please go on with the change"}}})
	return turns[0].Change
}
