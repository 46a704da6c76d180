package notes

import (
	"path"
	"slices"
	"strings"

	"whence/internal/agent"
	"whence/internal/shell"
)

// maxScriptBytes is the length of the longest command that is searched for deletions.
const maxScriptBytes = 4096

// deletions returns the files that a shell command removes by rm or git rm, as far as it names
// them plainly: without variables, patterns, or a change of the folder before.
func deletions(command string) (all []agent.Edit) {
	if !strings.Contains(command, "rm ") || len(command) > maxScriptBytes {
		return nil
	}
	for _, words := range shell.Commands(command) {
		switch {
		case path.Base(words[0]) == "rm":
			words = words[1:]
		case len(words) > 2 && words[0] == "git" && words[1] == "rm":
			words = words[2:]
		case words[0] == "cd" || words[0] == "pushd":
			return all // the folder of the rest is unknown
		default:
			continue
		}
		if end := slices.Index(words, "--"); end >= 0 {
			words = slices.Delete(slices.Clone(words), end, end+1)
		}
		for _, word := range words {
			if word != "" && !strings.HasPrefix(word, "-") && !strings.ContainsAny(word, "*?[]{}$`~<") {
				all = append(all, agent.Edit{Path: word, Deleted: true})
			}
		}
	}
	return all
}
