package shell

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
)

// Run describes a command line so that it can be compared with another one. Its main command is the last one of
// the highest kind: a working command rather than a preparing one, a preparing one rather than a looking one. In a
// pipeline it is the first one.
//
//	cd web && CI=1 npm test -- --watch=false 2>&1 | tail -20    npm test -- --watch=false, in web
//	timeout 60 go test -race ./...                              go test -race ./...
type Run struct {
	Words  string `json:"words,omitempty"`  // words of the main command, one a line, from the program on; "": none
	Sum    string `json:"sum,omitempty"`    // a hash of everything that determines what the line does, except the folder
	Dir    string `json:"dir,omitempty"`    // the folder of the main command; relative if the starting folder is unknown
	Rest   string `json:"rest,omitempty"`   // a hash of the other commands that may fail or feed the main one
	Masked bool   `json:"masked,omitempty"` // the line may succeed although the main command fails
	Writes bool   `json:"writes,omitempty"` // the line may change files apart from its main command: by redirection, sed -i, in the background
	Own    bool   `json:"own,omitempty"`    // the line only runs programs of whence
}

// RunOf describes a command line that is run in a folder; "" if the folder is unknown.
func RunOf(line, dir string) Run {
	l, ok := read(line, dir)
	if !ok {
		sum := hashed([]string{line})
		return Run{Words: sum, Sum: sum, Dir: dir, Masked: true, Writes: true}
	}
	r := Run{Dir: l.dir, Writes: l.changes || strings.Contains(line, "sed -i")}
	at := mainCommand(l.commands)
	if at < 0 {
		return r
	}
	main := l.commands[at]
	r.Words, r.Dir, r.Masked = oneLines(unwrapped(main.words)), main.dir, main.masked
	asks, works := false, false
	var does, rest []string
	for i, c := range l.commands {
		kind := kindOf(c.words)
		asks = asks || kind == asking
		works = works || kind > asking
		feeds := i < at && samePipe(c, main)
		isFilter := i > at && samePipe(c, main)
		if i != at && (feeds || kind == working && !isFilter) {
			rest = append(rest, strings.Join(c.words, "\x00"))
		}
		// A pause belongs to the command after it.
		if i == at || i < at && (feeds || kind > asking || c.words[0] == "sleep") {
			does = append(does, strings.Join(c.words, "\x00"))
		}
	}
	r.Own = asks && !works
	r.Sum, r.Rest = hashed(does), hashed(rest)
	return r
}

// mainCommand returns the index of the main command, or -1 if there is none.
func mainCommand(all []command) int {
	at, most := -1, aside
	for i, c := range all {
		kind := kindOf(c.words)
		if kind > most || kind == most && at >= 0 && !samePipe(all[at], c) {
			at, most = i, kind
		}
	}
	return at
}

func samePipe(a, b command) bool { return a.pipe != 0 && a.pipe == b.pipe }

// hashed returns a hash of commands; "" if there are none.
func hashed(commands []string) string {
	if len(commands) == 0 {
		return ""
	}
	sum := sha256.Sum256([]byte(strings.Join(commands, "\x00\x00")))
	return hex.EncodeToString(sum[:8])
}

func oneLines(words []string) string {
	var lines []string
	for _, w := range words {
		lines = append(lines, strings.Join(strings.Fields(w), " "))
	}
	return strings.Join(lines, "\n")
}

// IsReadOnly reports whether the main command, if there is one, changes nothing. Writes reports whether the rest
// of the line may.
func (r Run) IsReadOnly() bool {
	return r.Words == "" || kindOf(strings.Split(r.Words, "\n")) == looking
}
