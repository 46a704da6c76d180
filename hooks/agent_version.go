package hooks

import (
	"context"
	"regexp"
	"strconv"
	"strings"

	"whence/internal/agent"
	"whence/internal/home"
)

// versionOf returns the version that the agent on the PATH prints, for use in a folder; "" if there is
// no agent, or it prints none.
func versionOf(ctx context.Context, c agent.Client, dir string) string {
	path, err := home.LookPath(string(c), dir)
	if err != nil {
		return ""
	}
	out, err := output(ctx, "", nil, nil, path, "--version")
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
