package config_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"whence/internal/config"
)

// asked loads settings that come with the repository of a project.
func asked(t *testing.T, project, own string, env map[string]string) config.Config {
	t.Helper()
	c, err := config.LoadFrom(fstest.MapFS{config.ProjectFile: {Data: []byte(project)}}, config.User{
		Getenv: func(name string) string { return env[name] }, Name: config.UserFile, Settings: []byte(own),
	})
	require.NoError(t, err)
	return c
}

// Settings of a repository count only if they capture, store and show no more than the user has set.
func TestARepositoryMayOnlyAskForLess(t *testing.T) {
	for _, c := range []struct{ less, more, own string }{
		{"memory_model_capture_mode: off", "memory_model_capture_mode: silent", ""},
		{"memory_model_capture_mode: silent", "", "memory_model_capture_mode: silent"},
		{"memory_model_capture_mode: off", "memory_model_capture_mode: ask-first", "memory_model_capture_mode: off"},
		{"memory_silent_capture_budget: 0", "memory_silent_capture_budget: 1000", ""},
		{"memory_injection_enabled: false", "memory_injection_enabled: true", "memory_injection_enabled: false"},
		{"memory_injection_limit: 3", "memory_injection_limit: 21", ""},
		{"memory_turn_capture: false", "memory_turn_capture: true", "memory_turn_capture: false"},
		{"memory_turn_days: 180", "memory_turn_days: 0", ""},
		{"", "memory_turn_days: 1", ""}, // it would delete turns
		{"memory_notes_enabled: false", "memory_notes_enabled: true", ""},
		{"memory_notes_enabled: true", "", "memory_notes_enabled: true"},
		{"memory_notes_refresh: 0", "memory_notes_refresh: 1", ""},
	} {
		t.Run(strings.TrimSpace(c.less+" "+c.more+" "+c.own), func(t *testing.T) {
			without := asked(t, "", c.own, nil)
			if c.less != "" {
				got := asked(t, c.less+"\n", c.own, nil)
				require.Empty(t, got.Asks)
				want, err := load("", c.own+"\n", nil)
				require.NoError(t, err)
				if c.own != c.less {
					want, err = load("", c.less+"\n", nil)
					require.NoError(t, err)
				}
				require.Equal(t, want, got)
			}
			if c.more != "" {
				got := asked(t, c.more+"\n", c.own, nil)
				require.Len(t, got.Asks, 1)
				require.Equal(t, c.more, got.Asks[0].String())
				require.Equal(t, config.ProjectFile+":1", got.Asks[0].Source)
				got.Asks = nil
				require.Equal(t, without, got, "nothing has changed")
			}
		})
	}
}

// Settings of the user's own need no permission.
func TestTheUsersOwnWordCounts(t *testing.T) {
	own := asked(t, "", "memory_model_capture_mode: silent\nmemory_turn_days: 3\n", nil)
	require.Equal(t, []any{"silent", 3}, []any{own.CaptureMode, own.TurnDays})
}

// Agents let a repository set variables, so those count only if they ask for less.
func TestTheEnvironmentMayOnlyAskForLess(t *testing.T) {
	for _, c := range []struct {
		variable, value, own, project string
		want                          string // what it asks for in vain; "": it counts
	}{
		{"WHENCE_CAPTURE_MODE", "silent", "", "", "memory_model_capture_mode: silent"},
		{"WHENCE_CAPTURE_MODE", "silent", "memory_model_capture_mode: silent\n", "", ""},
		{"WHENCE_CAPTURE_MODE", "off", "memory_model_capture_mode: silent\n", "", ""},
		{"WHENCE_CAPTURE_MODE", "ask-first", "", "memory_model_capture_mode: off\n", "memory_model_capture_mode: ask-first"},
		{"WHENCE_CAPTURE_BUDGET", "6", "", "", "memory_silent_capture_budget: 6"},
		{"WHENCE_CAPTURE_BUDGET", "2", "", "", ""},
	} {
		got := asked(t, c.project, c.own, map[string]string{c.variable: c.value})
		require.Equal(t, c.want != "", len(got.Asks) == 1, "%+v", c)
		if c.want != "" {
			require.Equal(t, []string{c.variable, c.want}, []string{got.Asks[0].Source, got.Asks[0].String()})
			got.Asks = nil
			require.Equal(t, asked(t, c.project, c.own, nil), got, "%+v", c)
		}
	}
}

// Only the user's own file may name a server to which learnings are sent.
func TestAServerIsTheUsers(t *testing.T) {
	const settings = "memory_embedding_url: http://localhost:1/v1\nmemory_embedding_model: m\n"
	own := asked(t, "", settings, nil)
	require.Equal(t, []string{"http://localhost:1/v1", "m"}, []string{own.EmbeddingURL, own.EmbeddingModel})
	for _, name := range []string{config.ProjectFile, config.LocalFile} {
		text := settings
		if name == config.LocalFile {
			text = "---\n" + text + "---\n"
		}
		tree := fstest.MapFS{name: {Data: []byte(text)}}
		got, err := config.LoadFrom(tree, config.User{
			Getenv: func(string) string { return "" }, Name: "/h/settings.yaml", OwnsLocal: func() bool { return true },
		})
		require.ErrorContains(t, err, "memory_embedding_url belongs in your own settings, /h/settings.yaml")
		require.Empty(t, got.EmbeddingURL+got.EmbeddingModel)
	}
}

// Only the user's own file for a repository may say that ignored files are memory.
func TestIgnoredMemoryIsSaidInOnePlace(t *testing.T) {
	const setting = "ignored_memory: true\n"
	for _, isOwn := range []bool{false, true} {
		tree := fstest.MapFS{config.LocalFile: {Data: []byte(setting)}}
		c, err := config.LoadFrom(tree, config.User{Getenv: unset, OwnsLocal: func() bool { return isOwn }})
		require.NoError(t, err)
		require.Equal(t, isOwn, c.IgnoredMemory)
		require.Equal(t, !isOwn, len(c.Asks) == 1)
	}
	_, err := config.LoadFrom(fstest.MapFS{config.ProjectFile: {Data: []byte(setting)}}, config.User{Getenv: unset})
	require.ErrorContains(t, err, ".whence.yaml:1: ignored_memory belongs in .claude/whence.local.md, which git must not track")
	c, err := config.LoadFrom(fstest.MapFS{}, config.User{Getenv: unset, Name: "/h/settings.yaml", Settings: []byte(setting)})
	require.ErrorContains(t, err, "/h/settings.yaml:1: ignored_memory belongs in .claude/whence.local.md")
	require.False(t, c.IgnoredMemory)
}

// A setting that cannot be read does not affect the others, and nothing is captured that it may have been meant to
// prevent.
func TestABadSettingTakesNoOtherWithIt(t *testing.T) {
	for _, c := range []struct {
		project string
		want    func(*config.Config)
		wrong   []string
	}{
		{"idnex: x\nmemory_injection_limit: twenty\nmemory_model_capture_mode: Silent\nmemory_silent_capture_budget: 2\n", func(c *config.Config) { c.CaptureBudget = 2 },
			[]string{`unknown key "idnex"`, `"twenty" is not a count`, `"Silent" is unknown`}},
		{"memory_turn_capture: never\nindex: a.md\n", func(c *config.Config) { c.TurnCapture, c.Index = false, "a.md" }, []string{`write true or false, not "never"`}},
		{"memory_turn_capture: 0\n", func(c *config.Config) { c.TurnCapture = false }, []string{`write true or false, not "0"`}},
		{"memory_turn_capture:\n", func(c *config.Config) { c.TurnCapture = false }, []string{`write true or false, not ""`}},
		{"memory-turn-capture: false\n", func(c *config.Config) { c.TurnCapture = false }, []string{"did you mean memory_turn_capture?"}},
		{"turn_capture: no\n", func(c *config.Config) { c.TurnCapture = false }, []string{`unknown key "turn_capture": did you mean memory_turn_capture?`}},
		{"memoryTurnCapture: no\n", func(c *config.Config) { c.TurnCapture = false }, []string{`unknown key "memoryTurnCapture"`}},
		{"memory_turn_capture_enabled: no\n", func(c *config.Config) { c.TurnCapture = false }, []string{`unknown key "memory_turn_capture_enabled"`}},
		{"memory:\n  turn: {capture: no}\n", func(c *config.Config) { c.TurnCapture = false }, []string{`.whence.yaml:1: unknown key "memory"`}},
		{"whence: [{on: [{capture: no}]}]\n", func(c *config.Config) { c.TurnCapture = false }, []string{`.whence.yaml:1: unknown key "whence"`}},
		{"<<: {memory_turn_capture: no}\n", func(c *config.Config) { c.TurnCapture = false }, []string{`.whence.yaml:1: unknown key "<<"`}},
		{"documents:\n- memory_turn_capture: false\n", func(c *config.Config) { c.TurnCapture = false }, []string{"bad value of documents: expected a plain value"}},
		{"index: {memory_turn_capture: false}\n", func(c *config.Config) { c.TurnCapture = false }, []string{"bad value of index: expected a plain value"}},
		{"validate: {enable: {memory_turn_capture: false}}\n", func(c *config.Config) { c.TurnCapture = false }, []string{"bad value of validate.enable"}},
		{"validate: [{memory_turn_capture: false}]\n", func(c *config.Config) { c.TurnCapture = false }, []string{"expected keys with values"}},
		{"? [memory_turn_capture]\n: no\n", func(c *config.Config) { c.TurnCapture = false }, []string{`.whence.yaml:1: unknown key ""`}},
		{"index: [\n", func(c *config.Config) { c.TurnCapture = false }, []string{config.ProjectFile + ": "}},
		{"memory_turn_captur: false\n", func(c *config.Config) { c.TurnCapture = false }, []string{"did you mean memory_turn_capture?"}},
		{"memory_turn_capture: true\nmemory_turn_capture: false\n", func(c *config.Config) { c.TurnCapture = false }, []string{"is set twice"}},
		{"memory_turn_capture: {is: false}\n", func(c *config.Config) { c.TurnCapture = false }, []string{"expected a plain value"}},
		{"memory.turn_capture: false\n", func(c *config.Config) { c.TurnCapture = false }, []string{"did you mean memory_turn_capture?"}},
		{"Memory_Turn_Capture: false\n", func(c *config.Config) { c.TurnCapture = false }, []string{"did you mean memory_turn_capture?"}},
		{"validate: {memory_turn_capture: false}\n", func(c *config.Config) { c.TurnCapture = false }, []string{"did you mean memory_turn_capture?"}},
		{"validate: 3\nmemory_injection_limit: 4\n", func(c *config.Config) { c.InjectionLimit = 4 }, []string{"expected keys with values"}},
	} {
		got, err := load(c.project, "", nil)
		for _, wrong := range c.wrong {
			require.ErrorContains(t, err, wrong)
		}
		require.Equal(t, with(c.want), got, c.project)
		var bad *config.Error
		require.ErrorAs(t, err, &bad)
		require.Equal(t, !got.TurnCapture, bad.Capture, c.project)
	}
	got, err := load("memory_injection_limit: 4\n", "", map[string]string{"WHENCE_CAPTURE_BUDGET": "none"})
	require.ErrorContains(t, err, "WHENCE_CAPTURE_BUDGET: ")
	require.Equal(t, with(func(c *config.Config) { c.InjectionLimit = 4 }), got)
}

// YAML's own words for false are false.
func TestWordsOfYAML(t *testing.T) {
	for want, words := range map[bool][]string{
		false: {"false", "False", "FALSE", "no", "No", "NO", "off", "Off", "OFF", "n", "N", `"no"`, "!!bool no"},
		true:  {"true", "True", "TRUE", "yes", "Yes", "YES", "on", "On", "ON", "y", "Y"},
	} {
		for _, word := range words {
			got, err := load("memory_turn_capture: "+word+"\n", "", nil)
			require.NoError(t, err, word)
			require.Equal(t, want, got.TurnCapture, word)
		}
	}
	for _, word := range []string{"fAlse", "nO", "oFF", "nein", "''", "0", "1"} {
		got, err := load("memory_turn_capture: "+word+"\n", "", nil)
		require.ErrorContains(t, err, "bad value of memory_turn_capture", word)
		require.False(t, got.TurnCapture, word)
	}
	got, err := load("memory_model_capture_mode: no\n", "", nil)
	require.NoError(t, err)
	require.Equal(t, "off", got.CaptureMode)
}

// If a line about capture is where no setting counts, or in a misnamed file, nothing is captured.
func TestDoubtMeansOff(t *testing.T) {
	for _, local := range []string{
		"# Mine\n---\nmemory_turn_capture: false\n---\n", "<!-- mine -->\n\n---\nmemory_turn_capture: false\n---\n", "# Mine\n\n- `memory_turn_capture: false`\n",
		"---\nindex: a.md\n---\nmemory_turn_capture: false\n", "---\n---\n\"turn_capture\": no", "turn-capture: no\n",
		"+ memory_turn_capture: false\n", "1. [ ] memory_turn_capture: false\n", "{ \"memory_turn_capture\": false }\n", "+++\nmemory_turn_capture = false\n+++\n", "| memory_turn_capture | false |\n",
		"Here `memory_turn_capture: false`.\n", "  ---\n  memory_turn_capture: no\n  ---\n",
	} {
		got, err := load("", local, nil)
		var bad *config.Error
		require.ErrorAs(t, err, &bad, local)
		require.True(t, bad.Capture, local)
		require.False(t, got.TurnCapture, local)
		require.ErrorContains(t, err, config.LocalFile+": line ")
	}
	for _, local := range []string{"# What I capture: nothing\n", "Turn left: see the map.\n", "---\nindex: a.md\n---\nWhen I capture turns: never by night\n"} {
		_, err := load("", local, nil)
		require.NoError(t, err, local)
	}
	for name, right := range map[string]string{".whence.yml": config.ProjectFile, ".claude/whence.local.yaml": config.LocalFile, "whence.local.md": config.LocalFile} {
		got, err := config.LoadFrom(fstest.MapFS{name: {Data: []byte("memory_turn_capture: false\n")}}, config.User{Getenv: unset})
		require.EqualError(t, err, name+" is not read: rename it to "+right)
		require.False(t, got.TurnCapture)
	}
}
