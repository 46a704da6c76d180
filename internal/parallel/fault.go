// Package fault turns panics into errors that keep the stack of the panic.
package parallel

import (
	"errors"
	"fmt"
	"runtime/debug"
	"strings"
)

// maxStackBytes bounds the stack that an error keeps.
const maxStackBytes = 4 << 10

// Panic is a panic that was recovered. Panicking with it again keeps its stack.
type Panic struct {
	Value any
	Stack string // a frame a line, the place of the panic first
}

func (p *Panic) Error() string { return fmt.Sprintf("a fault in the program: %v", p.Value) }

// Recovered returns the error for what recover returned. It must be called by the deferred
// function itself. A Panic that another goroutine handed over is returned as it is.
func Recovered(value any) *Panic {
	if p, ok := value.(*Panic); ok {
		return p
	}
	return &Panic{Value: value, Stack: frames(string(debug.Stack()))}
}

// Stack returns the stack of the panic in an error, or "" if the error is of another kind.
func Stack(err error) string {
	var p *Panic
	if errors.As(err, &p) {
		return p.Stack
	}
	return ""
}

// frames shortens a stack as debug.Stack prints it to what is below the panic: a frame a
// line, as many as fit.
func frames(stack string) string {
	lines := strings.Split(strings.TrimSpace(stack), "\n")
	begin := 1 // behind the name of the goroutine
	for i, line := range lines {
		if strings.HasPrefix(line, "panic(") {
			begin = i + 2
			break
		}
	}
	var out strings.Builder
	for i := begin; i+1 < len(lines); i += 2 {
		place, _, _ := strings.Cut(strings.TrimSpace(lines[i+1]), " +0x")
		frame := strings.TrimSpace(lines[i]) + " " + place + "\n"
		if out.Len()+len(frame) > maxStackBytes {
			break
		}
		out.WriteString(frame)
	}
	return strings.TrimSuffix(out.String(), "\n")
}
