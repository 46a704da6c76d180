package hooks

import (
	"path"
	"strings"

	"whence/internal/agent"
	"whence/internal/lazyregexp"
	"whence/internal/shell"
)

// programName is the name of this program in command lines. Its hooks are recognized by it.
const programName = "memory-hooks"

// These parts make the command line end with status 0, whatever ends the program. Agents take 2 as a reason to block a
// prompt, or to go on after a stop, and Go's runtime ends a program with 2 if it gets no memory or thread.
const (
	// trapExit is for sh. It also works if sh cannot start the program.
	trapExit = "trap 'exit 0' EXIT; "
	// thenExit is for shared settings and for Windows: both sh and PowerShell accept it.
	thenExit = "; exit 0"
	// orExit is the same for Codex, which uses cmd on Windows.
	orExit = " || exit 0"
	// inShell is for Cursor, which appends the event to the line, so that the line must be a single command. For shared
	// settings and for Windows, there is no such command that ends with 0.
	inShell = "sh -c "
)

// commandLine returns the command line by which an agent runs a program at an event. It is for the shell that the agent
// uses on a system: sh, or on Windows cmd, PowerShell or the bash of git. A program without a folder is for shared
// settings, whose users may have any system.
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

// quoteProgram returns the name of a program quoted for the agent's shell. On Windows it has slashes, which all shells
// there accept.
func quoteProgram(c agent.Client, goos, program string) string {
	if goos != "windows" {
		return shell.Word(program)
	}
	program = strings.ReplaceAll(program, `\`, "/")
	bare := !strings.Contains(program, "/")
	switch {
	case bare || shell.IsWord(program) && c != agent.Codex:
		return program
	case c == agent.Codex: // cmd takes a slash in an unquoted word for the beginning of a flag
		return `"` + program + `"`
	case c == agent.Claude:
		return shell.Quote(program)
	}
	quoted := "'" + strings.ReplaceAll(program, "'", "''") + "'"
	if c == agent.Cursor { // it adds the & itself
		return quoted
	}
	return "& " + quoted
}

// programOf returns the program that a command line runs, without quotes: the first word that is not an assignment of a
// variable. It skips the parts that commandLine adds.
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

// firstWord splits a command line after its first word, which it returns without quotes.
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
