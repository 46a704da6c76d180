package capture

import "strings"

// looksInShell tells whether a program changes nothing but by what its output is written to.
func looksInShell(program string) bool {
	switch program {
	case "ls", "cat", "head", "tail", "pwd", "find", "grep", "rg", "wc", "which", "tree", "file", "stat", "less", "sed", "awk",
		"du", "df", "ps", "date", "whoami", "type", "test", "[", "jq", "diff", "sort":
		return true
	}
	return false
}

// looksInGit tells whether a command of git changes nothing.
func looksInGit(command string) bool {
	switch command {
	case "status", "log", "diff", "show", "branch", "blame", "remote", "ls-files", "rev-parse":
		return true
	}
	return false
}

// isLook tells whether a use of a tool has only looked at something.
//
// The rule that drops the third and any later read of a file (seed D2) says no more than
// this where turns are concerned: a read makes no turn, the first as little as the fifth.
// What was found in the file stands in the answer. It is also no step of a fix.
func isLook(u use) bool {
	if u.Name != "Bash" {
		return !isEdit(u.Name)
	}
	if writes(u.Told) {
		return false
	}
	program, rest, _ := strings.Cut(u.Key, " ")
	if program == "git" {
		command, _, _ := strings.Cut(rest, " ")
		return looksInGit(command)
	}
	return looksInShell(program) || u.Key == ""
}

// writes tells whether a command that only looks writes what it finds into a file.
func writes(line string) bool {
	if strings.Contains(line, "sed -i") {
		return true
	}
	for _, nowhere := range []string{"2>&1", "/dev/null"} {
		line = strings.ReplaceAll(line, nowhere, "")
	}
	for _, target := range strings.SplitAfter(line, ">")[1:] {
		if target = strings.TrimLeft(target, "> \t"); target != "" && !strings.ContainsRune("|;&=0123456789)", rune(target[0])) {
			return true
		}
	}
	return false
}
