package hooks

import (
	"context"
	"regexp"
	"strconv"
	"strings"

	"whence/internal/agent"
)

// versionOf returns the version that the agent on the PATH prints; "" if there is no agent, or it
// prints none.
func versionOf(ctx context.Context, c agent.Client) string {
	out, err := output(ctx, "", nil, nil, string(c), "--version")
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
