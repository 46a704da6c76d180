package cli

import (
	"fmt"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/mattn/go-isatty"
)

// IsTerminal tells whether a stream of the environment is a terminal.
func IsTerminal(stream any) bool {
	file, ok := stream.(*os.File)
	return ok && isatty.IsTerminal(file.Fd())
}

// Progress returns a function that shows how far long work has come, as a bar on
// the terminal behind env.Stderr. It shows nothing in the first second, and nothing
// at all in a pipe. The bar is gone when the work is done. Several goroutines may
// call it; a count below one that was shown is passed over.
func Progress(env Env, what string) func(done, all int) {
	if !IsTerminal(env.Stderr) {
		return func(int, int) {}
	}
	start, shown := time.Now(), time.Time{}
	var one sync.Mutex
	most := 0
	return func(done, all int) {
		one.Lock()
		defer one.Unlock()
		if done < most {
			return
		}
		most = done
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
