package remember_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"whence/internal/cli"
	"whence/internal/decision"
	"whence/internal/test/repotest"
	"whence/skills"
)

// skill is one of those that are published.
type skill struct {
	Name, Description string
	ArgumentHint      string `yaml:"argument-hint"`
	AllowedTools      string `yaml:"allowed-tools"`

	text string
}

func readSkill(t *testing.T, name string) (s skill) {
	t.Helper()
	src, err := os.ReadFile(filepath.Join(repotest.Root(t), "skills", name, "SKILL.md"))
	require.NoError(t, err)
	parts := strings.SplitN(string(src), "---\n", 3)
	require.Len(t, parts, 3)
	decoder := yaml.NewDecoder(strings.NewReader(parts[1]))
	decoder.KnownFields(true)
	require.NoError(t, decoder.Decode(&s))
	require.Equal(t, name, s.Name)
	require.Less(t, len(s.Description), 1024)
	require.Contains(t, s.Description, "Use it when ")
	s.text = parts[2]
	return s
}

// blocks are the commands of a skill, as a shell gets them.
func (s skill) blocks() (blocks []string) {
	for _, m := range regexp.MustCompile("(?ms)^( *)```sh\n(.*?)^ *```$").FindAllStringSubmatch(s.text, -1) {
		blocks = append(blocks, regexp.MustCompile("(?m)^"+m[1]).ReplaceAllString(m[2], ""))
	}
	return blocks
}

// shop is a folder with a memory and the programs, in which skills are tried.
type shop struct {
	t        *testing.T
	dir, bin string
}

func newShop(t *testing.T) *shop {
	t.Helper()
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("there is no shell")
	}
	s := &shop{t, t.TempDir(), t.TempDir()}
	for _, pkg := range []string{"remember/memory-remember", "when/memory-when", "validate/memory-validate", "migrate/memory-migrate"} {
		repotest.Build(t, s.bin, "whence/"+pkg)
	}
	require.NoError(t, os.CopyFS(s.dir, os.DirFS(filepath.Join(repotest.Root(t), "examples", "ferry"))))
	file, err := os.OpenFile(filepath.Join(s.dir, "agents/decisions/api.md"), os.O_APPEND|os.O_WRONLY, 0)
	require.NoError(t, err)
	_, err = file.WriteString("\n## Webhooks are signed with a key per partner\n\nOne partner replayed the calls of another.\n")
	require.NoError(t, err)
	require.NoError(t, file.Close())
	return s
}

// sh runs a command line in a shell.
func (s *shop) sh(line string) (out string, status int) {
	s.t.Helper()
	cmd := exec.Command("sh", "-c", line)
	cmd.Dir = s.dir
	cmd.Env = append(os.Environ(), "PATH="+s.bin+string(os.PathListSeparator)+os.Getenv("PATH"), "WHENCE_HOME="+filepath.Join(s.dir, "store"), "CLAUDE_CODE_SESSION_ID=skills")
	text, err := cmd.CombinedOutput()
	if cmd.ProcessState == nil {
		require.NoError(s.t, err)
	}
	return string(text), cmd.ProcessState.ExitCode()
}

// Every command that a skill shows can be run as it stands.
func TestSkillCommands(t *testing.T) {
	s := newShop(t)
	all := skills.All()
	require.Len(t, all, 7)
	for _, skill := range all {
		if skill.Name == "migrating" {
			continue // it needs an old index: TestMigratingSkill has one
		}
		k := readSkill(t, skill.Name)
		require.NotEmpty(t, k.blocks())
		for _, block := range k.blocks() {
			out, status := s.sh(block)
			require.Contains(t, []int{cli.OK, cli.Found}, status, "%s\n%s", block, out)
			if strings.Contains(block, " store ") {
				require.Contains(t, out, "Proposed, not stored: Tests use the fake clock (patterns)\n", "the setting is kept to")
				out, status = s.sh(strings.Replace(block, `{"name"`, `{"approved": true, "name"`, 1))
				require.Equal(t, 0, status, out)
				require.Contains(t, out, "Stored: Tests use the fake clock (id: ")
			} else {
				require.Equal(t, 0, status, out)
			}
		}
		for _, m := range regexp.MustCompile("`(memory-[a-z]+ [^`]+)`").FindAllStringSubmatch(k.text, -1) {
			out, status := s.sh(strings.Join(strings.Fields(m[1]), " "))
			require.Equal(t, 0, status, "%s\n%s", m[1], out)
		}
		for _, m := range regexp.MustCompile("`(--[a-z]+ [a-z-]+)`").FindAllStringSubmatch(k.text, -1) {
			out, status := s.sh("echo 'an option that a skill names' | memory-remember - " + m[1])
			require.Equal(t, 0, status, "%s\n%s", m[1], out)
		}
	}
}

// The text of /remember gets into the store to the letter, and none of it is run.
func TestRememberSkillKeepsText(t *testing.T) {
	s := newShop(t)
	k := readSkill(t, "remember")
	const everywhere = "memory-remember: it holds everywhere: this is not a repository\n" // on stderr
	require.NotEmpty(t, k.ArgumentHint)
	require.NotContains(t, k.text, "!`", "it would be run before anybody looks at it")
	require.NotContains(t, k.text, "$ARGUMENTS", "the client changes the text that it puts there")
	for _, text := range []string{
		"never use $(touch RUN) or `touch RUN` or ${HOME} in a hook",
		`it's "quoted" \n with \\ backslashes \$HOME and a trailing backslash \`,
		"first line of it\n\tsecond; rm -rf / #comment && exit 3\n\nthird: <<EOF !! *",
		"ümläuts, 日本語, emoji 🚢 and %s %d in it",
	} {
		block := strings.Replace(k.blocks()[0], "<the text, as the user typed it>", text, 1)
		require.Contains(t, block, text)
		out, status := s.sh(block)
		require.Equal(t, 0, status, out)
		require.Regexp(t, `^Stored: .* \([a-z-]+\)\n`+everywhere+`$`, out)
		require.NoFileExists(t, filepath.Join(s.dir, "RUN"))
		out, status = s.sh("memory-remember export")
		require.Equal(t, 0, status, out)
		found := false
		for line := range strings.Lines(out) {
			var l struct{ Description, Confidence string }
			require.NoError(t, json.Unmarshal([]byte(line), &l))
			found = found || l.Description == text && l.Confidence == "low"
		}
		require.True(t, found, out)
		out, status = s.sh(block)
		require.Equal(t, 0, status, out)
		require.Regexp(t, `^Reinforced: .* — observation count incremented\n`+everywhere+`$`, out)
	}
	out, status := s.sh(strings.Replace(k.blocks()[0], "<the text, as the user typed it>", "fix bug", 1))
	require.Equal(t, cli.Usage, status)
	require.Contains(t, out, "Learning too short (need at least 20 characters). Please provide more detail.")
	require.Contains(t, k.text, "`Learning too short`")
	for _, word := range []string{"store_memory", "approved: true", "confidence: low", "show the error"} {
		require.Contains(t, k.text, word)
	}
}

// The words of a query get to memory-when to the letter, a query a line, and none of
// them is run; what has no answer is named with what comes near.
func TestQuerySkillsKeepText(t *testing.T) {
	s := newShop(t)
	for _, c := range []struct{ name, example, answer, near string }{
		{"when", "listing many records", "# Cursor pagination vs page numbers\n", "listing records"},
		{"how", "/how write a backfill", "# Backfills run from `tools/backfill`, never in a migration\n", "/how write backfills twice"},
	} {
		k := readSkill(t, c.name)
		require.NotEmpty(t, k.ArgumentHint)
		require.NotContains(t, k.text, "!`", "it would be run before anybody looks at it")
		require.NotContains(t, k.text, "$ARGUMENTS", "the client changes the text that it puts there")
		block := k.blocks()[0]
		require.Contains(t, block, "\n"+c.example+"\n")
		out, status := s.sh(block)
		require.Equal(t, cli.OK, status, out)
		require.Contains(t, out, c.answer)
		for _, text := range []string{"storing $(touch RUN) or `touch RUN`", `it's "quoted"; touch RUN #`} {
			out, status := s.sh(strings.Replace(block, c.example, text+"\n"+c.example+"\n"+c.near, 1))
			require.Equal(t, cli.Found, status, out)
			require.Contains(t, out, c.answer, "the other query is answered")
			require.Contains(t, out, "touch RUN", "the query is named")
			require.Contains(t, out, "- /"+strings.TrimPrefix("when "+c.example, "when /")+"  # ", "the nearest is named")
			require.NoFileExists(t, filepath.Join(s.dir, "RUN"))
		}
		for _, word := range []string{"exit status is 1", "the user in one line", "the tool `when`", "§ "} {
			require.Contains(t, k.text, word)
		}
	}
}

// The command of the skill on recording adds the situations too, and then recall finds the decision
// from other words.
func TestRecordingSkill(t *testing.T) {
	s := newShop(t)
	k := readSkill(t, "recording-decisions")
	blocks := k.blocks()
	require.Len(t, blocks, 1)
	require.Equal(t, 8, strings.Count(blocks[0], "--situation "))
	out, status := s.sh(blocks[0])
	require.Equal(t, cli.OK, status, out)
	require.Contains(t, out, "Added: 8 situations to \"Webhooks are signed with a key per partner\"")
	require.NotContains(t, out, "no situations")
	out, _ = s.sh("memory-validate --enable missing-situations")
	require.NotContains(t, out, "Webhooks")
	try := regexp.MustCompile("`(memory-when recall [^`]+)`").FindStringSubmatch(k.text)
	require.NotNil(t, try)
	out, status = s.sh(try[1])
	require.Equal(t, cli.OK, status, out)
	require.Contains(t, out, "Webhooks are signed with a key per partner")
}

// The loop of the skill on situations comes to its end, and may be left at any time: each
// batch is what is left then.
func TestSituationsSkill(t *testing.T) {
	s := newShop(t)
	k := readSkill(t, "situations")
	list, add := k.blocks()[0], k.blocks()[1]
	example := regexp.MustCompile(`(?m)^\{.*\}$`).FindString(add)
	require.NotEmpty(t, example)
	for before := 1 << 20; ; {
		out, status := s.sh(list)
		require.Equal(t, cli.OK, status, out)
		var batch struct {
			Left, All int
			Entries   []struct {
				Trigger, Header, Text string
				Wanted                int
			}
		}
		require.NoError(t, json.NewDecoder(strings.NewReader(out)).Decode(&batch), out)
		require.Less(t, batch.Left, before)
		require.LessOrEqual(t, len(batch.Entries), 10)
		if before = batch.Left; before == 0 {
			require.Greater(t, batch.All, 100)
			break
		}
		var lines strings.Builder
		for _, e := range batch.Entries {
			require.NotEmpty(t, e.Text)
			var phrases []string
			for i := range e.Wanted {
				phrases = append(phrases, fmt.Sprintf("what number %d of $(touch RUN) 'sees' in the middle of it", i))
			}
			line, err := json.Marshal(map[string]any{"trigger": e.Trigger, "situations": phrases})
			require.NoError(t, err)
			lines.WriteString(string(line) + "\n")
		}
		out, status = s.sh(strings.Replace(add, example, strings.TrimSpace(lines.String()), 1))
		require.Equal(t, cli.OK, status, out)
		require.Equal(t, len(batch.Entries), strings.Count(out, "Added: "), out)
	}
	require.NoFileExists(t, filepath.Join(s.dir, "RUN"))
	out, _ := s.sh("memory-validate --enable missing-situations")
	require.NotContains(t, out, "[missing-situations]")
	require.NotContains(t, out, "[situations-format]")
}

// The skill on migrating brings back the triggers and situations that a memory had before it was made
// an old one, batch by batch, although some answers are refused.
func TestMigratingSkill(t *testing.T) {
	s := newShop(t)
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("there is no git")
	}
	answers := s.age()
	s.run("git init -q . && git add . && git -c user.name=a -c user.email=a@example.com commit -qm old")
	k := readSkill(t, "migrating")
	blocks := k.blocks()
	require.Len(t, blocks, 13)
	look, next, set, rest, reread := blocks[0], blocks[1], blocks[2], blocks[3], blocks[4]
	preview, finish, check, draft := blocks[5], blocks[6], blocks[7], blocks[8]
	example := regexp.MustCompile(`(?m)^\{.*\}$`).FindString(set)
	var shown worded
	require.NoError(t, json.Unmarshal([]byte(example), &shown))
	cursors := answers["Cursor pagination vs page numbers"]
	require.Equal(t, cursors.Trigger, shown.Trigger)
	cursors.Situations = append(cursors.Situations, shown.Situations...)
	answers["Cursor pagination vs page numbers"] = cursors
	require.Regexp(t, `(?m)^170 entries in, 170 out`, s.run(look))

	batches := 0
	pass := func(list string) {
		for before := 1 << 20; ; batches++ {
			out := s.run(list + " 2>progress")
			var batch struct {
				Left    int
				Entries []struct {
					Line         int
					Header, Text string
				}
			}
			require.NoError(t, json.Unmarshal([]byte(out), &batch), out)
			require.Less(t, batch.Left, before, "the batch before was not set")
			if before = batch.Left; before == 0 {
				return
			}
			require.Regexp(t, `^memory-migrate: \d+ of 170 set, `, s.run("cat progress"))
			var lines []map[string]any
			for _, e := range batch.Entries {
				require.NotEmpty(t, e.Text)
				a := answers[e.Header]
				lines = append(lines, map[string]any{"line": e.Line, "operator": a.Operator, "trigger": a.Trigger, "situations": a.Situations})
			}
			for attempt := 0; len(lines) > 0; attempt++ {
				require.Less(t, attempt, 3, "%v", lines)
				lines = s.set(set, example, lines)
			}
		}
	}
	pass(strings.TrimSpace(next))
	pass(strings.TrimSpace(rest))
	require.Greater(t, batches, 12)

	require.Regexp(t, `(?m)^\d+\tCursor pagination vs page numbers\t`+cursors.Trigger+`$`, s.run(reread))

	out, _ := s.sh(preview)
	require.Contains(t, out, "+++ b/agents/decisions/")
	out, status := s.sh(finish)
	require.Equal(t, cli.Found, status, out)
	require.Contains(t, out, "[missing-entry]", "newShop adds a heading")
	partial := regexp.MustCompile("`(memory-migrate apply --partial)`").FindStringSubmatch(k.text)
	require.NotNil(t, partial)
	out, _ = s.sh(partial[1])
	require.Contains(t, out, "is removed, since all of it is in the memory now\n")
	require.NoFileExists(t, filepath.Join(s.dir, "agents/memory-index.plan.tsv"))
	require.Contains(t, s.run(look), "nothing to migrate")

	require.Contains(t, s.run("memory-remember entry draft --for-agent"), "Webhooks are signed")
	require.Contains(t, s.run(draft), `"left": 0`)
	require.Contains(t, s.run("memory-when 'sending a webhook'"), "One partner replayed")

	src, err := os.ReadFile(filepath.Join(s.dir, "agents/memory-index.md"))
	require.NoError(t, err)
	var lost []string
	for title, had := range answers {
		if had.Trigger != "" && !strings.Contains(string(src), "/"+had.Operator+" "+had.Trigger+" | ") {
			lost = append(lost, title)
		}
	}
	require.Less(t, len(lost), 10, "%q", lost)
	require.NotContains(t, s.run(check), "-format]")
	try := regexp.MustCompile("`(memory-when recall [^`]+)`").FindStringSubmatch(k.text)
	require.NotNil(t, try)
	require.Contains(t, s.run(try[1]), "/when listing many records")
}

// The same skill adopts records: its commands draft the entries, and words replace the drafts.
func TestAdoptingSkill(t *testing.T) {
	s := newShop(t)
	blocks := readSkill(t, "migrating").blocks()
	look, adopt, next, set := blocks[9], blocks[10], blocks[11], blocks[12]
	for name, text := range map[string]string{
		"0001-record-decisions.md": "# Record decisions\n\nWe forget why things are as they are.\n",
		"0002-queue.md":            "# Queue of jobs in Postgres\n\n## Status\n\nAccepted\n\n## Decision\n\nA job is a row that is taken with SKIP LOCKED.\n",
	} {
		name = filepath.Join(s.dir, "docs/adr", name)
		require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o700))
		require.NoError(t, os.WriteFile(name, []byte(text), 0o600))
	}
	require.Contains(t, s.run(look), "docs/adr/*.md  2 files")
	require.Contains(t, s.run(adopt), "docs/adr/: 2 entries added")
	require.Contains(t, s.run(next), `"file": "docs/adr/0002-queue.md"`)
	require.Contains(t, s.run(set), `"set": 1,`)
	require.Contains(t, s.run("memory-when 'running something in the background'"), "SKIP LOCKED")
	require.NotContains(t, s.run(next), "0002-queue.md")
	require.Contains(t, s.run("memory-migrate adopt --write"), "nothing to adopt")
}

// entryLine is a line of the index, in three fields.
var entryLine = regexp.MustCompile(`(?m)^/(when|how) (.*) \| (.*) \| (.*)$`)

// worded is how somebody worded an entry.
type worded struct {
	Operator, Trigger string
	Situations        []string
}

// age makes the memory an old one, without triggers and situations, and returns what it had, by title.
func (s *shop) age() map[string]worded {
	s.t.Helper()
	had := map[string]worded{}
	names, err := filepath.Glob(filepath.Join(s.dir, "agents/decisions/*.md"))
	require.NoError(s.t, err)
	for _, name := range names {
		src, err := os.ReadFile(name)
		require.NoError(s.t, err)
		f := decision.Parse(name, src)
		for i, h := range f.Headings {
			had[h.Title] = worded{Situations: f.Phrases(i)}
		}
		src = regexp.MustCompile(`(?s)<!-- situations:.*?-->\n`).ReplaceAll(src, nil)
		require.NoError(s.t, os.WriteFile(name, src, 0o600))
	}
	name := filepath.Join(s.dir, "agents/memory-index.md")
	src, err := os.ReadFile(name)
	require.NoError(s.t, err)
	src = entryLine.ReplaceAllFunc(src, func(line []byte) []byte {
		m := entryLine.FindStringSubmatch(string(line))
		had[m[3]] = worded{m[1], m[2], had[m[3]].Situations}
		return []byte(m[3] + " — " + m[4])
	})
	require.NoError(s.t, os.WriteFile(name, src, 0o600))
	return had
}

// set passes answers on, by the command of a skill, and returns those that were refused, without what
// they were refused for.
func (s *shop) set(command, example string, answers []map[string]any) (refused []map[string]any) {
	s.t.Helper()
	var lines strings.Builder
	for _, a := range answers {
		line, err := json.Marshal(a)
		require.NoError(s.t, err)
		lines.WriteString(string(line) + "\n")
	}
	out, status := s.sh("exec 2>/dev/null\n" + strings.Replace(command, example, strings.TrimSpace(lines.String()), 1))
	require.Contains(s.t, []int{cli.OK, cli.Found}, status, out)
	var report struct {
		Refused []struct {
			Input   int
			Reasons []string
		}
	}
	require.NoError(s.t, json.Unmarshal([]byte(out), &report), out)
	for _, r := range report.Refused {
		a := answers[r.Input-1]
		for _, reason := range r.Reasons {
			if strings.HasPrefix(reason, "trigger ") {
				delete(a, "trigger")
			}
			a["situations"] = slices.DeleteFunc(slices.Clone(a["situations"].([]string)), func(phrase string) bool {
				return strings.HasPrefix(reason, fmt.Sprintf("situation %q ", phrase))
			})
		}
		refused = append(refused, a)
	}
	return refused
}

// run runs a command line that succeeds.
func (s *shop) run(line string) string {
	s.t.Helper()
	out, status := s.sh(line)
	require.Equal(s.t, cli.OK, status, "%s\n%s", line, out)
	return out
}

// The skill on capturing has the five patterns of the specification, an example each,
// the three modes, and what to do where nothing works.
func TestCapturingSkill(t *testing.T) {
	k := readSkill(t, "capturing-learnings")
	_, patterns, found := strings.Cut(k.text, "## When\n")
	require.True(t, found)
	patterns, _, _ = strings.Cut(patterns, "\n## ")
	items := regexp.MustCompile(`(?m)^\d\. `).Split(patterns, -1)[1:]
	require.Len(t, items, 5)
	for i, words := range []string{"corrects you", "behaves unexpectedly", "same error occurs twice in a session", "preference or a convention", "workaround is found"} {
		require.Contains(t, items[i], words)
		require.Regexp(t, `(?s)\n +Example: .{40}`, items[i])
	}
	for _, word := range []string{
		"**ask-first** (the default)", "**silent**", "**off**", "memory_model_capture_mode", "approved: true", "approved: false",
		"Silent capture budget\n  reached. Proposing remaining learnings for approval.", "If neither works, show the error",
	} {
		require.Contains(t, k.text, word)
	}
}
