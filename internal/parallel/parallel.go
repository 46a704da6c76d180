// Package parallel does independent work on all processors.
package parallel

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// maxChunk is how many items a worker takes at a time at most.
const maxChunk = 16

// For calls work once for each i from 0 to n-1, in no certain order, from as many
// goroutines as there are processors. It returns when all calls have. A panic of
// one is that of For.
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
	workers := make([]func(), processors)
	for i := range workers {
		workers[i] = worker
	}
	Do(workers...)
}

// Do calls the functions side by side. It returns when all have. A panic of one is
// that of Do, as a *fault.Panic.
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
