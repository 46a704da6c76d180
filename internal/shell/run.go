package shell

import (
	"crypto/sha256"
	"encoding/hex"
	"hash"
	"path"
	"slices"
	"strings"
)

// Run describes a command line for comparison with another one. Its main command is the last
// that neither looks, filters nor prepares.
//
//	cd web && CI=1 npm test -- --watch=false 2>&1 | tail -20    npm test -- --watch=false, in web
//	timeout 60 go test -race ./...                              go test -race ./...
type Run struct {
	Words  string `json:"words,omitempty"`  // of the main command, one a line, from the program on; "": there is none
	Sum    string `json:"sum,omitempty"`    // a hash of all that determines what the line does, except the folder
	Dir    string `json:"dir,omitempty"`    // in which the main command runs; relative if the starting folder is unknown
	Rest   string `json:"rest,omitempty"`   // a hash of the other commands that may fail or feed it
	Masked bool   `json:"masked,omitempty"` // the line may succeed although the main command fails
	Blind  bool   `json:"blind,omitempty"`  // the line does not show whether the main command succeeds
	Sets   bool   `json:"sets,omitempty"`   // the line changes the environment of the shell
	Own    bool   `json:"own,omitempty"`    // the line only runs programs of whence
}

// maxLineBytes limits the part of a command line that is parsed.
const maxLineBytes = 32 << 10

// RunOf parses a command line that is run in a folder; "" is unknown.
func RunOf(line, dir string) (r Run) {
	rest := line[min(len(line), maxLineBytes):]
	line = line[:len(line)-len(rest)]
	steps := commands(line)
	at := mainStep(steps)
	sum := sha256.New()
	sum.Write([]byte(rest))
	folders, group := []string{cleanDir(dir)}, 0 // one for each subshell around a command
	for i, s := range steps {
		if s.group != group {
			group, folders = s.group, folders[:min(len(folders), max(1, s.depth))]
		}
		for len(folders) <= s.depth {
			folders = append(folders, folders[len(folders)-1])
		}
		folders = folders[:s.depth+1]
		here := &folders[s.depth]
		words := unwrapped(s.words)
		if len(words) == 0 {
			words = []string{""}
		}
		switch {
		case words[0] == "cd" || words[0] == "pushd":
			*here = changedDir(*here, words[1:])
			continue
		case i == at:
			r.Words, r.Dir = strings.Join(oneLines(words), "\n"), *here
		case at >= 0 && i > at:
			continue
		case isSetting(words[0]):
			r.Sets = true
		case !(at >= 0 && isPiped(steps, i, at)) && (isAside(words[0]) && words[0] != "sleep" || isLooking(words) || isWhence(words)):
			continue
		}
		addWords(sum, effective(s.words))
	}
	r.Masked = at >= 0 && isMasked(steps, at) && !strings.Contains(line, "pipefail")
	if at < 0 {
		r.Dir = folders[0]
	} else {
		r.Rest, r.Blind = restOf(steps, at), steps[at].not || r.Masked && steps[at].unseen || isInBackground(steps, at)
	}
	if r.Words != "" || r.Sets {
		r.Sum = hex.EncodeToString(sum.Sum(nil)[:8])
	}
	r.Own = runsOnlyWhence(steps)
	return r
}

// mainStep returns the index of the main command, or -1.
func mainStep(steps []step) int {
	found, looks := -1, -1
	for i, s := range steps {
		words := unwrapped(s.words)
		switch {
		case len(words) == 0 || isAside(words[0]) || isSetting(words[0]):
		case i > 0 && steps[i-1].joint == "|" && (found >= 0 && isPiped(steps, found, i) || looks >= 0 && isLooking(words)):
		case isLooking(words) || isWhence(words):
			if looks < 0 || steps[i-1].joint != "|" {
				looks = i
			}
		default:
			found = i
		}
	}
	if found < 0 {
		return looks
	}
	return found
}

// isPiped reports whether a command reads the output of an earlier one.
func isPiped(steps []step, from, to int) bool {
	for i := from; i < to; i++ {
		if steps[i].joint != "|" {
			return false
		}
	}
	return true
}

// isMasked reports whether a line may succeed although one of its commands fails or is not run.
func isMasked(steps []step, at int) bool {
	if steps[at].nested || at > 0 && steps[at-1].joint == "||" {
		return true
	}
	for i := at; i < len(steps); i++ {
		switch joint := steps[i].joint; {
		case joint == "&", i == len(steps)-1:
			return joint == "&"
		case joint == "||", joint == ";", joint == "|" && isPiped(steps, at, i):
			return true
		}
	}
	return false
}

// isInBackground reports whether a line does not wait for a command.
func isInBackground(steps []step, at int) bool {
	for at < len(steps)-1 && (steps[at].joint == "|" || steps[at].joint == "&&") {
		at++
	}
	return steps[at].joint == "&"
}

// restOf returns a hash of the other commands of a line that may have failed or feed the main
// one; "" if there are none.
func restOf(steps []step, at int) string {
	sum, found := sha256.New(), false
	for i, s := range steps {
		words := unwrapped(s.words)
		feeds := i < at && isPiped(steps, i, at)
		if i == at || len(words) == 0 || i > at && isPiped(steps, at, i) ||
			!feeds && (isAside(words[0]) || isSetting(words[0]) || isLooking(words) || isWhence(words) || isPreparing(words)) {
			continue
		}
		found = true
		addWords(sum, words)
	}
	if !found {
		return ""
	}
	return hex.EncodeToString(sum.Sum(nil)[:8])
}

// addWords adds a command to a hash.
func addWords(sum hash.Hash, words []string) {
	for _, w := range words {
		sum.Write([]byte(w + "\x00"))
	}
	sum.Write([]byte{0})
}

// isPreparing reports whether a command only makes room for the next one, and seldom fails.
func isPreparing(words []string) bool {
	switch programOf(words[0]) {
	case "rm", "mkdir", "touch", "chmod", "kill", "pkill", "killall", "nvm":
		return true
	case "git":
		return len(words) > 1 && words[1] == "add"
	}
	return false
}

// effective removes the programs before a command that change nothing.
func effective(words []string) []string {
	for len(words) > 1 && slices.Contains([]string{"time", "command", "exec", "nohup"}, words[0]) {
		words = words[1:]
	}
	return words
}

func oneLines(words []string) []string {
	words = slices.Clone(words)
	for i, w := range words {
		words[i] = strings.Join(strings.Fields(w), " ")
	}
	return words
}

// program returns the program of the main command, and its arguments.
func (r Run) program() (program string, arguments []string) {
	if r.Words == "" {
		return "", nil
	}
	words := strings.Split(r.Words, "\n")
	return programOf(words[0]), words[1:]
}

// Looks reports whether the line has no main command or one that changes nothing.
func (r Run) Looks() bool { return r.Words == "" || isLooking(strings.Split(r.Words, "\n")) }

// programOf returns the name of a program without its folder and, for interpreters, version.
func programOf(word string) string {
	name := strings.TrimSuffix(word[strings.LastIndexAny(word, `/\`)+1:], ".exe")
	switch plain := strings.TrimRight(name, "0123456789."); plain {
	case "python", "pip":
		return plain
	}
	return name
}

// changedDir returns the working folder after cd.
func changedDir(dir string, arguments []string) string {
	to := "~"
	if i := slices.IndexFunc(arguments, func(a string) bool { return !strings.HasPrefix(a, "-") || a == "-" }); i >= 0 {
		to = arguments[i]
	}
	if dir == "" || IsAbsolute(to) || strings.HasPrefix(to, "~") {
		return cleanDir(to)
	}
	return cleanDir(dir + "/" + to)
}

// cleanDir returns a folder with slashes; "" is the folder in which the shell begins.
func cleanDir(dir string) string {
	if dir = path.Clean(strings.ReplaceAll(dir, `\`, "/")); dir == "." {
		return ""
	}
	return dir
}

// IsAbsolute reports whether a path is absolute on any system.
func IsAbsolute(dir string) bool {
	return strings.HasPrefix(dir, "/") || len(dir) > 2 && dir[1] == ':' && (dir[2] == '/' || dir[2] == '\\')
}

// isAside reports whether a program is never the main command.
func isAside(program string) bool {
	switch program {
	case "", "cd", "pushd", "popd", "echo", "printf", "sleep", "true", "false", ":", "wait", "exit", "yes", "for", "case", "select", "done", "fi", "esac", "}":
		return true
	}
	return false
}

// isSetting reports whether a command changes the environment of its shell.
func isSetting(program string) bool {
	switch program {
	case "export", "set", "unset", "source", ".", "alias", "ulimit", "umask":
		return true
	}
	return isAssignment(program)
}

// isAssignment reports whether a word sets a variable, as in CI=1.
func isAssignment(word string) bool {
	name, _, ok := strings.Cut(word, "=")
	return ok && name != "" && strings.Trim(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_") == ""
}

// wrappers are programs that run another one, each with its options that take a word.
var wrappers = map[string]string{
	"sudo": "ugpCh", "doas": "u", "time": "fo", "timeout": "ks", "env": "uCS", "nice": "n", "ionice": "cn", "nohup": "", "exec": "a", "command": "",
	"stdbuf": "", "xvfb-run": "", "npx": "p", "bunx": "",
}

// runners are wrappers of two words.
var runners = []string{"uv run", "poetry run", "pipenv run", "bundle exec", "pnpm exec", "pnpm dlx", "yarn exec", "yarn dlx", "npm exec", "python -m"}

// unwrapped returns a command without the variables and wrappers before it.
func unwrapped(words []string) []string {
	for at := 0; at < len(words); {
		word := programOf(words[at])
		options, wraps := wrappers[word]
		switch {
		case isAssignment(words[at]):
			if !slices.ContainsFunc(words[at:], func(w string) bool { return !isAssignment(w) }) {
				return words[at:]
			}
			at++
			continue
		case word == "command" && len(words) > at+1 && strings.HasPrefix(words[at+1], "-"): // looks for a program
			return words[at:]
		case wraps && len(words) > at+1:
			at++
		case len(words) > at+2 && slices.Contains(runners, word+" "+words[at+1]):
			at += 2
		default:
			return words[at:]
		}
		for at < len(words)-1 && (strings.HasPrefix(words[at], "-") || isNumber(words[at])) {
			option := strings.TrimPrefix(words[at], "-")
			at++
			if len(option) == 1 && strings.Contains(options, option) && at < len(words)-1 {
				at++
			}
		}
	}
	return nil
}

// isNumber reports whether a word is a number, or a time such as 60s.
func isNumber(word string) bool {
	return word != "" && strings.Trim(word, "0123456789.smhkKMG") == "" && strings.ContainsAny(word, "0123456789")
}
