package shell

import (
	"slices"
	"strings"
)

// programs are the programs of whence, and tools those of its server.
var (
	programs = []string{"memory-validate", "memory-migrate", "memory-when", "memory-remember", "memory-hooks"}
	tools    = []string{"store_memory", "search_memory", "when", "forget_memory"}
)

// RunsWhence reports whether a command line runs a program of whence, whatever else it runs. Of a
// substitution, and of a command that runs others, every word counts. A line that does not parse runs none.
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

// IsOwnFailure reports whether a tool of the server of whence, a command line that only runs programs
// of whence, or one of these programs in a line that does more has failed.
func IsOwnFailure(tool, line, output string) bool {
	return IsWhenceTool(tool) || IsWhenceFailure(output) || RunOf(line, "").Own
}

// IsWhenceTool reports whether a tool belongs to the server of memory-remember, as agents name it:
// mcp__memory__when, mcp__plugin_whence_memory__store_memory, mcp_memory_when, memory-when.
func IsWhenceTool(name string) bool {
	return slices.ContainsFunc(tools, func(tool string) bool {
		server, found := strings.CutSuffix(name, tool)
		return found && (server == "mcp_memory_" || server == "memory-" || strings.HasPrefix(server, "mcp__") && strings.HasSuffix(server, "memory__"))
	})
}

// IsWhenceFailure reports whether a program of whence has printed an error.
func IsWhenceFailure(output string) bool {
	name, _, ok := strings.Cut(output, ": ")
	return ok && slices.Contains(programs, name)
}
