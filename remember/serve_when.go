package remember

import (
	"bytes"
	"strings"

	"whence/internal/cli"
	"whence/internal/text"
	"whence/when"
)

// whenText returns what memory-when prints for an agent in a folder, for one or more lines of queries,
// and reports whether any has an answer. Problems follow the answers. The queries are passed on standard input,
// since "list" as an argument would be a command.
func whenText(env cli.Env, dir, query string) (answer string, answered bool) {
	var queries strings.Builder
	for line := range strings.Lines(query) {
		line = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(line)+" ", "- "))
		if line != "" && line != "/when" && line != "/how" {
			queries.WriteString(line + "\n")
		}
	}
	if queries.Len() == 0 {
		return "Error: query must be non-empty", false
	}
	var out, problems bytes.Buffer
	forAgent := text.NewAgentWriter(&out)
	inside := env
	inside.Args = []string{"memory-when", "--quiet", "-"}
	inside.Dir, inside.Stdin, inside.Stdout, inside.Stderr = dir, strings.NewReader(queries.String()), forAgent, &problems
	when.Main(inside)
	return strings.TrimSpace(out.String() + "\n" + problems.String()), out.Len() > 0
}
