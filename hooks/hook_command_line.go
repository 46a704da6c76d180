package hooks

import (
	"path"
	"strings"

	"whence/internal/agent"
	"whence/internal/lazyregexp"
	"whence/internal/shell"
)

// programName is the name by which command lines of this program are known.
const programName = "memory-hooks"

// Whatever ends the program, the command line ends with status 0: agents read 2, with which
// Go's runtime ends a program that gets no memory or thread, as a reason to block a prompt or
// to go on after a stop.
const (
	// trapExit is for sh. It holds also where sh itself cannot start the program.
	trapExit = "trap 'exit 0' EXIT; "
	// thenExit is for settings that are shared, and for Windows: sh and PowerShell both take it.
	thenExit = "; exit 0"
	// orExit is the same for Codex, which has cmd on Windows.
	orExit = " || exit 0"
	// inShell is for Cursor, which appends the event to the line, so the line must be one command. In shared settings and
	// on Windows there is none that ends with 0.
	inShell = "sh -c "
)

// commandLine returns the command line by which an agent runs a program at an event, in the shell
// that the agent has on a system: sh, or what it takes on Windows (cmd, PowerShell, the bash of
// git). A bare name is for settings that are shared by users of all systems.
func commandLine(c agent.Client, goos, program, event string) string {
	run := quoteProgram(c, goos, program) + " " + event + " --agent " + string(c)
	switch shared := !strings.ContainsAny(program, `/\`); {
	case c == agent.Cursor && (shared || goos == "windows"):
		return run
	case c == agent.Cursor:
		return inShell + shell.Quote(trapExit+run)
	case goos != "windows" && !shared:
		return trapExit + run
	case c == agent.Codex:
		return run + orExit
	}
	return run + thenExit
}

// quoteProgram returns the name of a program as a shell takes it. Slashes serve all shells of Windows
// too.
func quoteProgram(c agent.Client, goos, program string) string {
	if goos != "windows" {
		return shell.Word(program)
	}
	program = strings.ReplaceAll(program, `\`, "/")
	bare := !strings.Contains(program, "/")
	switch {
	case bare || shell.IsWord(program) && c != agent.Codex:
		return program
	case c == agent.Codex: // cmd, which takes a slash in a bare word for the beginning of a flag
		return `"` + program + `"`
	case c == agent.Claude:
		return shell.Quote(program)
	}
	quoted := "'" + strings.ReplaceAll(program, "'", "''") + "'"
	if c == agent.Cursor { // which adds that
		return quoted
	}
	return "& " + quoted
}

// programOf returns the program that a command line runs: its first word, without quotes, and
// without variables set before it.
func programOf(command string) string {
	command = strings.TrimSpace(command)
	if script, isOne := strings.CutPrefix(command, inShell); isOne {
		command, _ = firstWord(script)
	}
	command = strings.TrimPrefix(command, trapExit)
	command = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(command), "& "))
	for {
		word, rest := firstWord(command)
		name, _, assigns := strings.Cut(word, "=")
		if !assigns || strings.ContainsAny(name, `/\. `) {
			return word
		}
		command = rest
	}
}

// wordPart matches a part of a word on a command line: quoted, escaped or plain.
var wordPart = lazyregexp.New(`^(?:"([^"]*)"|'([^']*)'|\\([' ])|([^\s;&|"']))`)

// firstWord splits a command line after its first word.
func firstWord(line string) (word, rest string) {
	rest = strings.TrimLeft(line, " \t")
	for {
		part := wordPart().FindStringSubmatch(rest)
		if part == nil {
			return word, rest
		}
		word += strings.Join(part[1:], "")
		rest = rest[len(part[0]):]
	}
}

// isOurs reports whether a command line runs this program, wherever it is installed.
func isOurs(command string) bool {
	base := path.Base(strings.ReplaceAll(programOf(command), `\`, "/"))
	return strings.TrimSuffix(strings.ToLower(base), ".exe") == programName
}
