package when_test

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"whence/internal/agent"
	"whence/internal/config"
	"whence/internal/dispatch"
	"whence/internal/test/repotest"
	"whence/when"
)

// records is a memory of documents: the index has an entry for each.
func records(files map[string]string) fstest.MapFS {
	var index strings.Builder
	index.WriteString("# Memory Index\n")
	names, folder := make([]string, 0, len(files)), ""
	for name := range files {
		names = append(names, name)
	}
	slices.Sort(names)
	tree := fstest.MapFS{".whence.yaml": {Data: []byte("documents: [adr/*.md, pkg/adr/*.md]\n")}}
	for _, name := range names {
		if section := path.Dir(name) + "/"; section != folder {
			folder = section
			fmt.Fprintf(&index, "\n## %s\n\n", section)
		}
		title, _, _ := strings.Cut(strings.TrimPrefix(files[name], "# "), "\n")
		fmt.Fprintf(&index, "/when %s | %s | keywords of a record\n", strings.ToLower(strings.ReplaceAll(title, ".", "")), title)
		tree[name] = &fstest.MapFile{Data: []byte(files[name])}
	}
	tree[config.DefaultIndex] = &fstest.MapFile{Data: []byte(index.String())}
	return tree
}

func documentsConfig() config.Config {
	c := config.Default()
	c.Documents = []string{"adr/*.md", "pkg/adr/*.md"}
	return c
}

// In hooks, too, a decision that does not hold is neither pointed to nor injected; its successor is, once.
func TestHooksPointToWhatHolds(t *testing.T) {
	const text = "workers poll the table of tasks in a loop, and mail is sent through the gateway"
	dir := repository(t, records(map[string]string{
		"adr/0001-poll.md":  "# 1. Poll the table of tasks\n\n## Status\n\nSuperseded by [2](0002-queue.md)\n\nWorkers poll in a loop.\n",
		"adr/0002-queue.md": "# 2. Queue tasks in redis\n\n## Status\n\nAccepted\n\nWorkers wait for the tasks of a stream.\n",
		"adr/0003-mail.md":  "# 3. Mail through the gateway\n\n* Status: rejected\n\nMail is sent through the gateway.\n",
		"adr/0004-old.md":   "# 4. Mail by sendmail\n\n* Status: deprecated\n\nMail is sent by sendmail.\n",
	}))
	home := t.TempDir()
	r := moment(t, dir, home)
	queries := func(items []dispatch.Item) (got []string) {
		for _, i := range items {
			got = append(got, i.Query)
		}
		return got
	}
	want := []string{"/when 2 queue tasks in redis"}
	require.Equal(t, want, queries(find(t, r, text)))

	// as soon as it changes
	require.NoError(t, os.WriteFile(filepath.Join(dir, "adr/0003-mail.md"), []byte("# 3. Mail through the gateway\n\n* Status: accepted\n\nMail is sent through the gateway.\n"), 0o644))
	require.Contains(t, queries(find(t, moment(t, dir, home), text)), "/when 3 mail through the gateway")
}

// Each record is found, whatever the entries are like, and each related line leads somewhere.
func TestEveryDocument(t *testing.T) {
	tree := records(map[string]string{
		"adr/0001-network.md":        "# Network\n\nOne.\n",
		"adr/0002-address-ranges.md": "# Network\n\nTwo.\n",
		"adr/0003-queues.md":         "# Use a queue\n\nThree.\n",
		"adr/0004-x.md":              "# Queues\n\nFour.\n",
		"pkg/adr/0001-network.md":    "# Network\n\nFive.\n",
	})
	index := string(tree[config.DefaultIndex].Data)
	index = strings.Replace(index, "/when network | Network | keywords of a record\n/when network | Network |", "/when network | Network | x\n/when ranges | Address ranges |", 1)
	index = strings.Replace(index, "/when network | Network | keywords", "/when packages | Network | keywords", 1)
	want := map[string]string{"network": "One.", "ranges": "Two.", "use a queue": "Three.", "queues": "Four.", "packages": "Five."}
	for name, index := range map[string]string{
		"in order":        index,
		"with one more":   strings.Replace(index, "\n/when use", "\n/when doing more | Network | x\n/when use", 1),
		"in another file": strings.Replace(index, "## adr/", "## gone.md", 1),
	} {
		t.Run(name, func(t *testing.T) {
			tree[config.DefaultIndex] = &fstest.MapFile{Data: []byte(index)}
			l, err := when.Open(tree, documentsConfig())
			require.NoError(t, err)
			for trigger, text := range want {
				if name == "in another file" && (trigger == "packages" || trigger == "network" || trigger == "ranges") {
					continue // titles that several have
				}
				a, err := ask(t, l, trigger)
				require.NoError(t, err)
				require.Contains(t, a.Text, text, trigger)
				require.LessOrEqual(t, len(a.Related), 12)
				for _, r := range a.Related {
					require.NotEqual(t, a.Command, r.Command)
					_, err := ask(t, l, r.Command)
					require.NoError(t, err, r.Command)
				}
			}
		})
	}
}

// No record of a real project that does not hold is recalled, even for its own title; its successor is.
func TestRealRecordsThatDoNotHold(t *testing.T) {
	for folder, c := range map[string]struct{ documents, old, successor string }{
		"govuk-aws":  {"docs/architecture/decisions", "0004-dns-definitions-for-hosts-and-services.md", "0015-dns-infrastructure.md"},
		"log4brains": {"docs/adr", "20200926-use-the-adr-number-as-its-unique-id.md", "20201016-use-the-adr-slug-as-its-unique-id.md"},
		"log4brains-edge-cases/packages/core/integration-tests/ro-project": {"docs/adr", "20201029-rejected-adr.md", ""},
	} {
		t.Run(folder, func(t *testing.T) {
			tree := fstest.MapFS{}
			shared := os.DirFS(filepath.Join(repotest.Shared(t, "corpora/adr/"+folder), c.documents))
			names, err := shared.(interface {
				ReadDir(string) ([]os.DirEntry, error)
			}).ReadDir(".")
			require.NoError(t, err)
			var index strings.Builder
			fmt.Fprintf(&index, "# Memory Index\n\n## %s/\n\n", c.documents)
			title := ""
			for _, d := range names {
				src, err := os.ReadFile(filepath.Join(repotest.Shared(t, "corpora/adr/"+folder), c.documents, d.Name()))
				require.NoError(t, err)
				tree[c.documents+"/"+d.Name()] = &fstest.MapFile{Data: src}
				for line := range strings.Lines(string(src)) {
					if h1, found := strings.CutPrefix(line, "# "); found && filepath.Ext(d.Name()) == ".md" {
						h1 = strings.TrimSpace(h1)
						fmt.Fprintf(&index, "/when %s | %s | x\n", strings.ToLower(strings.ReplaceAll(h1, ".", "")), h1)
						if d.Name() == c.old {
							title = h1
						}
						break
					}
				}
			}
			tree[config.DefaultIndex] = &fstest.MapFile{Data: []byte(index.String())}
			settings := config.Default()
			settings.Documents = []string{c.documents + "/*.md"}
			l, err := when.Open(tree, settings)
			require.NoError(t, err)
			found := l.Recall(title, 50)
			var files []string
			for _, r := range found {
				files = append(files, path.Base(r.File))
			}
			require.NotContains(t, files, c.old)
			if c.successor != "" {
				require.Equal(t, c.successor, files[0])
			}
		})
	}
}

// A record that is asked for in a prompt says first whether it holds.
func TestPromptsQueryDocuments(t *testing.T) {
	dir := repository(t, records(map[string]string{
		"adr/0001-poll.md":  "# 1. Poll\n\n## Status\n\nSuperseded by [2](0002-queue.md)\n",
		"adr/0002-queue.md": "# 2. Queue\n",
	}))
	r := moment(t, dir, t.TempDir())
	r.Event = agent.Event{Cwd: dir, Prompt: "/when 1 poll\n"}
	render := when.AnswerQueries(r)
	require.NotNil(t, render)
	require.Contains(t, render(&dispatch.Session{}).Context, "Superseded by /when 2 queue  (2. Queue): read that instead.")
}
