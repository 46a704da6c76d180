package cli

import (
	"bufio"
	"fmt"
	"strings"
)

// Confirm asks a question, and reports whether the answer is yes.
func Confirm(env Env, question string) bool {
	fmt.Fprintf(env.Stdout, "%s [y/N] ", question)
	flush(env)
	line, _ := bufio.NewReader(env.Stdin).ReadString('\n')
	answer := strings.ToLower(strings.TrimSpace(line))
	return answer == "y" || answer == "yes"
}
