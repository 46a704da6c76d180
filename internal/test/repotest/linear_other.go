//go:build !unix

package repotest

import "time"

func processorTime() time.Duration { return time.Duration(time.Now().UnixNano()) }
