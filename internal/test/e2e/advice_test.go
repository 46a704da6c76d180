package e2e

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/decision"
	memoryindex "whence/internal/index"
	"whence/internal/test/repotest"
)

const (
	// maxAdvisedSteps is how often what is advised is typed until nothing is advised any more.
	maxAdvisedSteps = 3
	// minSettledPercent of all states are settled by then.
	minSettledPercent = 99
)

// advised lists the commands that the checks of a repository tell its user to type. How entries are worded is left out:
// that is for an agent.
func advised(s *sandbox, dir string) (all []string, said string) {
	for _, c := range [][]string{{"memory-validate"}, {"memory-migrate"}, {"memory-migrate", "adopt"}} {
		out, _ := s.try(dir, c[0], c[1:]...)
		said += "$ " + strings.Join(c, " ") + "\n" + out
		for _, flag := range []string{"--fix", "--unsafe-fixes"} {
			if strings.Contains(out, flag+" fixes ") {
				all = append(all, "memory-validate "+flag)
			}
		}
		for _, command := range commands(out) {
			if !strings.Contains(command, "entry draft --format") && !strings.Contains(command, "memory-remember decide") && !slices.Contains(all, command) {
				all = append(all, command)
			}
		}
	}
	return all, said
}

// memoryFiles are the texts of a repository.
func memoryFiles(t *testing.T, dir string) map[string]string {
	all := map[string]string{}
	require.NoError(t, filepath.WalkDir(dir, func(name string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			if d != nil && d.Name() == ".git" {
				return filepath.SkipDir
			}
			return err
		}
		text, err := os.ReadFile(name)
		rel, _ := filepath.Rel(dir, name)
		all[filepath.ToSlash(rel)] = string(text)
		return err
	}))
	return all
}

// settle types what is advised until nothing is, and returns how many rounds that took. Whatever is typed changes something:
// else the user goes in a circle.
func settle(s *sandbox, dir string) (steps int, said string) {
	before := memoryFiles(s.t, filepath.Join(s.dir, dir))
	for {
		todo, out := advised(s, dir)
		said += out
		if len(todo) == 0 {
			return steps, said
		}
		for _, command := range todo {
			out, _ := s.try(dir, "sh", "-c", command)
			said += "$ " + command + "\n" + out
		}
		after := memoryFiles(s.t, filepath.Join(s.dir, dir))
		require.NotEqual(s.t, before, after, "a circle: what is advised changes nothing\n%s", said)
		before = after
		steps++
		require.Less(s.t, steps, 10, "advice without end\n%s", said)
	}
}

// recordFolder makes up folders of records, and what happens to them.
type recordFolder struct {
	*rand.Rand
	folder string
	files  map[string]string // by name in the folder
	made   int
}

var (
	recordTopics   = strings.Fields("queue cache ledger mailer parser router shipper tracker uploader vault worker scheduler indexer gateway printer")
	recordVerbs    = []string{"Use a %s", "Keep the %s in memory", "The %s is stateless", "Never block on the %s", "Übergib Aufträge an den %s", "キューを使う %s", "选择 %s 作为缓存"}
	recordStatuses = []string{"Accepted", "accepted", "Proposed", "Angenommen", "承認", "Принято", "Under consideration by the board", ""}
	recordNames    = []string{"%04d-%s.md", "adr-%03d-%s.md", "%d-%s.md", "2024-05-%02d-%s.md", "%[2]s-%[1]d.md"}
)

func oneOf[T any](r *rand.Rand, from []T) T { return from[r.IntN(len(from))] }

func (f *recordFolder) add(naming string) {
	f.made++
	topic := oneOf(f.Rand, recordTopics)
	title := fmt.Sprintf(oneOf(f.Rand, recordVerbs), topic)
	if f.IntN(3) == 0 {
		title = fmt.Sprintf("%d. %s", f.made, title)
	}
	text := "# " + title + "\n\n"
	if f.IntN(8) == 0 {
		text += " <!-- situations:\n  -   the " + topic + " is slow\n-->\n\n"
	}
	if status := oneOf(f.Rand, recordStatuses); status != "" {
		text += "## Status\n\n" + status + "\n\n"
	}
	text += fmt.Sprintf("## Context\n\nThe %s number %d of the depot was slow in spring.\n\n## Decision\n\nWe put the %s beside the depot, and it answers by the hour.\n", topic, f.made, topic)
	f.files[fmt.Sprintf(naming, f.made, topic)] = text
}

// happen changes something: a folder or a record moves, goes, is retitled or superseded, or comes.
func (f *recordFolder) happen(s *sandbox) {
	names := f.names()
	name := oneOf(f.Rand, names)
	at := func(name string) string { return path.Join(f.folder, name) }
	switch f.IntN(6) {
	case 0:
		to := oneOf(f.Rand, []string{"docs/decisions", "doc/architecture/adr", "design/choices", "adr"})
		if to == f.folder {
			return
		}
		require.NoError(s.t, os.MkdirAll(filepath.Join(s.dir, "r", path.Dir(to)), 0o755))
		s.run("r", "git", "mv", f.folder, to)
		f.folder = to
	case 1:
		s.run("r", "git", "mv", at(name), at("9"+name))
		f.files["9"+name] = f.files[name]
		delete(f.files, name)
	case 2:
		if len(names) < 3 {
			return
		}
		s.run("r", "git", "rm", "-q", "-f", at(name))
		delete(f.files, name)
	case 3:
		f.files[name] = strings.Replace(f.files[name], "# ", "# In short: ", 1)
	case 4:
		f.files[name] = strings.Replace(f.files[name], "## Context", "Superseded by ["+names[0]+"]("+names[0]+")\n\n## Context", 1)
	case 5:
		f.add("%04d-%s.md")
	}
	f.write(s)
}

func (f *recordFolder) names() (names []string) {
	for name := range f.files {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

func (f *recordFolder) write(s *sandbox) {
	for name, text := range f.files {
		if on, err := os.ReadFile(filepath.Join(s.dir, "r", f.folder, name)); err != nil || !strings.Contains(string(on), strings.SplitN(text, "\n", 2)[0]) || len(on) < len(text)/2 {
			s.write("r/"+path.Join(f.folder, name), text)
		}
	}
	s.run("r", "git", "add", "-A")
}

// requireAllThere requires that each record has an entry that leads to it.
func (f *recordFolder) requireAllThere(s *sandbox, said string) {
	ix := memoryindex.Parse([]byte(s.read("r/agents/memory-index.md")))
	entries := map[string]int{}
	for _, line := range ix.Lines {
		if line.Kind == memoryindex.EntryLine && ix.Sections[line.Section].Path == f.folder+"/" {
			entries[decision.Key(line.Entry.Title.Text)]++
		}
	}
	settings := ""
	if text, err := os.ReadFile(filepath.Join(s.dir, "r", ".whence.yaml")); err == nil {
		settings = string(text)
	}
	require.NotContains(s.t, settings, "!", "a record is left out\n%s", said)
	for _, name := range f.names() {
		doc := decision.ParseDocument(name, []byte(f.files[name]))
		keys := []string{doc.Headings[0].Key, decision.Key(doc.Headings[0].Alias), decision.Key(strings.TrimSuffix(name, ".md"))}
		found := slices.IndexFunc(keys, func(key string) bool { return entries[key] > 0 })
		require.GreaterOrEqual(s.t, found, 0, "%s/%s has no entry\n%s\n%s", f.folder, name, s.read("r/agents/memory-index.md"), said)
		entries[keys[found]]--
	}
}

// Whatever a program advises, typed as printed, changes something, and after a few rounds nothing is advised any more:
// folders of records are adopted, and things happen to them. No record is left out.
func TestAdviceAboutRecordsEnds(t *testing.T) {
	bin := installed(t)
	states := 30
	if repotest.Long() {
		states = 1000
	}
	seed := rand.Uint64()
	slow := 0
	t.Run("states", func(t *testing.T) {
		for i := range states {
			t.Run(fmt.Sprint(seed, "+", i), func(t *testing.T) {
				s := newSandbox(t, bin)
				f := &recordFolder{Rand: rand.New(rand.NewPCG(seed, uint64(i))), folder: "docs/adr", files: map[string]string{}}
				naming := oneOf(f.Rand, recordNames)
				for range 2 + f.IntN(8) {
					f.add(naming)
				}
				s.run("", "git", "init", "-q", "r")
				f.write(s)
				steps, said := settle(s, "r")
				f.requireAllThere(s, said)
				s.run("r", "git", "add", "-A")
				s.run("r", "git", "commit", "-qm", "adopted")
				for range 1 + f.IntN(3) {
					f.happen(s)
				}
				again, said := settle(s, "r")
				f.requireAllThere(s, said)
				if max(steps, again) > maxAdvisedSteps {
					slow++
					t.Logf("%d and %d rounds\n%s", steps, again, said)
				}
			})
		}
	})
	t.Logf("%d of %d states took more than %d rounds", slow, states, maxAdvisedSteps)
	require.LessOrEqual(t, 100*slow, (100-minSettledPercent)*states)
}

// oldIndex makes up an index of the oldest format, and the decision files that its lines lead to.
type oldIndex struct {
	*rand.Rand
	files  map[string]string
	lines  []string
	titles []string          // of headings with a line
	gone   map[string]string // lines whose key is that of a structural heading, or of none
}

var oldTitles = []string{
	"__init__.py stays empty", "[Unreleased] comes first", "*args go last", "<b>bold</b> only in mails", "49. Retry no payment", "#hashtags are words",
	">quotes keep their mark", "`code` in titles", "Zeiten in UTC", "時刻はUTCで保存", "C++ before C", "No - and – in keys", "Pipes | in titles", "Use a queue", "Mock patching pattern",
}

const oldText = "the reason that was written down at the time"

func (o *oldIndex) make() {
	titles := slices.Clone(oldTitles)
	o.Shuffle(len(titles), func(i, j int) { titles[i], titles[j] = titles[j], titles[i] })
	for f := range 1 + o.IntN(3) {
		name := fmt.Sprintf("agents/decisions/%c.md", 'a'+f)
		text := fmt.Sprintf("# File %d\n\n## .Group %d\n\n", f, f)
		heading := oneOf(o.Rand, []string{"## ", "### "})
		section := oneOf(o.Rand, []string{name, "Technical Decisions", "Behavioral Rules"})
		o.lines = append(o.lines, "", "## "+section, "")
		for range 1 + o.IntN(4) {
			title := titles[0]
			titles = titles[1:]
			text += heading + title + "\n\nThe text says more about it than its line in the index does.\n\n"
			separator := oneOf(o.Rand, []string{" — ", " — ", " – ", " - "})
			if strings.Contains(title, " - ") {
				separator = " — "
			}
			line := title + separator + oldText
			if o.IntN(6) == 0 {
				line = title
			}
			o.lines = append(o.lines, oneOf(o.Rand, []string{"", "", "- "})+line)
			o.titles = append(o.titles, title)
		}
		for what, percent := range map[string]int{fmt.Sprintf(".Group %d", f): 30, fmt.Sprintf("Nothing of file %d", f): 30} {
			if o.IntN(100) < percent {
				line := what + " — " + oldText
				o.lines = append(o.lines, line)
				o.gone[line] = what
			}
		}
		o.files[name] = text
	}
}

// What an old index has comes out as an entry, or is listed with what to do; after one run the index is clean, and a
// second one changes nothing.
func TestAdviceAboutOldIndexesEnds(t *testing.T) {
	bin := installed(t)
	states := 30
	if repotest.Long() {
		states = 1000
	}
	seed := rand.Uint64()
	for i := range states {
		t.Run(fmt.Sprint(seed, "+", i), func(t *testing.T) {
			s := newSandbox(t, bin)
			o := &oldIndex{Rand: rand.New(rand.NewPCG(seed, uint64(i))), files: map[string]string{}, gone: map[string]string{}}
			o.make()
			for name, text := range o.files {
				s.write("r/"+name, text)
			}
			before := "# Memory Index\n\nA note of the author.\n" + strings.Join(o.lines, "\n") + "\n"
			s.write("r/agents/memory-index.md", before)
			s.run("", "git", "init", "-q", "r")
			s.run("r", "git", "add", "-A")
			out, _ := s.try("r", "memory-migrate", "--write")
			after := s.read("r/agents/memory-index.md")
			ix := memoryindex.Parse([]byte(after))
			entries := map[string]bool{}
			for _, line := range ix.Lines {
				entries[line.Entry.Title.Text] = entries[line.Entry.Title.Text] || line.Kind == memoryindex.EntryLine
			}
			for _, title := range o.titles {
				require.True(t, entries[title], "%q is no entry\n%s\n%s\n%s", title, before, out, after)
			}
			for line, key := range o.gone {
				require.NotContains(t, after, line)
				require.Contains(t, out, key, "a line goes without a word\n%s\n%s\n%s", before, out, after)
			}
			require.Contains(t, after, "A note of the author.")
			found, err := s.try("r", "memory-validate")
			require.NoError(t, err, "the index is clean\n%s\n%s\n%s\n%s", before, out, after, found)
			s.run("r", "git", "add", "-A")
			_, err = s.try("r", "memory-migrate", "--write")
			require.NoError(t, err)
			require.Equal(t, after, s.read("r/agents/memory-index.md"), "a second run changes nothing")
			steps, said := settle(s, "r")
			require.Zero(t, steps, said)
		})
	}
}
