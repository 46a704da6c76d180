package shell

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestRunsWhence(t *testing.T) {
	for line, want := range map[string]bool{
		"memory-when 'x'":                                 true,
		"cd web && memory-when 'x' | head -20":            true,
		"memory-when 'x' 2>&1 | tee out.txt":              true,
		"memory-when 'x' || go test ./...":                true,
		"git commit -m x && memory-validate":              true,
		"for t in a b; do memory-when \"$t\"; done":       true,
		"if memory-when 'x'; then :; fi":                  true,
		"echo \"$(memory-when 'x')\"":                     true,
		"out=$(cd web && memory-when 'x'); echo \"$out\"": true,
		"echo x | xargs -I{} memory-when {}":              true,
		"bash -c \"memory-when 'x'\"":                     true,
		"timeout 5 ./bin/memory-when 'x'":                 true,
		"go run whence/when/memory-when 'x'":              true,
		"git -C memory-when status":                       false,
		"npm test":                                        false,
		"grep -rn memory-when docs":                       false,
		"echo memory-when":                                false,
		"go build ./when/memory-when":                     false,
		"bash -c \"echo memory-when\"":                    true,
		"cat <<'END' > notes.md\nmemory-when x\nEND":      false,
		"$(memory-": false,
		"":          false,
	} {
		require.Equal(t, want, RunsWhence(line), line)
	}
}
