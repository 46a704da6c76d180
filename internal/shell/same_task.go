package shell

import (
	"slices"
	"strings"

	"whence/internal/lazyregexp"
)

// IsSameTask reports whether a command that passed does the task of one that failed, maybe in another way: it
// runs the same program on the same words, whatever the options and variables; in another folder only if the failure
// says that something was missing. A part of the work, such as one of all tests, is another task; so are --help and
// dry runs.
func IsSameTask(failed, passed Run, failure string) bool {
	isMissing := missing().MatchString(failure)
	isElsewhere := failed.Dir != passed.Dir && passed.Dir != ""
	if failed.Words == "" || failed.Rest != "" && failed.Rest != passed.Rest || isElsewhere && !isMissing {
		return false
	}
	if failed.Words == passed.Words {
		return true
	}
	before, now := strings.Split(failed.Words, "\n"), strings.Split(passed.Words, "\n")
	program := programOf(before[0])
	if program != programOf(now[0]) {
		return false
	}
	words, options := wordsOf(program, before[1:], isMissing)
	others, otherOptions := wordsOf(program, now[1:], isMissing)
	for _, o := range otherOptions {
		if !slices.Contains(options, o) && slices.Contains(lesser, o) {
			return false
		}
	}
	isTransfer := program == "git" && len(words) == 1 && slices.Contains([]string{"push", "pull", "fetch"}, words[0]) // names no remote
	for _, w := range others {
		if len(words) > 0 && words[0] == w {
			words = words[1:]
			continue
		}
		if !isTransfer && !strings.Contains(w, "://") { // a server is a way to do the task, not the task
			return false
		}
	}
	return len(words) == 0
}

// missing matches failures that are typical of a wrong folder. Only after these may a command in another folder do the
// same task.
var missing = lazyregexp.New(`(?i)no such file or directory|ENOENT|no makefile|no rule to make|no targets specified|missing script|not a git repository|` +
	`no tests? (files|found|ran)|no go files|main module|go\.mod file not found|could not find |does not (exist|contain)|no matching files`)

// wordsOf separates the arguments of a program into words and options. It omits numbers, versions of packages, commit
// messages and, if something was missing, folders.
func wordsOf(program string, arguments []string, isMissing bool) (words, options []string) {
	installs := len(arguments) > 0 && slices.Contains([]string{"install", "i", "add", "get"}, arguments[0])
	skips := false // the next word
	for i, word := range arguments {
		if word == "-h" && i+1 < len(arguments) { // a host follows: -h for help has no argument
			skips = true
			continue
		}
		option, _, _ := strings.Cut(word, "=")
		word = strings.TrimSuffix(strings.TrimPrefix(word, "./"), "/")
		if installs && len(word) > 1 {
			if at := strings.IndexAny(word[1:], "@=<>~!["); at >= 0 {
				word = word[:at+1]
			}
		}
		if len(option) > 1 && option[0] == '-' && option != "--" {
			options = append(options, option)
			isMessage := program == "git" && (option == "--message" || option == "-F" || option[1] != '-' && strings.HasSuffix(option, "m"))
			skips = isMessage || isMissing && slices.Contains([]string{"-C", "--prefix", "--cwd", "--dir"}, option)
			continue
		}
		if word != "" && word != "." && word != "--" && !isNumber(word) && !skips {
			words = append(words, word)
		}
		skips = false
	}
	return words, options
}

// lesser lists the options with which a program only prints something or does part of its work.
var lesser = []string{
	"-h", "-n", "--help", "-help", "--version", "-version", "--dry-run", "--list", "-list", "--list-tests", "--listTests", "--collect-only", "--co", "--just-print",
	"--check", "--check-only", "--syntax-check", "--validate", "--plan", "--stat", "--init", "--exit-zero", "--abort", "--delete", "--tags", "-target",
	"--limit", "-pl", "-Dtest", "-DskipTests", "--filter", "--grep", "--only", "--lf", "--last-failed", "-run", "-short", "--skip", "-skip", "--deselect",
	"--ignore", "--exclude", "--testNamePattern", "--testPathPattern", "--changed", "--onlyChanged", "--no-run", "--doc", "--project", "--lib", "--bins",
}

var (
	failureWords = lazyregexp.New(`(?i)\b(\w*errors?|\w*exceptions?|fail(s|ed|ing|ures?)?|fatal|panic|traceback|err!|cannot|can't|could not|no such|refused|undefined|missing|unknown|invalid|unexpected)(\b|:)|` +
		`not found|denied|✗|✘`)
	noFailures = lazyregexp.New(`(?i)\b(0|no|zero|without) (fail(ed|ing|ures?)|errors?|problems)\b|\b(fail(ed|ing|ures?)|errors?):? +0\b`)
)

// SaysFailure reports whether an output, or a line of it, mentions a failure.
func SaysFailure(output string) bool {
	return failureWords().MatchString(noFailures().ReplaceAllString(output, ""))
}
