package fences_test

import (
	"io/fs"
	"os"
	"path"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/test/repotest"
)

var (
	codeBlock = regexp.MustCompile("(?ms)^ *(`{3,})[^\n]*\n.*?^ *`{3,}$")
	codeSpan  = regexp.MustCompile("`[^`\n]*`")
	mdLink    = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	mdHeading = regexp.MustCompile(`(?m)^#+ (.+)$`)
	noAnchor  = regexp.MustCompile(`[^\p{L}\p{N} _-]`)
)

// anchors are the headings of a document as links name them.
func anchors(text string) map[string]bool {
	all := map[string]bool{}
	for _, m := range mdHeading.FindAllStringSubmatch(text, -1) {
		all[strings.ReplaceAll(noAnchor.ReplaceAllString(strings.ToLower(m[1]), ""), " ", "-")] = true
	}
	return all
}

// Each link of a document leads to a file, and to a heading of it if it names one.
func TestLinks(t *testing.T) {
	tree := os.DirFS(repotest.Root(t))
	for _, pattern := range []string{"*.md", "docs/*.md", "skills/*/SKILL.md"} {
		names, err := fs.Glob(tree, pattern)
		require.NoError(t, err)
		require.NotEmpty(t, names)
		for _, name := range names {
			src, err := fs.ReadFile(tree, name)
			require.NoError(t, err)
			for _, m := range mdLink.FindAllStringSubmatch(codeSpan.ReplaceAllString(codeBlock.ReplaceAllString(string(src), ""), ""), -1) {
				file, anchor, _ := strings.Cut(m[1], "#")
				if strings.Contains(m[1], "://") || name == "docs/migrate.md" && file == "vue.md" { // in a title that it shows
					continue
				}
				target := name
				if file != "" {
					target = path.Join(path.Dir(name), file)
				}
				_, err := fs.Stat(tree, target)
				require.NoError(t, err, "%s links to %s", name, m[1])
				if anchor != "" {
					text, err := fs.ReadFile(tree, target)
					require.NoError(t, err)
					require.True(t, anchors(codeBlock.ReplaceAllString(string(text), ""))[anchor], "%s links to %s", name, m[1])
				}
			}
		}
	}
}
