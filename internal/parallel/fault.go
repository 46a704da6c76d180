package parallel

import (
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"strings"
)

// maxStackBytes limits the stack in an error.
const maxStackBytes = 4 << 10

// Panic is a panic that was recovered. Panicking with it again keeps its stack.
type Panic struct {
	Value any
	Stack string // one frame per line, that of the panic first
}

func (p *Panic) Error() string { return fmt.Sprintf("a fault in the program: %v", p.Value) }

// Recovered returns the error for a value of recover. The deferred function must call it
// directly. A Panic of another goroutine is returned unchanged.
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

// frames returns the frames below the panic in the output of debug.Stack, one per line, as many as
// fit.
func frames(stack string) string {
	lines := strings.Split(strings.TrimSpace(stack), "\n")
	begin := 1 // after the name of the goroutine
	if i := slices.IndexFunc(lines, func(line string) bool { return strings.HasPrefix(line, "panic(") }); i >= 0 {
		begin = i + 2
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
