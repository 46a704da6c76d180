package shell

import (
	"regexp"
	"slices"
	"strings"
	"sync"
)

// IsSameTask reports whether a command that passed does the task of one that failed, maybe in
// another way: it runs the same program on the same operands, whatever the options, variables
// and folder. A part of the work, such as one test of all, is another task, and so are --help
// and dry runs.
func IsSameTask(failed, passed Run, failure string) bool {
	program, before := failed.program()
	other, now := passed.program()
	if program == "" || program != other || failed.Rest != "" && failed.Rest != passed.Rest || !isSameFolder(failed.Dir, passed.Dir, failure) {
		return false
	}
	if failed.Words == passed.Words {
		return true
	}
	a, b := argumentsOf(program, before), argumentsOf(program, now)
	isMissing := missing().MatchString(failure)
	if !isMissing && (a.folder != b.folder || a.script != "" && b.script != "" && a.script != b.script) || isOrdered(program) && !isInOrder(a.words, b.words) {
		return false
	}
	isWhole := selects(program, a.words)
	for _, o := range b.options {
		if !slices.Contains(a.options, o) && (isReducing(program, o, b) || isWhole && slices.Contains(narrows, o)) {
			return false
		}
	}
	if isWhole && slices.ContainsFunc(b.values, func(v valueOf) bool { return !a.has(v.word) && !isSetup(v.word) }) {
		return false
	}
	return a.isIn(b) && b.isIn(a) || isWithTarget(program, a, b)
}

// isSameFolder reports whether a task in one folder may be one that failed in another folder:
// only if something was missing. An unknown folder is the previous one of the shell.
func isSameFolder(failed, passed, failure string) bool {
	return failed == passed || passed == "" || missing().MatchString(failure)
}

// missing matches failures of commands in a wrong folder.
var missing = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)no such file or directory|ENOENT|no makefile|no rule to make|no targets specified|missing script|not a git repository|` +
		`no tests? (files|found|ran)|no go files|main module|go\.mod file not found|(can't|cannot|could not|couldn't|unable to) (open|read|locate) |` +
		`could not find (a |the |any |file|.?package\.json|.?Cargo\.toml|.?pyproject)|does not exist|no config|no inputs were found|does not contain|no matching files`)
})

// arguments are the arguments of a command. A word after an option may be its value or an operand.
type arguments struct {
	operands []string
	options  []string
	values   []valueOf
	words    []string // operands and values in order
	folder   string   // in which the options make the program work
	script   string   // path of a script that an interpreter runs
}

// valueOf is an option with the word after it.
type valueOf struct{ option, word string }

// has reports whether a word is an operand or a value.
func (a arguments) has(word string) bool {
	return slices.Contains(a.operands, word) || slices.ContainsFunc(a.values, func(v valueOf) bool { return v.word == word })
}

// isIn reports whether another command has all operands. A word after an option that the other
// does not have is its value.
func (a arguments) isIn(b arguments) bool {
	for _, word := range a.operands {
		if !b.has(word) {
			return false
		}
	}
	for _, v := range a.values {
		if !b.has(v.word) && slices.Contains(b.options, v.option) && !isNumber(v.word) {
			return false
		}
	}
	return true
}

// argumentsOf parses the arguments of a program.
func argumentsOf(program string, words []string) (a arguments) {
	for i := 0; i < len(words); i++ {
		word := words[i]
		option, value, joined := strings.Cut(word, "=")
		switch {
		case word == "" || word == "." || word == "--":
		case !strings.HasPrefix(word, "-") || word == "-":
			operand := operandOf(program, word, len(a.operands) == 0)
			if len(a.operands) == 0 && operand != word {
				a.script = word
			}
			a.operands, a.words = append(a.operands, operand), append(a.words, operand)
		case isInFolder(program, option), isMessage(program, option):
			text := value
			if !joined {
				if i++; i < len(words) {
					text = words[i]
				}
			}
			if isInFolder(program, option) {
				a.folder = cleanDir(text)
			}
		case !joined && i+1 < len(words) && words[i+1] != "." && !strings.HasPrefix(words[i+1], "-"):
			i++
			a.options = append(a.options, option)
			operand := operandOf(program, words[i], false)
			a.values, a.words = append(a.values, valueOf{option, operand}), append(a.words, operand)
		default:
			a.options = append(a.options, option)
		}
	}
	return a
}

// operandOf returns an operand without a version, a script without its folder.
func operandOf(program, word string, isFirst bool) string {
	word = strings.TrimSuffix(strings.TrimPrefix(word, "./"), "/")
	switch program {
	case "npm", "pnpm", "yarn", "bun", "npx", "go", "cargo", "brew":
		if at := strings.LastIndexByte(word, '@'); at > 0 {
			word = word[:at]
		}
	case "pip", "uv", "poetry", "apt", "apt-get", "conda":
		if at := strings.IndexAny(word, "=<>~!["); at > 0 {
			word = word[:at]
		}
	case "python", "node", "ruby", "perl", "php", "bash", "sh", "zsh", "deno", "tsx":
		if isFirst {
			word = word[strings.LastIndexByte(word, '/')+1:]
		}
	}
	return word
}

// isInFolder reports whether an option names the folder in which a program works.
func isInFolder(program, option string) bool {
	switch option {
	case "--prefix", "--cwd", "--dir", "--directory", "--chdir", "--manifest-path", "--project-dir", "--working-directory":
		return true
	}
	return option == "-C" && program != "curl" && program != "grep"
}

// isMessage reports whether an option takes a text for people.
func isMessage(program, option string) bool {
	return option == "--message" || program == "git" && !strings.HasPrefix(option, "--") && strings.HasSuffix(option, "m") || option == "-F" && program == "git"
}

// reducing are options with which any program prints something or does less than its work.
var reducing = []string{
	"--help", "-help", "--version", "-version", "--dry-run", "--list", "--collect-only", "--co", "--listTests", "--list-tests", "-list", "--just-print",
	"--check-only", "--check", "--syntax-check", "--validate", "--fixtures", "--plan", "--sql", "--stat", "--init", "--exit-zero", "--abort", "--delete", "--tags",
	"-target", "--limit", "-pl", "-Dtest", "-DskipTests", "-Dmaven.test.skip",
}

// reducingLetters are such options of single letters, by program.
var reducingLetters = map[string]string{"make": "nq", "rsync": "n", "bash": "n", "sh": "n", "zsh": "n", "ruby": "c", "php": "l", "psql": "lV", "rake": "T", "jest": "o"}

// isReducing reports whether an option makes a program do less or something else.
func isReducing(program, option string, of arguments) bool {
	if option == "-h" { // it is followed by a host otherwise
		return !slices.ContainsFunc(of.values, func(v valueOf) bool { return v.option == option })
	}
	isLetters := len(option) > 1 && option[0] == '-' && option[1] != '-'
	return slices.Contains(reducing, option) || isLetters && strings.ContainsAny(option[1:], reducingLetters[program]) || program == "git" && option == "-R"
}

// isOrdered reports whether the order of operands matters to a program.
func isOrdered(program string) bool {
	return slices.Contains([]string{"cp", "mv", "ln", "scp", "rsync", "diff"}, program)
}

// isInOrder reports whether words occur among others in the same order.
func isInOrder(words, among []string) bool {
	for _, w := range among {
		if len(words) > 0 && words[0] == w {
			words = words[1:]
		}
	}
	return len(words) == 0
}

// narrows are options with which a task does part of its work.
var narrows = []string{
	"--filter", "--grep", "--only", "--lf", "--last-failed", "--ff", "-run", "-short", "--skip", "-skip", "--deselect", "--ignore", "--exclude",
	"--testNamePattern", "--testPathPattern", "--changed", "--onlyChanged", "--no-run", "--doc", "--project", "--sw", "--stepwise", "--lib", "--bins", "--workspace", "--passWithNoTests",
}

// selects reports whether a task without arguments does everything, so that more words mean less
// work: tests, checks, builds, installations.
func selects(program string, operands []string) bool {
	if program == "docker" || program == "podman" {
		return false
	}
	for i, word := range append([]string{program}, operands...) {
		if i > 2 {
			break
		}
		name, _, _ := strings.Cut(word, ":")
		switch name {
		case "test", "tests", "check", "lint", "vet", "typecheck", "build", "install", "add", "i", "ci", "sync", "e2e", "clippy",
			"pytest", "jest", "vitest", "mocha", "rspec", "phpunit", "tox", "nox", "playwright", "cypress",
			"eslint", "ruff", "mypy", "ty", "pyright", "flake8", "pylint", "tsc", "golangci-lint", "staticcheck", "gotestsum", "prettier", "biome", "make":
			return true
		}
	}
	return false
}

// isSetup reports whether a word is a number, a time or the address of a server, and not what a
// task works on.
func isSetup(word string) bool { return isNumber(word) || strings.Contains(word, "://") }

// isWithTarget reports whether a git command without a target has passed with one.
func isWithTarget(program string, failed, passed arguments) bool {
	if program != "git" || len(failed.operands) != 1 || len(failed.values) > 0 {
		return false
	}
	switch failed.operands[0] {
	case "push", "pull", "fetch":
		return passed.has(failed.operands[0])
	}
	return false
}
