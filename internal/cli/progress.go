package cli

import (
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/mattn/go-isatty"
)

// IsTerminal reports whether a stream of the environment is a terminal.
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
