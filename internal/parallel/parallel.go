// Package parallel does independent work on all processors, and turns panics into errors.
package parallel

import (
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
)

// maxChunk limits the items that a worker takes at a time.
const maxChunk = 16

// For calls work once for each i from 0 to n-1, in any order, from as many goroutines as there
// are processors, and returns when all calls have returned. If one panics, so does For.
func For(n int, work func(i int)) {
	processors := min(runtime.GOMAXPROCS(0), n)
	chunk := max(1, min(maxChunk, n/(4*max(1, processors))))
	var next atomic.Int64
	worker := func() {
		for {
			end := int(next.Add(int64(chunk)))
			for i := end - chunk; i < min(end, n); i++ {
				work(i)
			}
			if end >= n {
				return
			}
		}
	}
	Do(slices.Repeat([]func(){worker}, processors)...)
}

// Do calls functions concurrently and returns when all have returned. If one panics, so does Do,
// with a *Panic.
func Do(work ...func()) {
	var group sync.WaitGroup
	var panicked atomic.Value
	for _, f := range work {
		group.Go(func() {
			defer func() {
				if p := recover(); p != nil {
					panicked.Store(Recovered(p))
				}
			}()
			f()
		})
	}
	group.Wait()
	if p := panicked.Load(); p != nil {
		panic(p)
	}
}

// Start calls a function and does not wait for it. The function that it returns does, and returns
// the result; it panics if the call did, with a *Panic.
func Start[T any](work func() T) (wait func() T) {
	var result T
	done := make(chan *Panic, 1)
	go func() {
		defer func() {
			if p := recover(); p != nil {
				done <- Recovered(p)
				return
			}
			done <- nil
		}()
		result = work()
	}()
	return sync.OnceValue(func() T {
		if p := <-done; p != nil {
			panic(p)
		}
		return result
	})
}
