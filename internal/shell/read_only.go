package shell

import (
	"slices"
	"strings"
)

// isLooking reports whether a command changes nothing, except by redirecting its output.
func isLooking(words []string) bool {
	switch program := programOf(words[0]); program {
	case "ls", "cat", "head", "tail", "pwd", "find", "grep", "rg", "wc", "which", "tree", "file", "stat", "less", "sed", "awk", "command",
		"du", "df", "ps", "date", "whoami", "type", "test", "[", "jq", "diff", "sort":
		return true
	case "git":
		operands := argumentsOf(program, words[1:]).operands
		return len(operands) > 0 && slices.Contains(gitReaders, operands[0])
	}
	return false
}

// gitReaders are the commands of git that change nothing.
var gitReaders = []string{"status", "log", "diff", "show", "branch", "blame", "remote", "ls-files", "rev-parse"}

// Writes reports whether a command that only looks writes its output into a file.
func Writes(line string) bool {
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
