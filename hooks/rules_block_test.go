package hooks

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
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
	{"the front matter of a new file", alwaysApply, alwaysApply + "\n" + rulesBlock + "\n"},
	{"a marker within a line", "see " + blockEnd + " and " + blockBegin + "\n", "see " + blockEnd + " and " + blockBegin + "\n\n" + rulesBlock + "\n"},
	{"an indented marker", "    " + blockBegin + " -->\n", "    " + blockBegin + " -->\n\n" + rulesBlock + "\n"},
	{"trailing spaces", "text  \n \t", "text  \n \t\n\n" + rulesBlock},
	{"an open code fence", "```\ncode\n", "```\ncode\n\n" + rulesBlock + "\n"},
	{"a NUL and bytes that are not UTF-8", "\x00\xff\n", "\x00\xff\n\n" + rulesBlock + "\n"},
}

// The block is added at the end, with the line ends of the file, and removed without a trace.
func TestBlockInOddFiles(t *testing.T) {
	for _, c := range oddFiles {
		t.Run(c.name, func(t *testing.T) {
			added, err := addBlock([]byte(c.src))
			require.NoError(t, err)
			require.Equal(t, c.want, string(added))
			require.True(t, isCurrentBlock(added))
			again, err := addBlock(added)
			require.NoError(t, err)
			require.Equal(t, c.want, string(again))
			removed, err := removeBlock(added)
			require.NoError(t, err)
			require.Equal(t, c.src, string(removed))
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
		{"after the front matter", alwaysApply, blockBegin, "\n" + blockEnd + "\n"},
		{"at the end", "# A\n", blockBegin + " -->\n" + blockEnd, ""},
	} {
		for _, eol := range []string{"\n", "\r\n"} {
			lines := func(text string) string { return strings.ReplaceAll(text, "\n", eol) }
			want := lines(c.before + rulesBlock + c.after)
			if c.name == "after the front matter" {
				want = lines(c.before + rulesBlock + "\n")
			}
			got, err := addBlock([]byte(lines(c.before + c.old + c.after)))
			require.NoError(t, err)
			require.Equal(t, want, string(got), c.name)
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
		{"below the front matter", alwaysApply + rulesBlock + "\nmore\n", alwaysApply + "more\n"},
		{"a final newline that an editor has added", "# A\n\n" + rulesBlock + "\n", "# A\n"},
		{"no block", "# A\n", "# A\n"},
		{"nothing", "", ""},
	} {
		got, err := removeBlock([]byte(c.src))
		require.NoError(t, err)
		require.Equal(t, c.want, string(got), c.name)
	}
}

// Nothing is left of a new file, so it is removed.
func TestNewRulesLeaveNothing(t *testing.T) {
	for name, want := range map[string]string{"AGENTS.md": rulesBlock + "\n", ".cursor/rules/whence.mdc": alwaysApply + rulesBlock + "\n"} {
		src := newRules(name)
		require.Equal(t, want, string(src))
		again, err := addBlock(src)
		require.NoError(t, err)
		require.Equal(t, want, string(again))
		left, err := removeBlock(src)
		require.NoError(t, err)
		require.Empty(t, left)
	}
}

func TestDamagedBlocks(t *testing.T) {
	begin, end := blockBegin+" -->\n", blockEnd+"\n"
	for _, c := range []struct{ name, src, want string }{
		{"begin without end", "a\n" + begin + "b\n", "line 2: the block of memory-hooks that begins here does not end: "},
		{"end without begin", "a\n\n" + end, "line 3: a block of memory-hooks ends here that does not begin: "},
		{"end before begin", end + begin, "line 1: a block of memory-hooks ends here that does not begin: "},
		{"two blocks", begin + end + "a\n" + begin + end, "line 4: a second block of memory-hooks begins here: "},
		{"a second one that does not end", begin + end + begin, "line 3: a second block of memory-hooks begins here: "},
		{"nested", begin + "a\n" + begin + end + end, "line 3: a block of memory-hooks begins here before the one above ends: "},
		{"two ends", begin + end + end, "line 3: a block of memory-hooks ends here that does not begin: "},
		{"CRLF", "a\r\n" + blockBegin + " -->\r\n", "line 2: the block of memory-hooks that begins here does not end: "},
	} {
		for _, edit := range []func([]byte) ([]byte, error){addBlock, removeBlock} {
			_, err := edit([]byte(c.src))
			require.ErrorContains(t, err, c.want, c.name)
		}
	}
}

// The block is short: it is in the context of every session.
func TestTheBlockIsShort(t *testing.T) {
	require.LessOrEqual(t, strings.Count(rulesBlock, "\n")+1, 12)
	for line := range strings.Lines(rulesBlock) {
		require.LessOrEqual(t, len(line), 110, line)
	}
}

// Adding the block and removing it leaves every byte as it was; adding it twice adds it once.
func FuzzBlock(f *testing.F) {
	for _, src := range []string{"", "a", "a\n", "a\r\n", "\r", "\n\r\n", "\ufeff", alwaysApply, rulesBlock, rulesBlock + "\n", "a\n\n" + rulesBlock, blockBegin, blockEnd, "a\r\n" + blockBegin + "\n" + blockEnd + "\r\n"} {
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
