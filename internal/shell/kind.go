package shell

import (
	"slices"
	"strings"
)

// kind classifies commands by their purpose. The main command of a line has its highest kind.
type kind int

const (
	aside     kind = iota // neither looks at anything nor does anything
	looking               // changes nothing, except by redirecting its output
	asking                // runs a program of whence
	preparing             // prepares the next command, and seldom fails
	working               // any other command
)

// kinds lists the programs of each kind. All others are working.
var kinds = map[kind][]string{
	aside: {"", "cd", "pushd", "popd", "echo", "printf", "sleep", "true", "false", ":", "wait", "exit", "yes", "read"},
	looking: {
		"ls", "cat", "head", "tail", "pwd", "find", "grep", "rg", "wc", "which", "tree", "file", "stat", "less", "sed", "awk", "command",
		"du", "df", "ps", "date", "whoami", "type", "test", "[", "jq", "diff", "sort", "git status", "git log", "git diff", "git show",
		"git branch", "git blame", "git remote", "git ls-files", "git rev-parse",
	},
	preparing: {"rm", "mkdir", "touch", "chmod", "kill", "pkill", "nvm", "git add", "export", "set", "unset", "source", ".", "alias", "ulimit", "umask"},
}

// kindOf returns the kind of a command.
func kindOf(words []string) kind {
	words = unwrapped(words)
	program, arguments := programOf(words[0]), words[1:]
	if program == "git" && len(arguments) > 2 && arguments[0] == "-C" {
		arguments = arguments[2:]
	}
	if program == "git" && len(arguments) > 0 {
		program += " " + arguments[0]
	}
	if isWhence(words) {
		return asking
	}
	if isAssignment(words[0]) {
		return preparing
	}
	for kind, programs := range kinds {
		if slices.Contains(programs, program) {
			return kind
		}
	}
	return working
}

// programOf returns the name of a program without its folder and, for python and pip, without its version.
func programOf(word string) string {
	name := strings.TrimSuffix(word[strings.LastIndexAny(word, `/\`)+1:], ".exe")
	if plain := strings.TrimRight(name, "0123456789."); plain == "python" || plain == "pip" {
		return plain
	}
	return name
}
