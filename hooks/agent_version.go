package hooks

import (
	"context"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"time"

	"whence/internal/agent"
)

// versionPatience is how long an agent may take to print its version.
const versionPatience = 10 * time.Second

// versionOf asks the agent on the PATH for its version; "" if there is none, or it does
// not say.
func versionOf(ctx context.Context, c agent.Client) string {
	ctx, cancel := context.WithTimeout(ctx, versionPatience)
	defer cancel()
	cmd := exec.CommandContext(ctx, string(c), "--version")
	cmd.WaitDelay = time.Second
	out, err := cmd.Output()
	if err != nil {
		return ""
	}
	return regexp.MustCompile(`\d+\.\d+\.\d+`).FindString(string(out))
}

// older reports whether a version comes before another one.
func older(version, than string) bool {
	a, b := strings.Split(version, "."), strings.Split(than, ".")
	for i := range min(len(a), len(b)) {
		x, _ := strconv.Atoi(a[i])
		y, _ := strconv.Atoi(b[i])
		if x != y {
			return x < y
		}
	}
	return len(a) < len(b)
}
