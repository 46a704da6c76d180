package worktree_test

import (
	"fmt"
	"io/fs"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/stretchr/testify/require"

	"whence/internal/test/repotest"
	"whence/internal/worktree"
)

func parse(t *testing.T, pattern string) worktree.Glob {
	t.Helper()
	g, err := worktree.ParseGlob(pattern)
	require.NoError(t, err, pattern)
	return g
}

func TestLimitsAreNamed(t *testing.T) {
	for pattern, want := range map[string]string{
		strings.Repeat("a", 1001): "at most 1000 are allowed",
		"{a,b}.md":                "has braces",
		`a/\\{a,b}`:               "has braces",
		"[":                       "check its brackets",
		"{a,b":                    "check its brackets",
		"a[b/c]d":                 "a class cannot hold a slash",
	} {
		_, err := worktree.ParseGlob(pattern)
		require.ErrorContains(t, err, want, pattern)
	}
	parse(t, strings.Repeat("**/", 20)+"*a*a*a*a*b.md") // several ** in a row count as one
	require.True(t, parse(t, `\{a\}*`).Match("{a}.md"))
}

// worst returns the most expensive patterns within the limits.
func worst() []string {
	return []string{
		strings.Repeat("**/", 7) + "*a*a*a*a*b.md",
		strings.Repeat("**/*a*a*a*a*a*a*b/", 8) + "*a*a*a*a*a*a*a*b.md",
		strings.Repeat("**/*/", 8) + "*a*.md",
		"**/" + strings.Repeat("[!b-z]", 150) + "*b",
		"**/*" + strings.Repeat("a", 120) + "b",
		strings.Repeat("*/", 400) + "x.md",
		strings.Repeat("*/", 6) + strings.Repeat("**/a*/", 8) + "*b.md",
	}
}

// bigTree returns a tree of n files with long names in deep folders.
func bigTree(n int) fstest.MapFS {
	tree := fstest.MapFS{}
	for i := range n {
		folder := strings.Repeat(strings.Repeat("a", 30)+"/", i%12)
		tree[fmt.Sprintf("%s%s%05d.md", folder, strings.Repeat("a", 200), i)] = &fstest.MapFile{}
	}
	return tree
}

// For any pattern, the time grows only with the number and the length of the names.
func TestNoPatternTakesLong(t *testing.T) {
	for _, pattern := range worst() {
		g := parse(t, pattern)
		for what, run := range map[string]func(n int) func(){
			"files": func(n int) func() {
				tree := bigTree(n / 2)
				return func() { _, _ = worktree.NewGlobSearch(tree).Find(g) }
			},
			"folders": func(n int) func() {
				name := strings.Repeat(strings.Repeat("a", 250)+"/", n/251) + "a.md"
				return func() { g.Match(name) }
			},
			"letters": func(n int) func() {
				name := strings.Repeat("a", n)
				return func() { g.Match(name) }
			},
		} {
			t.Run(what+" "+pattern[:8], func(t *testing.T) { repotest.RequireLinear(t, 4080, run) })
		}
	}
}

func TestASearchIsBounded(t *testing.T) {
	search := worktree.NewGlobSearch(bigTree(10_000))
	var err error
	for range 64 {
		if _, err = search.Find(parse(t, "**/*a*a*a*a*b*a*b.md")); err != nil {
			break
		}
	}
	require.ErrorContains(t, err, "it takes too long to find the files", "all patterns of a memory have one bound")
}

// ** is not followed into links, but a link before it is.
func TestLinksBeforeDoubleStars(t *testing.T) {
	dir := folder(t, []string{"real/deep/x.md", "a/b/y.md"}, map[string]string{"linked": "real", "a/up": "../real"})
	tree := open(t, dir).FS()
	for pattern, want := range map[string][]string{
		"l*/**/x.md":     {"linked/deep/x.md"},
		"linked/**/x.md": {"linked/deep/x.md"},
		"**/x.md":        {"real/deep/x.md"},
		"a/**/*.md":      {"a/b/y.md"},
		"?/up/**":        {"a/up", "a/up/deep", "a/up/deep/x.md"},
	} {
		got, err := worktree.NewGlobSearch(tree).Find(parse(t, pattern))
		require.NoError(t, err)
		require.Equal(t, want, got, pattern)
	}
}

// Finding and matching agree with the library, which has no bounds.
func TestSameAsTheLibrary(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	pick := func(of []string) string { return of[random.IntN(len(of))] }
	var names []string
	tree := fstest.MapFS{}
	for range 300 {
		var parts []string
		for range 1 + random.IntN(4) {
			parts = append(parts, pick([]string{"a", "b", "ab", "aa", ".a", "x.md", "b.md", "a,b", "{a}", "[a]", "ä"}))
		}
		name := strings.Join(parts, "/")
		if slices.ContainsFunc(names, func(n string) bool { return strings.HasPrefix(n, name+"/") || strings.HasPrefix(name, n+"/") }) {
			continue
		}
		names = append(names, name)
		tree[name] = &fstest.MapFile{}
	}
	matched := 0
	for range 3000 {
		var elements []string
		for range 1 + random.IntN(4) {
			elements = append(elements, pick([]string{"a", "b", "*", "**", "*.md", "?", "[ab]*", "*b", `\{a\}`, `[[]a]`, "[!a]", "[ä]", "a**", "x.md", "[^.]*"}))
		}
		pattern := strings.Join(elements, "/")
		if strings.HasSuffix(pattern, "**") {
			continue // the library is not consistent about the folder itself
		}
		g := parse(t, pattern)
		for _, name := range names {
			want, err := doublestar.Match(pattern, name)
			require.NoError(t, err, pattern)
			require.Equal(t, want, g.Match(name), "%s %s", pattern, name)
			if want {
				matched++
			}
		}
		want := []string{}
		require.NoError(t, fs.WalkDir(tree, ".", func(name string, _ fs.DirEntry, err error) error {
			if is, _ := doublestar.Match(pattern, name); is && name != "." {
				want = append(want, name)
			}
			return err
		}))
		slices.Sort(want)
		got, err := worktree.NewGlobSearch(tree).Find(g)
		require.NoError(t, err)
		require.Equal(t, want, append([]string{}, got...), pattern)
	}
	require.Greater(t, matched, 5000)
}
