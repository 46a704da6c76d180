package e2e

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/test/repotest"
)

// printedCommand finds the commands in a message: in quotes, as an item of a list, or up to the end of the
// line, a remark or the rule of a finding. What is in the quotes of a shell may hold any of these.
var printedCommand = func() *regexp.Regexp {
	const program = `(?:\S*/)?(?:memory-[a-z]+|git)`
	const inQuotes, bare = `(?:'[^'\n]*'|\\'|[^"'\n])*`, `(?:'[^'\n]*'|\\'|[^"'\n])*?`
	return regexp.MustCompile(`(?m)"(` + program + `(?: ` + inQuotes + `)?)"|(?:^- |: |[rR]un |then )(` + program + `(?: ` + bare + `)?)(?:  # .*| \[[a-z-]+\])?$`)
}()

// commands lists the commands that an output tells its reader to type, each once.
func commands(out string) (all []string) {
	seen := map[string]bool{}
	for _, m := range printedCommand.FindAllStringSubmatch(out, -1) {
		command := m[1] + m[2]
		if !seen[command] {
			seen[command] = true
			all = append(all, command)
		}
	}
	return all
}

// stop is a message that stops a commit or a command, and what is typed after it.
type stop struct {
	name   string
	change map[string]string // files of the repository before the command
	setup  string            // a script in the user's folder
	typed  string            // the command that is stopped
	status int               // of it
	says   string            // a part of the message
	// follows are parts of the printed commands that are typed, in this order.
	follows []string
	last    string // what is typed at the end and succeeds; by default, the command again
	differs string // instead, what was printed tells more, and the command is stopped again and says this
}

// place is where the user is, and which flags they give.
type place struct{ name, repository, folder, flags string }

var places = []place{
	{"root", "user", "", ""},
	{"subfolder", "user", "src/deep er", ""},
	{"elsewhere", `it's a "user" ö`, "../other place", ` --repo '../it'\''s a "user" ö'`},
}

const (
	commit = "git commit -qm x"
	newer  = decisions + "\n## Retries\nThree attempts with jitter between them, and only for requests that may be repeated.\n"
)

var (
	indexName = "agents/memory-index.md"
	apiName   = "agents/decisions/api.md"
	old       = "# Memory Index\n\nRun `/when <trigger>` to see a decision.\n\n## agents/decisions/api.md\n\nPaging — cursor, page size, stable order under inserts\n"
	merging   = strings.Replace(index, "/when listing", "<<<<<<< ours\n/when paging lists | Paging | cursor, page size and stable order of rows\n=======\n/when listing", 1) + ">>>>>>> theirs\n"
)

// stops are tried from all folders with the flag that names the repository; REPO is that flag. Those of
// commits are tried where git runs.
var stops = []stop{
	// commits
	{name: "an entry that can be fixed by a guess", change: map[string]string{apiName: newer}, setup: "git add -A :/", typed: commit,
		says: "commit stopped: 1 finding", follows: []string{"memory-validate --staged --unsafe-fixes", "git add"}},
	{name: "a deleted index", setup: "git rm -q :/agents/memory-index.md", typed: commit, says: "commit stopped", follows: []string{"git checkout HEAD"}, last: "git diff --cached --quiet"},
	{name: "an index that is not staged", setup: "git rm -rq --cached :/agents && " + commit + " --no-verify && git add :/agents/decisions", typed: commit,
		says: "commit stopped", follows: []string{"git add"}},
	{name: "no index", setup: "git rm -rq :/agents && " + commit + " --no-verify && git checkout -q HEAD~1 -- :/agents/decisions", typed: commit, says: "commit stopped",
		follows: []string{"memory-validate --unsafe-fixes", "git add"}},
	{name: "right in the worktree", change: map[string]string{apiName: newer}, setup: "git add -A :/ && memory-validate --unsafe-fixes", typed: commit, says: "the worktree is right", follows: []string{"git add"}},
	{name: "an old format", change: map[string]string{indexName: old}, setup: "git add -A :/", typed: commit, says: "old format", follows: []string{"memory-migrate --write", "git add"}},
	{name: "an entry that leads nowhere", change: map[string]string{indexName: index + "/when baking bread | Bread | flour, water, salt and time for the dough\n"}, setup: "git add -A :/",
		typed: commit, says: "delete the entry", follows: []string{"memory-remember entry rm", "git add"}, last: "git diff --cached --quiet"},
	{name: "a renamed heading", change: map[string]string{apiName: strings.Replace(decisions, "## Paging", "## Paging of lists", 1)}, setup: "git add -A :/", typed: commit,
		says: "renamed to", follows: []string{"memory-remember entry rename", "git add"}},
	{name: "conflict markers", change: map[string]string{indexName: merging}, setup: "git add -A :/", typed: commit, says: "merge conflict", follows: []string{"git add"}, differs: "merge conflict"},
	{name: "a commit of one path", change: map[string]string{indexName: fixable}, typed: commit + " -- :/agents/memory-index.md", says: "commit stopped", follows: []string{"memory-validate --fix"}, last: "memory-validate"},
	{name: "a draft for a new heading", change: map[string]string{apiName: newer}, setup: "git add -A :/", typed: "memory-remember entry draft --staged --write", status: 1, says: "reword it if it is a draft", follows: []string{"git add"}},
	{name: "a new heading that is an older one", change: map[string]string{apiName: strings.Replace(decisions, "## Paging", "## Paging of lists", 1)}, setup: "git add -A :/",
		typed: "memory-remember entry draft --staged --write", status: 1, says: "with an older title", follows: []string{"memory-remember entry rename", "git add"}},

	// commands on entries and on the memory
	{name: "what can be fixed", change: map[string]string{apiName: strings.Replace(decisions, "## Paging", "## Paging of lists", 1)}, typed: "memory-validateREPO", status: 1, says: "renamed to",
		follows: []string{"memory-remember entry rename"}},
	{name: "two entries of one heading", change: map[string]string{indexName: index + "/when paging lists | Paging | cursor, page size and stable order of rows\n"}, typed: "memory-validateREPO", status: 1,
		says: "to remove this one", follows: []string{"memory-remember entry rm"}},
	{name: "a heading that is taken", status: 1, says: "to change that entry",
		typed:   "memory-remember entry add --header Paging --trigger 'paging lists' --description 'cursor, page size and stable order of all rows'REPO",
		follows: []string{"memory-remember entry rename"}},
	{name: "no index to change", setup: "rm ROOT/agents/memory-index.md", typed: "memory-remember entry rename paging --trigger 'paging lists'REPO", status: 4, says: "there is no memory index",
		follows: []string{"memory-remember entry draft --write"}},
	{name: "no index to check", setup: "rm ROOT/agents/memory-index.md", typed: "memory-validateREPO", status: 1, says: "there is no",
		follows: []string{"memory-validate --unsafe-fixes"}},
	{name: "no index to look up", setup: "rm ROOT/agents/memory-index.md", typed: "memory-when pagingREPO", status: 4, says: "there is no memory index",
		follows: []string{"memory-remember entry draft --write"}},
	{name: "an entry that leads nowhere to look up", change: map[string]string{indexName: wrong}, typed: "memory-when 'listing many rows'REPO", status: 1, says: "in no decision file",
		follows: []string{"memory-validate"}, differs: "in no decision file"},
	{name: "an old format to check", change: map[string]string{indexName: old}, setup: "git -C ROOT add -A", typed: "memory-validateREPO", status: 1, says: "old format", follows: []string{"memory-migrate --write"}},
	{name: "an old format to look at", change: map[string]string{indexName: old}, setup: "git -C ROOT add -A", typed: "memory-migrateREPO", status: 1, says: "nothing is written yet", follows: []string{"memory-migrate --write"}},
	{name: "an index with changes", change: map[string]string{indexName: old}, typed: "memory-migrate --writeREPO", status: 4, says: "neither committed nor staged", follows: []string{"git"}},
	{name: "ignored memory", setup: `echo "$(basename agents/decisions)/" >>ROOT/.gitignore && git -C ROOT rm -rq --cached agents && rm ROOT/agents/decisions/api.md && printf '# A\n' >ROOT/agents/decisions/a.md && printf 'agents/\n' >ROOT/.gitignore`,
		typed: "memory-validateREPO", status: 4, says: "is ignored by git", follows: []string{"git"}, differs: "is ignored by git"},

	// learnings
	{name: "a learning that does not exist", setup: "cd ROOT && memory-remember 'tests sort by the locale of their container'", typed: "memory-remember show nonesuchREPO", status: 1, says: "no learning has this",
		follows: []string{"memory-remember list --brief"}, differs: "no learning has this"},
	{name: "a mistyped command", typed: "memory-remember serch the docs of the parser before you change itREPO", status: 3, says: "give it alone, in quotes", follows: []string{"memory-remember"},
		last: "memory-remember search parserREPO"},
}

// What a message tells its reader to type works as it is printed, in their folder: it lets through what was
// stopped, or the next message is about something else. Each is tried in one folder, or in all if tests are
// long.
func TestPrintedCommandsWork(t *testing.T) {
	bin := installed(t)
	for i, stop := range stops {
		at := places
		if strings.HasPrefix(stop.typed, "git ") || strings.Contains(stop.typed, "draft --staged") {
			at = places[:2] // git commits where it is
		}
		for _, at := range repotest.Sample(at, len(at), i) {
			t.Run(at.name+"/"+strings.ReplaceAll(stop.name, " ", "_"), func(t *testing.T) {
				t.Parallel()
				s := newSandbox(t, bin)
				stop.try(s, at)
			})
		}
	}
}

// try is stopped, and types what is printed.
func (stop stop) try(s *sandbox, at place) {
	s.user()
	if at.repository != "user" {
		require.NoError(s.t, os.Rename(filepath.Join(s.dir, "user"), filepath.Join(s.dir, at.repository)))
	}
	folder := filepath.Join(at.repository, at.folder)
	require.NoError(s.t, os.MkdirAll(filepath.Join(s.dir, folder), 0o755))
	s.run(at.repository, "memory-validate", "install-git-hook")
	for name, text := range stop.change {
		s.write(at.repository+"/"+name, text)
	}
	root, err := filepath.Rel(filepath.Join(s.dir, folder), filepath.Join(s.dir, at.repository))
	require.NoError(s.t, err)
	fill := strings.NewReplacer("REPO", at.flags, "ROOT", "'"+strings.ReplaceAll(root, "'", `'\''`)+"'").Replace
	if stop.setup != "" {
		s.run(folder, "sh", "-c", fill(stop.setup))
	}
	out, err := s.try(folder, "sh", "-c", fill(stop.typed))
	require.Error(s.t, err, "%s\n%s", stop.typed, out)
	require.Contains(s.t, out, stop.says)

	printed := commands(out)
	for _, part := range stop.follows {
		command := ""
		for _, c := range printed {
			if isCommand(c, part) {
				command = c
				break
			}
		}
		require.NotEmpty(s.t, command, "no command %q is printed, but %q:\n%s", part, printed, out)
		typed, err := s.try(folder, "sh", "-c", command)
		if stop.differs == "" { // else it may tell more
			require.NoError(s.t, err, "typed: %s\n%s\nafter:\n%s", command, typed, out)
		}
		require.NotRegexp(s.t, `(?i)syntax error|not found|no such file|fatal:|unknown `, typed, "typed: %s\nafter:\n%s", command, out)
	}
	last := stop.last
	if last == "" {
		last = stop.typed
	}
	again, err := s.try(folder, "sh", "-c", fill(last))
	if stop.differs != "" {
		require.Error(s.t, err)
		require.Contains(s.t, again, stop.differs)
		return
	}
	s.t.Logf("typed %d printed commands", len(stop.follows))
	require.NoError(s.t, err, "typed at the end: %s\n%s\nafter %q of:\n%s", last, again, printed, out)
}

// isCommand reports whether a command begins with some words, whatever the folder of its program.
func isCommand(command, words string) bool {
	program, _, _ := strings.Cut(command, " ")
	return strings.HasPrefix(command[strings.LastIndex(program, "/")+1:], words)
}

// Placeholders that are typed as they are printed are refused.
func TestPlaceholdersAreRefused(t *testing.T) {
	bin := installed(t)
	s := newSandbox(t, bin)
	s.user()
	for _, line := range []string{
		"memory-remember '<learning>'", "memory-remember edit x '<text>'",
		"memory-remember entry rename 'listing many rows' --trigger 'OTHER WORDS'", "memory-remember entry rename 'listing many rows' --header 'NEW TITLE'",
		"memory-remember entry rename 'listing many rows' --description '<description>'",
	} {
		out, err := s.try("user", "sh", "-c", line)
		require.Error(t, err, line)
		require.Contains(t, out, "stands for ", line)
	}
	require.Equal(t, index, s.read("user/"+indexName))
}
