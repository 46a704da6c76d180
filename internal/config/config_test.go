package config_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"whence/internal/config"
)

// load reads settings from the texts of both files, unless they are "", and from variables.
func load(project, local string, env map[string]string) (config.Config, error) {
	tree := fstest.MapFS{}
	for name, text := range map[string]string{config.ProjectFile: project, config.LocalFile: local} {
		if text != "" {
			tree[name] = &fstest.MapFile{Data: []byte(text)}
		}
	}
	return config.LoadFrom(tree, allowing(func(name string) string { return env[name] }))
}

// allowing is a user who owns the local file.
func allowing(getenv func(string) string) config.User {
	return config.User{Getenv: getenv, OwnsLocal: func() bool { return true }}
}

// with returns the default configuration with changes.
func with(change func(*config.Config)) config.Config {
	c := config.Default()
	change(&c)
	return c
}

func index(path string) config.Config {
	return with(func(c *config.Config) { c.Index = path })
}

func TestTheNearestSourceWins(t *testing.T) {
	const project = "index: project.md\ndecisions: [project/*.md]\nvalidate:\n  word-count: 2..3\n  enable: [project]\n"
	const local = "---\nindex: local.md\ndecisions: [local/*.md]\nvalidate: {word-count: 4..5, enable: [local]}\n---\n"
	env := map[string]string{"WHENCE_INDEX": "env.md", "WHENCE_DECISIONS": "env/*.md"}
	for _, c := range []struct {
		name           string
		project, local string
		env            map[string]string
		want           config.Config
	}{
		{"default", "", "", nil, config.Config{Index: "agents/memory-index.md", Decisions: []string{"agents/decisions/*.md"}, WordCount: config.Range{Min: 8, Max: 20}}},
		{"the project's file over the default", project, "", nil, config.Config{Index: "project.md", Decisions: []string{"project/*.md"}, WordCount: config.Range{Min: 2, Max: 3}, Enable: []string{"project"}}},
		{"the user's file over the project's", project, local, nil, config.Config{Index: "local.md", Decisions: []string{"local/*.md"}, WordCount: config.Range{Min: 4, Max: 5}, Enable: []string{"local"}}},
		{"the environment over the files", project, local, env, config.Config{Index: "env.md", Decisions: []string{"env/*.md"}, WordCount: config.Range{Min: 4, Max: 5}, Enable: []string{"local"}}},
		{"key by key", "index: project.md\n", "---\nvalidate:\n  word-count: 4..5\n---\n", map[string]string{"WHENCE_DECISIONS": "env/*.md"},
			config.Config{Index: "project.md", Decisions: []string{"env/*.md"}, WordCount: config.Range{Min: 4, Max: 5}}},
		{"an empty variable sets nothing", project, "", map[string]string{"WHENCE_INDEX": "", "WHENCE_DECISIONS": ""},
			config.Config{Index: "project.md", Decisions: []string{"project/*.md"}, WordCount: config.Range{Min: 2, Max: 3}, Enable: []string{"project"}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := load(c.project, c.local, c.env)
			require.NoError(t, err)
			c.want.CaptureMode, c.want.CaptureBudget = "ask-first", 5
			c.want.Injection, c.want.InjectionLimit = true, 20
			c.want.TurnCapture, c.want.TurnDays = true, 180
			c.want.History, c.want.NotesRefresh = true, 10
			require.Equal(t, c.want, got)

			require.NoError(t, got.Set("--index", "index", []string{"flag.md"}), "a flag wins over all")
			c.want.Index = "flag.md"
			require.Equal(t, c.want, got)
		})
	}
}

func TestEveryKeyInEverySpelling(t *testing.T) {
	for _, c := range []struct {
		yaml string
		want config.Config
	}{
		{"index: a.md", index("a.md")},
		{"index: [a.md]", index("a.md")},
		{"index: './a//b/../c.md'", index("a/c.md")},
		{"index: \"über 日.md\"", index("über 日.md")},
		{"decisions: a/*.md", with(func(c *config.Config) { c.Decisions = []string{"a/*.md"} })},
		{"decisions: [a/*.md, './b/**/c.md']", with(func(c *config.Config) { c.Decisions = []string{"a/*.md", "b/**/c.md"} })},
		{"decisions:\n- a/*.md\n- 'b/[a-z].md'", with(func(c *config.Config) { c.Decisions = []string{"a/*.md", "b/[a-z].md"} })},
		{"validate:\n  word-count: 1..1", with(func(c *config.Config) { c.WordCount = config.Range{Min: 1, Max: 1} })},
		{"validate: {enable: a}", with(func(c *config.Config) { c.Enable = []string{"a"} })},
		{"validate:\n  enable:\n  - a\n  - b", with(func(c *config.Config) { c.Enable = []string{"a", "b"} })},
		{"validate: {enable: []}", with(func(c *config.Config) { c.Enable = []string{} })},
		{"decisions: ['a,b/*.md']", with(func(c *config.Config) { c.Decisions = []string{"a,b/*.md"} })},
		{"validate: {}", config.Default()},
		{"validate:", config.Default()}, // every key below it is commented out
		{"validate: ~\nindex: a.md", index("a.md")},
		{"validate.word-count: 1..1", with(func(c *config.Config) { c.WordCount = config.Range{Min: 1, Max: 1} })},
		{"statuses: {Mothballed: superseded, 'a: b': accepted}", with(func(c *config.Config) { c.Statuses = []string{"Mothballed: superseded", "a: b: accepted"} })},
		{"documents: []", with(func(c *config.Config) { c.Documents = []string{} })},
		{"index:\nvalidate:\n  word-count: null", config.Default()},
		{"null", config.Default()},
		{"# nothing but a comment", config.Default()},
		{"\n\n", config.Default()},
		{"--- # a document may have a start\nindex: a.md", index("a.md")},
		{"index: a.md\n... # and an end", index("a.md")},
	} {
		for _, end := range []string{"\n", "\r\n"} {
			for _, mark := range []string{"", "\uFEFF"} {
				yaml := strings.ReplaceAll(c.yaml+"\n", "\n", end)
				got, err := load(mark+yaml, "", nil)
				require.NoError(t, err, "%q", mark+yaml)
				require.Equal(t, c.want, got, "%q", mark+yaml)
				if strings.HasPrefix(yaml, "---") {
					continue
				}
				local := mark + "---" + end + yaml + "---" + end + "# Notes" + end
				got, err = load("", local, nil)
				require.NoError(t, err, "%q", local)
				require.Equal(t, c.want, got, "%q", local)
			}
		}
	}
}

func TestFrontMatter(t *testing.T) {
	for _, c := range []struct{ name, local, want string }{
		{"empty file", "\uFEFF", config.DefaultIndex},
		{"Markdown without it", "# Notes\n\nindex: a.md\n", config.DefaultIndex},
		{"a thematic break further down is none", "# Notes\n---\nindex: a.md\n---\n", config.DefaultIndex},
		{"nothing in it", "---\n---\nindex: a.md\n---\n", config.DefaultIndex},
		{"nothing in it, and no line end", "---\n---", config.DefaultIndex},
		{"no line end", "---\nindex: a.md\n---", "a.md"},
		{"blanks behind the delimiters", "--- \t\nindex: a.md\n---  \n", "a.md"},
		{"a line of four is no start", "----\nindex: a.md\n----\n", config.DefaultIndex},
		{"nor is one with a word", "--- x\nindex: a.md\n---\n", config.DefaultIndex},
		{"nor is one that is indented", " ---\nindex: a.md\n---\n", config.DefaultIndex},
		{"settings alone", "\nindex: a.md\n", "a.md"},
		{"text below is not read", "---\nindex: a.md\n---\nindex: b.md\n---\nbogus: 1\n", "a.md"},
	} {
		got, err := load("", c.local, nil)
		require.NoError(t, err, c.name)
		require.Equal(t, c.want, got.Index, c.name)
	}
}

func TestCaptureSettings(t *testing.T) {
	for _, c := range []struct {
		local, mode string
		budget      int
	}{
		{"memory_model_capture_mode: silent\n", "silent", 5},
		{"memory_model_capture_mode: silent\r\n", "silent", 5},
		{"---\nmemory_silent_capture_budget: 3\n---\n", "ask-first", 3},
		{"memory_silent_capture_budget: 0\n", "ask-first", 0},
		{"memory_model_capture_mode: null\n", "ask-first", 5},
		{"memory_model_capture_mode:\n", "ask-first", 5},
		{"# memory_model_capture_mode: off\n", "ask-first", 5},
		{"memory_model_capture_mode: off\n", "off", 5},
		{"memory_model_capture_mode: \"silent\"\n", "silent", 5},
	} {
		got, err := load("", c.local, nil)
		require.NoError(t, err, c.local)
		require.Equal(t, c.mode, got.CaptureMode, c.local)
		require.Equal(t, c.budget, got.CaptureBudget, c.local)
	}
	for _, c := range []struct{ local, want string }{
		{"memory_model_capture_mode: loud\n", `bad value of memory_model_capture_mode: "loud" is unknown: use off, ask-first, silent`},
		{"memory_silent_capture_budget: -2\n", `bad value of memory_silent_capture_budget: "-2" is not a count: write 0 or more`},
		{"memory_modle_capture_mode: off\n", `unknown key "memory_modle_capture_mode": did you mean memory_model_capture_mode?`},
	} {
		_, err := load("", c.local, nil)
		require.ErrorContains(t, err, c.want)
	}
	_, err := load("", "memory_injection_limit: -5\n", nil)
	require.ErrorContains(t, err, `bad value of memory_injection_limit: "-5" is not a count`)
	quiet, err := load("", "memory_turn_capture: false\nmemory_turn_days: 0\n", nil)
	require.NoError(t, err)
	require.False(t, quiet.TurnCapture)
	require.Zero(t, quiet.TurnDays)
	_, err = load("", "memory_injection_enabled: maybe\n", nil)
	require.ErrorContains(t, err, `write true or false, not "maybe"`)
	got, err := load("", "memory_injection_enabled: false\nmemory_injection_limit: 3\n", nil)
	require.NoError(t, err)
	require.Equal(t, []any{false, 3}, []any{got.Injection, got.InjectionLimit})
	got, err = load("", "memory_model_capture_mode: silent\n", map[string]string{"WHENCE_CAPTURE_MODE": "off", "WHENCE_CAPTURE_BUDGET": "2"})
	require.NoError(t, err)
	require.Equal(t, "off", got.CaptureMode)
	require.Equal(t, 2, got.CaptureBudget)
}

func TestWhatIsWrongIsNamed(t *testing.T) {
	const known = ": known keys are index, decisions, documents, statuses, validate.word-count, validate.enable, memory_model_capture_mode, memory_silent_capture_budget, memory_injection_enabled, memory_injection_limit, memory_turn_capture, memory_turn_days, memory_history_enabled, memory_notes_enabled, memory_notes_refresh, ignored_memory, memory_embedding_url, memory_embedding_model"
	const path = " is not a path inside the repository: write it relative to its root, as in agents/memory-index.md"
	const glob = " is not a valid glob: check its brackets"
	const mapping = ": expected keys with values, as in index: agents/memory-index.md"
	const aRange = " is not a range: write the minimum and the maximum, as in 8..20"
	for _, c := range []struct{ yaml, want string }{
		{"index: a.md\nidnex: b.md", `2: unknown key "idnex": did you mean index?`},
		{"validate:\n  word-cuont: 1..2", `2: unknown key "validate.word-cuont": did you mean validate.word-count?`},
		{"Index: a.md", `1: unknown key "Index": did you mean index?`},
		{"\"a\\nb\": 1", `1: unknown key "a\nb"` + known},
		{"index: a.md\n\nindex: b.md", `3: key "index" is set twice`},
		{"validate: {enable: a}\nvalidate: {enable: b}", `2: key "validate" is set twice`},
		{"validate:\n  enable: a\n  enable: b", `3: key "validate.enable" is set twice`},
		{"- index", "1" + mapping},
		{"index", "1" + mapping},
		{"index: a.md\nvalidate: [enable]", "2" + mapping},
		{"validate:\n  enable", "2" + mapping},
		{"validate: ''", "1" + mapping},
		{"index: {a: b}", "1: bad value of index: expected a plain value or a list of them"},
		{"decisions: [[a.md]]", "1: bad value of decisions: expected a plain value or a list of them"},
		{"decisions:\n- a: b", "2: bad value of decisions: expected a plain value or a list of them"},
		{"index: [a.md, b.md]", "1: bad value of index: it takes one value, not 2"},
		{"index: []", "1: bad value of index: it takes one value, not 0"},
		{"index: ''", `1: bad value of index: ""` + path},
		{"index: .", `1: bad value of index: "."` + path},
		{"index: ../x", `1: bad value of index: "../x"` + path},
		{"index: a/../../x", `1: bad value of index: "a/../../x"` + path},
		{"index: /x.md", `1: bad value of index: "/x.md"` + path},
		{"decisions: [a.md, ../x/*.md]", `1: bad value of decisions: "../x/*.md"` + path},
		{"decisions: /x/*.md", `1: bad value of decisions: "/x/*.md"` + path},
		{"decisions: ''", `1: bad value of decisions: ""` + path},
		{"decisions: 'a/[b.md'", `1: bad value of decisions: "a/[b.md"` + glob},
		{"decisions: [a.md, 'a/{b.md']", `1: bad value of decisions: "a/{b.md"` + glob},
		{"statuses: [a]", "1: bad value of statuses: expected phrases with what they say, as in {Mothballed: superseded}"},
		{"statuses: {a: [accepted]}", "1: bad value of statuses: expected phrases with what they say, as in {Mothballed: superseded}"},
		{"statuses: {On ice: paused}", `1: bad value of statuses: "paused" is unknown: use accepted, proposed, rejected or superseded`},
		{"statuses: {Accepted: rejected}", `1: bad value of statuses: "Accepted" is known by itself: remove the line`},
		{"validate: {enable: [{a: b}]}", "1: bad value of validate.enable: expected a plain value or a list of them"},
		{"validate:\n  word-count: 20..8", `2: bad value of validate.word-count: "20..8"` + aRange},
		{"validate: {word-count: [1, 2]}", "1: bad value of validate.word-count: it takes one value, not 2"},
	} {
		t.Run(c.yaml, func(t *testing.T) {
			requireError(t, config.ProjectFile+":"+c.want, c.yaml+"\n", "", nil)
			requireError(t, config.ProjectFile+":"+c.want, "\uFEFF"+strings.ReplaceAll(c.yaml+"\n", "\n", "\r\n"), "", nil)

			line, rest, _ := strings.Cut(c.want, ":") // one line further down, behind "---"
			want := config.LocalFile + ":" + string(line[0]+1) + ":" + rest
			requireError(t, want, "", "---\n"+c.yaml+"\n---\n", nil)
			requireError(t, want, "", "\uFEFF"+strings.ReplaceAll("---\n"+c.yaml+"\n---\n", "\n", "\r\n"), nil)
		})
	}
}

func requireError(t *testing.T, want, project, local string, env map[string]string) {
	t.Helper()
	_, err := load(project, local, env)
	require.EqualError(t, err, want)
	var bad *config.Error
	require.ErrorAs(t, err, &bad)
}

func TestWhatIsWrongInAVariableIsNamed(t *testing.T) {
	const path = " is not a path inside the repository: write it relative to its root, as in agents/memory-index.md"
	list := func(globs ...string) string { return strings.Join(globs, string(filepath.ListSeparator)) }
	for _, c := range []struct{ variable, value, want string }{
		{"WHENCE_INDEX", "../x", `bad value of index: "../x"` + path},
		{"WHENCE_DECISIONS", list("a/*.md", "/x"), `bad value of decisions: "/x"` + path},
		{"WHENCE_DECISIONS", list("a/*.md", ""), `bad value of decisions: ""` + path},
		{"WHENCE_DECISIONS", "a/[", `bad value of decisions: "a/[" is not a valid glob: check its brackets`},
	} {
		requireError(t, c.variable+": "+c.want, "", "", map[string]string{c.variable: c.value})
	}
	got, err := load("", "", map[string]string{"WHENCE_DECISIONS": list("a,b/*.md", "c/**/*.md"), "WHENCE_INDEX": "a,b.md"})
	require.NoError(t, err)
	require.Equal(t, []string{"a,b/*.md", "c/**/*.md"}, got.Decisions)
	require.Equal(t, "a,b.md", got.Index, "a comma separates nothing")
}

// The parser's message is not ours, but it must be one line that begins with the file.
func TestBadYAMLIsOneLine(t *testing.T) {
	for _, yaml := range []string{
		"index: [", "index: 'a", "a: b: c", "\tindex: a.md", "index: a\n b: c\n", "index: *none",
		"index: \x01", "- a\nb: c", "}", "%YAML 9.9\n---\na: b", "index: a\n- b\n\n\nx: [\n",
	} {
		for _, c := range []struct{ file, project, local string }{
			{config.ProjectFile, yaml + "\n", ""},
			{config.LocalFile, "", "---\n" + strings.ReplaceAll(yaml, "---", "") + "\n---\n"},
		} {
			_, err := load(c.project, c.local, nil)
			var bad *config.Error
			require.ErrorAs(t, err, &bad, "%q", yaml)
			require.True(t, strings.HasPrefix(err.Error(), c.file+":"), err.Error())
			require.NotContains(t, err.Error(), "\n")
		}
	}
}

func TestASecondDocumentIsRefused(t *testing.T) {
	for yaml, line := range map[string]int{
		"index: a.md\n---\nindex: b.md\n":                2,
		"# one\n---\nindex: a.md\n\n--- # two\n\nx: y\n": 5,
		"---\nindex: a.md\n---\n":                        3,
		"---\n---\nindex: a.md\n":                        2,
	} {
		requireError(t, fmt.Sprintf("%s:%d: a second YAML document: keep all settings in one", config.ProjectFile, line), yaml, "", nil)
	}
	requireError(t, config.LocalFile+":3: a second YAML document: keep all settings in one", "", "---\nindex: a.md\n--- # two\n---\n", nil)
	requireError(t, config.ProjectFile+": yaml: line 2: did not find expected node content", "index: a.md\n--- [\n", "", nil)
}

func TestFrontMatterMustBeClosed(t *testing.T) {
	for _, local := range []string{"---\n", "---", "--- \n", "---\nindex: a.md\n", "---\r\nindex: a.md\r\n", "\uFEFF---\nindex: a.md", "---\nindex: a.md\n  ---\n", "---\nindex: a.md ---\n", "---\nindex: a.md\n----\n", "---\nindex: a.md\n--- x\n"} {
		requireError(t, config.LocalFile+": the front matter that begins in line 1 is never closed: add a line ---", "", local, nil)
	}
}

// The line numbers in the parser's messages are those of the file.
func TestLinesOfBadYAMLAreThoseOfTheFile(t *testing.T) {
	const bad = "index: a.md\nvalidate: b: c\n"
	requireError(t, config.ProjectFile+": yaml: line 2: mapping values are not allowed in this context", bad, "", nil)
	requireError(t, config.LocalFile+": yaml: line 3: mapping values are not allowed in this context", "", "---\n"+bad+"---\n", nil)
}

// root returns a real folder in which setup creates a settings file.
func root(t *testing.T, setup func(dir string) error) fs.FS {
	t.Helper()
	dir := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(dir, filepath.Dir(config.LocalFile)), 0o755))
	if err := setup(dir); errors.Is(err, errors.ErrUnsupported) {
		t.Skip("not on this system: ", err)
	} else {
		require.NoError(t, err)
	}
	opened, err := os.OpenRoot(dir)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, opened.Close()) })
	return opened.FS()
}

func unset(string) string { return "" }

func TestAFileThatCannotBeReadIsNoMissingFile(t *testing.T) {
	for _, name := range []string{config.ProjectFile, config.LocalFile} {
		for want, setup := range map[string]func(name string) error{
			" is a folder: put a text file in its place": func(name string) error { return os.Mkdir(name, 0o755) },
			" is a symbolic link that cannot be followed (no such file or directory): put a text file in its place, or remove it": func(name string) error { return os.Symlink("none", name) },
			":1 is not UTF-8: save it as UTF-8 text with LF or CRLF line ends":                                                    func(name string) error { return os.WriteFile(name, []byte("# \xff"), 0o644) },
			":2 holds a NUL byte: save it as UTF-8 text with LF or CRLF line ends":                                                func(name string) error { return os.WriteFile(name, []byte("#\n\x00"), 0o644) },
		} {
			tree := root(t, func(dir string) error { return setup(filepath.Join(dir, filepath.FromSlash(name))) })
			_, err := config.LoadFrom(tree, allowing(unset))
			require.EqualError(t, err, "settings "+name+want)
			var bad *config.Error
			require.ErrorAs(t, err, &bad)
		}
	}
}

func TestAFileNamedLikeTheFolderOfTheLocalSettingsHoldsNone(t *testing.T) {
	tree := root(t, func(dir string) error {
		claude := filepath.Join(dir, filepath.Dir(config.LocalFile))
		return errors.Join(os.Remove(claude), os.WriteFile(claude, []byte("---\nindex: a.md\n---\n"), 0o644))
	})
	got, err := config.LoadFrom(tree, allowing(unset))
	require.NoError(t, err)
	require.Equal(t, config.Default(), got)
}

func TestRange(t *testing.T) {
	count := func(text string) (config.Config, error) { return load("validate: {word-count: '"+text+"'}\n", "", nil) }
	for _, text := range []string{"8..20", "1..1", "1..1000000"} {
		got, err := count(text)
		require.NoError(t, err)
		require.Equal(t, text, got.WordCount.String(), "it is printed as it is read")
	}
	for _, text := range []string{"20..8", "0..3", "-1..3", "a..b", "8", "", "..", "8..", "..20", "8...20", "8..20..30", "8 .. 20", "8-20", "1..99999999999999999999", "1.5..3"} {
		got, err := count(text)
		require.ErrorContains(t, err, `"`+text+`" is not a range: write the minimum and the maximum, as in 8..20`)
		require.Equal(t, config.Default(), got)
	}
}

// A settings file that is too large counts as unreadable: nothing is captured.
func TestAFileOfSettingsIsBounded(t *testing.T) {
	keys := func(n int) string {
		var out strings.Builder
		for i := range n {
			fmt.Fprintf(&out, "%x: 1\n", i)
		}
		return out.String()
	}
	padded := func(size int) string { return "memory_turn_capture: true\n" + strings.Repeat("#", size-26) }
	const advice = ": keep nothing but settings in it"
	bomb := "a: &a [x,x,x,x,x,x,x,x,x]\n"
	for c := 'b'; c < 'k'; c++ {
		bomb += fmt.Sprintf("%c: &%[1]c [%s]\n", c, strings.Trim(strings.Repeat(fmt.Sprintf("*%c,", c-1), 9), ","))
	}
	for name, c := range map[string]struct{ src, err string }{
		"64 kB":         {padded(64 << 10), ""},
		"a byte more":   {padded(64<<10 + 1), " is larger than 64 kB" + advice},
		"1001 keys":     {keys(1001), " has more than 1000 keys" + advice},
		"of a mapping":  {"validate: {" + strings.ReplaceAll(keys(1000), "\n", ", ") + "}", " has more than 1000 keys" + advice},
		"unknown ones":  {keys(1000), "; and 990 more"},
		"many aliases":  {bomb + "index: *j\n", "and 1 more"},
		"many brackets": {"index: " + strings.Repeat("[", 60_000), "exceeded max depth of 10000"},
	} {
		user := config.User{Getenv: func(string) string { return "" }, Settings: []byte("memory_turn_capture: true\n")}
		for _, file := range []string{config.ProjectFile, config.LocalFile} {
			tree := fstest.MapFS{file: {Data: []byte(c.src)}}
			got, err := config.LoadFrom(tree, user)
			if c.err == "" {
				require.NoError(t, err, name)
				require.True(t, got.TurnCapture, name)
				continue
			}
			if file == config.LocalFile && !strings.Contains(c.err, "kB") {
				continue // it begins with no key of settings
			}
			require.ErrorContains(t, err, c.err, name)
			require.Less(t, len(err.Error()), 5000, name)
			require.Equal(t, strings.HasSuffix(c.err, "more"), got.TurnCapture, name)
		}
	}
}

func TestAGlobThatLeavesFilesOutNeedsNoQuotes(t *testing.T) {
	want := with(func(c *config.Config) { c.Documents = []string{"docs/adr/*.md", "!docs/adr/0*.md"} })
	for _, text := range []string{
		"documents:\n  - docs/adr/*.md\n  - !docs/adr/0*.md\n",
		"documents:\n  - docs/adr/*.md\n  - '!docs/adr/0*.md'\n",
	} {
		got, err := load(text, "", nil)
		require.NoError(t, err, text)
		require.Equal(t, want, got, text)
	}
}
