package shell

import (
	"path"
	"strings"

	"whence/internal/inert"
)

// Typed renders paths of the memory, and commands on it, as the user can type them: each works as printed from the
// user's working folder, on the same memory. The zero value is for a user in the folder of the memory.
type Typed struct {
	Dir         string // the folder of the memory, relative to the user's working folder; "": the same folder
	IsElsewhere bool   // the memory is in another repository than the user
	Repo        string // the flag --repo that commands need, with a space before it; "": none
	Flags       string // the flags --index and --decisions of this run, each with a space before it; "": none
	Programs    string // the folder of the programs; "": they are on the PATH
}

// Path returns a path of the memory as messages name it, see [inert.Path].
func (t Typed) Path(name string) string { return inert.Path(t.Place(name)) }

// Place returns a path of the memory, relative to the user's working folder unless it is absolute.
func (t Typed) Place(name string) string {
	if path.IsAbs(name) {
		return name
	}
	return path.Join(t.Dir, name)
}

// Word returns [Typed.Place] as a word of a command line.
func (t Typed) Word(name string) string { return Word(t.Place(name)) }

// Command returns a command line of this module with the flags that choose the memory, which line must not have.
func (t Typed) Command(line string) string { return t.Program(line) + t.Repo + t.Flags }

// Program returns a command line of this module with the path of its program.
func (t Typed) Program(line string) string {
	if t.Programs == "" {
		return line
	}
	name, arguments, hasArguments := strings.Cut(line, " ")
	name = Word(path.Join(t.Programs, name))
	if !hasArguments {
		return name
	}
	return name + " " + arguments
}

// Git returns a git command with paths of the memory, in the order given.
func (t Typed) Git(command string, names ...string) string {
	words := []string{"git", command}
	if t.IsElsewhere {
		words = []string{"git -C " + Word(t.Dir), command}
	}
	for _, name := range names {
		if !t.IsElsewhere {
			name = t.Place(name)
		}
		words = append(words, Word(name))
	}
	return strings.Join(words, " ")
}

// IsWord reports whether a shell takes a word literally, without quotes.
func IsWord(word string) bool {
	return word != "" && !strings.ContainsFunc(word, func(r rune) bool {
		return !strings.ContainsRune("_@%+=:,./-", r) && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
	})
}

// Word returns a word for a command line in sh, quoted if necessary.
func Word(word string) string {
	if IsWord(word) {
		return word
	}
	return Quote(word)
}

// Quote returns a word quoted for sh.
func Quote(word string) string { return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'" }
