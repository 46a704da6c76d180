// Package parallel does independent work on all processors.
package parallel

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// chunk is how many items a worker takes at a time.
const chunk = 16

// For calls work once for each i from 0 to n-1, in no certain order, from as many
// goroutines as there are processors. It returns when all calls have.
func For(n int, work func(i int)) {
	var next atomic.Int64
	var workers sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), n) {
		workers.Go(func() {
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
}
