package memory_test

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"whence/internal/memory"
	"whence/internal/repo"
	"whence/internal/worktree"
)

// place is a folder with a repository, and with files of which some are not memory.
type place struct {
	t         *testing.T
	dir, home string
	ignored   bool // the user allows it
	now       time.Time
}

func newPlace(t *testing.T) *place {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	p := &place{t: t, dir: filepath.Join(root, "r"), home: filepath.Join(root, "home"), now: time.Now().Add(time.Hour)}
	for name, value := range map[string]string{
		"GIT_CONFIG_NOSYSTEM": "1", "HOME": root, "XDG_CONFIG_HOME": "", "GIT_AUTHOR_NAME": "A", "GIT_AUTHOR_EMAIL": "a@b.c", "GIT_COMMITTER_NAME": "A", "GIT_COMMITTER_EMAIL": "a@b.c",
	} {
		t.Setenv(name, value)
	}
	p.write("../.gitconfig", "[core]\n\texcludesFile = ~/.ignored\n[protocol \"file\"]\n\tallow = always\n")
	p.write("../.ignored", "global.md\n")
	p.write(".gitignore", "ignored.md\n/secrets/\n.env*\n*-secret.md\n")
	p.write("agents/memory-index.md", "# Source Index\n")
	for _, name := range []string{"agents/decisions/a.md", "agents/decisions/ignored.md", "docs/UPPER.MD", "docs/b.markdown", ".hidden/tracked.md", "docs/text.txt", "docs/key"} {
		p.write(name, "## Tracked\n")
	}
	p.git("init", "-q")
	p.git("add", "-f", ".")
	p.git("commit", "-qm", "a")
	for _, name := range []string{
		"agents/decisions/new.md", "agents/decisions/global.md", "agents/decisions/excluded.md", "agents/decisions/x-secret.md", "agents/decisions/.draft.md",
		".hidden/new.md", "secrets/plan.md", ".env", ".env.local", "docs/ignored.md",
	} {
		p.write(name, "## Private\n")
	}
	p.write(".git/info/exclude", "excluded.md\n")
	p.link("agents/decisions/env.md", "../../.env")
	p.link("agents/decisions/inside.md", "a.md")
	p.link("agents/decisions/outside.md", "../../../.gitconfig")
	p.link("linked", "agents/decisions")
	return p
}

// addOthers adds repositories of others.
func (p *place) addOthers() *place {
	p.write("nested/agents/decisions/n.md", "## Nested\n")
	p.git("-C", "nested", "init", "-q")
	p.write("../other/s.md", "## Other\n")
	p.git("-C", "../other", "init", "-q")
	p.git("-C", "../other", "add", ".")
	p.git("-C", "../other", "commit", "-qm", "a")
	p.git("submodule", "--quiet", "add", p.dir+"/../other", "sub")
	p.write("bare/HEAD", "ref: refs/heads/main\n")
	p.write("bare/objects/x", "")
	p.write("bare/refs/x", "")
	p.write("bare/b.md", "## Bare\n")
	return p
}

func (p *place) write(name, text string) {
	p.t.Helper()
	name = filepath.Join(p.dir, filepath.FromSlash(name))
	require.NoError(p.t, os.MkdirAll(filepath.Dir(name), 0o700))
	require.NoError(p.t, os.WriteFile(name, []byte(text), 0o600))
}

func (p *place) link(name, target string) {
	p.t.Helper()
	if err := os.Symlink(filepath.FromSlash(target), filepath.Join(p.dir, filepath.FromSlash(name))); err != nil {
		p.t.Skip("no symbolic links here: ", err)
	}
}

func (p *place) git(args ...string) {
	p.t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = p.dir
	out, err := cmd.CombinedOutput()
	require.NoError(p.t, err, "%s", out)
}

// open opens the memory of a folder.
func (p *place) open(dir string, layout memory.Layout) (*memory.Source, error) {
	p.t.Helper()
	tree, err := worktree.Open(dir)
	require.NoError(p.t, err)
	p.t.Cleanup(func() { tree.Close() })
	return memory.OpenWorktree(tree, layout, memory.Options{Home: p.home, Now: p.now, AllowsIgnored: p.ignored})
}

// shown returns the files of which anything can be read, by all names that lead to them.
func (p *place) shown(dir string, layout memory.Layout) []string {
	p.t.Helper()
	m, err := p.open(dir, layout)
	require.NoError(p.t, err)
	found := []string{}
	require.NoError(p.t, filepath.WalkDir(dir, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.Name() == ".git" && entry.IsDir() {
			return fs.SkipDir
		}
		rel, err := filepath.Rel(dir, name)
		require.NoError(p.t, err)
		for _, name := range []string{rel, filepath.Join("linked", filepath.Base(rel))} {
			name = filepath.ToSlash(name)
			if src, err := fs.ReadFile(m, name); err == nil {
				require.NotEmpty(p.t, src)
				found = append(found, name)
			}
		}
		return nil
	}))
	slices.Sort(found)
	found = slices.Compact(found)
	listed, err := memory.Open(m, layout)
	if _, refused := m.WhyNot(layout.Index); refused {
		require.True(p.t, memory.IsRefusal(err), "%v", err)
		return found
	}
	require.NoError(p.t, err, "a decision file that is refused is no error")
	require.Equal(p.t, decisionPaths(listed), slices.DeleteFunc(slices.Clone(found), func(name string) bool { return name == layout.Index }))
	return found
}

const indexPath = "agents/memory-index.md"

// Whatever a layout names, memory is only the Markdown of this repository that git tracks, or that is neither ignored
// nor hidden.
func TestMemory(t *testing.T) {
	p := newPlace(t).addOthers()
	decisions := []string{"agents/decisions/a.md", "agents/decisions/ignored.md", "agents/decisions/new.md"} // ignored, but tracked
	for name, c := range map[string]struct {
		layout memory.Layout
		want   []string
	}{
		"the default":                {memory.Layout{Index: indexPath, Decisions: []string{"agents/decisions/*.md"}}, slices.Concat(decisions, []string{indexPath})},
		"any name":                   {memory.Layout{Index: indexPath, Decisions: []string{"agents/decisions/*"}}, slices.Concat(decisions, []string{indexPath})},
		"a private file":             {memory.Layout{Index: indexPath, Decisions: []string{".env"}, Documents: []string{"secrets/*", ".env.local", "secrets/plan.md"}}, []string{indexPath}},
		"a private file as index":    {memory.Layout{Index: ".env", Decisions: []string{".env"}}, []string{}},
		"an ignored file as index":   {memory.Layout{Index: "secrets/plan.md"}, []string{}},
		"a link as index":            {memory.Layout{Index: "agents/decisions/env.md"}, []string{}},
		"a linked index":             {memory.Layout{Index: "linked/a.md"}, []string{}},
		"links":                      {memory.Layout{Index: indexPath, Decisions: []string{"agents/decisions/env*.md", "agents/decisions/*side.md", "agents/decisions/inside.md"}}, []string{indexPath}},
		"a folder that is a link":    {memory.Layout{Index: indexPath, Decisions: []string{"linked/*.md", "linked/a.md", "l*/*.md"}}, []string{indexPath}},
		"hidden":                     {memory.Layout{Index: indexPath, Decisions: []string{".hidden/*.md", "agents/decisions/.*.md"}}, []string{".hidden/tracked.md", indexPath}},
		"other extensions":           {memory.Layout{Index: indexPath, Documents: []string{"docs/*"}}, []string{indexPath, "docs/UPPER.MD", "docs/b.markdown"}},
		"a nested repository":        {memory.Layout{Index: "nested/agents/decisions/n.md", Decisions: []string{"nested/**/*.md", "nested/agents/decisions/n.md"}}, []string{}},
		"a submodule":                {memory.Layout{Index: "sub/s.md", Decisions: []string{"sub/*.md", "sub/s.md"}}, []string{}},
		"an embedded bare one":       {memory.Layout{Index: indexPath, Decisions: []string{"bare/*.md", "**/b.md"}}, []string{indexPath}},
		"everything":                 {memory.Layout{Index: indexPath, Decisions: []string{"**/*.md", "**"}}, slices.Concat([]string{".hidden/tracked.md"}, decisions, []string{indexPath, "docs/UPPER.MD", "docs/b.markdown"})},
		"what is not there":          {memory.Layout{Index: "none.md", Decisions: []string{"none/*.md"}}, []string{}},
		"a folder, and its contents": {memory.Layout{Index: "agents", Decisions: []string{"agents/decisions"}}, []string{}},
	} {
		t.Run(name, func(t *testing.T) {
			p.t = t
			for range 2 { // the second answer is from what was kept
				require.Equal(t, c.want, p.shown(p.dir, c.layout))
			}
		})
	}
	p.t = t
	p.git("worktree", "add", "-q", "../wt", "-b", "wt")
	require.Equal(t, []string{"agents/decisions/a.md", "agents/decisions/ignored.md", indexPath}, p.shown(filepath.Join(p.dir, "../wt"), memory.Layout{Index: indexPath, Decisions: []string{"agents/decisions/*.md"}}), "a linked worktree")
	require.Equal(t, []string{"decisions/a.md", "decisions/ignored.md", "decisions/new.md", "memory-index.md"}, p.shown(filepath.Join(p.dir, "agents"), memory.Layout{Index: "memory-index.md", Decisions: []string{"**/*.md"}}), "a folder of it")
	require.Equal(t, []string{"s.md"}, p.shown(filepath.Join(p.dir, "sub"), memory.Layout{Index: "s.md"}), "a submodule has its own memory")
	p.git("-C", "../wt", "sparse-checkout", "set", "docs")
	require.Equal(t, []string{"docs/UPPER.MD", "docs/b.markdown"}, p.shown(filepath.Join(p.dir, "../wt"), memory.Layout{Index: indexPath, Decisions: []string{"**/*"}}), "a sparse checkout")
}

// A user who keeps the memory out of git allows what is ignored, and nothing else.
func TestIgnoredMemory(t *testing.T) {
	p := newPlace(t).addOthers()
	p.ignored = true
	layout := memory.Layout{Index: "secrets/plan.md", Decisions: []string{"**/*", ".env", ".hidden/*", "agents/decisions/.*"}}
	require.Equal(t, []string{
		".hidden/tracked.md", "agents/decisions/a.md", "agents/decisions/excluded.md", "agents/decisions/global.md", "agents/decisions/ignored.md", "agents/decisions/new.md",
		"agents/decisions/x-secret.md", indexPath, "docs/UPPER.MD", "docs/b.markdown", "docs/ignored.md", "secrets/plan.md",
	}, p.shown(p.dir, layout))
	p.ignored = false
	require.NotContains(t, p.shown(p.dir, layout), "secrets/plan.md", "what was kept before")
}

// Outside of any repository git is not needed, and all Markdown counts that is not hidden.
func TestMemoryWithoutARepository(t *testing.T) {
	p := newPlace(t).addOthers()
	require.NoError(t, os.RemoveAll(filepath.Join(p.dir, ".git")))
	t.Setenv("PATH", t.TempDir())
	got := p.shown(p.dir, memory.Layout{Index: indexPath, Decisions: []string{"**/*", ".hidden/*.md", ".env"}})
	require.Contains(t, got, "agents/decisions/x-secret.md")
	for _, name := range got {
		require.NotRegexp(t, `(^|/)\.|env|inside|outside|^linked|^nested|^sub/|^bare|txt|key`, name)
	}
}

// If git is missing, fails or refuses the repository, there is no memory.
func TestMemoryWithoutAnAnswerOfGit(t *testing.T) {
	layout := memory.Layout{Index: indexPath, Decisions: []string{"agents/decisions/*.md"}}
	p := newPlace(t)
	path := os.Getenv("PATH")
	t.Setenv("PATH", t.TempDir())
	_, err := p.open(p.dir, layout)
	require.ErrorIs(t, err, memory.ErrGit)
	t.Setenv("PATH", path)
	p.write(".git/index", "DIRC damaged")
	_, err = p.open(p.dir, layout)
	require.ErrorIs(t, err, memory.ErrGit)
	require.NoError(t, os.Remove(filepath.Join(p.dir, ".git/index")))
	p.write(".git/HEAD", "nonsense\n")
	require.NoError(t, os.WriteFile(filepath.Join(p.dir, "..", ".git"), []byte("gitdir: /nowhere\n"), 0o600))
	_, err = p.open(p.dir, layout)
	require.ErrorIs(t, err, memory.ErrGit, "a repository above")
}

func TestMemoryOfAnotherUser(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can give files to another user")
	}
	p := newPlace(t)
	require.NoError(t, exec.Command("chown", "-R", "1001:1001", p.dir).Run())
	layout := memory.Layout{Index: indexPath, Decisions: []string{"agents/decisions/*.md"}}
	_, err := p.open(p.dir, layout)
	var untrusted *repo.RefusedError
	require.ErrorAs(t, err, &untrusted)
	require.ErrorIs(t, err, memory.ErrGit)
	p.write("../.gitconfig", "[safe]\n\tdirectory = "+p.dir+"\n")
	require.Contains(t, p.shown(p.dir, layout), indexPath)
	p.write("../.gitconfig", "")
	_, err = p.open(p.dir, layout)
	require.ErrorIs(t, err, memory.ErrGit, "what was kept is not trusted either")
}

// Git's answer is kept until something that it depends on changes.
func TestKeptMemory(t *testing.T) {
	layout := memory.Layout{Index: indexPath, Decisions: []string{"agents/decisions/*.md", ".hidden/*.md"}}
	for name, change := range map[string]func(*place){
		"a new file":                         func(p *place) { p.write("agents/decisions/new2.md", "x\n") },
		"a file is gone":                     func(p *place) { require.NoError(p.t, os.Remove(filepath.Join(p.dir, "agents/decisions/new.md"))) },
		"a line in .gitignore":               func(p *place) { p.write(".gitignore", "new.md\n") },
		"a .gitignore that comes":            func(p *place) { p.write("agents/decisions/.gitignore", "new.md\n") },
		"a line in .git/info/exclude":        func(p *place) { p.write(".git/info/exclude", "new.md\n") },
		"a line in the user's file":          func(p *place) { p.write("../.ignored", "new.md\n") },
		"another file of the user's":         func(p *place) { p.write("../.gitconfig", "") },
		"the default file of the user's":     func(p *place) { p.write("../.config/git/ignore", "new.md\n") },
		"settings of the repository":         func(p *place) { p.git("config", "core.excludesFile", "x") },
		"git add":                            func(p *place) { p.git("add", "agents/decisions/new.md") },
		"git add of what was hidden":         func(p *place) { p.git("add", ".hidden/new.md") },
		"git rm --cached of what is ignored": func(p *place) { p.git("rm", "-q", "--cached", "agents/decisions/ignored.md") },
		"the user allows what is ignored":    func(p *place) { p.ignored = true },
		"other settings":                     func(p *place) { layout.Decisions = []string{"docs/*", "agents/decisions/*.md"} },
		"the environment":                    func(p *place) { p.t.Setenv("HOME", p.t.TempDir()) },
		"the file is damaged": func(p *place) {
			for _, name := range p.kept() {
				require.NoError(p.t, os.WriteFile(name, []byte(`{"state":"x","files":{".env":true}}`), 0o600))
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPlace(t)
			before := layout
			defer func() { layout = before }()
			path, none := os.Getenv("PATH"), t.TempDir()
			want := p.shown(p.dir, layout)
			require.Len(t, p.kept(), 1)
			t.Setenv("PATH", none)
			require.Equal(t, want, p.shown(p.dir, layout), "without git")
			t.Setenv("PATH", path)
			change(p)
			t.Setenv("PATH", none)
			_, err := p.open(p.dir, layout)
			require.ErrorIs(t, err, memory.ErrGit, "git is asked again")
			t.Setenv("PATH", path)
			got := p.shown(p.dir, layout)
			require.NoError(t, os.RemoveAll(p.home))
			require.Equal(t, p.shown(p.dir, layout), got)
		})
	}
}

func (p *place) kept() []string {
	found, err := filepath.Glob(filepath.Join(p.home, "memory", "*.json"))
	require.NoError(p.t, err)
	return found
}

// Links and other repositories are found without git, whatever was kept.
func TestAKeptFileThatBecomesALinkIsNotMemory(t *testing.T) {
	p := newPlace(t)
	layout := memory.Layout{Index: indexPath, Decisions: []string{"agents/decisions/a.md"}}
	require.Equal(t, []string{"agents/decisions/a.md", indexPath}, p.shown(p.dir, layout))
	m, err := p.open(p.dir, layout)
	require.NoError(t, err)
	require.NoError(t, os.Remove(filepath.Join(p.dir, "agents/decisions/a.md")))
	p.link("agents/decisions/a.md", "../../.env")
	_, err = fs.ReadFile(m, "agents/decisions/a.md")
	require.ErrorIs(t, err, fs.ErrNotExist, "in an opened memory")
	require.Equal(t, []string{indexPath}, p.shown(p.dir, layout))
	require.NoError(t, os.Rename(filepath.Join(p.dir, "agents"), filepath.Join(p.dir, "moved")))
	p.link("agents", "moved")
	require.Empty(t, p.shown(p.dir, layout))
	require.NoError(t, os.Remove(filepath.Join(p.dir, "agents")))
	require.NoError(t, os.Rename(filepath.Join(p.dir, "moved"), filepath.Join(p.dir, "agents")))
	require.Equal(t, []string{indexPath}, p.shown(p.dir, layout))
	p.git("-C", "agents", "init", "-q")
	require.Empty(t, p.shown(p.dir, layout), "another repository")
}

// Problems say why a file that the settings name is not memory, and what helps.
func TestProblems(t *testing.T) {
	p := newPlace(t).addOthers()
	m, err := p.open(p.dir, memory.Layout{
		Index:     "secrets/plan.md",
		Decisions: []string{"agents/decisions/*.md", "!agents/decisions/outside.md", ".env", "docs/*", ".hidden/*", "nested/**/*.md", "nested/agents/decisions/n.md", "linked/*.md", "none.md", ".hidden/new.md"},
		Documents: []string{"agents/decisions/x*.md"},
	})
	require.NoError(t, err)
	var got []string
	for _, r := range m.Refusals() {
		got = append(got, r.Path+" "+strings.TrimSuffix(r.Reason, ", and so is not memory"))
		require.NotEmpty(t, r.Remedy)
	}
	require.Equal(t, []string{
		".env is not Markdown", ".hidden/new.md is hidden and not tracked by git", "agents/decisions/env.md is a symbolic link", "agents/decisions/inside.md is a symbolic link",
		"agents/decisions/x-secret.md is ignored by git", "linked is a symbolic link, and what is behind it is not memory",
		"nested is another repository, and what is in it is not memory", "secrets/plan.md is ignored by git",
	}, got)
}

// A file that is new since the memory was opened is not refused for a wrong reason: an edit that creates it, too,
// starts again.
func TestAFileThatCameSince(t *testing.T) {
	p := newPlace(t)
	p.write("agents/decisions/pay.md", "## Pay\n")
	layout := memory.Layout{Index: "agents/new-index.md", Decisions: []string{"agents/decisions/*.md"}}
	m, err := p.open(p.dir, layout)
	require.NoError(t, err)
	p.write("agents/new-index.md", "# Source Index\n")
	_, refused := m.WhyNot("agents/new-index.md")
	require.False(t, refused)
}
