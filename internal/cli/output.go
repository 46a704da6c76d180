package cli

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/mattn/go-isatty"

	"whence/internal/agent"
	"whence/internal/inert"
)

// InShellTool returns an Env whose output is inert if an agent runs the program. Main flushes it.
func InShellTool(env Env) Env {
	if agent.InShellTool(env.Getenv) {
		ours := append([]string{"#", "`", "~"}, agent.Markup...) // manuals and lists have headings and fences
		env.Stdout, env.Stderr = inert.NewAgentWriter(env.Stdout, ours...), inert.NewAgentWriter(env.Stderr, ours...)
	}
	return env
}

// flush writes the rest of the output for an agent.
func flush(env Env) {
	for _, w := range []any{env.Stdout, env.Stderr} {
		if w, ok := w.(*inert.AgentWriter); ok {
			_ = w.Flush() // the agent may be gone
		}
	}
}

// PrintExact prints a patch or other output for programs byte for byte, even for agents. On a terminal it escapes
// control characters.
func PrintExact(env Env, exact string) error {
	out := inert.Exact(env.Stdout)
	if IsTerminal(out) {
		exact = inert.PrintableLines(exact)
	}
	_, err := io.WriteString(out, exact)
	return err
}

// Confirm asks a yes-or-no question, and repeats it after any other answer. No answer, as at the end of the input,
// means no.
func Confirm(env Env, question string) bool {
	in := bufio.NewReader(env.Stdin)
	for {
		fmt.Fprintf(env.Stdout, "%s [y/N] ", question)
		flush(env)
		line, err := in.ReadString('\n')
		switch strings.ToLower(strings.TrimSpace(line)) {
		case "y", "yes":
			return true
		case "", "n", "no":
			return false
		}
		if err != nil {
			return false
		}
		fmt.Fprintln(env.Stdout, "Type y for yes, or n for no.")
	}
}

// IsTerminal reports whether a stream of an Env is a terminal.
func IsTerminal(stream any) bool {
	file, ok := stream.(*os.File)
	return ok && isatty.IsTerminal(file.Fd())
}

// Progress returns a function that draws a progress bar if env.Stderr is a terminal. The bar
// appears after a second, and is erased when the work is done.
func Progress(env Env, what string) func(done, all int) {
	if !IsTerminal(env.Stderr) {
		return func(int, int) {}
	}
	start, shown := time.Now(), time.Time{}
	return func(done, all int) {
		now := time.Now()
		if now.Sub(start) < time.Second || now.Sub(shown) < time.Second/10 && done < all {
			return
		}
		if done >= all {
			fmt.Fprintf(env.Stderr, "\r%s\r", strings.Repeat(" ", len(what)+40))
			return
		}
		shown = now
		full := 20 * done / all
		fmt.Fprintf(env.Stderr, "\r%s [%s%s] %d of %d ", what, strings.Repeat("#", full), strings.Repeat(".", 20-full), done, all)
	}
}

// Color reports whether to colour output to w: on a terminal, unless NO_COLOR is set or TERM is dumb.
func Color(env Env, w io.Writer) bool {
	return env.Getenv("NO_COLOR") == "" && env.Getenv("TERM") != "dumb" && IsTerminal(w)
}

// Count returns a number with its noun.
func Count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprint(n, " ", many)
}
