package hooks

import "time"

// Deadline is how long an agent waits for a reply.
const Deadline = 200 * time.Millisecond

// SetDeadline sets how long an agent waits for a reply.
func SetDeadline(d time.Duration) { deadline = d }
