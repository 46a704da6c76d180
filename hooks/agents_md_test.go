package hooks

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"whence/internal/cli"
	"whence/internal/test/repotest"
)

var crlfBlock = strings.ReplaceAll(rulesBlock, "\n", "\r\n")

// oddFiles are rules files without a block, and what they are with it.
var oddFiles = []struct{ name, src, want string }{
	{"empty", "", rulesBlock},
	{"one line", "# Rules\n", "# Rules\n\n" + rulesBlock + "\n"},
	{"no final newline", "# Rules", "# Rules\n\n" + rulesBlock},
	{"blank lines at the end", "# Rules\n\n\n", "# Rules\n\n\n\n" + rulesBlock + "\n"},
	{"only a newline", "\n", "\n\n" + rulesBlock + "\n"},
	{"CRLF", "# Rules\r\n", "# Rules\r\n\r\n" + crlfBlock + "\r\n"},
	{"CRLF without the final one", "# Rules\r\n- one", "# Rules\r\n- one\r\n\r\n" + crlfBlock},
	{"mixed, mostly CRLF", "a\r\nb\nc\r\n", "a\r\nb\nc\r\n\r\n" + crlfBlock + "\r\n"},
	{"mixed", "a\nb\r\n", "a\nb\r\n\n" + rulesBlock + "\n"},
	{"only a CRLF", "\r\n", "\r\n\r\n" + crlfBlock + "\r\n"},
	{"a bare CR at the end", "a\nb\r", "a\nb\r\n\n" + rulesBlock},
	{"a BOM", "\ufeff# Rules\n", "\ufeff# Rules\n\n" + rulesBlock + "\n"},
	{"only a BOM", "\ufeff", "\ufeff\n\n" + rulesBlock},
	{"front matter", "---\nglobs: x\n---\n", "---\nglobs: x\n---\n\n" + rulesBlock + "\n"},
	{"a marker within a line", "see " + blockEnd + " and " + blockBegin + "\n", "see " + blockEnd + " and " + blockBegin + "\n\n" + rulesBlock + "\n"},
	{"an indented marker", "    " + blockBegin + " -->\n", "    " + blockBegin + " -->\n\n" + rulesBlock + "\n"},
	{"trailing spaces", "text  \n \t", "text  \n \t\n\n" + rulesBlock},
	{"an open code fence", "```\ncode\n", "```\ncode\n\n" + rulesBlock + "\n"},
	{"a NUL and bytes that are not UTF-8", "\x00\xff\n", "\x00\xff\n\n" + rulesBlock + "\n"},
}

// install --agents-md and uninstall --agents-md leave each file as it was, with its mode. A file that is
// not text is refused.
func TestRulesFilesAreRestored(t *testing.T) {
	for _, c := range oddFiles {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			name := filepath.Join(dir, rulesFile)
			require.NoError(t, os.WriteFile(name, []byte(c.src), 0o600))
			before, err := os.Stat(name)
			require.NoError(t, err)
			run := func(verb string) int {
				var out bytes.Buffer
				return Main(cli.Env{
					Args: []string{programName, verb, "--agents-md"}, Dir: dir, Stdin: &out, Stdout: &out, Stderr: &out,
					Getenv: func(variable string) string {
						return map[string]string{"HOME": dir, "WHENCE_HOME": repotest.ClaimHome(t, dir)}[variable]
					},
				})
			}
			requireFile := func(want string) {
				t.Helper()
				got, err := os.ReadFile(name)
				require.NoError(t, err)
				require.Equal(t, want, string(got))
				after, err := os.Stat(name)
				require.NoError(t, err)
				require.Equal(t, before.Mode(), after.Mode())
			}
			if !utf8.ValidString(c.src) {
				require.Equal(t, cli.Failed, run("install"))
				requireFile(c.src)
				return
			}
			for range 2 {
				require.Equal(t, cli.OK, run("install"))
				requireFile(c.want)
			}
			for range 2 {
				require.Equal(t, cli.OK, run("uninstall"))
				requireFile(c.src)
			}
		})
	}
}

// A block of another version is replaced where it is; the text around it stays.
func TestBlockIsReplacedInPlace(t *testing.T) {
	for _, c := range []struct{ name, before, old, after string }{
		{"in the middle", "# A\n\n", blockBegin + " (of an older version) -->\nold\n\nold\n" + blockEnd, "\n\n# B\n"},
		{"at the beginning", "", blockBegin + " -->\n" + blockEnd, "\n# B"},
		{"after a BOM", "\ufeff", blockBegin + " -->\nold\n" + blockEnd, "\n"},
		{"without blank lines around it", "# A\n", blockBegin + " -->\nold\n" + blockEnd + " \t", "\n# B\n"},
		{"at the end", "# A\n", blockBegin + " -->\n" + blockEnd, ""},
	} {
		for _, eol := range []string{"\n", "\r\n"} {
			lines := func(text string) string { return strings.ReplaceAll(text, "\n", eol) }
			got, err := addBlock([]byte(lines(c.before + c.old + c.after)))
			require.NoError(t, err)
			require.Equal(t, lines(c.before+rulesBlock+c.after), string(got), c.name)
		}
	}
}

// What the user writes around the block stays when it is removed.
func TestTextAroundTheBlockStays(t *testing.T) {
	for _, c := range []struct{ name, src, want string }{
		{"below", "# A\n\n" + rulesBlock + "\n\n# B\n", "# A\n\n# B\n"},
		{"below, without a blank line", "# A\n\n" + rulesBlock + "\n# B", "# A\n# B"},
		{"above, without a blank line", "# A\n" + rulesBlock + "\n", "# A\n"},
		{"above, without a blank line or a final newline", "# A\n" + rulesBlock, "# A\n"},
		{"only below", rulesBlock + "\n\n# B\n", "\n# B\n"},
		{"a final newline that an editor has added", "# A\n\n" + rulesBlock + "\n", "# A\n"},
		{"no block", "# A\n", "# A\n"},
		{"nothing", "", ""},
	} {
		got, err := removeBlock([]byte(c.src))
		require.NoError(t, err)
		require.Equal(t, c.want, string(got), c.name)
	}
}

func TestDamagedBlocks(t *testing.T) {
	begin, end := blockBegin+" -->\n", blockEnd+"\n"
	for _, c := range []struct {
		name, src string
		line      int
	}{
		{"begin without end", "a\n" + begin + "b\n", 2},
		{"end without begin", "a\n\n" + end, 3},
		{"end before begin", end + begin, 1},
		{"two blocks", begin + end + "a\n" + begin + end, 4},
		{"nested", begin + "a\n" + begin + end + end, 3},
		{"two ends", begin + end + end, 3},
		{"CRLF", "a\r\n" + blockBegin + " -->\r\n", 2},
	} {
		for _, edit := range []func([]byte) ([]byte, error){addBlock, removeBlock} {
			_, err := edit([]byte(c.src))
			require.ErrorContains(t, err, fmt.Sprintf("line %d: the block of memory-hooks is damaged: ", c.line), c.name)
		}
	}
}

// Adding the block and removing it leaves every byte as it was; adding it twice adds it once.
func FuzzBlock(f *testing.F) {
	for _, src := range []string{"", "a", "a\n", "a\r\n", "\r", "\n\r\n", "\ufeff", rulesBlock, rulesBlock + "\n", "a\n\n" + rulesBlock, blockBegin, blockEnd, "a\r\n" + blockBegin + "\n" + blockEnd + "\r\n"} {
		f.Add([]byte(src))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		start, end, broken := findBlock(src)
		added, err := addBlock(src)
		if broken != nil {
			require.Equal(t, broken, err)
			return
		}
		require.NoError(t, err)
		require.True(t, isCurrentBlock(added))
		again, err := addBlock(added)
		require.NoError(t, err)
		require.Equal(t, added, again)
		removed, err := removeBlock(added)
		require.NoError(t, err)
		require.False(t, hasBlock(removed))
		if start == end {
			require.True(t, bytes.Equal(src, removed), "%q became %q", src, removed)
			return
		}
		require.True(t, bytes.HasPrefix(added, src[:start]) && bytes.HasSuffix(added, src[end:]))
	})
}
