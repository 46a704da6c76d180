package remember

import (
	"bytes"
	"strings"

	"whence/internal/cli"
	"whence/when"
)

// whenText is what memory-when prints for a query, a line of a batch each, in a folder,
// and whether all of it has an answer. What has none is said behind the answers.
func whenText(env cli.Env, dir, query string) (text string, answered bool) {
	var out, problems bytes.Buffer
	inside := env
	inside.Args = []string{"memory-when", "--quiet", "--"}
	for line := range strings.Lines(query) {
		line = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(line), "- "))
		if line != "" && line != "/when" && line != "/how" {
			inside.Args = append(inside.Args, line)
		}
	}
	if len(inside.Args) == 3 {
		return "Error: query must be non-empty", false
	}
	inside.Dir, inside.Stdin, inside.Stdout, inside.Stderr = dir, strings.NewReader(""), &out, &problems
	status := when.Main(inside)
	return strings.TrimSpace(out.String() + "\n" + problems.String()), status == cli.OK
}
