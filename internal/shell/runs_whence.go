package shell

import (
	"slices"
	"strings"
)

// programs lists the programs of whence.
var programs = []string{"memory-validate", "memory-migrate", "memory-when", "memory-remember", "memory-hooks"}

// RunsWhence reports whether a command line runs a program of whence, maybe among others. In substitutions, and
// in commands that run others, every word counts. It returns false for a line that does not parse.
func RunsWhence(line string) bool {
	if !strings.Contains(line, "memory-") {
		return false
	}
	return slices.ContainsFunc(Commands(line), func(words []string) bool {
		words = unwrapped(words)
		runsOthers := slices.Contains([]string{"xargs", "sh", "bash", "zsh", "dash"}, programOf(words[0]))
		for _, w := range words {
			parts := strings.FieldsFunc(w, func(c rune) bool { return strings.ContainsRune(" \t\n;&|()\"'", c) })
			if (runsOthers || strings.Contains(w, "$(")) && slices.ContainsFunc(parts, func(w string) bool { return isWhence([]string{w}) }) {
				return true
			}
		}
		return isWhence(words)
	})
}

// isWhence reports whether a command runs a program of whence, by any path or by go run.
func isWhence(words []string) bool {
	if len(words) > 2 && words[0] == "go" && words[1] == "run" {
		words = words[2:]
	}
	name, _, _ := strings.Cut(programOf(words[0]), "@")
	return slices.Contains(programs, name)
}

// IsOwnFailure reports whether the failure of a command line, with its output, is one of whence: the output begins
// with an error of a whence program, or the line runs nothing else.
func IsOwnFailure(line, output string) bool {
	return IsWhenceFailure(output) || RunOf(line, "").Own
}

// IsWhenceFailure reports whether an output begins with an error of a whence program.
func IsWhenceFailure(output string) bool {
	name, _, ok := strings.Cut(output, ": ")
	return ok && slices.Contains(programs, name)
}
