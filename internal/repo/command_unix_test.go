//go:build unix

package repo_test

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"whence/internal/repo"
)

// isolate keeps settings of this machine out of the git commands of a test.
func isolate(t *testing.T) {
	t.Helper()
	t.Setenv("HOME", t.TempDir())
	t.Setenv("XDG_CONFIG_HOME", "")
	t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
}

// bait is a repository whose settings name a program for everything that git may start, and a file that the program
// writes.
type bait struct {
	t       *testing.T
	dir     string
	program string
	marker  string
	filters []string // names
}

// newBait returns a bait with filters in the settings of the repository itself (direct), or in a file that they
// include.
func newBait(t *testing.T, direct bool) *bait {
	t.Helper()
	isolate(t)
	dir := start(t)
	b := &bait{t: t, dir: dir, program: filepath.Join(t.TempDir(), "program"), filters: []string{"plain", "two words", "with.dots", `quo"te's`, "Größe", "$(x)"}}
	b.marker = b.program + ".ran"
	require.NoError(t, os.WriteFile(b.program, fmt.Appendf(nil, "#!/bin/sh\necho \"$0 $*\" >>'%s'\nexec cat\n", b.marker), 0o755))

	inner := start(t)
	git(t, inner, "commit", "-qam", "all")
	git(t, dir, "submodule", "--quiet", "add", inner, "sub")
	git(t, dir, "commit", "-qam", "all")
	for i := range 4 {
		write(t, dir, "a.md", fmt.Sprintf("# T\n\n## Number %d\n", i))
		git(t, dir, "commit", "-qam", "more")
	}
	var attributes strings.Builder
	for i, name := range b.filters {
		file := fmt.Sprintf("filter%d.txt", i)
		write(t, dir, file, "text\n")
		if !strings.ContainsAny(name, " \"") {
			fmt.Fprintf(&attributes, "%s filter=%s diff=outside\n", file, name)
		}
	}
	attributes.WriteString("a.md filter=plain diff=outside\nnotes/*.md filter=plain diff=outside\nother/* filter=long\n")
	write(t, dir, ".gitattributes", attributes.String())
	git(t, dir, "add", ".")
	git(t, dir, "commit", "-qm", "attributes")

	for _, at := range []string{dir, filepath.Join(dir, "sub")} {
		for key, value := range map[string]string{
			"core.fsmonitor": b.program, "core.hooksPath": filepath.Dir(b.program), "core.pager": b.program, "core.sshCommand": b.program,
			"core.gitProxy": b.program, "core.askPass": b.program, "core.editor": b.program, "core.alternateRefsCommand": b.program,
			"credential.helper": b.program, "diff.external": b.program, "diff.outside.command": b.program, "diff.outside.textconv": b.program,
			"gpg.program": b.program, "log.showSignature": "true", "status.submoduleSummary": "true", "diff.submodule": "diff",
			"submodule.recurse": "true", "pager.status": b.program, "pager.log": b.program, "alias.status": "!" + b.program,
			"filter.long.process": b.program, "filter.long.required": "true",
		} {
			git(t, at, "config", key, value)
		}
	}
	included := filepath.Join(t.TempDir(), "included")
	if direct {
		included = filepath.Join(dir, ".git", "config")
	}
	for _, name := range b.filters {
		for _, variable := range []string{"clean", "smudge"} {
			git(t, dir, "config", "--file", included, "filter."+name+"."+variable, b.program)
		}
		git(t, dir, "config", "--file", included, "filter."+name+".required", "true")
	}
	if !direct {
		git(t, dir, "config", "include.path", included)
	}
	for _, hook := range []string{"post-index-change", "fsmonitor-watchman", "reference-transaction"} {
		require.NoError(t, os.Symlink(b.program, filepath.Join(filepath.Dir(b.program), hook)))
	}
	b.touch()
	return b
}

// touch makes git believe that the files of the work tree may have changed.
func (b *bait) touch() {
	b.t.Helper()
	require.NoError(b.t, filepath.WalkDir(b.dir, func(path string, d os.DirEntry, err error) error {
		if err == nil && d.Name() == ".git" {
			if d.IsDir() {
				return filepath.SkipDir
			}
			return nil
		}
		if err == nil && d.Type().IsRegular() {
			err = os.Chtimes(path, time.Time{}, time.Now().Add(time.Minute))
		}
		return err
	}))
}

// taken returns what the program was run as, and resets that.
func (b *bait) taken() string {
	src, err := os.ReadFile(b.marker)
	if err == nil {
		require.NoError(b.t, os.Remove(b.marker))
	}
	return string(src)
}

// use calls every function that runs git in a repository.
func (b *bait) use() {
	b.t.Helper()
	r, err := repo.Open(b.dir, b.dir, none)
	require.NoError(b.t, err)
	b.touch()
	_, files := r.Recent(b.t.Context(), 100)
	require.Contains(b.t, files, "a.md")
	for _, name := range []string{"a.md", "notes/b.md", "other/e.txt", "filter0.txt", "sub/a.md"} {
		_, err = r.Dirty(filepath.Join(r.Root, name))
		if name != "sub/a.md" {
			require.NoError(b.t, err)
		}
	}
	commit, err := r.ForkPoint(b.t.Context(), "HEAD~3")
	require.NoError(b.t, err)
	changes, err := r.StagedSince(b.t.Context(), commit)
	require.NoError(b.t, err)
	require.NotEmpty(b.t, changes)
	matches, err := r.InStagedCode(b.t.Context(), []string{"text"})
	require.NoError(b.t, err)
	require.NotEmpty(b.t, matches)
	git(b.t, b.dir, "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "update-index", "--split-index")
	tree, err := r.Staged()
	require.NoError(b.t, err)
	_, err = r.Head()
	require.NoError(b.t, err)
	require.NoError(b.t, r.Stage(tree, map[string][]byte{"a.md": []byte("new\n")}))
}

// Nothing that the settings of a repository name is executed, although git status and git diff would execute it.
func TestNoCommandExecutesWhatSettingsName(t *testing.T) {
	for _, direct := range []bool{false, true} {
		t.Run(fmt.Sprint("direct=", direct), func(t *testing.T) { testNothingIsExecuted(t, newBait(t, direct)) })
	}
}

func testNothingIsExecuted(t *testing.T, b *bait) {
	t.Helper()
	_, _ = tryGit(b.dir, "status")
	ran := b.taken()
	require.Contains(t, ran, "program 2 ", "the bait: version 2 of what is asked of a file system monitor")
	_, _ = tryGit(b.dir, "-c", "core.fsmonitor=false", "diff", "HEAD~3", "--", "a.md")
	require.NotEmpty(t, b.taken(), "the bait")
	_, _ = tryGit(b.dir, "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "-c", "diff.external=", "hash-object", "--path=a.md", "a.md")
	require.NotEmpty(t, b.taken(), "the bait")
	b.use()
	require.Empty(t, b.taken())
}

// A filter that no option can switch off is an error, before git looks at any file.
func TestAFilterWithAnEqualsSign(t *testing.T) {
	b := newBait(t, false)
	git(t, b.dir, "config", "filter.a=b.clean", b.program)
	write(t, b.dir, ".gitattributes", "a.md filter=a=b\n")
	r, err := repo.Open(b.dir, b.dir, none)
	require.NoError(t, err)
	tree, err := r.Staged()
	require.NoError(t, err)
	require.ErrorContains(t, r.Stage(tree, map[string][]byte{"a.md": []byte("new\n")}), "filter.a=b")
	r.Recent(t.Context(), 10)
	require.Empty(t, b.taken())
}

// giveAway gives a folder, with everything in it, to another user.
func giveAway(t *testing.T, dir string) {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("only root can give files to another user")
	}
	require.NoError(t, exec.Command("chown", "-R", "1001:1001", dir).Run())
}

// Repositories that git refuses, because they belong to another user, are refused until safe.directory allows them: one
// in the folder, one in a folder above, and one of which only the git directory belongs to someone else.
func TestARepositoryOfAnotherUserIsRefused(t *testing.T) {
	isolate(t)
	for name, prepare := range map[string]func(dir string) (at string){
		"all of it": func(dir string) string { giveAway(t, dir); return dir },
		"a folder above": func(dir string) string {
			giveAway(t, dir)
			own := filepath.Join(dir, "own", "project")
			require.NoError(t, os.MkdirAll(own, 0o755))
			return own
		},
		"the git directory": func(dir string) string { giveAway(t, filepath.Join(dir, ".git")); return dir },
		"a file .git": func(dir string) string {
			linked := filepath.Join(dir, "linked")
			git(t, dir, "worktree", "add", "-q", linked)
			giveAway(t, filepath.Join(linked, ".git"))
			return linked
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := realPath(t, start(t))
			at := prepare(dir)
			out, err := tryGit(at, "status")
			require.Error(t, err, out)
			top := dir
			if name == "a file .git" {
				top = at
			}
			_, err = repo.Open(at, at, none)
			var refused *repo.RefusedError
			require.ErrorAs(t, err, &refused)
			require.Equal(t, top, refused.Dir)
			require.ErrorContains(t, err, "git config --global --add safe.directory '"+top+"'")

			settings := filepath.Join(os.Getenv("HOME"), ".gitconfig")
			require.NoError(t, os.WriteFile(settings, []byte("[safe]\n\tdirectory = "+top+"\n"), 0o600))
			defer os.Remove(settings)
			r, err := repo.Open(at, at, none)
			require.NoError(t, err)
			_, err = r.Staged()
			require.NoError(t, err)
		})
	}
}

// Root may work in a repository of the user who has run sudo, as with git.
func TestRootWorksForTheUserOfSudo(t *testing.T) {
	isolate(t)
	dir := start(t)
	giveAway(t, dir)
	t.Setenv("PATH", t.TempDir()) // git is not asked
	t.Setenv("SUDO_UID", "1001")
	_, err := repo.Open(dir, dir, none)
	require.NoError(t, err)
	t.Setenv("SUDO_UID", "1002")
	_, err = repo.Open(dir, dir, none)
	require.ErrorContains(t, err, "safe.directory")
}

// Settings in a bare repository that is committed into the work tree have no effect.
func TestAnEmbeddedBareRepositoryIsPassedOver(t *testing.T) {
	isolate(t)
	dir := start(t)
	marker := filepath.Join(t.TempDir(), "marker")
	write(t, dir, "agents/HEAD", "ref: refs/heads/main\n")
	write(t, dir, "agents/config", "[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = .\n\tfsmonitor = touch '"+marker+"'; :\n")
	write(t, dir, "agents/objects/x", "")
	write(t, dir, "agents/refs/x", "")
	write(t, dir, "agents/memory-index.md", "text\n")
	git(t, dir, "add", ".")
	git(t, dir, "commit", "-qm", "all")
	_, _ = tryGit(filepath.Join(dir, "agents"), "status")
	require.FileExists(t, marker, "the bait")
	require.NoError(t, os.Remove(marker))

	at := filepath.Join(realPath(t, dir), "agents")
	path := filepath.Join(at, "memory-index.md")
	r, err := repo.Open(at, at, none)
	require.NoError(t, err)
	require.Equal(t, realPath(t, dir), r.Root)
	dirty, err := r.Dirty(path)
	require.NoError(t, err)
	require.False(t, dirty)
	write(t, dir, "agents/memory-index.md", "other\n")
	dirty, err = r.Dirty(path)
	require.NoError(t, err)
	require.True(t, dirty)
	require.NoFileExists(t, marker)
}

// Reading takes no lock and writes nothing, although git diff and git status would rewrite the index.
func TestReadingLeavesTheIndexAlone(t *testing.T) {
	dir := start(t)
	folder, index := filepath.Join(dir, ".git"), filepath.Join(dir, ".git", "index")
	look := func() (states []string) {
		for _, name := range []string{folder, index} {
			info, err := os.Stat(name)
			require.NoError(t, err)
			states = append(states, fmt.Sprint(info.ModTime().UnixNano(), info.Sys().(*syscall.Stat_t).Ino))
		}
		src, err := os.ReadFile(index)
		require.NoError(t, err)
		return append(states, string(src))
	}
	past := time.Now().Add(-time.Hour)
	for _, name := range []string{"a.md", "notes-d.md", "other/e.txt"} {
		require.NoError(t, os.Chtimes(filepath.Join(dir, name), past, past))
	}
	before := look()
	r, err := repo.Open(dir, dir, none)
	require.NoError(t, err)
	r.Recent(t.Context(), 10)
	dirty, err := r.Dirty(filepath.Join(r.Root, "a.md"))
	require.NoError(t, err)
	require.False(t, dirty, "it was only touched")
	require.Equal(t, before, look())
	git(t, dir, "diff", "--name-only")
	require.NotEqual(t, before, look(), "the bait")
}

// In a clone without trees nothing is fetched, whatever its settings allow.
func TestNothingIsFetched(t *testing.T) {
	isolate(t)
	from := start(t)
	for i := range 5 {
		write(t, from, "a.md", strconv.Itoa(i))
		git(t, from, "commit", "-qam", "x")
	}
	git(t, from, "config", "uploadpack.allowFilter", "true")
	dir := filepath.Join(t.TempDir(), "treeless")
	git(t, from, "clone", "-q", "--filter=tree:0", "file://"+from, dir)
	var connections atomic.Int32
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer listener.Close()
	go func() {
		for {
			c, err := listener.Accept()
			if err != nil {
				return
			}
			connections.Add(1)
			c.Close()
		}
	}()
	git(t, dir, "remote", "set-url", "origin", "git://"+listener.Addr().String()+"/x")
	git(t, dir, "config", "protocol.git.allow", "always")
	_, err = tryGit(dir, "diff", "--name-only", "HEAD~3")
	require.Error(t, err)
	require.Eventually(t, func() bool { return connections.Load() > 0 }, 5*time.Minute, time.Millisecond, "the bait")
	connections.Store(0)

	r, err := repo.Open(dir, dir, none)
	require.NoError(t, err)
	write(t, dir, "a.md", "changed\n")
	_, files := r.Recent(t.Context(), 10)
	require.Empty(t, files, "the trees of the commits are missing")
	_, err = r.Dirty(filepath.Join(r.Root, "a.md"))
	require.NoError(t, err)
	require.Zero(t, connections.Load())
}

// When the context ends, git and the processes it has started are killed.
func TestCommandsEndWithTheContext(t *testing.T) {
	dir := start(t)
	t.Chdir(dir) // what lies beside this package is not run
	bin := t.TempDir()
	pids := filepath.Join(bin, "pids")
	script := "#!/bin/sh\nsleep 6000 &\necho $$ $! >" + pids + ".new && mv " + pids + ".new " + pids + "\nwait\n"
	require.NoError(t, os.WriteFile(filepath.Join(bin, "git"), []byte(script), 0o755))
	t.Setenv("PATH", bin+":"+os.Getenv("PATH"))
	r, err := repo.Open(dir, dir, none)
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	go func() {
		for ctx.Err() == nil {
			if _, err := os.Stat(pids); err == nil {
				cancel()
			}
			time.Sleep(time.Millisecond)
		}
	}()
	_, err = r.Files(ctx, r.Root, nil, false)
	require.ErrorIs(t, err, context.Canceled)
	text, err := os.ReadFile(pids)
	require.NoError(t, err)
	for _, word := range strings.Fields(string(text)) {
		pid, err := strconv.Atoi(word)
		require.NoError(t, err)
		require.Eventually(t, func() bool { return !runs(pid) }, 5*time.Minute, time.Millisecond, "process %d", pid)
	}
}

// runs reports whether a process runs. A zombie does not.
func runs(pid int) bool {
	out, err := exec.Command("ps", "-o", "stat=", "-p", strconv.Itoa(pid)).Output()
	return err == nil && !strings.HasPrefix(strings.TrimSpace(string(out)), "Z")
}

// Each command is guarded, and git finds the repository by itself.
func TestEveryCommandIsGuarded(t *testing.T) {
	b := newBait(t, false)
	t.Chdir(b.dir) // what lies beside this package is not run
	for _, name := range []string{"GIT_DIR", "GIT_WORK_TREE", "GIT_COMMON_DIR", "GIT_INDEX_FILE", "GIT_EXTERNAL_DIFF", "GIT_CONFIG"} {
		t.Setenv(name, "") // restores it
		require.NoError(t, os.Unsetenv(name))
	}
	real, err := exec.LookPath("git")
	require.NoError(t, err)
	bin, log := t.TempDir(), filepath.Join(t.TempDir(), "log")
	script := fmt.Sprintf("#!/bin/sh\n{ printf '%%s|' \"$@\"; echo; env | grep -E '^(GIT|SSH)_' | sort; echo \"PWD $(pwd)\"; echo; } >>'%s'\nexec '%s' \"$@\"\n", log, real)
	require.NoError(t, os.WriteFile(filepath.Join(bin, "git"), []byte(script), 0o755))
	path := os.Getenv("PATH")
	t.Setenv("PATH", bin+":"+path)
	r, err := repo.Open(b.dir, b.dir, none)
	require.NoError(t, err)
	_, err = r.Install([]repo.Hook{{Event: "pre-commit", Mark: "# mark", Script: func(string) string { return "#!/bin/sh\n# mark\n" }}})
	require.ErrorContains(t, err, "git runs the hooks in "+filepath.Dir(b.program)+", which other repositories may run too")
	src, err := os.ReadFile(log)
	require.NoError(t, err)
	require.NotContains(t, string(src), "core.hooksPath=/dev/null", "the user's folder of hooks is asked for")
	require.NoError(t, os.Remove(log))
	require.NoError(t, os.Remove(filepath.Join(bin, "git")))
	t.Setenv("PATH", path)
	git(t, b.dir, "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "update-index", "--split-index")
	require.NoError(t, os.WriteFile(filepath.Join(bin, "git"), []byte(script), 0o755))
	t.Setenv("PATH", bin+":"+path)
	_, _ = r.Recent(t.Context(), 1)
	_, _ = r.Dirty(filepath.Join(r.Root, "a.md"))
	tree, err := r.Staged()
	require.NoError(t, err)
	_, err = r.Head()
	require.NoError(t, err)
	require.NoError(t, r.Stage(tree, map[string][]byte{"a.md": []byte("new\n")}))
	src, err = os.ReadFile(log)
	require.NoError(t, err)
	commands := strings.Split(strings.TrimSpace(string(src)), "\n\n")
	require.Greater(t, len(commands), 7)
	for _, command := range commands {
		for _, guard := range []string{
			"--no-pager|-c|core.fsmonitor=false|-c|protocol.allow=never|", "|-c|core.hooksPath=/dev/null|", "|-c|safe.bareRepository=explicit|",
			"\nGIT_ALLOW_PROTOCOL=none\n", "\nGIT_NO_LAZY_FETCH=1\n", "\nGIT_OPTIONAL_LOCKS=0\n", "\nGIT_TERMINAL_PROMPT=0\n",
			"\nPWD " + r.Root,
		} {
			require.Contains(t, command, guard)
		}
		for _, ours := range []string{"\nGIT_DIR=", "\nGIT_WORK_TREE=", "\nGIT_COMMON_DIR=", "\nGIT_INDEX_FILE="} {
			require.NotContains(t, command, ours)
		}
		args, _, _ := strings.Cut(command, "\n")
		for _, compares := range []string{"|status|", "|diff|", "|diff-index|--name-only|", "|update-index|"} {
			if strings.Contains(args, compares) {
				require.Contains(t, args, "|-c|filter.plain.clean=|-c|filter.plain.smudge=|-c|filter.plain.process=|-c|filter.plain.required=false|")
			}
		}
		t.Log(args)
	}
}
