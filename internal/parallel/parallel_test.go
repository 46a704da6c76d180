package parallel_test

import (
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/parallel"
)

func TestForCallsEachOnce(t *testing.T) {
	for _, n := range []int{0, 1, 15, 16, 17, 1000} {
		calls := make([]atomic.Int32, n)
		parallel.For(n, func(i int) { calls[i].Add(1) })
		for i := range calls {
			require.EqualValues(t, 1, calls[i].Load(), "%d of %d", i, n)
		}
	}
}
