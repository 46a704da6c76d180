package shell

import (
	"path"
	"strings"

	"whence/internal/inert"
)

// Typed renders paths of the memory and commands as the user types them next: each works as printed in
// their working folder, on the same memory. The zero value is for a user in the folder of the memory.
type Typed struct {
	Dir         string // the folder of the memory, from the working folder of the user; "": it is that
	IsElsewhere bool   // that folder is in another repository than the user
	Repo        string // the flag --repo that other commands need, with a space before it; "": none
	Flags       string // the flags --index and --decisions of this run, each with a space before it; "": none
	Programs    string // the folder of the programs; "": the PATH leads to them
}

// Path returns a path of the memory as messages name it, see [inert.Path].
func (t Typed) Path(name string) string { return inert.Path(t.Place(name)) }

// Place returns a path of the memory.
func (t Typed) Place(name string) string {
	if path.IsAbs(name) {
		return name
	}
	return path.Join(t.Dir, name)
}

// Word is [Typed.Place] as a word of a command line.
func (t Typed) Word(name string) string { return Word(t.Place(name)) }

// Command returns a command of this module that works on the memory. The line has no flag that chooses one.
func (t Typed) Command(line string) string { return t.Program(line) + t.Repo + t.Flags }

// Program returns a command of this module.
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

// Git returns a command of git with paths of the memory, sorted as given.
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

// IsWord reports whether no shell changes a word.
func IsWord(word string) bool {
	return word != "" && !strings.ContainsFunc(word, func(r rune) bool {
		return !strings.ContainsRune("_@%+=:,./-", r) && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
	})
}

// Word returns a word for a command line that the user types in sh, quoted if it has to be.
func Word(word string) string {
	if IsWord(word) {
		return word
	}
	return Quote(word)
}

// Quote returns a word quoted for sh.
func Quote(word string) string { return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'" }
