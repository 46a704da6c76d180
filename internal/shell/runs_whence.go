package shell

import (
	"slices"
	"strings"
)

// runsOnlyWhence is RunsOnlyWhence for a parsed line.
func runsOnlyWhence(steps []step) bool {
	own := false
	for _, s := range steps {
		words := unwrapped(s.words)
		switch {
		case len(words) == 0 || isAside(words[0]) || isSetting(words[0]):
		case isWhence(words):
			own = true
		case !isLooking(words):
			return false
		}
	}
	return own
}

// RunsWhence reports whether a command line runs a program of whence, whatever else it runs.
func RunsWhence(line string) bool {
	return runsWhence(line[:min(len(line), maxLineBytes)], maxNesting)
}

// maxNesting limits the command lines within command lines that are parsed.
const maxNesting = 4

func runsWhence(line string, nesting int) bool {
	return nesting > 0 && strings.Contains(line, "memory-") && slices.ContainsFunc(commands(line), func(s step) bool {
		words := unwrapped(s.words)
		switch {
		case len(words) == 0:
		case isWhence(words):
			return true
		case programOf(words[0]) == "xargs":
			return slices.ContainsFunc(words, func(w string) bool { return slices.Contains(programs, programOf(w)) })
		}
		return slices.ContainsFunc(s.words, func(w string) bool {
			_, inside, substitutes := strings.Cut(w, "$(")
			if !substitutes && len(words) > 2 && isShell(words[0]) {
				inside, substitutes = w, true
			}
			return substitutes && runsWhence(inside, nesting-1)
		})
	})
}

func isShell(program string) bool {
	switch programOf(program) {
	case "sh", "bash", "zsh", "dash":
		return true
	}
	return false
}

// isWhence reports whether a command runs a program of whence, by any path or by go run.
func isWhence(words []string) bool {
	program := programOf(words[0])
	if program == "go" && len(words) > 2 && words[1] == "run" {
		if i := slices.IndexFunc(words[2:], func(w string) bool { return !strings.HasPrefix(w, "-") }); i >= 0 {
			pkg, _, _ := strings.Cut(words[2+i], "@")
			program = programOf(strings.TrimSuffix(pkg, "/"))
		}
	}
	return slices.Contains(programs, program)
}

// programs are the programs of whence.
var programs = []string{"memory-validate", "memory-migrate", "memory-when", "memory-remember", "memory-hooks"}

// WhenceChanges reports whether a line of programs of whence may change files, as all except
// memory-when may.
func WhenceChanges(line string) bool {
	return Writes(line) || slices.ContainsFunc(programs, func(p string) bool { return p != "memory-when" && strings.Contains(line, p) })
}

// RunsOnlyWhence reports whether a command line runs programs of whence and nothing else that
// matters, so that its output and its failures teach nothing.
func RunsOnlyWhence(line string) bool {
	return runsOnlyWhence(commands(line[:min(len(line), maxLineBytes)]))
}

// IsOwnFailure reports whether a tool of the server of whence, a command line that only runs programs
// of whence, or one of these programs in a line that does more has failed.
func IsOwnFailure(tool, line, output string) bool {
	return IsWhenceTool(tool) || RunsOnlyWhence(line) || IsWhenceFailure(output)
}

// IsWhenceTool reports whether a tool belongs to the server of memory-remember, as agents name it:
// mcp__memory__when, mcp__plugin_whence_memory__store_memory, mcp_memory_when, memory-when.
func IsWhenceTool(name string) bool {
	return slices.ContainsFunc(tools, func(tool string) bool {
		server, found := strings.CutSuffix(name, tool)
		return found && (server == "mcp_memory_" || server == "memory-" || strings.HasPrefix(server, "mcp__") && strings.HasSuffix(server, "memory__"))
	})
}

// tools are the tools of the server.
var tools = []string{"store_memory", "search_memory", "when", "forget_memory"}

// IsWhenceFailure reports whether a program of whence has printed an error.
func IsWhenceFailure(output string) bool {
	name, _, ok := strings.Cut(output, ": ")
	return ok && slices.Contains(programs, name)
}
