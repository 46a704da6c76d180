// Package parallel does independent work on all processors.
package parallel

import (
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
)

// chunk is how many items a worker takes at a time.
const chunk = 16

// For calls work once for each i from 0 to n-1, in no certain order, from as many
// goroutines as there are processors. It returns when all calls have. A panic of
// one is that of For.
func For(n int, work func(i int)) {
	var next atomic.Int64
	var workers sync.WaitGroup
	var panicked atomic.Value
	for range min(runtime.GOMAXPROCS(0), n) {
		workers.Go(func() {
			defer func() {
				if p := recover(); p != nil {
					panicked.Store(fmt.Sprint(p))
				}
			}()
			for {
				end := int(next.Add(chunk))
				for i := end - chunk; i < min(end, n); i++ {
					work(i)
				}
				if end >= n {
					return
				}
			}
		})
	}
	workers.Wait()
	if p := panicked.Load(); p != nil {
		panic(p)
	}
}
