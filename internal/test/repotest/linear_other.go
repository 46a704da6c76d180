//go:build !unix

package repotest

import "time"

var began = time.Now()

func processorTime() time.Duration { return time.Since(began) }
