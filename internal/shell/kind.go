package shell

import (
	"slices"
	"strings"
)

// kind classifies commands by their purpose. The main command of a line has its highest kind.
type kind int

const (
	aside     kind = iota // it neither looks nor does anything
	looking               // it changes nothing, except by redirecting its output
	asking                // it runs a program of whence
	preparing             // it makes room for the next command, and seldom fails
	working
)

// kinds are the kinds of programs. Other programs work.
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
	program := programOf(words[0])
	if program == "git" && len(words) > 3 && words[1] == "-C" {
		words = words[2:]
	}
	if program == "git" && len(words) > 1 {
		program += " " + words[1]
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

// programOf returns the name of a program without its folder and, for interpreters, version.
func programOf(word string) string {
	name := strings.TrimSuffix(word[strings.LastIndexAny(word, `/\`)+1:], ".exe")
	if plain := strings.TrimRight(name, "0123456789."); plain == "python" || plain == "pip" {
		return plain
	}
	return name
}

// isAssignment reports whether a word sets a variable, as in CI=1.
func isAssignment(word string) bool {
	name, _, ok := strings.Cut(word, "=")
	return ok && name != "" && !strings.ContainsAny(name, "-/$(<. ")
}

// wrappers are programs that run another one.
var wrappers = []string{
	"sudo", "doas", "timeout", "env", "nice", "ionice", "nohup", "exec", "command", "stdbuf", "xvfb-run", "npx", "bunx",
	"uv run", "poetry run", "pipenv run", "bundle exec", "pnpm exec", "pnpm dlx", "yarn exec", "yarn dlx", "npm exec", "python -m",
}

// valued are the options of wrappers that take the next word as their value.
var valued = map[string][]string{
	"sudo": {"-u", "-g", "-p", "-C", "-h"}, "doas": {"-u", "-C"}, "env": {"-u", "-C"}, "timeout": {"-s", "-k"},
	"nice": {"-n"}, "ionice": {"-c", "-n", "-p"}, "exec": {"-a"}, "stdbuf": {"-i", "-o", "-e"}, "npx": {"-p"},
}

// unwrapped returns a command without the variables and wrappers before it.
func unwrapped(words []string) []string {
	for len(words) > 1 {
		program := programOf(words[0])
		switch {
		case isAssignment(words[0]):
			words = words[1:]
			continue
		case program == "command" && strings.HasPrefix(words[1], "-"): // looks for a program
			return words
		case slices.Contains(wrappers, program):
			words = words[1:]
		case len(words) > 2 && slices.Contains(wrappers, program+" "+words[1]):
			words = words[2:]
		default:
			return words
		}
		for len(words) > 1 && (strings.HasPrefix(words[0], "-") || isNumber(words[0])) {
			if len(words) > 2 && slices.Contains(valued[program], words[0]) { // sudo -u www
				words = words[1:]
			}
			words = words[1:]
		}
	}
	return words
}

// isNumber reports whether a word is a number, or a time such as 60s.
func isNumber(word string) bool {
	return strings.Trim(word, "0123456789.smhkKMG") == "" && strings.ContainsAny(word, "0123456789")
}
