package remember_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
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

// blocks returns the commands of a skill, as a shell gets them.
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
	repotest.Program(t, "sh")
	s := &shop{t, filepath.Join(t.TempDir(), "shop"), t.TempDir()} // programs beside the project are not run
	for _, pkg := range []string{"remember/memory-remember", "when/memory-when", "validate/memory-validate", "migrate/memory-migrate"} {
		repotest.Build(t, s.bin, "whence/"+pkg)
	}
	require.NoError(t, os.CopyFS(s.dir, os.DirFS(filepath.Join(repotest.Root(t), "examples", "ferry"))))
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

// Every command that a skill shows can be run as it is.
func TestSkillCommands(t *testing.T) {
	s := newShop(t)
	require.Len(t, skills.Names(), 7)
	_, status := s.sh("mkdir .memory; cd .memory; touch context.md findings.md decisions.md errors.log")
	require.Zero(t, status)
	for _, name := range skills.Names() {
		if name == "wording-entries" {
			continue // it needs drafts: TestWordingSkill has some
		}
		k := readSkill(t, name)
		require.NotEmpty(t, k.blocks())
		for _, block := range k.blocks() {
			block = regexp.MustCompile(`<[a-z][^<>\n]*>`).ReplaceAllString(block, "words that a reader would use")
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

// The text of /remember is stored verbatim, and none of it is run.
func TestRememberSkillKeepsText(t *testing.T) {
	s := newShop(t)
	k := readSkill(t, "remember")
	const everywhere = "memory-remember: global, as this is not a repository: all repositories get it\n" // on stderr
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

// The words of a query reach memory-when verbatim, one query per line, and none of them is
// run. A query without an answer is reported with similar ones.
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
	require.Contains(t, out, "Added: \"Webhooks are signed with a key per partner\" (agents/decisions/api.md:")
	require.Contains(t, out, "Added: 8 situations\n")
	require.NotContains(t, out, "no situations")
	out, _ = s.sh("memory-validate --enable missing-situations")
	require.NotContains(t, out, "Webhooks")
	try := regexp.MustCompile("`(memory-when recall [^`]+)`").FindStringSubmatch(k.text)
	require.NotNil(t, try)
	out, status = s.sh(try[1])
	require.Equal(t, cli.OK, status, out)
	require.Contains(t, out, "Webhooks are signed with a key per partner")
}

// The skill on wording brings back the triggers and situations that a memory had before it was made an old
// one, batch by batch, although something of the answers is refused. So it does with records that are adopted.
func TestWordingSkill(t *testing.T) {
	s := newShop(t)
	file, err := os.OpenFile(filepath.Join(s.dir, "agents/decisions/api.md"), os.O_APPEND|os.O_WRONLY, 0)
	require.NoError(t, err)
	_, err = file.WriteString("\n## Webhooks are signed with a key per partner\n\nOne partner replayed the calls of another.\n")
	require.NoError(t, err)
	require.NoError(t, file.Close())
	answers := s.age()
	for name, text := range map[string]string{
		"0001-record-decisions.md": "# Record decisions\n\nStatus: superseded\n\nWe forget why things are as they are.\n",
		"0002-queue.md":            "# Queue of jobs in Postgres\n\n## Status\n\nAccepted\n\n## Decision\n\nA job is a row that is taken with SKIP LOCKED.\n",
	} {
		name = filepath.Join(s.dir, "docs/adr", name)
		require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o700))
		require.NoError(t, os.WriteFile(name, []byte(text), 0o600))
	}
	answers["Queue of jobs in Postgres"] = worded{Operator: "when", Trigger: "running something in the background", Situations: []string{"a job runs twice", "broker.go"}}
	answers["Webhooks are signed with a key per partner"] = worded{Operator: "when", Trigger: "sending a webhook", Situations: []string{"X-Signature does not match"}}
	s.run("git init -q . && git add . && git -c user.name=a -c user.email=a@example.com commit -qm old")
	k := readSkill(t, "wording-entries")
	blocks := k.blocks()
	require.Len(t, blocks, 3)
	look, next, set := blocks[0], blocks[1], blocks[2]
	example := regexp.MustCompile(`(?m)^\{.*\}$`).FindString(set)
	var shown worded
	require.NoError(t, json.Unmarshal([]byte(example), &shown))
	cursors := answers["Cursor pagination vs page numbers"]
	require.Equal(t, cursors.Trigger, shown.Trigger)
	cursors.Situations = append(cursors.Situations, shown.Situations...)
	answers["Cursor pagination vs page numbers"] = cursors

	out, _ := s.sh(look)
	require.Regexp(t, `(?m)^170 entries in, 170 out`, out)
	require.Contains(t, out, "docs/adr/*.md  2 files")
	const last = " drafts? (?:was|were) written\\. Next: tell your agent to run memory-remember entry draft --format json, and to follow the rules that it prints\\n$"
	out, _ = s.sh("memory-migrate --write")
	require.Regexp(t, "1\\d\\d"+last, out)
	require.Regexp(t, `\n1`+last, s.run("memory-migrate adopt --write"))
	require.Contains(t, k.text, "`memory-remember entry draft --write`")
	require.Regexp(t, `\D1`+last, s.run("memory-remember entry draft --write"))

	refused, titles := 0, map[string]string{} // by entry
	for before := 1 << 20; ; {
		var batch struct {
			Left    int
			Skipped []string
			Entries []struct{ Entry, Title, Text string }
		}
		out := s.run("exec 2>/dev/null\n" + next)
		require.NoError(t, json.Unmarshal([]byte(out), &batch), out)
		require.Less(t, batch.Left, before, "the batch before was not set")
		require.Equal(t, []string{"docs/adr/0001-record-decisions.md"}, batch.Skipped)
		if before = batch.Left; before == 0 {
			break
		}
		require.LessOrEqual(t, len(batch.Entries), 10)
		require.Less(t, len(out), 30_000, "the shells of agents cut what is longer")
		var lines strings.Builder
		for _, e := range batch.Entries {
			require.NotEmpty(t, e.Text)
			a := answers[e.Title]
			require.NotEmpty(t, a.Trigger, e.Title)
			if a.Situations == nil {
				a.Situations = []string{"$(touch RUN) 'seen' in the middle of " + e.Title}
			}
			wording := map[string]any{"entry": e.Entry, "situations": a.Situations}
			if !a.keepsTrigger {
				wording["trigger"] = "/" + a.Operator + " " + a.Trigger
			}
			line, err := json.Marshal(wording)
			require.NoError(t, err)
			lines.WriteString(string(line) + "\n")
			titles[e.Entry], answers[e.Title] = e.Title, a
		}
		out, status := s.sh("exec 2>/dev/null\n" + strings.Replace(set, example, strings.TrimSpace(lines.String()), 1))
		require.Contains(t, []int{cli.OK, cli.Found}, status, out)
		var report struct {
			Refused []struct {
				Entry   string
				Reasons []string
			}
		}
		require.NoError(t, json.NewDecoder(strings.NewReader(out)).Decode(&report), out) // the next batch follows
		for _, r := range report.Refused {                                               // the next time the agent leaves out what leads to another decision
			a := answers[titles[r.Entry]]
			reasons := strings.Join(r.Reasons, "\n")
			a.keepsTrigger = a.keepsTrigger || strings.Contains(reasons, "trigger ")
			a.Situations = slices.DeleteFunc(slices.Clone(a.Situations), func(phrase string) bool { return strings.Contains(reasons, strconv.Quote(phrase)) })
			answers[titles[r.Entry]] = a
			refused++
		}
	}
	require.Less(t, refused, 40)
	require.NoFileExists(t, filepath.Join(s.dir, "RUN"))

	src, err := os.ReadFile(filepath.Join(s.dir, "agents/memory-index.md"))
	require.NoError(t, err)
	var lost []string
	for title, had := range answers {
		if had.Trigger != "" && !strings.Contains(string(src), "/"+had.Operator+" "+had.Trigger+" | ") {
			lost = append(lost, title)
		}
	}
	require.Less(t, len(lost), 10, "%q", lost)
	require.Empty(t, s.run("memory-validate --enable draft-trigger --enable missing-situations"))
	for _, m := range regexp.MustCompile("`(memory-when recall [^`]+)`").FindAllStringSubmatch(k.text, -1) {
		require.Contains(t, s.run(m[1]), "/when listing many records")
	}
	require.Contains(t, s.run("memory-when 'running something in the background'"), "SKIP LOCKED")
}

// entryLine is a line of the index, in three fields.
var entryLine = regexp.MustCompile(`(?m)^/(when|how) (.*) \| (.*) \| (.*)$`)

// worded holds the wording of an entry.
type worded struct {
	Operator, Trigger string
	Situations        []string

	keepsTrigger bool // the trigger was refused
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
		had[m[3]] = worded{Operator: m[1], Trigger: m[2], Situations: had[m[3]].Situations}
		return []byte(m[3] + " — " + m[4])
	})
	require.NoError(s.t, os.WriteFile(name, src, 0o600))
	return had
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
