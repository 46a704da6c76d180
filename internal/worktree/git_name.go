package worktree

import "strings"

// InGit reports whether a path, with slashes, has an element that some file system takes for
// .git: in any letter case, with a suffix that NTFS drops, as its NTFS short name, or with
// characters that HFS+ ignores.
func InGit(name string) bool {
	for part := range strings.SplitSeq(name, "/") {
		if isGit(part) {
			return true
		}
	}
	return false
}

// isGit reports whether a file system may take a name for .git.
func isGit(part string) bool {
	if len(part) < len(".git") || part[0] != '.' && part[0]|' ' != 'g' && part[0] < 0x80 {
		return false // fast path
	}
	part, _, _ = strings.Cut(part, ":") // a stream of NTFS
	part = strings.TrimRight(strings.Map(ignoredByHFS, part), ". ")
	return strings.EqualFold(part, ".git") || strings.EqualFold(part, "git~1")
}

// ignoredByHFS drops the characters that HFS+ ignores in names, as git's list has them.
func ignoredByHFS(r rune) rune {
	switch {
	case r >= 0x200c && r <= 0x200f, r >= 0x202a && r <= 0x202e, r >= 0x206a && r <= 0x206f, r == 0xfeff:
		return -1
	}
	return r
}
