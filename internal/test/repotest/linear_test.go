package repotest_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/test/repotest"
)

// failing records that a test has failed.
type failing struct {
	testing.TB
	failed bool
}

func (f *failing) Fatalf(string, ...any) { f.failed = true }

func TestRequireLinear(t *testing.T) {
	for quadratic, step := range map[bool]func(string) string{
		false: func(s string) string { return s[:min(len(s), 1000)] },
		true:  func(s string) string { return s },
	} {
		f := &failing{TB: t}
		repotest.RequireLinear(f, 1<<15, func(size int) func() {
			text := strings.Repeat("a", size)
			return func() {
				for i := range text {
					if strings.Contains(step(text[i:]), "b") {
						panic("there is none")
					}
				}
			}
		})
		require.Equal(t, quadratic, f.failed)
	}
}
