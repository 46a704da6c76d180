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

// UsesOnlyWhence reports whether a tool belongs to the server of whence, or a command line only
// runs programs of whence.
func UsesOnlyWhence(tool, line string) bool {
	return IsWhenceTool(tool) || RunsOnlyWhence(line)
}

// IsWhenceTool reports whether a tool belongs to the server of memory-remember, as agents name it:
// mcp__memory__when, mcp__plugin_whence_memory__store_memory.
func IsWhenceTool(name string) bool {
	server, tool, ok := strings.Cut(name, "memory__")
	return ok && strings.HasPrefix(server, "mcp__") && slices.Contains(tools, tool)
}

// tools are the tools of the server.
var tools = []string{"store_memory", "search_memory", "when", "forget_memory", "record_feedback"}

// IsWhenceFailure reports whether a program of whence has printed an error.
func IsWhenceFailure(output string) bool {
	name, _, ok := strings.Cut(output, ": ")
	return ok && slices.Contains(programs, name)
}
