// Package detached starts programs that outlive the one that starts them.
//
// The child has a session of its own (on Windows, no console and a process group of its
// own): neither the end of a terminal nor a signal to the group of its parent reaches it.
// Its standard input, output and error are the null device, so that nobody who reads what
// the parent writes waits for the child.
package detached
