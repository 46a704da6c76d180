package parallel_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/parallel"
)

func explode(depth int) {
	if depth > 0 {
		explode(depth - 1)
		return
	}
	panic("no such plank")
}

func recovered(run func()) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = parallel.Recovered(p)
		}
	}()
	run()
	return nil
}

// The stack starts where the panic was, in whichever goroutine, and is cut at 4 KB.
func TestAPanicKeepsItsStack(t *testing.T) {
	for name, run := range map[string]func(){
		"here":    func() { explode(0) },
		"deep":    func() { explode(1000) },
		"handed":  func() { parallel.Do(func() {}, func() { explode(2) }) },
		"twice":   func() { parallel.Do(func() { parallel.Do(func() { explode(2) }) }) },
		"started": func() { parallel.Start(func() int { explode(2); return 1 })() },
		"pointer": func() { var p *parallel.Panic; _ = p.Value },
	} {
		err := fmt.Errorf("answer: %w", recovered(run))
		stack := parallel.Stack(err)
		first, _, _ := strings.Cut(stack, "\n")
		require.Contains(t, first, "fault_test.go:", "%s: %s", name, stack)
		require.LessOrEqual(t, len(stack), 4<<10, name)
		if name != "pointer" {
			require.EqualError(t, err, "answer: a fault in the program: no such plank")
			require.Contains(t, first, "explode", name)
		}
	}
	require.Empty(t, parallel.Stack(errors.New("no panic")))
}
