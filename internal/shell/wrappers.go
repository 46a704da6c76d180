package shell

import (
	"slices"
	"strings"
)

// isAssignment reports whether a word sets a variable, as in CI=1.
func isAssignment(word string) bool {
	name, _, ok := strings.Cut(word, "=")
	return ok && name != "" && !strings.ContainsAny(name, "-/$(<. ")
}

// wrappers lists programs that run another one.
var wrappers = []string{
	"sudo", "doas", "timeout", "env", "nice", "ionice", "nohup", "exec", "command", "stdbuf", "xvfb-run", "npx", "bunx",
	"uv run", "poetry run", "pipenv run", "bundle exec", "pnpm exec", "pnpm dlx", "yarn exec", "yarn dlx", "npm exec", "python -m",
}

// valued lists the options of wrappers that take the next word as their value.
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
		case program == "command" && strings.HasPrefix(words[1], "-"): // it only looks up a program
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
